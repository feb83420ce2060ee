"""Where the pages are: what `st.page_link` and `st.switch_page` are given, relative to the entry script."""

from __future__ import annotations

HOME = "../pages/home.py"
DATA = "../pages/data.py"
MODEL = "../pages/model.py"
TRAIN = "../pages/train.py"
RUNS = "../pages/runs.py"
PREDICT = "../pages/predict.py"
HARDWARE = "../pages/hardware.py"
TERMS = "../pages/terms.py"
