"""The helper processes: what they answer, and that they come back and go away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from PIL import Image

from studio.data.index import open_index, read_image_bytes
from studio.desk import Desk
from studio.errors import StudioError
from studio.jobs.store import Job
from tests.engine.conftest import Runs

SUMMARY: dict[str, Any] = {"ask": "summary", "height": 8, "width": 8, "channels": 1, "classes": 10}

UPSIDE_DOWN = Image.Exif()
UPSIDE_DOWN[0x0112] = 3  # the orientation that a camera writes


def summary_of(**model: object) -> dict[str, Any]:
    return SUMMARY | {"spec": {"data": {"dataset": "digits"}, "model": model}}


@pytest.fixture(scope="module")
def shapes(training: Runs) -> Iterator[Desk]:
    desk = Desk("shapes", training.store.settings)
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def predictions(training: Runs) -> Iterator[Desk]:
    desk = Desk("predictions", training.store.settings)
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def finished(training: Runs) -> Job:
    return training.here(training.create({"training": {"epochs": 6}}))


def test_the_layers_of_a_model(shapes: Desk) -> None:
    answer = shapes.ask(summary_of(name="small_cnn", dropout=0.3))
    assert answer["parameters"] == answer["trainable"] == 35_914
    rows = {layer["name"]: layer for layer in answer["layers"]}
    assert rows["conv2"]["kind"] == "Conv2D"
    assert rows["conv2"]["shape"] == [4, 4, 64]
    assert rows["conv2"]["parameters"] == 18_496
    assert sum(layer["parameters"] for layer in answer["layers"]) == 35_914


def test_a_backbone_is_one_row_and_no_weights_are_loaded(shapes: Desk) -> None:
    question = summary_of(name="mobilenet_v2", weights="imagenet", width=0.35, dropout=0.2)
    answer = shapes.ask(question | {"height": 96, "width": 96, "channels": 3})
    (backbone,) = [layer for layer in answer["layers"] if layer["name"] == "backbone"]
    assert backbone["kind"] == "Model"
    assert backbone["layers"] > 100
    assert backbone["trainable"] == 0
    assert answer["trainable"] == 1280 * 10 + 10


def test_a_question_that_cannot_be_answered_is_an_error_and_the_helper_stays(shapes: Desk) -> None:
    pid = shapes.pid
    with pytest.raises(StudioError, match="optimiser"):
        shapes.ask(SUMMARY | {"spec": {"data": {"dataset": "digits"}, "optimiser": "adam"}})
    assert shapes.ask(summary_of(name="small_cnn"))["parameters"]
    assert shapes.pid == pid


def test_a_helper_that_died_is_replaced_by_the_next_question(shapes: Desk) -> None:
    shapes.ask(summary_of(name="small_cnn"))
    pid = shapes.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=10)
    assert shapes.ask(summary_of(name="small_cnn"))["parameters"] == 35_914
    assert shapes.pid != pid


def test_a_helper_that_does_not_answer_in_time_is_ended(shapes: Desk) -> None:
    shapes.ask(summary_of(name="small_cnn"))
    pid = shapes.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(StudioError, match="did not answer"):
        shapes.ask(summary_of(name="small_cnn"), timeout=0.2)
    assert not psutil.pid_exists(pid)


def test_threads_each_get_their_own_answer(shapes: Desk) -> None:
    shapes.ask(summary_of(name="small_cnn"))
    answers: dict[int, int] = {}

    def ask(classes: int) -> None:
        answers[classes] = shapes.ask(summary_of(name="small_cnn") | {"classes": classes})["parameters"]

    threads = [threading.Thread(target=ask, args=(classes,)) for classes in range(2, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {classes: 320 + 18_496 + 16_448 + 65 * classes for classes in range(2, 8)}


def test_examples_of_the_test_split(training: Runs, finished: Job, predictions: Desk) -> None:
    index = open_index(training.store.settings, "digits")
    examples = index.page("test", None, 0, 100)
    question = {
        "ask": "predict_examples",
        "model": finished.model_path,
        "data_dir": str(training.store.settings.data_dir),
        "dataset": "digits",
        "rows": [example.row for example in examples],
    }
    pictures = predictions.ask(question)["pictures"]
    right = [picture["top"][0][0] == example.label for picture, example in zip(pictures, examples, strict=True)]
    assert sum(right) > 70
    for picture in pictures:
        chances = [chance for _, chance in picture["top"]]
        assert len(chances) == 5
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1 + 1e-9
    with Image.open(pictures[0]["seen"]) as seen:
        assert (seen.size, seen.mode) == ((8, 8), "L")


def test_a_file_gives_the_same_answer_as_the_example_it_was_copied_from(
    training: Runs, finished: Job, predictions: Desk, tmp_path: Path
) -> None:
    example = open_index(training.store.settings, "digits").page("test", None, 0, 1)[0]
    good = tmp_path / "digit.png"
    good.write_bytes(read_image_bytes(example))
    broken = tmp_path / "letter.png"
    broken.write_text("Dear reader")
    question = {
        "ask": "predict",
        "model": finished.model_path,
        "pictures": [str(broken), str(good), str(tmp_path / "gone.png")],
    }
    no_image, answer, gone = predictions.ask(question)["pictures"]
    rows = question | {
        "ask": "predict_examples",
        "data_dir": str(training.store.settings.data_dir),
        "dataset": "digits",
        "rows": [example.row],
    }
    expected = predictions.ask(rows)["pictures"][0]
    assert answer["seen"] == expected["seen"]
    assert [index for index, _ in answer["top"]] == [index for index, _ in expected["top"]]
    assert "letter.png" in no_image["error"]
    assert "gone.png" in gone["error"]


def ask_about_uploads(predictions: Desk, finished: Job, folder: Path, *pictures: Image.Image) -> list[dict[str, Any]]:
    """As the page asks: files with random names, the names of the person, at most a million pixels."""
    files = [folder / f"{number}.upload" for number in range(len(pictures))]
    for file, picture in zip(files, pictures, strict=True):
        picture.save(file, "PNG", exif=UPSIDE_DOWN)
    question = {
        "ask": "predict",
        "model": finished.model_path,
        "pictures": [str(file) for file in files],
        "names": [f"<b>photo {number}\n" for number in range(len(pictures))],
        "max_pixels": 1_000_000,
    }
    answers: list[dict[str, Any]] = predictions.ask(question)["pictures"]
    return answers


def test_an_upload_comes_back_as_a_small_upright_copy(finished: Job, predictions: Desk, tmp_path: Path) -> None:
    photo = Image.new("RGB", (1000, 400), "white")
    photo.paste("red", (0, 0, 1000, 200))
    large, small = ask_about_uploads(predictions, finished, tmp_path, photo, Image.new("I;16", (30, 20), 257 * 99))
    assert large["size"] == [1000, 400]
    with Image.open(large["copy"]) as copy:
        assert (copy.size, copy.mode) == ((512, 205), "RGB")
        assert [copy.getpixel((9, 9)), copy.getpixel((9, 190))] == [(255, 255, 255), (255, 0, 0)]
    with Image.open(large["seen"]) as seen:
        assert (seen.size, seen.mode) == ((8, 8), "L")
    assert small["size"] == [30, 20]
    with Image.open(small["copy"]) as copy:
        assert (copy.size, copy.mode, copy.getpixel((0, 0))) == ((30, 20), "L", 99)


def test_an_upload_that_is_too_large_is_called_by_its_own_name(
    finished: Job, predictions: Desk, tmp_path: Path
) -> None:
    area, side = ask_about_uploads(
        predictions, finished, tmp_path, Image.new("1", (1000, 1001)), Image.new("1", (20_001, 2))
    )
    assert area == {
        "error": "‘<b>photo 0\n’ is 1,000 × 1,001 pixels; at most 1,000,000 pixels and 20,000 on a side are allowed. "
        "Make it smaller first."
    }
    assert "20,001 × 2 pixels" in side["error"]


def test_a_helper_that_starts_removes_what_killed_ones_left(training: Runs, finished: Job) -> None:
    temporary = training.store.settings.temporary
    (temporary / "seen").mkdir(exist_ok=True)
    old = [temporary / "left.upload", temporary / "seen" / "left.png", temporary / "seen" / "left.part"]
    kept = [temporary / "new.upload", temporary / "seen" / "new.png", temporary / "waiting-name.lock"]
    for file in old + kept:
        file.write_bytes(b"")
    for file in [*old, kept[-1]]:
        os.utime(file, (time.time() - 86_500,) * 2)
    with closing(Desk("predictions", training.store.settings)) as desk:
        desk.ask({"ask": "hello"})
    assert [file for file in old + kept if file.exists()] == kept


def test_a_picture_that_is_named_once_more_is_kept_for_another_day(
    finished: Job, predictions: Desk, tmp_path: Path
) -> None:
    picture = Image.new("L", (8, 8), 7)
    (answer,) = ask_about_uploads(predictions, finished, tmp_path, picture)
    os.utime(answer["copy"], (0, 0))
    assert ask_about_uploads(predictions, finished, tmp_path, picture) == [answer]
    assert time.time() - Path(answer["copy"]).stat().st_mtime < 3_600


def test_only_models_of_this_studio_are_loaded(finished: Job, predictions: Desk, tmp_path: Path) -> None:
    foreign = tmp_path / "model.keras"
    foreign.write_bytes(Path(str(finished.model_path)).read_bytes())
    with pytest.raises(StudioError, match="not the model of a finished run"):
        predictions.ask({"ask": "predict", "model": str(foreign), "pictures": []})


def test_a_helper_ends_with_the_process_that_started_it(training: Runs) -> None:
    script = """
import sys, time
from studio.desk import Desk
from studio.settings import Settings
desk = Desk("shapes", Settings.load())
desk.warm_up()
print(desk.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        helper = psutil.Process(int(server.stdout.readline()))
        server.kill()
    gone, _ = psutil.wait_procs([helper], timeout=30)
    assert gone
