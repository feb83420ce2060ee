"""axe finds nothing serious on any page, in either theme."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio import runs
from studio.jobs.states import State
from studio.jobs.store import Store
from studio.spec.run import parse_spec
from tests.browser.conftest import Visit
from tests.processes.conftest import wait_for_job

PAGES = ["/", "/data", "/model", "/train", "/runs", "/predict", "/hardware", "/terms"]


@pytest.fixture
def finished(store: Store) -> str:
    """A finished run, so that no page is empty."""
    for job in store.jobs(states=[State.FINISHED]):
        return job.id
    spec = parse_spec({"data": {"dataset": "digits"}, "training": {"epochs": 2, "share": 0.2}})
    job = runs.start(store, runs.check(store.settings, spec))
    return wait_for_job(store, job.id, lambda seen: seen.state == State.FINISHED).id


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_finding(visit: Visit, finished: str, theme: str) -> None:
    found = {}
    page = visit("/", color_scheme=theme)
    for path in [*PAGES, f"/train?run={finished}", f"/predict?run={finished}"]:
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        expect(page.locator("h1").first).to_be_visible()
        expect(page.locator("[data-testid=stApp]")).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=60_000
        )
        expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0, timeout=60_000)
        findings = Axe().run(page).response["violations"]
        serious = [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in findings
            if one["impact"] in ("serious", "critical")
        ]
        if serious:
            found[path] = serious
    assert found == {}
