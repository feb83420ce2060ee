"""Drafts are kept under an id; their changes can be taken back."""

from __future__ import annotations

import pytest

from studio.errors import RequestError
from studio.jobs.drafts import MOST_UNDO, Drafts
from studio.jobs.store import Store


def test_changes_are_kept_and_can_be_undone(store: Store) -> None:
    drafts = Drafts(store)
    draft = drafts.create({"data": {"dataset": "digits"}}, "me")
    changed = drafts.update(draft.id, {"data": {"dataset": "shapes"}})
    assert Drafts(store).get(draft.id) == changed
    assert changed.undo_steps == 1
    undone = drafts.undo(draft.id)
    assert (undone.spec, undone.undo_steps) == ({"data": {"dataset": "digits"}}, 0)
    assert drafts.undo(draft.id).spec == undone.spec


def test_saying_the_same_again_is_no_change(store: Store) -> None:
    drafts = Drafts(store)
    draft = drafts.create({"a": 1}, "me")
    assert drafts.update(draft.id, {"a": 1}).undo_steps == 0


def test_only_the_last_changes_are_kept(store: Store) -> None:
    drafts = Drafts(store)
    draft = drafts.create({"n": 0}, "me")
    for n in range(1, MOST_UNDO + 5):
        draft = drafts.update(draft.id, {"n": n})
    assert draft.undo_steps == MOST_UNDO


@pytest.mark.parametrize("draft_id", ["", "aaaaaaaaaa", "../../etc", "x' OR '1'='1", "a" * 10_000])
def test_an_unknown_draft_is_said(store: Store, draft_id: str) -> None:
    with pytest.raises(RequestError, match="not there any more"):
        Drafts(store).get(draft_id)


def test_the_latest_draft_is_that_of_the_same_browser(store: Store) -> None:
    drafts = Drafts(store)
    mine = drafts.create({"n": 1}, "me")
    drafts.create({"n": 2}, "somebody else")
    latest = drafts.latest("me")
    assert latest is not None
    assert latest.id == mine.id
    assert drafts.latest("nobody") is None
