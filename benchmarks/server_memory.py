"""Memory of the server after a visit of every page. Promise: under 250 MB, and TensorFlow never loaded.

python -m benchmarks.server_memory
"""

from __future__ import annotations

from pathlib import Path

import psutil
from playwright.sync_api import expect

from benchmarks.browsing import ROOT, chromium, serve

PAGES = ("data", "model", "train", "runs", "predict", "hardware", "terms")


def main() -> None:
    with serve(ROOT / "studio" / "app.py") as server, chromium() as browser:
        server.wait()
        page = browser.new_page()
        for path in ("", *PAGES):
            page.goto(f"{server.address}/{path}")
            expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
            expect(page.get_by_test_id("stException")).to_have_count(0)
        resident = psutil.Process(server.process.pid).memory_info().rss / 1e6
        maps = Path(f"/proc/{server.process.pid}/maps").read_text()
    print(f"server     {resident:.0f} MB resident  (promise: under 250)")
    print(f"TensorFlow {'LOADED' if 'tensorflow' in maps else 'not loaded'} in the server")


if __name__ == "__main__":
    main()
