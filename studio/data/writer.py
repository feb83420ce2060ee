"""Write a TFDS builder directory, and read its records, without TensorFlow.

The only module outside the engine that touches `tensorflow_datasets`: its proto of a record and its writer of
the metadata load no TensorFlow (a test checks that). What is written opens with
`tfds.builder_from_directory(FOLDER)` like any set of the TFDS catalogue.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.data.tfrecord import frame

IMAGES_PER_SHARD = 10_000


@dataclass(frozen=True)
class Picture:
    """One example: an encoded PNG or JPEG, its label and the name of its file (empty where none is kept)."""

    data: bytes
    label: int
    name: str


def write_builder(
    folder: Path,
    splits: Mapping[str, Sequence[Picture]],
    *,
    classes: Sequence[str],
    shape: tuple[int | None, int | None, int],
    description: str,
    homepage: str = "",
    images_per_shard: int = IMAGES_PER_SHARD,
) -> None:
    """Write a dataset as the TFDS builder directory `…/NAME/VERSION`, whole or not at all.

    Several processes may write the same folder at once: the first one to finish wins, the others drop theirs.

    Args:
        folder: where it shall stand; its last two parts are the name and the version.
        splits: the pictures of each split, in the order in which they are written.
        classes: class names in label order.
        shape: height, width (None where the pictures differ) and channels.
        description, homepage: kept in `dataset_info.json`.
        images_per_shard: pictures in one file.
    """
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"incomplete.{folder.name}.", dir=folder.parent))
    try:
        name, version = folder.parent.name, folder.name
        shards = {
            split: _write_shards(unfinished, f"{name}-{split}", pictures, images_per_shard)
            for split, pictures in splits.items()
        }
        _write_metadata(unfinished, name, version, shards, classes, shape, description, homepage)
        unfinished.chmod(0o755)  # mkdtemp makes folders that only their owner can enter
        try:
            unfinished.replace(folder)
        except OSError:
            if not folder.exists():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def read_record(payload: bytes) -> Picture:
    """The picture, label and file name in a record of a TFDS set with the features `image` and `label`.

    Raises:
        ValueError: the payload is no record of such a set.
    """
    from google.protobuf.message import DecodeError
    from tensorflow_datasets.proto import tf_example_pb2

    try:
        features = tf_example_pb2.Example.FromString(payload).features.feature
    except DecodeError as error:
        raise ValueError("not a tf.train.Example") from error
    images, labels = features["image"].bytes_list.value, features["label"].int64_list.value
    if len(images) != 1 or len(labels) != 1:
        raise ValueError("no single image and label")
    names = features["filename"].bytes_list.value
    return Picture(images[0], labels[0], names[0].decode("utf-8", "replace") if names else "")


def _write_shards(folder: Path, stem: str, pictures: Sequence[Picture], images_per_shard: int) -> list[tuple[int, int]]:
    """Write the shards of one split and give the number of examples and payload bytes of each."""
    count = max(1, -(-len(pictures) // images_per_shard))
    written = []
    for shard in range(count):
        part = pictures[shard * len(pictures) // count : (shard + 1) * len(pictures) // count]
        payloads = [_payload(picture) for picture in part]
        path = folder / f"{stem}.tfrecord-{shard:05d}-of-{count:05d}"
        path.write_bytes(b"".join(map(frame, payloads)))
        written.append((len(part), sum(map(len, payloads))))
    return written


def _payload(picture: Picture) -> bytes:
    from tensorflow_datasets.proto import tf_example_pb2

    example = tf_example_pb2.Example()
    feature = example.features.feature
    feature["image"].bytes_list.value.append(picture.data)
    feature["label"].int64_list.value.append(picture.label)
    feature["filename"].bytes_list.value.append(picture.name.encode())
    # Deterministic, so that the same pictures always give the same file.
    return example.SerializeToString(deterministic=True)


def _write_metadata(
    folder: Path,
    name: str,
    version: str,
    shards: Mapping[str, list[tuple[int, int]]],
    classes: Sequence[str],
    shape: tuple[int | None, int | None, int],
    description: str,
    homepage: str,
) -> None:
    import tensorflow_datasets as tfds

    template = tfds.core.ShardedFileTemplate(data_dir=folder, dataset_name=name, filetype_suffix="tfrecord")
    infos = []
    for split, written in shards.items():
        infos.append(
            tfds.core.SplitInfo(
                name=split,
                shard_lengths=[images for images, _ in written],
                num_bytes=sum(size for _, size in written),
                filename_template=template.replace(split=split),
            )
        )
    tfds.folder_dataset.write_metadata(
        data_dir=folder,
        features=tfds.features.FeaturesDict(
            {
                "image": tfds.features.Image(shape=shape),
                "label": tfds.features.ClassLabel(names=list(classes)),
                "filename": tfds.features.Text(),
            }
        ),
        split_infos=infos,
        version=version,
        filename_template=template,
        check_data=False,  # the check would load TensorFlow
        supervised_keys=("image", "label"),
        description=description,
        homepage=homepage or None,
    )
