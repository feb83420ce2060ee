"""A server that was killed is started again, and the page goes on where the run is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from benchmarks.browsing import ROOT, serve
from studio import runs
from studio.jobs.states import Phase
from studio.jobs.store import Store
from studio.settings import Settings
from studio.spec.run import parse_spec
from tests.browser.test_journey import epoch_shown, wait_for_epoch
from tests.processes.conftest import end_workers, wait_for_job

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
