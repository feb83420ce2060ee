"""What the curves of a run say, in one sentence: for beginners, and for people who cannot see the charts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from studio.jobs.interval import wilson

Values = npt.NDArray[np.float32]

TREND = 3  # epochs
NO_BETTER_THAN_GUESSING = 0.98  # of the loss of guessing
DIVERGED = 1.5  # times the lowest loss, or that of guessing
TOGETHER = 1.5  # times the training loss; a higher validation loss is not called close to it
HARDLY = 0.01  # part of a loss; a smaller change is none
FEWEST_QUARTER = 5  # epochs
OVERFITTING_GAP = 0.10  # between the two accuracies


class Sign(StrEnum):
    """What a run is doing, as far as its curves tell."""

    TOO_EARLY = "Too early to say."
    NOT_LEARNING = "Not learning yet."
    DIVERGING = "Diverging."
    LEARNING = "Still learning."
    MEMORIZING = "Starting to memorize."
    LEVELED_OFF = "Levelled off."
    OVERFITTING = "Overfitting."
    NORMAL = "Normal."
    WAS_IMPROVING = "It was still improving."


@dataclass(frozen=True)
class Reading:
    """A sign, and what it was read from."""

    sign: Sign
    text: str


@dataclass(frozen=True)
class Epochs:
    """What was measured at the end of each completed epoch: four float32 arrays (epochs,)."""

    loss: Values
    accuracy: Values
    val_loss: Values
    val_accuracy: Values


def read_curves(epochs: Epochs, *, guessing_loss: float, validation_images: int, ended: bool = False) -> Reading:
    """Say what the curves show.

    Chance is respected: where training and validation are compared, or a run is called better or worse at its end,
    the difference must be larger than the 95 % interval of the validation accuracy allows.

    Args:
        guessing_loss: the loss of guessing, ln(classes).
        validation_images: how many images the validation figures are means over.
        ended: whether no epoch will follow.
    """
    done = len(epochs.loss)
    if done < TREND:
        return Reading(Sign.TOO_EARLY, "Three epochs make a trend.")
    loss, val_loss = epochs.loss, epochs.val_loss
    lowest = int(np.argmin(val_loss))  # counts from 0
    quarter = max(FEWEST_QUARTER, done // 4)
    since_lowest = done - 1 - lowest
    chance = _Chance(float(epochs.val_accuracy[-1]), validation_images)
    ahead = float(epochs.accuracy[-1]) - chance.accuracy

    # A loss near zero doubles by chance, so the rise must be one that guessing would notice, too.
    high = max(DIVERGED * loss.min(), loss.min() + (1 - NO_BETTER_THAN_GUESSING) * guessing_loss)
    if (loss[-TREND:] > high).all():
        return Reading(Sign.DIVERGING, "The learning rate is probably too high.")
    if (loss[-TREND:] > DIVERGED * guessing_loss).all():
        return Reading(
            Sign.DIVERGING,
            f"Loss is far above that of guessing ({loss[-1]:.3g} against {guessing_loss:.2f}). The learning rate is "
            "probably too high.",
        )
    if loss[-1] > NO_BETTER_THAN_GUESSING * guessing_loss:
        return Reading(
            Sign.NOT_LEARNING,
            f"Loss is still at the level of guessing ({guessing_loss:.2f}). Try a learning rate ten times smaller or "
            "larger, or check the labels.",
        )
    gain = _gain(val_loss, quarter)
    improving = since_lowest < quarter and gain >= HARDLY and (not ended or chance.excludes_change(gain))
    if not improving and ahead > OVERFITTING_GAP and chance.excludes(epochs.accuracy[-1]):
        return Reading(
            Sign.OVERFITTING,
            f"{epochs.accuracy[-1]:.0%} of the training images are right, {chance.accuracy:.0%} of the validation "
            "images. More data, augmentation or dropout would help.",
        )
    training_falls = loss[-1] < (1 - HARDLY) * loss[lowest]
    rise = float(val_loss[-1] / val_loss[lowest]) - 1 if val_loss[lowest] > 0 else 0.0
    if since_lowest >= quarter and training_falls and chance.excludes_change(rise):
        return Reading(
            Sign.MEMORIZING, f"Validation loss was lowest at epoch {lowest + 1} while training loss still falls."
        )
    if not improving:
        return Reading(
            Sign.LEVELED_OFF,
            f"Validation loss hardly changed over the last {quarter} epochs; it was lowest at epoch {lowest + 1}. More "
            "epochs alone will not help much.",
        )
    if ended:
        return Reading(
            Sign.WAS_IMPROVING, f"Validation loss reached its lowest value at epoch {lowest + 1}. More epochs may help."
        )
    if since_lowest and ahead < 0 and chance.excludes(epochs.accuracy[-1]):
        return Reading(Sign.NORMAL, "Dropout and augmentation make training harder than validation.")
    together = ahead <= OVERFITTING_GAP and val_loss[-1] <= TOGETHER * loss[-1]
    words = " No sign of overfitting: training and validation stay together." if together else ""
    return Reading(Sign.LEARNING, f"Validation loss reached its lowest value at epoch {lowest + 1}.{words}")


def _gain(val_loss: Values, quarter: int) -> float:
    """By which part of itself the lowest validation loss fell within the last quarter; 1 where there is no before."""
    if len(val_loss) <= quarter:
        return 1.0
    before = float(val_loss[:-quarter].min())
    return 1 - float(val_loss[-quarter:].min()) / before if before > 0 else 0.0


class _Chance:
    """How much the validation accuracy may differ from the true rate by chance alone."""

    def __init__(self, accuracy: float, images: int) -> None:
        self.accuracy = accuracy
        self.low, self.high = wilson(round(accuracy * images), images)

    def excludes(self, other: float) -> bool:
        """Whether another accuracy differs by more than chance."""
        return not self.low <= other <= self.high

    def excludes_change(self, part: float) -> bool:
        """Whether a change of the validation loss by this part of itself is more than chance.

        The loss has no interval of its own here. It is taken to change as the share of wrong answers does.
        """
        wrong = max(1 - self.accuracy, 1e-3)
        return part * wrong > (self.high - self.low) / 2
