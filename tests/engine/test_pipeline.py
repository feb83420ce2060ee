"""Batches: the right images, in an order that seed and epoch fix, from memory and from disk alike."""

from __future__ import annotations

import dataclasses
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from studio.data.catalogue import facts
from studio.data.images import decode
from studio.data.index import open_index, read_image_bytes
from studio.data.on_disk import require_builder_dir
from studio.data.splits import positions
from studio.engine.images_in_memory import ImagesInMemory
from studio.engine.images_on_disk import ImagesOnDisk
from studio.engine.order import shuffled
from studio.engine.pipeline import load, panel_examples
from studio.engine.pixels import decode_image, resize
from studio.errors import StudioError
from studio.settings import Settings
from studio.spec.plan import Plan, make_plan
from studio.spec.run import parse_spec

KINDS = {"memory": ImagesInMemory, "disk": ImagesOnDisk}


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings whose built-in sets are written once for all tests here; everything fits in memory."""
    home = tmp_path_factory.mktemp("home")
    return Settings(home=home, data_dir=home / "tfds", keras_home=home / "keras")


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def settings(roomy: Settings, kind: str) -> Settings:
    return roomy if kind == "memory" else dataclasses.replace(roomy, max_cached_bytes=0)


def _plan(settings: Settings, dataset: str = "digits", data: dict | None = None, **training: object) -> Plan:
    spec = {"data": {"dataset": dataset, **(data or {})}, "training": {"epochs": 3, "batch_size": 64, **training}}
    return make_plan(parse_spec(spec), facts(settings, dataset))


def _arrays(dataset: tf.data.Dataset) -> list[tuple[np.ndarray, ...]]:
    return list(dataset.as_numpy_iterator())


def _seen(batches: list[tuple[np.ndarray, ...]]) -> list[bytes]:
    return [image.tobytes() for images, *_ in batches for image in images]


def test_batches_have_the_promised_shape_and_number(settings: Settings, kind: str) -> None:
    plan = _plan(settings)
    splits = load(settings, plan)
    assert isinstance(splits.train, KINDS[kind])
    dataset = splits.train_batches()
    assert dataset.element_spec == (tf.TensorSpec((64, 8, 8, 1), tf.uint8), tf.TensorSpec((64,), tf.int32))
    assert splits.steps_per_epoch == 1257 // 64
    assert dataset.cardinality() == 3 * splits.steps_per_epoch
    assert len(_arrays(dataset)) == 3 * splits.steps_per_epoch
    assert splits.validation_batches().cardinality() == splits.validation_steps == 5


def test_images_go_with_their_labels(settings: Settings) -> None:
    index = open_index(settings, "digits")
    label_of = {}
    for example in index.page("train", None, 0, 2000):
        pixels = np.asarray(decode(read_image_bytes(example), name="", max_pixels=100))
        label_of[pixels.tobytes()] = example.label
    for images, labels in _arrays(load(settings, _plan(settings, epochs=1)).train_batches()):
        assert [label_of[image.tobytes()] for image in images] == labels.tolist()


def test_memory_and_disk_give_the_same_batches(roomy: Settings) -> None:
    plan = _plan(roomy, "shapes", {"image_size": 20, "resize": "crop"}, epochs=1)
    from_memory = load(roomy, plan)
    from_disk = load(dataclasses.replace(roomy, max_cached_bytes=0), plan)
    for name in ("train_batches", "validation_batches"):
        for one, other in zip(_arrays(getattr(from_memory, name)()), _arrays(getattr(from_disk, name)()), strict=True):
            np.testing.assert_array_equal(one[0], other[0])
            np.testing.assert_array_equal(one[1], other[1])


def test_each_epoch_sees_other_images_last_and_none_twice(settings: Settings) -> None:
    splits = load(settings, _plan(settings))
    steps = splits.steps_per_epoch
    batches = _arrays(splits.train_batches())
    epochs = [_seen(batches[start : start + steps]) for start in range(0, 3 * steps, steps)]
    assert epochs[0] != epochs[1] != epochs[2]
    # Some digits occur twice in the set itself, so pixels are counted, not compared one by one.
    index = open_index(settings, "digits")
    everything = [
        np.asarray(decode(read_image_bytes(example), name="", max_pixels=100)).tobytes()
        for example in index.page("train", None, 0, 2000)
    ]
    for epoch in epochs:
        assert len(epoch) == steps * 64
        assert all(epoch.count(image) <= everything.count(image) for image in set(epoch))
    assert set(epochs[0]) != set(epochs[1])  # what is left over changes


def test_a_broken_epoch_goes_on_where_it_was(settings: Settings) -> None:
    splits = load(settings, _plan(settings))
    steps = splits.steps_per_epoch
    whole = _arrays(splits.train_batches())
    again = load(settings, _plan(settings))  # as in a new process
    rest = again.train_batches(first_epoch=1, skip_steps=7)
    assert rest.cardinality() == 2 * steps - 7
    for one, other in zip(_arrays(rest), whole[steps + 7 :], strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_order_depends_on_the_seed_and_not_on_tensorflows_global_one(settings: Settings) -> None:
    def first_labels(seed: int, global_seed: int) -> list[int]:
        tf.random.set_seed(global_seed)
        splits = load(settings, _plan(settings, data={"validation_share": 0.1}, seed=seed, epochs=1))
        return next(splits.train_batches().as_numpy_iterator())[1].tolist()

    assert first_labels(1, 5) == first_labels(1, 6)
    assert first_labels(1, 5) != first_labels(2, 5)


def test_order_of_large_and_small_sets_is_a_permutation() -> None:
    rows = np.concatenate([*shuffled(1000, batch=10, steps=100, seed=3, epochs=range(4, 5)).as_numpy_iterator()])
    assert sorted(rows) == list(range(1000))


def test_validation_is_whole_on_one_replica(settings: Settings) -> None:
    batches = _arrays(load(settings, _plan(settings)).validation_batches())
    assert [len(labels) for _, labels in batches] == [64, 64, 64, 64, 14]
    assert np.concatenate([labels for _, labels in batches]).tolist() == (
        open_index(settings, "digits").labels("validation").tolist()
    )


def test_validation_is_filled_up_at_weight_zero_on_several_replicas(settings: Settings) -> None:
    plan = _plan(settings, strategy="virtual", replicas=2)
    dataset = load(settings, plan).validation_batches()
    assert [spec.shape[0] for spec in dataset.element_spec] == [64, 64, 64]
    batches = _arrays(dataset)
    assert len(batches) == 5
    assert sum(weights.sum() for *_, weights in batches) == 270
    assert batches[-1][2].tolist() == [1.0] * 14 + [0.0] * 50
    real = np.concatenate([labels[weights > 0] for _, labels, weights in batches])
    assert real.tolist() == open_index(settings, "digits").labels("validation").tolist()


def test_share_and_carved_validation_are_applied(settings: Settings, tfds_dir: Path) -> None:
    settings = dataclasses.replace(settings, data_dir=tfds_dir)
    plan = _plan(settings, "tf_flowers", {"image_size": 16}, share=0.2, batch_size=32)
    splits = load(settings, plan)
    roles = positions(open_index(settings, "tf_flowers"), plan.spec)
    assert (len(splits.train), len(splits.validation)) == (plan.train_images, plan.validation_images)
    assert np.bincount(roles["train"].labels).tolist() == list(plan.train_counts)
    assert np.bincount(roles["validation"].labels).tolist() == list(plan.validation_counts)
    assert not set(roles["train"].positions) & set(roles["validation"].positions)
    (images, _), *_ = _arrays(splits.train_batches())
    assert images.shape == (32, 16, 16, 3)


def test_images_are_resized_as_the_spec_says(settings: Settings, tfds_dir: Path) -> None:
    settings = dataclasses.replace(settings, data_dir=tfds_dir)
    plan = _plan(settings, "tf_flowers", {"image_size": 16, "resize": "pad"}, share=0.02, batch_size=1)
    index = open_index(settings, "tf_flowers")
    first = index.get(int(positions(index, plan.spec)["validation"].positions[0]))
    image = next(load(settings, plan).validation_batches().as_numpy_iterator())[0][0]
    expected = resize(decode_image(tf.constant(read_image_bytes(first)), 3), 16, 16, "pad")
    np.testing.assert_array_equal(image, expected)
    assert not image[0].any() or not image[:, 0].any()  # a black bar above or at the left


def test_progress_counts_all_images_and_can_end_the_reading(roomy: Settings) -> None:
    reports: list[tuple[int, int]] = []
    load(roomy, _plan(roomy), lambda done, total: reports.append((done, total)))
    assert reports[-1] == (1257 + 270, 1257 + 270)
    assert reports == sorted(reports)
    assert len(reports) > 3

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(roomy, _plan(roomy), stop)


def test_a_picture_that_cannot_be_decoded_is_one_sentence(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, data_dir=tmp_path / "tfds", keras_home=tmp_path)
    plan = _plan(settings)
    open_index(settings, "digits")
    example = open_index(settings, "digits").page("train", None, 100, 1)[0]
    stat = example.shard.stat()
    content = bytearray(example.shard.read_bytes())
    content[example.offset : example.offset + 20] = b"x" * 20
    example.shard.write_bytes(content)
    os.utime(example.shard, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # so that the index is not made anew
    with pytest.raises(StudioError, match="cannot be read") as caught:
        load(settings, plan)
    assert str(require_builder_dir(settings, "digits")) in caught.value.sentence


def test_panel_examples_are_fixed_and_of_many_classes(roomy: Settings) -> None:
    first, again = (panel_examples(roomy, _plan(roomy)) for _ in range(2))
    assert first.rows == again.rows
    assert len(set(first.labels.tolist())) == len(first.rows) == 8
    index = open_index(roomy, "digits")
    for row, label, image in zip(first.rows, first.labels, first.images, strict=True):
        example = index.get(row)
        assert (example.split, example.label) == ("validation", label)
        pixels = np.asarray(decode(read_image_bytes(example), name="", max_pixels=100))
        np.testing.assert_array_equal(image[..., 0], pixels)


TWO_REPLICAS = """
import dataclasses, sys
from pathlib import Path
import keras, tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
from studio.data.catalogue import facts
from studio.engine.pipeline import load
from studio.settings import Settings
from studio.spec.plan import make_plan
from studio.spec.run import parse_spec

settings = Settings(home=Path(sys.argv[1]), data_dir=Path(sys.argv[1]) / "tfds", keras_home=Path(sys.argv[1]))
spec = {
    "data": {"dataset": "digits"},
    "training": {"epochs": 2, "batch_size": 100, "strategy": "virtual", "replicas": 2},
}
plan = make_plan(parse_spec(spec), facts(settings, "digits"))
for limit in (settings.max_cached_bytes, 0):
    splits = load(dataclasses.replace(settings, max_cached_bytes=limit), plan)
    keras.utils.set_random_seed(1)
    with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
        model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
        model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(
        splits.train_batches(),
        epochs=2,
        steps_per_epoch=splits.steps_per_epoch,
        validation_data=splits.validation_batches(),
        validation_steps=splits.validation_steps,
        verbose=0,
    ).history
    print(history["loss"], history["val_loss"])
"""


def test_fit_on_two_replicas_takes_both_kinds(roomy: Settings) -> None:
    facts(roomy, "digits")
    process = subprocess.run(
        [sys.executable, "-c", TWO_REPLICAS, str(roomy.home)],
        check=False,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 0, process.stderr[-2000:]
    from_memory, from_disk = process.stdout.strip().splitlines()
    assert from_memory == from_disk
    assert "ran out of data" not in process.stderr


def test_feeding_costs_less_than_half_of_a_shuffle_buffer() -> None:
    random = np.random.default_rng(0)
    images = random.integers(0, 256, (20_000, 28, 28, 1), dtype=np.uint8)
    labels = random.integers(0, 10, 20_000).astype(np.int32)
    steps, epochs = 20_000 // 128, 10
    held = ImagesInMemory(images, labels).fetch(
        shuffled(20_000, batch=128, steps=steps, seed=1, epochs=range(epochs)), 128
    )
    buffered = (
        tf.data.Dataset.from_tensor_slices((images, labels))
        .shuffle(1024)
        .batch(128, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
        .repeat(epochs)
    )

    def cost(dataset: tf.data.Dataset) -> float:
        """CPU seconds to take every batch, counted inside TensorFlow."""
        before = resource.getrusage(resource.RUSAGE_SELF)
        count = dataset.reduce(0, lambda number, _: number + 1)
        after = resource.getrusage(resource.RUSAGE_SELF)
        assert count == steps * epochs
        return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    ours, theirs = (min(cost(dataset) for _ in range(3)) for dataset in (held, buffered))
    print(f"CPU seconds for {steps * epochs} batches: gather {ours:.2f}, shuffle buffer {theirs:.2f}")
    assert ours < 0.5 * theirs
