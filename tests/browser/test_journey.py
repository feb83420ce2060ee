"""From the first page to a prediction, as people go it: in a real browser, with a real training."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from benchmarks.browsing import Server
from studio import runs
from studio.jobs.states import State
from studio.jobs.store import Store
from studio.spec.run import parse_spec
from tests.browser.conftest import Visit
from tests.processes.conftest import wait_for, wait_for_job

LONG = 90_000  # milliseconds, for what a cold worker may take on a busy machine
EPOCH = re.compile(r"Epoch (\d+) of")


def address(page: Page) -> str:
    return str(page.evaluate("location.href"))


def run_in(page: Page) -> str:
    """The run that stands in the address of a page."""
    page.wait_for_function("location.search.includes('run=')")
    found = re.search(r"run=([\w-]+)", address(page))
    assert found
    return found[1]


def wait_for_epoch(page: Page, number: int) -> None:
    page.wait_for_function(
        "least => (m => m && +m[1] >= least)(document.body.innerText.match(/Epoch (\\d+) of/))",
        arg=number,
        timeout=LONG,
    )


def epoch_shown(page: Page) -> int:
    found = EPOCH.search(page.inner_text("body"))
    assert found
    return int(found[1])


def server_modules(server: Server) -> str:
    """The files that are mapped into the server process."""
    return Path(f"/proc/{server.process.pid}/maps").read_text()


def test_from_recipe_over_stop_and_resume_to_an_uploaded_picture(
    visit: Visit, studio: Server, store: Store, tmp_path: Path
) -> None:
    page = visit("/")
    page.get_by_role("button", name="Open recipe").first.click()
    epochs = page.get_by_label("Epochs", exact=True)
    expect(epochs).to_have_value("40")
    epochs.fill("300")
    epochs.press("Enter")
    expect(page.get_by_text("300 epochs")).to_be_visible()
    page.get_by_role("button", name="Start training").click()

    run = run_in(page)
    wait_for_epoch(page, 2)
    first = epoch_shown(page)
    wait_for_epoch(page, first + 2)  # the page moves by itself
    page.reload()
    wait_for_epoch(page, first + 3)

    other = visit(f"/train?run={run}")  # another browser sees the same run
    wait_for_epoch(other, first + 4)

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name=re.compile(r"Stopped at epoch \d+, step \d+, by you"))).to_be_visible(
        timeout=LONG
    )
    expect(other.get_by_role("heading", name=re.compile("Stopped at epoch"))).to_be_visible(timeout=LONG)
    stopped = store.get(run)
    assert stopped.state == State.STOPPED
    assert stopped.checkpoint_step

    spec = stopped.spec
    spec["training"]["epochs"] = stopped.epoch + 3  # so that this test ends soon after it goes on
    store.update(run, spec=spec)
    page.get_by_role("button", name="Resume").click()
    wait_for(lambda: store.get(run).attempt == 2)
    finished = wait_for_job(store, run, lambda job: job.state == State.FINISHED)
    assert finished.epoch == stopped.epoch + 3

    page.get_by_role("button", name="Try it on images").click()
    page.get_by_text("Upload", exact=True).click()
    picture, text = tmp_path / "seven.png", tmp_path / "notes.png"
    Image.new("L", (16, 16), 120).save(picture)
    text.write_text("not a picture")
    page.locator("input[type=file]").set_input_files([picture, text])
    expect(page.get_by_text(re.compile("The model says"))).to_be_visible(timeout=LONG)
    expect(page.get_by_text("notes.png").first).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart]").first).to_be_visible()

    titles = {"Home": "Train an image classifier"}
    for name in ("Home", "Data", "Model", "Train", "Runs", "Predict", "Hardware"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1, name=titles.get(name, name))).to_be_visible()
    # Its libraries would be mapped into the process; that pages do not import Keras, which has none: tests/app.
    assert not re.search(r"/(tensorflow|jaxlib|sklearn)/", server_modules(studio))


def test_the_first_minute_takes_four_clicks(visit: Visit, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit("/")
    expect(page.get_by_role("button", name="Open recipe").first).to_be_visible()
    began = time.monotonic()
    page.get_by_role("button", name="Open recipe").first.click()
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("button", name="Try it on images").click(timeout=LONG)
    page.get_by_text(re.compile(r"Mistakes \(\d+\)")).click(timeout=LONG)
    expect(page.get_by_text(re.compile(r"wrong, the label is \d"))).to_be_visible(timeout=LONG)
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"\nfirst page to a looked-at mistake: 4 clicks, {took:.1f} s")
    assert took < 60


def test_a_draft_survives_reload_back_and_a_second_tab_and_is_copied_for_others(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Open recipe").first.click()
    epochs = page.get_by_label("Epochs", exact=True)
    epochs.fill("11")
    epochs.press("Enter")
    expect(page.get_by_text("11 epochs")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Epochs", exact=True)).to_have_value("11")

    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Epochs", exact=True)).to_have_value("11")

    link = address(page)
    tab = visit("/", context=page.context)
    tab.goto(link)
    tab_epochs = tab.get_by_label("Epochs", exact=True)
    expect(tab_epochs).to_have_value("11")
    tab_epochs.fill("12")
    tab_epochs.press("Enter")
    expect(tab.get_by_text("12 epochs")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Epochs", exact=True)).to_have_value("12")

    stranger = visit(link.removeprefix(link.split("/train")[0]))
    strange_epochs = stranger.get_by_label("Epochs", exact=True)
    expect(strange_epochs).to_have_value("12")
    strange_epochs.fill("99")
    strange_epochs.press("Enter")
    expect(stranger.get_by_text("99 epochs")).to_be_visible()
    assert address(stranger) != link
    page.reload()
    expect(page.get_by_label("Epochs", exact=True)).to_have_value("12")


def test_the_precision_of_the_page_is_what_the_layers_have(visit: Visit, store: Store) -> None:
    page, other = visit("/"), visit("/")
    for tab in (page, other):
        tab.get_by_role("button", name="Open recipe").first.click()
        epochs = tab.get_by_label("Epochs", exact=True)
        epochs.fill("2")
        epochs.press("Enter")
        expect(tab.get_by_text("2 epochs")).to_be_visible()
    page.get_by_label("Precision", exact=True).click()
    page.get_by_role("option", name="Mixed bfloat16").click()
    expect(page.get_by_text(re.compile("2 epochs, .*bfloat16"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Start training|Add to the queue")).click()
    run = run_in(page)
    other.get_by_role("link", name="Model", exact=True).click()  # builds a float32 model meanwhile
    expect(other.get_by_text("35,914").first).to_be_visible(timeout=LONG)
    other.get_by_role("link", name="Train", exact=True).click()
    other.get_by_role("button", name=re.compile("Start training|Add to the queue")).click()
    second = run_in(other)
    assert wait_for_job(store, run, lambda job: job.state == State.FINISHED).precision == "mixed_bfloat16"
    assert wait_for_job(store, second, lambda job: job.state == State.FINISHED).precision == "float32"
    expect(page.get_by_text("mixed_bfloat16, read back from the layers")).to_be_visible()


def test_other_pages_and_visitors_see_that_a_run_is_live(visit: Visit, store: Store) -> None:
    """The running line of another page, and the title of the tab, tell of a run that this visitor did not start."""
    page = visit("/")
    page.get_by_role("button", name="Open recipe").first.click()
    epochs = page.get_by_label("Epochs", exact=True)
    epochs.fill("500")
    epochs.press("Enter")
    expect(page.get_by_text("500 epochs")).to_be_visible()
    page.get_by_role("button", name=re.compile("Start training|Add to the queue")).click()
    run = run_in(page)
    wait_for_epoch(page, 2)
    bystander = visit("/hardware")
    expect(bystander.get_by_role("link", name=re.compile("Watch"))).to_be_visible()
    wait_for(lambda: re.match(r"\d+% · ", bystander.title()))
    store.request_stop(run, "you")
    expect(page.get_by_role("heading", name=re.compile("Stopped at epoch"))).to_be_visible(timeout=LONG)


def test_a_zoom_stands_while_the_run_goes_on(visit: Visit, store: Store) -> None:
    spec = parse_spec({"data": {"dataset": "digits"}, "training": {"epochs": 400}})
    job = runs.start(store, runs.check(store.settings, spec))
    page = visit(f"/train?run={job.id}")
    wait_for_epoch(page, 8)
    chart = page.locator("[data-testid=stVegaLiteChart] canvas").first.bounding_box()
    assert chart
    middle = chart["y"] + chart["height"] / 2
    page.mouse.move(chart["x"] + 0.2 * chart["width"], middle)
    page.mouse.down()
    page.mouse.move(chart["x"] + 0.6 * chart["width"], middle, steps=5)
    page.mouse.up()
    whole = page.get_by_role("button", name="Show whole run")
    expect(whole).to_be_visible()
    wait_for_epoch(page, epoch_shown(page) + 3)
    expect(whole).to_be_visible()
    page.reload()
    expect(whole).to_be_visible()
    whole.click()
    expect(whole).to_have_count(0)


@pytest.mark.parametrize("press", ["click", "Control+Enter"])
def test_a_number_that_was_just_typed_is_what_starts(visit: Visit, store: Store, press: str) -> None:
    page = visit("/")
    page.get_by_role("button", name="Open recipe").first.click()
    epochs = page.get_by_label("Epochs", exact=True)
    epochs.fill("2")  # and the field is not left
    if press == "click":
        page.get_by_role("button", name="Start training").click()
    else:
        epochs.press(press)
    assert store.get(run_in(page)).spec["training"]["epochs"] == 2
