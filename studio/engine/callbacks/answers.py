"""What the model says about the same eight validation pictures, epoch after epoch."""

from __future__ import annotations

from typing import Any

import keras

from studio.engine.backend.tensorflow import predict
from studio.engine.pipeline import PanelExamples
from studio.jobs.reporter import Reporter


class Answers(keras.callbacks.Callback):
    """Keep the present answers in the job's column `answers`:

        {"epoch": 3, "pictures": [{"row": 17, "label": 2, "answer": 2, "confidence": 0.98}, …]}

    `row` is the picture's row in the index of the dataset, by which a page finds it.
    """

    def __init__(self, reporter: Reporter, pictures: PanelExamples) -> None:
        super().__init__()
        self._reporter = reporter
        self._shown = pictures

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        shown = self._shown
        probabilities = predict(self.model, shown.images)
        pictures = [
            {"row": row, "label": int(label), "answer": int(scores.argmax()), "confidence": float(scores.max())}
            for row, label, scores in zip(shown.rows, shown.labels, probabilities, strict=True)
        ]
        self._reporter.update(answers={"epoch": epoch + 1, "pictures": pictures})
