"""From a plan to batches: which images are fed to a model, in which order.

The order of training is a function of the seed and the epoch alone, so a run that was stopped anywhere can go on
with exactly the batches it would have seen. Images stay uint8 all the way; the model scales them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import tensorflow as tf

from studio.data.index import open_index, read_image_bytes
from studio.data.splits import Positions, positions
from studio.engine.held import HeldPart
from studio.engine.reading import decoded, to_model_size
from studio.engine.streamed import StreamedPart
from studio.settings import Settings
from studio.spec.plan import Plan

PANEL_IMAGES = 8

Progress = Callable[[int, int], None]


class Part(Protocol):
    """Images of one role that can be fed: held in memory, or read from disk again in each epoch."""

    def shuffled(self, *, batch: int, steps: int, seed: int, epochs: range, skip_steps: int) -> tf.data.Dataset: ...

    def in_order(self, *, batch: int, pad: bool) -> tf.data.Dataset: ...


@dataclass(frozen=True)
class Splits:
    """The training and validation images of one run.

    Attributes:
        steps_per_epoch: full batches in an epoch; what does not fill one is left out, other images in each epoch.
        validation_steps: batches that cover every validation image once.
        in_memory: whether the decoded images are held (else they are read and decoded in each epoch).
    """

    plan: Plan
    train: Part
    validation: Part
    in_memory: bool

    @property
    def steps_per_epoch(self) -> int:
        return self.plan.steps_per_epoch

    @property
    def validation_steps(self) -> int:
        return -(-self.plan.validation_images // self.plan.spec.training.batch_size)

    def train_batches(self, first_epoch: int = 0, skip_steps: int = 0) -> tf.data.Dataset:
        """The batches from a step of an epoch to the end of the last epoch, in the order of the seed.

        Args:
            first_epoch: the epoch to begin in, from 0.
            skip_steps: steps of that epoch which are done already.

        Returns:
            A finite dataset of known length: uint8 (batch, height, width, channels) and int32 labels (batch,).
            `batch` is the global batch size and static.
        """
        training = self.plan.spec.training
        return self.train.shuffled(
            batch=training.batch_size,
            steps=self.steps_per_epoch,
            seed=training.seed,
            epochs=range(first_epoch, training.epochs),
            skip_steps=skip_steps,
        )

    def validation_batches(self) -> tf.data.Dataset:
        """All validation images once, `validation_steps` batches.

        On one replica the elements are (images, labels), and the last batch may be smaller. Several replicas
        cannot share a batch of any size: there each element is (images, labels, sample weights float32), and
        the last batch is filled up with images of weight 0.
        """
        batch = self.plan.spec.training.batch_size
        return self.validation.in_order(batch=batch, pad=self.plan.replicas > 1)


@dataclass(frozen=True)
class PanelExamples:
    """The validation images whose answers are shown while a run trains.

    Attributes:
        rows: row ids in the index of the set.
        labels: int32 (n,).
        images: uint8 (n, height, width, channels), as the model sees them.
    """

    rows: list[int]
    labels: np.ndarray
    images: np.ndarray


def load(settings: Settings, plan: Plan, progress: Progress | None = None) -> Splits:
    """Make the images of a run ready: read, decode, resize and hold them, if they fit in memory.

    Args:
        progress: called as `progress(done, total)` with numbers of images, about every 64 images; an exception
            that it raises ends the reading and reaches the caller.

    Raises:
        NotOnDisk: the set has to be downloaded first.
        StudioError: a file of it cannot be read.
    """
    index = open_index(settings, plan.spec.data.dataset)
    roles = positions(index, plan.spec)
    train, validation = roles["train"], roles["validation"]
    total = len(train) + len(validation)
    if total * plan.height * plan.width * plan.channels > settings.max_cached_bytes:
        mean_bytes = max(1, index.stored_bytes(train.split) // index.count(train.split))
        buffer = max(plan.spec.training.batch_size, settings.max_cached_bytes // 2 // mean_bytes)
        return Splits(
            plan,
            StreamedPart(index.folder, train, plan, buffer),
            StreamedPart(index.folder, validation, plan, buffer),
            in_memory=False,
        )

    def report_from(start: int) -> Callable[[int], None]:
        return lambda done: progress(start + done, total) if progress else None

    def hold(part: Positions, start: int) -> HeldPart:
        return HeldPart(decoded(index.folder, part, plan, report_from(start)), part.labels)

    return Splits(plan, hold(train, 0), hold(validation, len(train)), in_memory=True)


def panel_examples(settings: Settings, plan: Plan, count: int = PANEL_IMAGES) -> PanelExamples:
    """The same few validation images in every run of a plan, of as many classes as possible."""
    index = open_index(settings, plan.spec.data.dataset)
    part = positions(index, plan.spec)["validation"]
    order = np.random.default_rng(0).permutation(len(part))
    nth_of_its_class = np.empty(len(part), int)
    for label in np.unique(part.labels):
        members = part.labels[order] == label
        nth_of_its_class[members] = np.arange(members.sum())
    chosen = order[np.argsort(nth_of_its_class, kind="stable")[:count]]
    rows = index.rows(part.split)[part.positions[chosen]].tolist()
    prepare = to_model_size(plan)
    images = [prepare(tf.constant(read_image_bytes(index.get(row)))).numpy() for row in rows]
    return PanelExamples(rows, part.labels[chosen], np.stack(images))
