"""One run through the whole training path: what it leaves, and how it ends when it cannot go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from studio.data.images import decode
from studio.data.index import open_index, read_image_bytes
from studio.engine import saving
from studio.engine.pictures import as_the_model_sees
from studio.errors import StudioError
from studio.jobs import curves
from studio.jobs.states import State
from studio.jobs.store import Job
from tests.engine.conftest import Runs, StopAt

STEPS = 12
SPEC: dict[str, dict[str, Any]] = {"training": {"epochs": 2, "share": 0.31, "precision": "mixed_bfloat16"}}


@pytest.fixture(scope="module")
def finished(training: Runs) -> Job:
    return training.here(training.create(SPEC))


def test_the_figures_are_those_of_the_saved_weights(training: Runs, finished: Job) -> None:
    """Loaded by Keras alone, the model gives the validation accuracy that the job claims."""
    model = keras.saving.load_model(Path(str(finished.model_path)), compile=False)
    index = open_index(training.store.settings, "digits")
    examples = index.page("validation", None, 0, 1000)
    images = np.stack(
        [
            as_the_model_sees(decode(read_image_bytes(one), name="a digit", max_pixels=100), (8, 8, 1), "stretch")
            for one in examples
        ]
    )
    right = model.predict(images, verbose=0).argmax(axis=1) == [one.label for one in examples]
    assert finished.validation_images == len(examples) == 270
    assert finished.val_accuracy is not None
    assert finished.val_accuracy == pytest.approx(right.mean(), abs=2 / 270)  # 16 bit: other batches, other rounding
    assert finished.validation_right == round(finished.val_accuracy * 270)


def test_what_a_finished_job_says(finished: Job) -> None:
    assert finished.state == State.FINISHED
    assert (finished.epoch, finished.step, finished.checkpoint_step) == (2, 2 * STEPS, 2 * STEPS)
    assert (finished.strategy, finished.device, finished.replicas) == ("default", "CPU", 1)
    assert finished.precision == "mixed_bfloat16"
    assert finished.parameters == 35_914
    assert finished.examples_per_second is not None
    assert finished.examples_per_second > 0
    assert finished.best_epoch in (1, 2)
    assert {"data", "compile", "train", "validate", "save", "check"} <= finished.phase_seconds.keys()


def test_the_folder_holds_the_model_and_its_spec_and_nothing_half_done(training: Runs, finished: Job) -> None:
    folder = training.store.folder(finished.id)
    assert finished.model_path == str(folder / "model.keras")
    assert json.loads((folder / "spec.json").read_text())["training"]["precision"] == "mixed_bfloat16"
    assert not [path for path in folder.rglob("*") if "part" in path.name]


def test_eight_pictures_with_their_answers(finished: Job) -> None:
    assert finished.answers is not None
    assert finished.answers["epoch"] == 2
    assert len(finished.answers["pictures"]) == 8
    assert all(0.1 <= picture["confidence"] <= 1 for picture in finished.answers["pictures"])


def test_the_curve_of_single_steps_is_of_those_steps_alone(training: Runs) -> None:
    """Weighted by their images the recorded means give the epoch's mean, which running means would not."""
    job = training.here(training.create({"training": {"epochs": 1, "share": 0.31}}))
    found = curves.read(training.store, job.id, "step", "loss")
    assert found.points[0] == 1
    assert found.points[-1] == STEPS
    steps = np.diff(found.points, prepend=0)
    assert (found.values * steps).sum() / STEPS == pytest.approx(job.loss, rel=1e-5)


def test_a_loss_that_is_no_number_names_the_step_and_the_learning_rate(training: Runs) -> None:
    hot = {"epochs": 3, "optimizer": "sgd", "learning_rate": 100.0}
    job = training.create({"model": {"name": "mnist_mlp"}, "training": hot})
    with pytest.raises(StudioError, match=r"became (NaN|infinite) at step \d+ \(learning rate 100\).*of 0\.01\."):
        training.here(job)


def test_too_large_a_batch_is_a_sentence_with_a_smaller_one(training: Runs) -> None:
    class TooLarge(StopAt):
        """A fake of a device that is too small; the error is the one TensorFlow raises then."""

        def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
            raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor")

    job = training.create({"training": {"batch_size": 64}})
    with pytest.raises(StudioError, match=r"ran out of memory with 64 images.* batch size of 32"):
        training.here(job, TooLarge())


def test_a_model_whose_copy_answers_otherwise_is_refused(tmp_path: Path) -> None:
    image = keras.Input((2, 2, 1), dtype="uint8")
    logits = keras.layers.Dense(2)(keras.layers.Flatten()(image))
    model = keras.Model(image, logits)
    images = np.full((3, 2, 2, 1), 200, np.uint8)
    part = saving.save(model, tmp_path)
    model.set_weights([weight + 0.001 for weight in model.get_weights()])
    with pytest.raises(StudioError, match="other answers"):
        saving.check(part, model, images, exact=True, precision="float32")
    assert not (tmp_path / saving.FILE_NAME).exists()
    part = saving.save(model, tmp_path)
    assert saving.check(part, model, images, exact=True, precision="float32") == tmp_path / saving.FILE_NAME
