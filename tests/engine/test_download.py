"""A download is whole or not at all, says how far it is, and can be stopped."""

from __future__ import annotations

import http.server
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tensorflow_datasets as tfds

from studio.data import published
from studio.data.catalogue import CatalogueEntry, facts
from studio.engine import download
from studio.engine.reachability import require_servers
from studio.engine.stopped import Stopped
from studio.engine.unfinished import unfinished_folder
from studio.errors import StudioError
from studio.jobs.states import Phase
from studio.settings import Settings

IMAGES = 300


class TinyLocal(tfds.core.GeneratorBasedBuilder):
    """A set of plain squares whose one file comes from a server on this machine."""

    VERSION = tfds.core.Version("1.2.3")
    url = ""

    def _info(self) -> tfds.core.DatasetInfo:
        features = {"image": tfds.features.Image(shape=(8, 8, 1)), "label": tfds.features.ClassLabel(num_classes=2)}
        return self.dataset_info_from_configs(features=tfds.features.FeaturesDict(features))

    def _split_generators(self, dl_manager: Any) -> dict[str, Any]:
        return {"train": self._generate_examples(Path(dl_manager.download(self.url)))}

    def _generate_examples(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, value in enumerate(path.read_bytes()):
            yield number, {"image": np.full((8, 8, 1), value, np.uint8), "label": value % 2}


class RecordingReporter:
    """In place of the reporter: keeps the phases, and stops where it is told to."""

    def __init__(self, stop_in: Phase | None = None) -> None:
        self.phases: list[tuple[Phase, int, int]] = []
        self._stop_in = stop_in
        self.stopping = threading.Event()

    @property
    def stop_requested(self) -> bool:
        return self.stopping.is_set()

    def phase(self, phase: Phase, done: int, total: int) -> None:
        self.phases.append((phase, done, total))
        if phase == self._stop_in:
            self.stopping.set()

    def safe_to_leave(self) -> Any:
        return threading.Lock()  # any context manager will do


class Server(http.server.ThreadingHTTPServer):
    """Serves one file; `hold` keeps it from being sent whole."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = bytes(number % 256 for number in range(IMAGES))
        self.hold = threading.Event()
        self.hold.set()
        self.asked = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()
        self.wfile.write(self.server.content[:10])
        self.wfile.flush()
        self.server.asked.set()
        self.server.hold.wait(30)
        self.wfile.write(self.server.content[10:])

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(TinyLocal, "url", f"http://127.0.0.1:{server.server_port}/squares.bin")
    made = CatalogueEntry(
        name="tiny_local",
        title="Squares",
        sentence="",
        license="",
        homepage="",
        built_in=False,
        images={"train": IMAGES},
        classes=("even", "odd"),
        height=8,
        width=8,
        channels=1,
        download_bytes=IMAGES,
    )
    monkeypatch.setitem(published.SETS, "tiny_local", made)
    yield server
    server.hold.set()
    server.shutdown()
    server.server_close()


def _run(reporter: RecordingReporter, settings: Settings, name: str = "tiny_local") -> str:
    return download.run(SimpleNamespace(spec={"dataset": name}), reporter, settings)  # type: ignore[arg-type]


def test_no_network_is_one_clear_sentence_and_leaves_nothing(settings: Settings) -> None:
    started = time.monotonic()
    with pytest.raises(StudioError, match=r"does not answer \(tried for \d+ s\)\. Nothing was stored\.") as caught:
        _run(RecordingReporter(), settings, "fashion_mnist")
    assert time.monotonic() - started < 10
    assert caught.value.detail
    assert not settings.data_dir.exists()


def test_a_server_that_accepts_and_says_nothing_does_not_answer(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        with pytest.raises(StudioError, match="does not answer"):
            require_servers([f"http://127.0.0.1:{silent.getsockname()[1]}/file"], patience=1.0)
        assert time.monotonic() - started < 3


def test_a_refusal_is_an_answer(server: Server) -> None:
    require_servers([TinyLocal.url])  # the server knows no HEAD and says 501


def test_download_ends_with_a_whole_set(server: Server, settings: Settings) -> None:
    reporter = RecordingReporter()
    assert _run(reporter, settings) == "Squares is ready: 300 images in 2 classes."
    found = facts(settings, "tiny_local")
    assert found.version == "1.2.3"
    assert found.splits == {"train": (150, 150)}
    assert [path.name for path in settings.data_dir.iterdir()] == ["tiny_local"]
    assert [path.name for path in (settings.data_dir / "tiny_local").iterdir()] == ["1.2.3"]
    assert reporter.phases[0] == (Phase.DOWNLOAD, 0, IMAGES)
    assert all(done <= total for _, done, total in reporter.phases)


def test_a_set_that_is_there_is_not_downloaded_again(server: Server, settings: Settings) -> None:
    _run(RecordingReporter(), settings)
    server.shutdown()
    assert "already" in _run(RecordingReporter(), settings)


def test_stop_while_a_server_dawdles_leaves_nothing(server: Server, settings: Settings) -> None:
    server.hold.clear()
    started = time.monotonic()
    with pytest.raises(Stopped, match="while downloading"):
        _run(RecordingReporter(stop_in=Phase.DOWNLOAD), settings)
    assert time.monotonic() - started < 5
    assert list(settings.data_dir.iterdir()) == []


def test_stop_while_preparing_leaves_nothing(
    server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    reporter = RecordingReporter(stop_in=Phase.PREPARE)
    generate = TinyLocal._generate_examples

    def slowly(self: TinyLocal, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, example in enumerate(generate(self, path)):
            if number == 5:  # go on only when the stop was asked for
                assert reporter.stopping.wait(10)
            yield example

    monkeypatch.setattr(TinyLocal, "_generate_examples", slowly)
    with pytest.raises(Stopped):
        _run(reporter, settings)
    assert (Phase.PREPARE, 5, IMAGES) in reporter.phases
    assert list(settings.data_dir.iterdir()) == []


def test_a_failure_leaves_nothing(server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: TinyLocal, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        yield 0, {"image": np.zeros((3, 3, 1), np.uint8), "label": 0}

    monkeypatch.setattr(TinyLocal, "_generate_examples", broken)
    with pytest.raises(StudioError, match="nothing was stored") as caught:
        _run(RecordingReporter(), settings)
    assert "Traceback" in caught.value.detail
    assert list(settings.data_dir.iterdir()) == []


def test_a_full_disk_is_said_before_anything_is_written(
    server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download.shutil, "disk_usage", lambda folder: SimpleNamespace(free=100))
    with pytest.raises(StudioError, match="MiB are free"):
        _run(RecordingReporter(), settings)
    assert not settings.data_dir.exists()


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_holds_is_not(tmp_path: Path) -> None:
    hold = (
        "import sys\nfrom pathlib import Path\nfrom studio.engine.unfinished import unfinished_folder\n"
        "with unfinished_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'half.tmp').write_text('half')\n    print(folder, flush=True)\n    sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        with unfinished_folder(tmp_path) as mine:
            assert left.exists()
        assert not mine.exists()
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert (left / "half.tmp").exists()
    with unfinished_folder(tmp_path):
        assert not left.exists()
    assert list(tmp_path.iterdir()) == []
