"""The file format of a shard: TFRecord, read and written without TensorFlow.

One record is a length (uint64), the masked CRC-32C of the length, the payload and the masked CRC-32C of the
payload, all little-endian (tensorflow/core/lib/io/record_writer.h).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

import google_crc32c

from studio.errors import RequestError

HEADER = struct.Struct("<QI")
FOOTER = struct.Struct("<I")
MASK_DELTA = 0xA282EAD8


class BrokenShard(RequestError):
    """A shard file is cut off or its checksums do not fit."""


def frame(payload: bytes) -> bytes:
    """One payload as it stands in a shard."""
    length = struct.pack("<Q", len(payload))
    return length + FOOTER.pack(masked_crc(length)) + payload + FOOTER.pack(masked_crc(payload))


def scan(shard: Path) -> Iterator[tuple[int, bytes]]:
    """Go through a shard from its beginning and give each payload with its offset in the file.

    Raises:
        BrokenShard: the file ends within a record, or a checksum does not fit.
    """
    size = shard.stat().st_size
    if not size:
        return
    with shard.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        position = 0
        while position < size:
            start = position + HEADER.size
            if start > size:
                raise _broken(shard, "is cut off")
            length, length_crc = HEADER.unpack(data[position:start])
            if masked_crc(data[position : position + 8]) != length_crc:
                raise _broken(shard, "is damaged")
            end = start + length
            if end + FOOTER.size > size:
                raise _broken(shard, "is cut off")
            payload = data[start:end]
            if FOOTER.unpack(data[end : end + FOOTER.size])[0] != masked_crc(payload):
                raise _broken(shard, "is damaged")
            yield start, payload
            position = end + FOOTER.size


def masked_crc(data: bytes) -> int:
    """CRC-32C, rotated and shifted, so that a checksum of data that holds checksums stays a good one."""
    crc = google_crc32c.value(data)
    return (((crc >> 15) | (crc << 17)) + MASK_DELTA) & 0xFFFFFFFF


def _broken(shard: Path, how: str) -> BrokenShard:
    return BrokenShard(
        f"The dataset file {shard.name} {how}; delete its folder ({shard.parent}) and get the dataset again."
    )
