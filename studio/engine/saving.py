"""Save a trained model, and believe it only after it was loaded again and gave the same answers."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np

from studio.errors import StudioError

FILE_NAME = "model.keras"
RELATIVE_TOLERANCE = {"float32": 1e-3, "mixed_bfloat16": 2e-2, "mixed_float16": 2e-2}


def save(model: keras.Model, folder: Path) -> Path:
    """Write the model, without its optimizer, beside its place in `folder`; `check` moves it there.

    Raises:
        StudioError: it cannot be written.
    """
    part = folder / f"part.{FILE_NAME}"
    try:
        model.save(part, include_optimizer=False)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StudioError(
            f"The model could not be saved ({error.strerror or error}); free some space on the disk of {folder}, then "
            "resume the run: it goes on from its last checkpoint.",
            str(error),
        ) from error
    return part


def check(part: Path, model: keras.Model, images: np.ndarray, *, exact: bool, precision: str) -> Path:
    """Load what `save` wrote and compare its answers with those of the model that was trained.

    Args:
        images: uint8 (images, height, width, channels) to compare on.
        exact: whether every bit must be the same (on a CPU); else within the tolerance of the precision, with the
            same class first.

    Returns:
        The path of the checked model.

    Raises:
        StudioError: the answers differ.
    """
    expected = np.asarray(model.predict_on_batch(images))[: len(images)]  # every replica answers; take the first
    loaded = keras.saving.load_model(part, compile=False, safe_mode=True)
    found = np.asarray(loaded.predict_on_batch(images))
    if exact:
        same = np.array_equal(found, expected)
    else:
        same = np.allclose(found, expected, rtol=RELATIVE_TOLERANCE[precision], atol=1e-5) and np.array_equal(
            found.argmax(axis=1), expected.argmax(axis=1)
        )
    if not same:
        raise StudioError(
            "The saved model was loaded again and gives other answers than the trained one; it is kept as "
            f"{part.name} for inspection, and the checkpoint stands.",
            f"largest difference of a logit: {np.abs(found - expected).max():g}",
        )
    return part.replace(part.with_name(FILE_NAME))
