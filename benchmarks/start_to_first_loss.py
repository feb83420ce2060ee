"""From the click on Start to the first loss on the page, with a cold worker, against a cold plain Keras script.

python -m benchmarks.start_to_first_loss

Both import TensorFlow, load the digits, build the same model and finish the first epoch; the page shows the
validation loss of that epoch as a number.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time

from playwright.sync_api import Browser, expect

from benchmarks.browsing import ROOT, chromium, serve
from benchmarks.click_latency import open_digits


def on_the_page(browser: Browser) -> float:
    """Seconds from the click to a number under "Validation loss", with a new server."""
    visitor = browser.new_context()
    page = visitor.new_page()
    with serve(ROOT / "studio" / "app.py") as server:
        server.wait()
        open_digits(page, server.address)
        began = time.perf_counter()
        page.get_by_role("button", name="Start training").click()
        tile = page.get_by_test_id("stMetric").filter(has_text="Validation loss")
        expect(tile.get_by_test_id("stMetricValue")).to_have_text(re.compile(r"\d"), timeout=60_000)
        seconds = time.perf_counter() - began
        page.get_by_role("button", name="Stop").click()
        ended = page.get_by_role("heading", name=re.compile("Stopped at epoch|validation images are right"))
        expect(ended).to_be_visible(timeout=60_000)
    visitor.close()
    return seconds


def plain_script() -> float:
    """Seconds from the start of a plain Keras script to the end of its first epoch and its process."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "benchmarks.plain_keras", "digits", "--epochs", "1"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each, alternating")
    rounds = parser.parse_args().rounds
    with chromium() as browser:
        pairs = [(on_the_page(browser), plain_script()) for _ in range(rounds)]
    page, plain = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"plain Keras script {plain:.1f} s")
    print(f"page               {page:.1f} s")
    print(f"ratio              {page / plain:.2f}")


if __name__ == "__main__":
    main()
