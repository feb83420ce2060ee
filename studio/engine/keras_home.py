"""A folder of its own for Keras, which writes into whatever folder it is given."""

from __future__ import annotations

import os
from contextlib import suppress

from studio.settings import Settings


def use_own_keras_home(settings: Settings) -> None:
    """Give Keras a folder under STUDIO_HOME in which the weights of the person's KERAS_HOME are linked.

    Importing Keras writes `keras.json` into its folder and obeys the one it finds there, and KERAS_HOME may be
    shared or read-only. To be called before Keras is imported.
    """
    models = settings.keras_files / "models"
    models.mkdir(parents=True, exist_ok=True)
    for link in models.iterdir():
        if link.is_symlink() and not link.exists():
            link.unlink(missing_ok=True)
    for weights in (settings.keras_home / "models").glob("*.h5"):
        with suppress(FileExistsError):
            (models / weights.name).symlink_to(weights.resolve())
    os.environ["KERAS_HOME"] = str(settings.keras_files)
