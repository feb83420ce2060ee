"""What a page needs of the present visitor: the store, who it is, and the draft that stands in the address."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import cycle
from typing import Any

import streamlit as st

from studio.errors import RequestError
from studio.jobs.drafts import Draft, Drafts
from studio.jobs.states import LIVE, Kind
from studio.jobs.store import Job, Store
from studio.settings import Settings

DRAFT_KEY = "draft_id"
NOBODY = "local"  # a visitor without a cookie
ARRIVAL_KEY = "arrived_without_address"
CHOICE = "choice_"  # begins the keys of widgets whose values are not in the draft before the page's main button


def settings() -> Settings:
    """Folders and limits, as the environment of the server says."""
    return Settings.load()


def store() -> Store:
    """The store of this server."""
    return _store(settings())


@lru_cache(maxsize=2)
def _store(of: Settings) -> Store:
    return Store(of)


def owner() -> str:
    """A name for this browser that means nothing elsewhere: drafts of another owner are copied, not changed."""
    cookie = st.context.cookies.get("_streamlit_xsrf")
    # Without a browser (AppTest) there are no cookies but a stand-in that gives anything.
    return owner_of(cookie) if isinstance(cookie, str) else NOBODY


def owner_of(cookie: str) -> str:
    """The owner that a cookie stands for.

    Streamlit writes it anew at every load, as `2|mask|masked token|time`, each time with another mask; only the token
    under the mask stays the same.
    """
    try:
        _, mask, masked, _ = cookie.split("|")
        pairs = zip(bytes.fromhex(masked), cycle(bytes.fromhex(mask)), strict=False)
        token = bytes(one ^ other for one, other in pairs)
    except ValueError:
        return NOBODY
    return hashlib.sha256(token).hexdigest()[:16]


def draft() -> Draft:
    """The draft of this visitor: the one in the address, else the one used last, else a new empty one.

    A draft that belongs to another browser is copied; the address then names the copy.
    """
    drafts = Drafts(store())
    wanted = st.query_params.get("draft") or st.session_state.get(DRAFT_KEY)
    found: Draft | None = None
    if wanted:
        try:
            found = drafts.get(wanted)
        except RequestError as error:
            st.toast(error.sentence)
    else:
        found = drafts.latest(owner())
    if found is None:
        found = drafts.create({}, owner())
    elif found.owner != owner():
        found = drafts.create(found.spec, owner())
    remember_draft(found.id)
    return found


def note_arrival() -> None:
    """Note, before anything is written into the address, whether it was empty: links within the pages say what they
    lead to, a click on the navigation does not."""
    st.session_state[ARRIVAL_KEY] = not st.query_params


def own_live_run() -> Job | None:
    """The run of this visitor that is under way, where a page was opened without saying what to show."""
    if not st.session_state[ARRIVAL_KEY]:
        return None
    live = [job for job in store().jobs(kind=Kind.TRAIN, states=LIVE) if job.owner == owner()]
    return min(live, key=lambda job: job.position, default=None)


def remember_draft(draft_id: str) -> None:
    """Make a draft the present one of this tab, and put it into the address."""
    st.session_state[DRAFT_KEY] = draft_id
    if st.query_params.get("draft") != draft_id:
        st.query_params["draft"] = draft_id


def new_draft(spec: dict[str, Any]) -> Draft:
    """Begin a draft with this content and make it the present one."""
    made = Drafts(store()).create(spec, owner())
    st.session_state[DRAFT_KEY] = made.id
    return made


def change_draft(section: str, **values: Any) -> Draft:
    """Set values in one section (`data`, `model`, `training`) of the present draft; None takes a setting out."""
    present = draft()
    inside = {key: value for key, value in (present.spec.get(section, {}) | values).items() if value is not None}
    return Drafts(store()).update(present.id, present.spec | {section: inside})


def undo() -> Draft:
    """Take back the last change of the present draft."""
    return Drafts(store()).undo(draft().id)
