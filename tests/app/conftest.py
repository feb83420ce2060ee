"""What the tests of pages share: no answer of an earlier test, and no helper process left behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st

from studio.desk import close_desks


@pytest.fixture(autouse=True)
def _fresh_server() -> Iterator[None]:
    st.cache_data.clear()
    yield
    close_desks()
