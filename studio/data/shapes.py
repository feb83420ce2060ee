"""The generated shapes: a color set that needs no network, the same on every machine."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from studio.data.images import to_png
from studio.data.writer import Picture, write_builder

CLASSES = ("circle", "square", "triangle", "star", "cross", "ring")
SIDE = 32  # pixels
PER_CLASS = {"train": 300, "validation": 60, "test": 60}
OVERSAMPLING = 4  # shapes are drawn larger and shrunk, which smooths their edges
SEED = 20


def write_shapes(folder: Path) -> None:
    """Draw the shapes set, 32 × 32 pixels, RGB, as a TFDS set: each picture has its own colors, size and turn."""
    random = np.random.default_rng(SEED)
    splits: dict[str, list[Picture]] = {}
    for split, per_class in PER_CLASS.items():
        labels = random.permutation(np.repeat(np.arange(len(CLASSES)), per_class))
        splits[split] = [
            Picture(to_png(_shape(CLASSES[label], random)), int(label), f"{split}-{number:04d}.png")
            for number, label in enumerate(labels)
        ]
    write_builder(
        folder,
        splits,
        classes=CLASSES,
        shape=(SIDE, SIDE, 3),
        description="Simple shapes in random colors, sizes and positions, drawn by the studio itself.",
    )


def _shape(name: str, random: np.random.Generator) -> Image.Image:
    """One picture: a filled shape on a ground of another color, with a little noise as a camera has."""
    side = SIDE * OVERSAMPLING
    ground, ink = _two_colors(random)
    picture = Image.new("RGB", (side, side), ground)
    radius = random.uniform(0.22, 0.42) * side
    center = random.uniform(radius, side - radius, 2)
    turn = random.uniform(0, 2 * math.pi)
    draw = ImageDraw.Draw(picture)
    if name in ("circle", "ring"):
        _disk(draw, center, radius, ink)
        if name == "ring":
            _disk(draw, center, radius * 0.55, ground)
    else:
        draw.polygon([(float(x), float(y)) for x, y in center + radius * _outline(name, turn)], fill=ink)
    pixels = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BOX), dtype=np.int16)
    noise = random.integers(-6, 7, pixels.shape, dtype=np.int16)
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))


def _two_colors(random: np.random.Generator) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Two random colors that a person can tell apart."""
    while True:
        first, second = random.integers(0, 256, (2, 3))
        if np.abs(first - second).sum() > 200:
            return _color(first), _color(second)


def _color(values: np.ndarray) -> tuple[int, int, int]:
    red, green, blue = map(int, values)
    return red, green, blue


def _disk(draw: ImageDraw.ImageDraw, center: np.ndarray, radius: float, color: tuple[int, int, int]) -> None:
    x, y = map(float, center)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)


def _outline(name: str, turn: float) -> np.ndarray:
    """Corners of a shape in the unit circle, float64 (corners, 2)."""
    if name == "cross":
        arm = 0.32
        quarter = np.array([(arm, -0.95), (arm, -arm), (0.95, -arm)])
        angles = turn + np.arange(4) * math.pi / 2
        return np.concatenate([quarter @ _rotation(angle).T for angle in angles])
    corners = {"square": 4, "triangle": 3, "star": 10}[name]
    angles = turn + np.arange(corners) * 2 * math.pi / corners
    reach = np.where(np.arange(corners) % 2, 0.42, 1.0) if name == "star" else np.ones(corners)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None]


def _rotation(angle: float) -> np.ndarray:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
