"""How long from `streamlit run` to the Home title, against a bare Streamlit page. Promise: at most 1.5 times.

python -m benchmarks.first_paint
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, expect

from benchmarks.browsing import ROOT, chromium, serve

HOME_TITLE = "Train an image classifier"
BARE_TITLE = "Bare page"
BARE_PAGE = f'import streamlit as st\nst.title("{BARE_TITLE}")\n'


def first_paint(browser: Browser, script: Path, title: str) -> float:
    """Seconds from the start of the server to the title on the screen of a new visitor."""
    visitor = browser.new_context()  # nothing in its cache
    page = visitor.new_page()
    with serve(script) as server:
        server.wait()
        page.goto(server.address, wait_until="commit")
        expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=60_000)
        seconds = time.perf_counter() - server.started
    visitor.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each, alternating")
    rounds = parser.parse_args().rounds
    studio: list[float] = []
    bare: list[float] = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        bare_script = Path(folder) / "bare.py"
        bare_script.write_text(BARE_PAGE)
        for number in range(rounds + 1):
            ours = first_paint(browser, ROOT / "studio" / "app.py", HOME_TITLE)
            theirs = first_paint(browser, bare_script, BARE_TITLE)
            if number:  # the first round fills the disk cache and is not counted
                studio.append(ours)
                bare.append(theirs)
    print(f"bare page  {statistics.median(bare):.2f} s")
    print(f"studio     {statistics.median(studio):.2f} s")
    print(f"ratio      {statistics.median(studio) / statistics.median(bare):.2f}  (promise: at most 1.50)")


if __name__ == "__main__":
    main()
