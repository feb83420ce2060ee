"""No page imports what belongs into workers: asked of the process itself, since Keras is plain Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

VISIT = """
import sys
from streamlit.testing.v1 import AppTest
from studio import runs
from studio.jobs.store import Store
from studio.settings import Settings
from studio.spec.run import parse_spec

store = Store(Settings.load())
runs.start(store, runs.check(store.settings, parse_spec({"data": {"dataset": "digits"}})))
at = AppTest.from_file("studio/app.py", default_timeout=60).run()
for page in ("data", "model", "train", "runs", "predict", "hardware", "terms"):
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception, page
    assert at.title, page
print(sorted({"tensorflow", "keras", "jax", "sklearn"} & set(sys.modules)))
import os
sys.stdout.flush()
os._exit(0)  # the helper of the Model page ends with this process
"""


def test_after_every_page_nothing_heavy_is_loaded(home: Path) -> None:
    visited = subprocess.run([sys.executable, "-c", VISIT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert visited.stdout.splitlines()[-1:] == ["[]"], visited.stderr[-2000:]
