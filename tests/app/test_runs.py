"""Runs: the table, what can be done with one run, the bin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from studio.jobs.drafts import Drafts
from studio.jobs.states import Kind, State
from studio.jobs.store import Store
from tests.app.pages import links, open_page, words
from tests.app.runs_made import ended_run, queued_run


def tick(at: AppTest, row: int) -> AppTest:
    """Tick a row of the table, as a click does."""
    at.session_state[str(at.dataframe[0].key)] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def table(at: AppTest) -> Any:
    return at.dataframe[0].value


def test_without_runs_it_leads_to_the_recipes(home: Path) -> None:
    at = open_page("runs")
    assert "No runs yet. Open a recipe on Home; the digits take about 15 seconds." in words(at)
    assert "Open a recipe" in links(at)
    assert not at.dataframe


def test_the_table_says_what_each_run_was_and_how_it_ended(store: Store) -> None:
    ended_run(store, State.FINISHED, name="First")
    ended_run(store, State.FAILED, name="**Second**\nof two")
    queued_run(store, name="Third")
    rows = table(open_page("runs"))
    assert list(rows["Run"]) == ["Third", "**Second** of two", "First"]
    assert [list(state) for state in rows["State"]] == [["Waiting"], ["Failed"], ["Finished"]]
    first = rows.iloc[2]
    assert first["Data"] == "Handwritten digits"
    assert first["Model"] == "Small CNN"
    assert first["Settings"] == "40 epochs, batch 32, adam, rate 0.001, float32"
    assert first["Best validation accuracy"] == 98.5


def test_fifty_runs_a_page(store: Store) -> None:
    for number in range(51):
        queued_run(store, name=f"Run {number}")
    at = open_page("runs")
    assert len(table(at)) == 50
    at.pagination(key="runs_page").set_value(2).run()
    assert list(table(at)["Run"]) == ["Run 0"]


def test_a_ticked_run_can_be_opened_and_tried(store: Store) -> None:
    ended_run(store, State.FINISHED)
    at = tick(open_page("runs"), 0)
    assert {"Open", "Try it on images"} <= set(links(at))


def test_only_a_finished_run_can_be_tried(store: Store) -> None:
    ended_run(store, State.STOPPED)
    at = tick(open_page("runs"), 0)
    assert "Open" in links(at)
    assert "Try it on images" not in links(at)


def test_a_run_becomes_a_draft(store: Store) -> None:
    run = ended_run(store, State.FAILED)
    at = tick(open_page("runs"), 0)
    at.button(key="run_duplicate").click().run()
    draft = Drafts(store).latest("local")
    assert draft is not None
    assert draft.spec == run.spec


def test_delete_asks_first_and_can_be_undone(store: Store) -> None:
    kept = ended_run(store, State.FINISHED, name="Kept")
    run = ended_run(store, State.FINISHED, name="Gone")
    at = tick(open_page("runs"), 0)
    at.button(key="run_delete").click().run()
    assert "Delete ‘Gone’? Its model and curves go to the bin for 7 days." in words(at)
    assert store.get(run.id).deleted is None
    at.button(key="run_delete_confirmed").click().run()
    assert store.get(run.id).deleted is not None
    assert "Gone is in the bin." in words(at).replace("**", "")
    assert [job.id for job in store.jobs(kind=Kind.TRAIN)] == [kept.id]
    assert "run_delete" not in [button.key for button in at.button]  # the next run is not ticked instead
    at.button(key="run_restore").click().run()
    assert store.get(run.id).deleted is None
    assert (store.folder(run.id) / "model.keras").is_file()


def test_a_live_run_cannot_be_deleted(store: Store) -> None:
    queued_run(store)
    at = tick(open_page("runs"), 0)
    assert at.button(key="run_delete").disabled


def test_a_run_that_came_to_life_meanwhile_is_kept_and_the_page_says_why(store: Store) -> None:
    run = ended_run(store, State.STOPPED)
    at = tick(open_page("runs"), 0)
    at.button(key="run_delete").click().run()
    store.resume(run.id, "somebody else")
    at.button(key="run_delete_confirmed").click().run()
    assert store.get(run.id).deleted is None
    assert "cannot be deleted; stop it first" in words(at)
