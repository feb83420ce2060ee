"""The Chromium and the server that the browser tests share, and what happens where there is no Chromium."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.browsing import NO_CHROMIUM, ROOT, Server, chromium, find_chromium, serve
from studio.jobs.states import LIVE
from studio.jobs.store import Store
from studio.settings import Settings
from tests.processes.conftest import end_workers, wait_for

Visit = Callable[..., Page]
PATIENCE = 30_000  # milliseconds for anything to show up: the machine may be busy
expect.set_options(timeout=PATIENCE)

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that `-m "not browser"` leaves them out."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder; open a new context for each visitor."""
    if find_chromium() is None:
        if os.environ.get("STUDIO_REQUIRE_BROWSER") == "1":
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server for all tests of this folder; the workers it started end with it."""
    home = tmp_path_factory.mktemp("browser") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDIO_HOME", str(home))
        patch.delenv("TFDS_DATA_DIR", raising=False)
        patch.setenv("KERAS_HOME", str(home.parent / "keras"))
        with serve(ROOT / "studio" / "app.py", home) as server:
            server.wait()
            yield server
        end_workers(Store(Settings.load()))


@pytest.fixture
def store(studio: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store of the shared server; no run goes on after the test."""
    monkeypatch.setenv("STUDIO_HOME", str(studio.home))
    opened = Store(Settings.load())
    yield opened
    for job in opened.jobs(states=LIVE):
        opened.request_stop(job.id, "the test")
    wait_for(lambda: not opened.count(states=LIVE))


@pytest.fixture
def visit(browser: Browser, studio: Server) -> Iterator[Visit]:
    """Open an address of the server: `visit("/data")`; each call is another visitor unless a context is given."""
    contexts: list[BrowserContext] = []

    def open_page(path: str = "/", context: BrowserContext | None = None, **options: object) -> Page:
        if context is None:
            context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)  # type: ignore[arg-type]
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(studio.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
