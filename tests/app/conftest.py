"""What the tests of pages share: no answer of an earlier test, and no helper process left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import script_runner

from studio.desk import close_desks


@pytest.fixture(autouse=True)
def _fresh_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # The server never has Keras, which Streamlit would clear after every page; here other tests may have loaded it.
    monkeypatch.setattr(script_runner, "_clean_problem_modules", lambda: None)
    st.cache_data.clear()
    yield
    close_desks()
