"""From a plan to batches: which images are fed to a model, in which order.

The order of training is a function of the seed and the epoch alone, and the same whether the images are held in
memory or read from disk in each epoch: a run that was stopped anywhere goes on with exactly the batches that it
would have seen. Images stay uint8 all the way; the model scales them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from studio.data.index import open_index, read_image_bytes
from studio.data.splits import Positions, positions
from studio.engine.images_in_memory import ImagesInMemory
from studio.engine.images_on_disk import ImagesOnDisk, to_model_input
from studio.engine.order import ascending, ascending_padded, shuffled
from studio.settings import Settings
from studio.spec.plan import Plan

PANEL_IMAGES = 8
BATCHES_AHEAD = 2

Images = ImagesInMemory | ImagesOnDisk
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Splits:
    """The training and validation images of one run."""

    plan: Plan
    train: Images
    validation: Images

    @property
    def steps_per_epoch(self) -> int:
        """Full batches in an epoch; what does not fill one is left out, other images in each epoch."""
        return self.plan.steps_per_epoch

    @property
    def validation_steps(self) -> int:
        """Batches that hold every validation image once."""
        return -(-len(self.validation) // self.plan.spec.training.batch_size)

    def train_batches(self, first_epoch: int = 0, skip_steps: int = 0) -> tf.data.Dataset:
        """The batches from a step of an epoch to the end of the last epoch.

        Args:
            first_epoch: the epoch to begin in, from 0.
            skip_steps: steps of that epoch which are done already.

        Returns:
            A finite dataset of known length: uint8 (batch, height, width, channels) and int32 labels (batch,),
            `batch` being the global batch size, static.
        """
        training, steps = self.plan.spec.training, self.steps_per_epoch
        epochs = range(first_epoch, training.epochs)
        rows = shuffled(
            len(self.train),
            batch=training.batch_size,
            steps=steps,
            seed=training.seed,
            epochs=epochs,
            skip_steps=skip_steps,
        )
        batches = self.train.fetch(rows, training.batch_size, whole_batches=True)
        return _ready(batches, len(epochs) * steps - skip_steps)

    def validation_batches(self) -> tf.data.Dataset:
        """All validation images once, `validation_steps` batches.

        On one replica the elements are (images, labels), and the last batch may be smaller. Several replicas
        cannot share a batch of any size: there each element is (images, labels, sample weights float32), and
        the last batch is filled up with an image of weight 0.
        """
        batch = self.plan.spec.training.batch_size
        if self.plan.replicas == 1:
            rows = ascending(len(self.validation), batch=batch)
            return _ready(self.validation.fetch(rows, batch), self.validation_steps)
        padded = ascending_padded(len(self.validation), batch=batch)
        images = self.validation.fetch(padded.map(lambda row, _: row), batch, whole_batches=True)
        weights = padded.map(lambda _, weights: weights)
        joined = tf.data.Dataset.zip(images, weights).map(lambda pair, weights: (*pair, weights))
        return _ready(joined, self.validation_steps)


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
    """Make the images of a run ready: read, decode, resize and hold them, where they fit in memory.

    Args:
        progress: called as `progress(done, total)` with numbers of images while they are read; an exception that
            it raises ends the reading and reaches the caller.

    Raises:
        NotOnDisk: the set has to be downloaded first.
        StudioError: a file of it cannot be read.
    """
    index = open_index(settings, plan.spec.data.dataset)
    roles = positions(index, plan.spec)
    train, validation = (ImagesOnDisk(index, roles[role], plan) for role in ("train", "validation"))
    total = len(train) + len(validation)
    if total * plan.height * plan.width * plan.channels > settings.max_cached_bytes:
        return Splits(plan, train, validation)

    def hold(images: ImagesOnDisk, before: int) -> ImagesInMemory:
        def report(done: int) -> None:
            if progress is not None:
                progress(before + done, total)

        return ImagesInMemory(images.hold(report), images.labels)

    return Splits(plan, hold(train, 0), hold(validation, len(train)))


def panel_examples(settings: Settings, plan: Plan, count: int = PANEL_IMAGES) -> PanelExamples:
    """The same few validation images in every run of a plan, of as many classes as possible."""
    index = open_index(settings, plan.spec.data.dataset)
    part = positions(index, plan.spec)["validation"]
    chosen = _of_many_classes(part, count)
    rows = index.rows(part.split)[part.positions[chosen]].tolist()
    images = [to_model_input(tf.constant(read_image_bytes(index.get(row))), plan).numpy() for row in rows]
    return PanelExamples(rows, part.labels[chosen], np.stack(images))


def _of_many_classes(part: Positions, count: int) -> np.ndarray:
    """Numbers of images of a part: one of each class in random order, then a second one of each, and so on."""
    order = np.random.default_rng(0).permutation(len(part))
    turn = np.empty(len(part), int)
    for label in np.unique(part.labels):
        members = part.labels[order] == label
        turn[members] = np.arange(members.sum())
    return order[np.argsort(turn, kind="stable")[:count]]


def _ready(batches: tf.data.Dataset, steps: int) -> tf.data.Dataset:
    """Batches of known number, a few of them made ahead, always in the same order."""
    options = tf.data.Options()
    options.deterministic = True
    # One host reads everything: under a strategy each global batch is divided among its replicas.
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return batches.apply(tf.data.experimental.assert_cardinality(steps)).prefetch(BATCHES_AHEAD).with_options(options)
