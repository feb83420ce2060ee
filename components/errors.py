"""One way to show what went wrong: the sentence first, the technical reason one click away."""

from __future__ import annotations

import traceback

import streamlit as st

from studio.errors import StudioError


def show_error(error: StudioError) -> None:
    """Show the sentence of an error and, where there is one, its detail."""
    _show(error.sentence, error.detail)


def show_unexpected(error: Exception) -> None:
    """Show that this page failed, with the traceback one click away."""
    _show(
        "This page could not be shown because of a fault in the program. Nothing was lost; reload it, and if that "
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
