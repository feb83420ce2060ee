"""What will happen, in numbers, and what is refused before a job exists."""

from __future__ import annotations

from typing import Any

import pytest

from studio.errors import SpecError
from studio.spec.facts import DataFacts
from studio.spec.models import mobilenet_weights_file
from studio.spec.plan import Plan, make_plan, validation_counts
from studio.spec.run import parse_spec

DIGITS = DataFacts(
    "digits",
    "Handwritten digits",
    "1.0.0",
    tuple("0123456789"),
    {"train": (126,) * 7 + (125,) * 3, "validation": (27,) * 10, "test": (27,) * 10},
    8,
    8,
    1,
)
PHOTOS = DataFacts("photos", "Photos", "1.0.0", ("cat", "dog"), {"train": (60, 40)}, None, None, 3)


def plan(facts: DataFacts, document: dict[str, Any] | None = None, **hardware: Any) -> Plan:
    return make_plan(parse_spec({"data": {"dataset": facts.name}} | (document or {})), facts, **hardware)


def test_digits_recipe_counts() -> None:
    made = plan(DIGITS, {"training": {"batch_size": 32, "epochs": 40}})
    assert (made.model, made.height, made.width, made.channels) == ("small_cnn", 8, 8, 1)
    assert (made.train_images, made.validation_images, made.validation_from) == (1257, 270, "given")
    assert (made.steps_per_epoch, made.left_over) == (39, 9)
    assert (made.strategy, made.replicas, made.per_replica_batch) == ("cpu", 1, 32)


def test_the_plan_of_a_planned_spec_is_the_same_plan() -> None:
    made = plan(PHOTOS, imagenet_at_hand=True)
    assert make_plan(made.spec, PHOTOS) == made


@pytest.mark.parametrize(
    ("facts", "imagenet", "model", "size"),
    [
        (DIGITS, True, "small_cnn", 8),
        (PHOTOS, True, "mobilenet_v2", 160),
        (PHOTOS, False, "small_cnn", 96),
    ],
)
def test_the_model_that_is_taken_without_a_choice(facts: DataFacts, imagenet: bool, model: str, size: int) -> None:
    made = plan(facts, imagenet_at_hand=imagenet)
    assert (made.model, made.height, made.width) == (model, size, size)


def test_validation_is_carved_from_every_class() -> None:
    made = plan(PHOTOS)
    assert made.validation_counts == (6, 4)
    assert made.train_counts == (54, 36)
    assert made.validation_from == "train"


def test_a_class_of_two_is_on_both_sides_and_a_class_of_one_is_refused() -> None:
    assert validation_counts((2, 1000), 0.5, ("a", "b")) == (1, 500)
    with pytest.raises(SpecError, match=r"1 of 2 classes have fewer than 2 training images \(tiny\)"):
        validation_counts((1, 1000), 0.1, ("tiny", "big"))


def test_a_share_keeps_at_least_one_image_of_every_class() -> None:
    made = plan(PHOTOS, {"training": {"share": 0.001, "batch_size": 2}})
    assert made.train_counts == (1, 1)
    assert made.validation_counts == (6, 4)


def test_virtual_replicas_share_the_batch() -> None:
    made = plan(DIGITS, {"training": {"strategy": "virtual", "replicas": 8, "batch_size": 32}})
    assert (made.strategy, made.replicas, made.per_replica_batch) == ("virtual", 8, 4)


def test_auto_takes_the_detected_devices() -> None:
    made = plan(DIGITS, hardware_kind="tpu", hardware_replicas=8)
    assert (made.strategy, made.replicas, made.per_replica_batch) == ("tpu", 8, 4)


def test_a_pod_of_more_than_eight_devices_can_be_planned_and_read_back() -> None:
    made = plan(DIGITS, {"training": {"batch_size": 64}}, hardware_kind="gpu", hardware_replicas=16)
    assert parse_spec(made.spec.to_json()).training.replicas == 16


def test_the_weights_that_keras_will_look_for() -> None:
    assert "_160_" in mobilenet_weights_file(1.0, 160, 160)
    assert "_224_" in mobilenet_weights_file(1.0, 32, 32)
    assert "_224_" in mobilenet_weights_file(0.35, 160, 128)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"training": {"batch_size": 2000}}, "training.batch_size is 2,000, but only 1,257 training images"),
        ({"training": {"strategy": "virtual", "replicas": 5}}, "5 replicas cannot share equally"),
        ({"training": {"strategy": "virtual", "replicas": 1}}, "training.replicas is 1"),
        ({"training": {"strategy": "virtual", "replicas": 16}}, "training.replicas is 16"),
        ({"training": {"strategy": "tpu"}}, "training.strategy is 'tpu'"),
        ({"training": {"replicas": 2}}, "training.replicas is 2"),
        ({"model": {"name": "cifar10_cnn"}}, "CIFAR-10 CNN needs images of at least 18 pixels; the data has 8"),
        (
            {"model": {"name": "cifar10_cnn", "dropout": 0.5}, "data": {"dataset": "digits", "image_size": 32}},
            "dropout",
        ),
        ({"model": {"name": "small_cnn", "weights": "imagenet"}}, "model.weights is 'imagenet'"),
    ],
)
def test_what_does_not_fit_is_refused(document: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError) as refused:
        plan(DIGITS, document)
    assert words in refused.value.sentence


@pytest.mark.parametrize(
    ("classes", "splits", "words"),
    [
        ((), {"train": ()}, "0 classes"),
        (("only",), {"train": (5,)}, "1 classes"),
        (("a", "b"), {"train": (0, 0)}, "no training images"),
        (("a", "b"), {"test": (5, 5)}, "no training images"),
    ],
)
def test_a_set_that_cannot_be_learned_from_is_refused(
    classes: tuple[str, ...], splits: dict[str, tuple[int, ...]], words: str
) -> None:
    with pytest.raises(SpecError) as refused:
        plan(DataFacts("odd", "Odd", "1.0.0", classes, splits, 8, 8, 1))
    assert words in refused.value.sentence


def test_guessing_is_the_share_of_the_largest_class() -> None:
    assert plan(PHOTOS).guessing_accuracy == pytest.approx(0.6)
