"""The sentence under the charts says what the curves show, and nothing that chance could have done."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from studio.jobs.reading import Epochs, Reading, Sign, read_curves

GUESSING = math.log(10)


def falling(epochs: int, to: float = 0.05, start: float = 2.0) -> list[float]:
    return np.geomspace(start, to, epochs).tolist()


def reading(
    loss: Sequence[float],
    val_loss: Sequence[float],
    *,
    accuracy: float = 0.9,
    val_accuracy: float = 0.9,
    images: int = 5_000,
    ended: bool = False,
) -> Reading:
    """Read curves whose accuracies stay as they are."""
    count = len(loss)
    arrays = (loss, [accuracy] * count, val_loss, [val_accuracy] * count)
    epochs = Epochs(*(np.array(values, np.float32) for values in arrays))
    return read_curves(epochs, guessing_loss=GUESSING, validation_images=images, ended=ended)


@pytest.mark.parametrize("epochs", [0, 1, 2])
def test_two_epochs_are_no_trend(epochs: int) -> None:
    assert reading([2.0] * epochs, [2.0] * epochs).sign == Sign.TOO_EARLY


def test_a_loss_that_stays_at_guessing_is_not_learning() -> None:
    found = reading([2.31, 2.30, 2.30, 2.30], [2.30] * 4, accuracy=0.1, val_accuracy=0.1)
    assert found.sign == Sign.NOT_LEARNING
    assert "(2.30)" in found.text


def test_a_loss_that_climbs_for_three_epochs_is_diverging() -> None:
    assert reading([1.0, 0.6, 1.5, 1.9, 4.0], [1.0, 0.7, 1.5, 2.0, 4.0]).sign == Sign.DIVERGING
    assert reading([1.0, 0.6, 0.7, 1.9, 4.0], [1.0, 0.7, 0.8, 2.0, 4.0]).sign != Sign.DIVERGING


def test_a_tiny_loss_that_doubles_is_not_diverging() -> None:
    loss = [*falling(10, to=0.001), 0.002, 0.002, 0.002]
    assert reading(loss, [*falling(10), 0.05, 0.05, 0.05]).sign != Sign.DIVERGING


def test_a_new_lowest_validation_loss_is_still_learning() -> None:
    found = reading(falling(17), falling(17))
    assert found.sign == Sign.LEARNING
    assert found.text.startswith("Validation loss reached its lowest value at epoch 17.")
    assert "stay together" in found.text


def test_training_far_ahead_does_not_stay_together() -> None:
    found = reading(falling(17), falling(17, to=0.5), accuracy=0.99, val_accuracy=0.84)
    assert found.sign == Sign.LEARNING
    assert "together" not in found.text


def test_validation_that_rises_while_training_falls_is_memorizing() -> None:
    val_loss = [*falling(12, to=0.5), *np.linspace(0.52, 0.8, 8)]
    found = reading(falling(20), val_loss, accuracy=0.95)
    assert found.sign == Sign.MEMORIZING
    assert "lowest at epoch 12" in found.text


def test_a_rise_that_chance_explains_is_not_memorizing() -> None:
    val_loss = [*falling(12, to=0.5), *np.linspace(0.52, 0.55, 8)]
    assert reading(falling(20), val_loss, accuracy=0.95, images=100).sign == Sign.LEVELED_OFF


def test_a_validation_loss_that_hardly_moves_has_levelled_off() -> None:
    val_loss = [*falling(20, to=0.5), *np.linspace(0.5, 0.498, 20)]
    found = reading([*falling(20, to=0.4), *[0.4] * 20], val_loss)
    assert found.sign == Sign.LEVELED_OFF
    assert "lowest at epoch 40" in found.text


@pytest.mark.parametrize(("images", "sign"), [(5_000, Sign.OVERFITTING), (15, Sign.LEVELED_OFF)])
def test_a_large_gap_is_overfitting_unless_few_images_explain_it(images: int, sign: Sign) -> None:
    val_loss = [*falling(10, to=0.5), *[0.55] * 10]
    found = reading([*falling(10), *[0.05] * 10], val_loss, accuracy=0.96, val_accuracy=0.84, images=images)
    assert found.sign == sign
    if sign == Sign.OVERFITTING:
        assert "96% of the training images are right, 84% of the validation images" in found.text


def test_validation_above_training_is_normal() -> None:
    val_loss = [*falling(9, to=0.3), 0.31]
    assert reading(falling(10, to=0.5), val_loss, accuracy=0.8, val_accuracy=0.9).sign == Sign.NORMAL
    assert reading(falling(10, to=0.5), val_loss, accuracy=0.8, val_accuracy=0.9, images=20).sign == Sign.LEARNING


def test_a_run_that_ended_at_its_lowest_was_still_improving() -> None:
    assert reading(falling(5), falling(5), ended=True).sign == Sign.WAS_IMPROVING


def test_an_end_within_chance_is_not_called_better() -> None:
    losses = falling(40, to=0.04, start=0.06)
    few = reading(losses, losses, accuracy=0.989, val_accuracy=0.989, images=270, ended=True)
    many = reading(losses, losses, accuracy=0.989, val_accuracy=0.989, images=100_000, ended=True)
    assert (few.sign, many.sign) == (Sign.LEVELED_OFF, Sign.WAS_IMPROVING)


def test_a_loss_far_above_guessing_is_diverging_also_when_it_wavers() -> None:
    losses = [160.0, 240.0, 155.0, 150.0, 170.0]
    found = reading(losses, losses, accuracy=0.1, val_accuracy=0.1)
    assert found.sign == Sign.DIVERGING
    assert "170 against 2.30" in found.text


def test_losses_that_are_small_and_far_apart_do_not_stay_together() -> None:
    found = reading(falling(17, to=0.007), falling(17, to=0.06), accuracy=0.999, val_accuracy=0.98)
    assert found.sign == Sign.LEARNING
    assert "together" not in found.text
