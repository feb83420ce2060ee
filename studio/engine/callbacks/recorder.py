"""Record what training measures, and where it stands."""

from __future__ import annotations

import math
import time
from typing import Any

import keras

from studio.engine.callbacks.speed import Speed
from studio.engine.checkpoint import Place
from studio.errors import StudioError
from studio.jobs.advice import lower_rate
from studio.jobs.reporter import Reporter
from studio.spec.plan import Plan

INTERVAL = 0.25  # seconds between two records within an epoch


class Recorder(keras.callbacks.Callback):
    """Keep the place in the run up to date and record the curves.

    Per step, `loss` and `accuracy` are means over the images since the last record (the difference of the metrics'
    totals and counts), not over the epoch so far, which is what Keras hands to callbacks. They are read at the
    first step, then at most four times a second, and at an epoch's last step.

    Per epoch, `loss`, `accuracy`, `val_loss` and `val_accuracy` are recorded and become the headline figures.

    Args:
        place: where the run stands; changed here, read by the others.
        accuracy: the accuracy metric the model was compiled with.
        speed: asked for the images per second.
        plan: says how many steps an epoch has and how many images validation.

    Raises:
        StudioError: from `fit`: the loss is no finite number any more.
    """

    def __init__(
        self, reporter: Reporter, place: Place, accuracy: keras.metrics.Metric, speed: Speed, plan: Plan
    ) -> None:
        super().__init__()
        self._reporter = reporter
        self._place = place
        self._accuracy = accuracy
        self._speed = speed
        self._steps_per_epoch = plan.steps_per_epoch
        self._validation_images = plan.validation_images
        self._totals = (0.0, 0.0, 0.0)
        self._next_record = 0.0

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._totals = self._read_totals()

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        self._place.step += 1
        step = self._place.epoch * self._steps_per_epoch + self._place.step
        loss = (logs or {})["loss"]
        if not math.isfinite(loss):
            self._fail(loss, step)
        now = time.monotonic()
        if now >= self._next_record or self._place.step == self._steps_per_epoch:
            self._next_record = now + INTERVAL
            self._record(step)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        place = self._place
        place.epoch, place.step = epoch + 1, 0
        figures = {name: float((logs or {})[name]) for name in ("loss", "accuracy", "val_loss", "val_accuracy")}
        # Keras divides by all images of the batches, also by those of weight 0 that only fill up the last one.
        figures["val_loss"] *= float(self._loss.count.numpy()) / self._validation_images
        if place.best_epoch == 0 or figures["val_accuracy"] > place.best_val_accuracy:
            place.best_val_accuracy, place.best_epoch = figures["val_accuracy"], place.epoch
        self._reporter.record_epoch(place.epoch, **figures)
        written = ", ".join(f"{name} {value:.4f}" for name, value in figures.items())
        self._reporter.log(f"epoch {place.epoch}: {written}")
        self._reporter.progress(place.epoch, place.epoch * self._steps_per_epoch)
        self._reporter.update(
            **figures,
            best_val_accuracy=place.best_val_accuracy,
            best_epoch=place.best_epoch,
            validation_right=round(float(self._accuracy.total.numpy())),
        )
        if self._speed.examples_per_second is not None:  # nothing was trained where only validation was left
            self._reporter.update(examples_per_second=self._speed.examples_per_second)

    def _record(self, step: int) -> None:
        before, self._totals = self._totals, self._read_totals()
        loss, right, images = (now - then for now, then in zip(self._totals, before, strict=True))
        if images > 0:
            self._reporter.record_step(step, loss=loss / images, accuracy=right / images)
        self._reporter.progress(self._place.epoch, step)

    def _read_totals(self) -> tuple[float, float, float]:
        """Sums since the epoch's start over all replicas: loss, right answers, images."""
        loss, accuracy = self._loss, self._accuracy
        return float(loss.total.numpy()), float(accuracy.total.numpy()), float(loss.count.numpy())

    @property
    def _loss(self) -> keras.metrics.Mean:
        """Keras' own tracker of the mean loss: always the first of a model's metrics."""
        return self.model.metrics[0]

    def _fail(self, loss: float, step: int) -> None:
        rate = float(keras.ops.convert_to_numpy(self.model.optimizer.learning_rate))
        became = "NaN" if math.isnan(loss) else "infinite"
        self._reporter.record_step(step, loss=loss)
        self._reporter.event(
            "nan",
            f"The loss became {became}.",
            epoch=self._place.epoch + self._place.step / self._steps_per_epoch,
            step=step,
        )
        kept = f" The checkpoint of epoch {self._place.epoch} is kept." if self._place.epoch else ""
        raise StudioError(
            f"The loss became {became} at step {step:,} (learning rate {rate:g}).{kept} Start again with a learning "
            f"rate of {lower_rate(rate):g}."
        )
