"""The sizes of a set's images, in words."""

from __future__ import annotations

from studio.data.index import Index


def image_sizes(index: Index) -> str:
    """`All images are 8 × 8 pixels.`, or the range and the most frequent size."""
    sizes = index.sizes()
    if len(sizes) == 1:
        width, height, _ = sizes[0]
        return f"All images are {width} × {height} pixels."
    width, height, images = sizes[0]
    widths, heights = [size[0] for size in sizes], [size[1] for size in sizes]
    return (
        f"{len(sizes):,} sizes: {min(widths):,} to {max(widths):,} pixels wide and {min(heights):,} to "
        f"{max(heights):,} high. The most frequent is {width:,} × {height:,} ({images:,} images)."
    )
