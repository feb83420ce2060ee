"""What a visitor sees when a click fails: one sentence above the page, the details behind it, the page as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from studio import runs
from studio.errors import StudioError
from studio.jobs.drafts import Drafts
from studio.jobs.states import Kind, State
from studio.jobs.store import Store
from studio.spec.recipes import RECIPES
from tests.app.pages import open_page, words
from tests.app.runs_made import OWNER, ended_run, queued_run

BUSY = "The store was busy for 15 s; try again."


def digits(store: Store) -> AppTest:
    spec = RECIPES["digits"].spec.model_dump(mode="json", exclude_unset=True)
    draft = Drafts(store).create({}, OWNER)
    return open_page("train", draft=Drafts(store).update(draft.id, spec).id)


def catalogue(store: Store) -> AppTest:
    at = open_page("data")
    return at.radio(key="choice_source").set_value("Catalogue").run()


def missing_set(store: Store) -> AppTest:
    return open_page("train", draft=Drafts(store).create({"data": {"dataset": "mnist"}}, OWNER).id)


def downloading(store: Store) -> AppTest:
    runs.download(store, "mnist")
    return catalogue(store)


def waiting(store: Store) -> AppTest:
    return open_page("train", run=queued_run(store).id)


def stopped(store: Store) -> AppTest:
    return open_page("train", run=ended_run(store, State.STOPPED).id)


def deleted(store: Store) -> AppTest:
    ended_run(store, State.STOPPED)
    at = open_page("runs")
    at.session_state[str(at.dataframe[0].key)] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    at.run().button(key="run_delete").click().run()
    return at.button(key="run_delete_confirmed").click().run()


def rename(at: AppTest) -> AppTest:
    (field,) = at.text_input
    return field.set_value("Another").run()


def change_epochs(at: AppTest) -> AppTest:
    field = next(number for number in at.number_input if str(number.key).startswith("training_epochs"))
    return field.set_value(3).run()


def click(key: str) -> Callable[[AppTest], AppTest]:
    return lambda at: at.button(key=key).click().run()


@pytest.mark.parametrize(
    ("page", "act", "broken"),
    [
        (digits, click("start"), "studio.runs.start"),
        (digits, change_epochs, "studio.jobs.drafts.Drafts.update"),
        (digits, click("draft_undo"), "studio.jobs.drafts.Drafts.undo"),
        (catalogue, click("data_download"), "studio.runs.download"),
        (missing_set, click("download_set"), "studio.runs.download"),
        (downloading, click("job_cancel"), "studio.jobs.store.Store.request_stop"),
        (waiting, click("stop_run"), "studio.jobs.store.Store.request_stop"),
        (waiting, rename, "studio.jobs.store.Store.update"),
        (waiting, click("duplicate_run"), "studio.jobs.drafts.Drafts.create"),
        (stopped, click("resume_run"), "studio.jobs.store.Store.resume"),
        (deleted, click("run_restore"), "studio.runs.restore"),
    ],
)
def test_a_click_that_fails_is_a_sentence_above_the_page(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    page: Callable[[Store], AppTest],
    act: Callable[[AppTest], AppTest],
    broken: str,
) -> None:
    at = page(store)
    titles = [title.value for title in at.title]

    def fail(*_: Any, **__: Any) -> None:
        raise StudioError(BUSY, "database is locked")

    monkeypatch.setattr(broken, fail)
    act(at)
    assert not at.exception
    assert at.text[0].value == BUSY
    assert "database is locked" in [code.value for code in at.code]
    assert [title.value for title in at.title] == titles
    at.run()
    assert BUSY not in words(at)  # it is told once


def test_a_start_that_failed_can_be_tried_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    at = digits(store)

    def fail(*_: Any, **__: Any) -> None:
        raise StudioError(BUSY)

    with monkeypatch.context() as patched:
        patched.setattr("studio.runs.start", fail)
        at.button(key="start").click().run()
    assert store.count(kind=Kind.TRAIN) == 0
    at.button(key="start").click().run()
    assert store.count(kind=Kind.TRAIN) == 1


def test_an_error_that_nobody_foresaw_is_said_to_be_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    at = digits(store)

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("studio.runs.start", fail)
    at.button(key="start").click().run()
    assert not at.exception
    assert "This did not work because of a fault in the program." in at.text[0].value
    assert "No space left on device" in at.code[0].value
    assert at.button(key="start")


@pytest.mark.parametrize("error", [StudioError(BUSY), ValueError("a fault")])
@pytest.mark.parametrize(
    ("page", "broken"),
    [
        (waiting, "components.live_panel.facts_line"),
        (digits, "components.running_line.tab_title"),
        (downloading, "components.job_progress.progress_words"),
    ],
)
def test_a_part_that_renews_itself_shows_its_own_errors(
    store: Store, monkeypatch: pytest.MonkeyPatch, page: Callable[[Store], AppTest], broken: str, error: Exception
) -> None:
    queued_run(store)

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(broken, fail)
    at = page(store)
    assert not at.exception
    said = words(at)
    assert (BUSY if isinstance(error, StudioError) else "a fault in the program") in said
    assert [button for button in at.button if button.key in ("start", "stop_run", "data_download")]


@pytest.mark.parametrize("run", ["train-99", "download-1", "../../etc/passwd", "<b>"])
def test_an_address_without_a_run_leads_to_the_runs(home: Path, store: Store, run: str) -> None:
    assert runs.download(store, "mnist").id == "download-1"
    at = open_page("train", run=run)
    said = words(at)
    assert "There is no run at this address." in said
    assert "fault in the program" not in said
    assert "python -m" not in said
    assert "All runs" in [link.proto.label for link in at.get("page_link")]
    assert not at.button
