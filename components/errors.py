"""One way to show what went wrong: the sentence first, the technical reason one click away."""

from __future__ import annotations

import traceback

import streamlit as st

from studio.errors import StudioError


def show_error(error: Exception) -> None:
    """Show the sentence of an error and its detail; of one that nobody foresaw, that it is one, and the traceback."""
    if isinstance(error, StudioError):
        _show(error.sentence, error.detail)
    else:
        _show(
            "This did not work because of a fault in the program. Nothing was lost; reload the page, and if that "
            "does not help, report the details.",
            "".join(traceback.format_exception(error)),
        )


def _show(sentence: str, detail: str) -> None:
    with st.container(border=True, horizontal=True, wrap=False, gap="small"):
        st.markdown(":red[:material/error:]", width="content")
        with st.container(gap="small"):
            st.text(sentence)
            if detail:
                with st.expander("Details"):
                    st.code(detail, language=None)
