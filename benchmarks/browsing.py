"""A Streamlit server of our own and a Chromium to look at it, for measurements and browser tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
NO_CHROMIUM = "There is no Chromium on this machine: apt install chromium"
ANSWER_WITHIN = 60.0  # seconds a server may take before the measurement is given up


@dataclass(frozen=True)
class Server:
    """A running `streamlit run`: its process and its address."""

    process: subprocess.Popen[bytes]
    address: str
    home: Path
    started: float  # time.perf_counter() just before the process was started

    def wait(self) -> None:
        """Return as soon as the port is open."""
        port = int(self.address.rsplit(":", 1)[1])
        while time.perf_counter() - self.started < ANSWER_WITHIN:
            if self.process.poll() is not None:
                raise RuntimeError(f"streamlit left with exit code {self.process.returncode}")
            try:
                socket.create_connection(("localhost", port), timeout=1).close()
            except OSError:
                time.sleep(0.005)
            else:
                return
        raise TimeoutError(f"no answer from {self.address} within {ANSWER_WITHIN:.0f} s")


@contextmanager
def serve(script: Path, home: Path | None = None) -> Iterator[Server]:
    """Run a Streamlit script; stop it at the end with SIGTERM, as a service manager does.

    Args:
        script: what `streamlit run` is given.
        home: its STUDIO_HOME, which is kept; without one, an empty folder that is deleted at the end.
    """
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    with ExitStack() as stack:
        folder = home or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="studio-")))
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        options = ["--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false"]
        started = time.perf_counter()
        process = subprocess.Popen(
            command + options,
            # The committed settings are read from the working folder; another script gets Streamlit's own.
            cwd=ROOT if script.is_relative_to(ROOT) else script.parent,
            env={**os.environ, "STUDIO_HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Server(process, f"http://localhost:{port}", folder, started)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def find_chromium() -> str | None:
    """The program of a Chromium on this machine; Playwright's own download is not needed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine, without a window."""
    path = find_chromium()
    if path is None:
        raise SystemExit(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
