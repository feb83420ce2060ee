"""What the model says about the same eight validation pictures, epoch after epoch."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from studio.engine.backend.tensorflow import predict
from studio.jobs.reporter import Reporter


class Answers(keras.callbacks.Callback):
    """Keep the present answers in the job's column `answers`:

        {"epoch": 3, "pictures": [{"row": 17, "label": 2, "answer": 2, "confidence": 0.98}, …]}

    Args:
        images: uint8 (pictures, height, width, channels), as the model sees them.
        labels: their classes.
        rows: their rows in the index of the dataset, by which a page finds the pictures.
    """

    def __init__(self, reporter: Reporter, images: np.ndarray, labels: list[int], rows: list[int]) -> None:
        super().__init__()
        self._reporter = reporter
        self._images = images
        self._labels = labels
        self._rows = rows

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        probabilities = predict(self.model, self._images)
        pictures = [
            {"row": row, "label": label, "answer": int(scores.argmax()), "confidence": float(scores.max())}
            for row, label, scores in zip(self._rows, self._labels, probabilities, strict=True)
        ]
        self._reporter.update(answers={"epoch": epoch + 1, "pictures": pictures})
