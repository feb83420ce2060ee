"""Ask a warm helper process a short question that takes TensorFlow to answer.

One process a duty (`shapes`: what a model is made of; `predictions`: what a saved model says), started at the
first question and kept: it speaks JSON, one line a question and one line an answer, over its own pipes. It ends
when this process does, in whatever way, because then its standard input ends; it is started again when it has
died. The accelerator is hidden from it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal

from studio.errors import StudioError
from studio.settings import Settings

Duty = Literal["shapes", "predictions"]
ROOT = Path(__file__).resolve().parents[1]
HIDDEN_ACCELERATOR = {"CUDA_VISIBLE_DEVICES": "-1", "TPU_LOAD_LIBRARY": "0", "JAX_PLATFORMS": "cpu"}


class Desk:
    """A helper process for one duty. Questions from several threads are answered one after the other.

    Desk("shapes", settings).ask({"ask": "summary", "spec": {…}, …})["parameters"]   # 35914
    """

    def __init__(self, duty: Duty, settings: Settings) -> None:
        self._duty = duty
        self._settings = settings
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._answers: SimpleQueue[str] = SimpleQueue()

    def ask(self, question: dict[str, Any], timeout: float = 60.0) -> dict[str, Any]:
        """Ask and wait for the answer; the first question waits for TensorFlow too, about five seconds.

        Raises:
            StudioError: the helper says that it cannot, died, or did not answer within `timeout` seconds; the next
                question finds a new helper.
        """
        with self._lock:
            process, answers = self._running()
            try:
                assert process.stdin is not None
                process.stdin.write(json.dumps(question) + "\n")
                process.stdin.flush()
                line = answers.get(timeout=timeout)
            except (Empty, OSError):
                line = ""
            if not line:
                self._end()
                raise StudioError("The helper process did not answer; ask again, and a new one will.")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise StudioError(answer["error"], answer.get("detail", ""))
        return answer

    def warm_up(self) -> None:
        """Start the helper, and return when it is ready to answer."""
        with suppress(StudioError):  # a real question will say what is wrong
            self.ask({"ask": "hello"})

    def close(self) -> None:
        """End the helper at once, also in the middle of a question, which then fails."""
        process = self._process
        if process is not None:
            process.kill()
            process.wait()

    @property
    def pid(self) -> int | None:
        """Process id of the helper, while there is one."""
        return self._process.pid if self._process else None

    def _running(self) -> tuple[subprocess.Popen[str], SimpleQueue[str]]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process, self._answers = self._start(), SimpleQueue()
            threading.Thread(target=_read, args=(self._process, self._answers), daemon=True).start()
        return self._process, self._answers

    def _start(self) -> subprocess.Popen[str]:
        folders = {
            "STUDIO_HOME": self._settings.home,
            "TFDS_DATA_DIR": self._settings.data_dir,
            "KERAS_HOME": self._settings.keras_home,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        }
        self._settings.temporary.mkdir(parents=True, exist_ok=True)
        with (self._settings.temporary / f"desk-{self._duty}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "studio.engine.desk", self._duty],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {name: str(value) for name, value in folders.items()} | HIDDEN_ACCELERATOR,
                start_new_session=True,
            )

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _read(process: subprocess.Popen[str], answers: SimpleQueue[str]) -> None:
    """Pass on the lines of one helper, and an empty one when it has ended."""
    assert process.stdout is not None
    for line in process.stdout:
        answers.put(line)
    answers.put("")


def desk(duty: Duty) -> Desk:
    """The helper of this process for a duty."""
    with _desks_lock:
        return _desks.setdefault(duty, Desk(duty, Settings.load()))


def close_desks() -> None:
    """End the helpers of this process."""
    with _desks_lock:
        for known in _desks.values():
            known.close()
        _desks.clear()


_desks: dict[Duty, Desk] = {}
_desks_lock = threading.Lock()
