"""The command line does the same work without a browser, says how it ended, and leaves nothing half-made."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from studio.jobs.states import Phase, State
from studio.jobs.store import Store
from tests.processes.conftest import Runner, Starter, only_line, wait_for, wait_for_job

QUICK = ("--set", "training.epochs=2", "--set", "training.share=0.2")
LONG = ("--set", "training.epochs=1000")


def training(store: Store, job_id: str = "train-1", epochs: int = 1) -> None:
    """Wait until a run is there, has completed some epochs and is in the middle of another."""
    wait_for(store.count)
    wait_for_job(store, job_id, lambda job: job.epoch >= epochs and job.phase == Phase.TRAIN)


def test_a_run_from_spec_to_prediction(cli: Runner, store: Store, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text('{"data": {"dataset": "digits"}, "training": {"epochs": 3}}')
    trained = cli("train", str(spec), "--set", "training.epochs=2")
    assert trained.returncode == 0, trained.stderr
    line = only_line(trained)
    assert (line["job"], line["state"], line["epochs"], line["replicas"]) == ("train-1", "finished", 2, 1)
    assert (line["precision"], line["strategy"]) == ("float32", "default")
    assert 0 < line["val_accuracy"] <= 1
    assert all(line[name] > 0 for name in ("loss", "accuracy", "val_loss", "examples_per_second", "seconds"))
    assert Path(line["model"]).is_file()
    assert Path(line["folder"]) == store.folder("train-1")

    picture, text = tmp_path / "-=1.png", tmp_path / "no image.png"
    Image.new("L", (20, 20), 200).save(picture)
    text.write_text("not a picture")
    predicted = cli("predict", "train-1", "--json", str(picture), str(text))
    assert predicted.returncode == 0, predicted.stderr
    good, bad = only_line(predicted)
    assert sum(row["probability"] for row in good["predictions"]) <= 1.001
    assert len(good["predictions"]) == 5
    assert bad["predictions"] == []
    assert "no image.png" in bad["error"]

    listed = only_line(cli("jobs", "--json"))
    assert [(row["job"], row["kind"], row["state"], row["epoch"]) for row in listed] == [
        ("train-1", "train", "finished", 2)
    ]


def test_an_empty_list_is_a_list(cli: Runner) -> None:
    assert only_line(cli("jobs", "--json")) == []


def test_sets_and_hardware_are_said(cli: Runner) -> None:
    sets = {row["name"]: row for row in only_line(cli("data", "list", "--json"))}
    assert sets["digits"]["splits"] == {"train": 1257, "validation": 270, "test": 270}
    assert not sets["mnist"]["on_disk"]
    assert only_line(cli("hardware", "--json"))["kind"] in ("cpu", "gpu", "tpu")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("train",), "either a spec file or --recipe"),
        (("train", "nowhere.json"), "nowhere.json"),
        (("train", "--recipe", "cats"), "digits, mnist, cifar10, flowers"),
        (("train", "--recipe", "digits", "--set", "training.epochs=0"), "training.epochs is 0"),
        (("train", "--recipe", "digits", "--set", "training.batch_size=5000"), "1 to 1,257"),
        (("train", "--recipe", "digits", "--set", "data.dataset=birds"), "birds"),
        (("train", "--recipe", "digits", "--set", "model.name=resnet"), "model.name"),
        (("train", "--recipe", "digits", "--set", "training.optimizer=lion"), "training.optimizer"),
        (("resume", "train-9"), "train-9"),
        (("watch", "train-9"), "train-9"),
        (("stop", "train-9", "--json"), "train-9"),
        (("predict", "train-9", "x.png", "--json"), "train-9"),
        (("train", "--recipe", "mnist", "--set", "training.batch_size=65000"), "1 to 54,000"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_creates_nothing(
    cli: Runner, store: Store, arguments: tuple[str, ...], words: str
) -> None:
    refused = cli(*arguments)
    assert refused.returncode == 2
    assert words in only_line(refused)["error"]
    assert words in refused.stderr
    assert "Traceback" not in refused.stderr
    assert store.jobs() == []


@pytest.mark.parametrize(
    "arguments", [("train", "--bogus"), ("stop", "--json"), ("frobnicate",), ("jobs", "--wrong"), ()]
)
def test_a_command_line_that_is_not_understood_is_refused(cli: Runner, arguments: tuple[str, ...]) -> None:
    refused = cli(*arguments)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    if arguments and (arguments[0] == "train" or "--json" in arguments):
        assert only_line(refused)["error"]


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"data": {"dataset": "digits"}, "speed": 9}'])
def test_a_file_that_is_no_spec_is_refused(cli: Runner, store: Store, tmp_path: Path, content: bytes) -> None:
    spec = tmp_path / "spec.json"
    spec.write_bytes(content)
    assert cli("train", str(spec)).returncode == 2
    assert store.jobs() == []


def test_ctrl_c_stops_with_a_checkpoint_and_resume_goes_on(start_cli: Starter, cli: Runner, store: Store) -> None:
    running = start_cli("train", "--recipe", "digits", *LONG)
    training(store)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=60)
    line: dict[str, Any] = json.loads(out)
    assert (running.returncode, line["state"], line["model"]) == (3, "stopped", None)
    stopped = store.get("train-1")
    assert stopped.checkpoint_step
    assert stopped.reason is not None
    assert stopped.reason.endswith("by Ctrl-C.")

    again = start_cli("resume", "train-1")
    wait_for(lambda: store.get("train-1").attempt == 2)
    wait_for_job(store, "train-1", lambda job: job.epoch > stopped.epoch)
    assert only_line(cli("stop", "train-1", "--json"))["job"] == "train-1"
    out, _ = again.communicate(timeout=60)
    assert (again.returncode, json.loads(out)["state"]) == (3, "stopped")
    assert "resumed" in {event.kind for event in store.events("train-1")}


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL])
def test_a_lost_command_line_leaves_its_run_alone(start_cli: Starter, store: Store, number: signal.Signals) -> None:
    lost = start_cli("train", "--recipe", "digits", *LONG)
    training(store)
    lost.send_signal(number)
    lost.wait(timeout=10)
    before = store.get("train-1")
    watching = start_cli("watch", "train-1")
    wait_for_job(store, "train-1", lambda job: job.epoch > before.epoch + 1)
    store.request_stop("train-1", "you")
    out, _ = watching.communicate(timeout=60)
    assert json.loads(out)["state"] == "stopped"


def test_a_worker_that_is_killed_fails_the_run(start_cli: Starter, store: Store) -> None:
    running = start_cli("train", "--recipe", "digits", *LONG)
    training(store)
    pid = store.pid(store.get("train-1"))
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    out, _ = running.communicate(timeout=10)
    line = json.loads(out)
    assert (running.returncode, line["state"]) == (1, "failed")
    assert "killed (signal 9)" in line["reason"]
    assert "resume goes on from there" in line["reason"]


def test_a_set_that_cannot_be_downloaded_is_said_in_time(cli: Runner, store: Store, settings: Any) -> None:
    """Proves the way without a network; a download that works is not proved where there is none."""
    trained = cli("train", "--recipe", "mnist", *QUICK)
    line = only_line(trained)
    if line["state"] == "finished":
        pytest.skip("this machine has a network")
    assert (trained.returncode, line["job"], line["state"]) == (1, "download-1", "failed")
    assert "does not answer" in line["reason"]
    assert store.get("download-1").state == State.FAILED
    assert not any(settings.data_dir.rglob("*")) if settings.data_dir.exists() else True
