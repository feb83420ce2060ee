"""A server goes away, in time, and the next one shows what goes on."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, expect

from benchmarks.browsing import ROOT, serve
from studio import runs
from studio.jobs.states import Phase
from studio.jobs.store import Store
from studio.settings import Settings
from studio.spec.run import parse_spec
from tests.browser.test_journey import epoch_shown, wait_for_epoch
from tests.processes.conftest import end_workers, wait_for, wait_for_job

APP = ROOT / "studio" / "app.py"


def test_the_next_server_shows_the_same_run_live(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("STUDIO_HOME", str(home))
    store = Store(Settings.load())
    spec = parse_spec({"data": {"dataset": "digits"}, "training": {"epochs": 2000}})
    job = runs.start(store, runs.check(store.settings, spec))
    try:
        with serve(APP, home) as server:
            server.wait()
            wait_for_job(store, job.id, lambda seen: seen.epoch >= 1 and seen.phase == Phase.TRAIN)
            server.process.kill()
            server.process.wait()
        with serve(APP, home) as server:
            server.wait()
            page = browser.new_page()
            page.goto(f"{server.address}/train?run={job.id}")
            wait_for_epoch(page, 2)
            wait_for_epoch(page, epoch_shown(page) + 2)
            page.close()
        assert store.get(job.id).attempt == 1
    finally:
        end_workers(store)


def test_a_server_with_an_open_page_leaves_within_five_seconds_and_takes_its_helpers_along(
    browser: Browser, tmp_path: Path
) -> None:
    with serve(APP, tmp_path / "home") as server:
        server.wait()
        page = browser.new_page()
        page.goto(server.address)
        expect(page.get_by_role("button", name="Open recipe").first).to_be_visible()
        process = psutil.Process(server.process.pid)
        wait_for(process.children)  # a helper has begun to load TensorFlow
        helpers = process.children(recursive=True)
        asked = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=10)
        assert time.monotonic() - asked < 5
        page.close()
    gone, alive = psutil.wait_procs(helpers, timeout=20)
    assert gone
    assert not alive
