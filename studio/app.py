"""Entry of the web app: `streamlit run studio/app.py`.

Streamlit imports this file once as the module `app`, where it makes the ASGI application, and executes it as
`__main__` at every rerun of every browser, where it lays out the page. AppTest executes it as `__main__` only.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# At every rerun Streamlit puts this file's folder in front of sys.path, where our modules would hide others.
sys.path[:] = [str(ROOT), *(entry for entry in sys.path if entry not in (str(ROOT), str(ROOT / "studio")))]

if __name__ == "__main__":
    from components.shell import show_page

    show_page(ROOT)
else:
    import streamlit as st

    from studio.server import lifespan

    app = st.App(__file__, lifespan=lifespan)
