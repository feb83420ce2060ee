"""What stands around every page: settings of the browser window, navigation, the draft in the address, errors."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from components import session
from components.callbacks import take_problem
from components.errors import show_error
from studio.server import page_served

ASSETS = Path(__file__).resolve().parent / "assets"
TITLE = "Training Studio"


def show_page(root: Path) -> None:
    """Lay out the page of the present address. The only caller is the entry script."""
    st.set_page_config(page_title=TITLE, page_icon=str(ASSETS / "favicon.png"), layout="wide")
    st.logo(str(ASSETS / "logo.png"), size="large")
    folder = root / "pages"
    page = st.navigation(
        [
            st.Page(folder / "home.py", title="Home", icon=":material/home:", default=True),
            st.Page(folder / "data.py", title="Data", icon=":material/photo_library:"),
            st.Page(folder / "model.py", title="Model", icon=":material/layers:"),
            st.Page(folder / "train.py", title="Train", icon=":material/play_circle:"),
            st.Page(folder / "runs.py", title="Runs", icon=":material/list_alt:"),
            st.Page(folder / "predict.py", title="Predict", icon=":material/image_search:"),
            st.Page(folder / "hardware.py", title="Hardware", icon=":material/memory:"),
            st.Page(folder / "terms.py", title="Terms", icon=":material/menu_book:", visibility="hidden"),
        ],
        position="top",
    )
    with st.container(key="problem_of_the_last_click"):  # which takes no room, and moves nothing, while it is empty
        problem = take_problem()
        if problem is not None:
            show_error(problem)
    try:
        session.store()  # a store that cannot be used is said once, before any page asks for it
        session.note_arrival()
        if session.DRAFT_KEY in st.session_state or "draft" in st.query_params:
            session.draft()  # a click on the navigation drops the query parameters: write it again
        page.run()
    except Exception as error:
        show_error(error)
    page_served()
