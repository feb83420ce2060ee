"""What a saved model says about pictures it has not seen."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import numpy as np
from PIL import Image

from studio.data.images import to_png
from studio.data.index import open_index, read_image_bytes
from studio.engine.backend.tensorflow import predict
from studio.engine.pictures import as_the_model_sees
from studio.engine.saving import FILE_NAME
from studio.errors import RequestError, StudioError
from studio.settings import Settings
from studio.spec.run import parse_spec

TOP = 5  # answers a picture
MOST_MODELS = 3  # kept loaded
SEEN_SECONDS = 7 * 86_400.0  # how long the pictures as the model sees them are kept


class Predictions:
    """Answers the desk's questions `predict` and `predict_examples`; loaded models are kept."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models: dict[tuple[Path, int], keras.Model] = {}
        self._seen = settings.temporary / "seen"
        self._seen.mkdir(parents=True, exist_ok=True)
        for old in self._seen.iterdir():
            if old.stat().st_mtime < time.time() - SEEN_SECONDS:
                old.unlink(missing_ok=True)

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the model thinks of each picture.

        Args:
            question: `model` (path of a finished run's `model.keras`) and either `pictures` (paths of files; `ask` is
                `predict`) or `data_dir`, `dataset` and `rows` (of its
                index; `ask` is `predict_examples`).

        Returns:
            `pictures`: for each, in order, `top` (up to five pairs of class index and probability, the likeliest
            first) and `seen` (path of a PNG of what the model sees), or `error` (a sentence).

        Raises:
            RequestError: there is no such model, or it is not one of this studio's.
            StudioError: it cannot be loaded.
        """
        path = self._checked(question["model"])
        model = self._model(path)
        mode = parse_spec((path.parent / "spec.json").read_text()).data.resize
        if question["ask"] == "predict":
            files = [Path(name) for name in question["pictures"]]
            found = [self._prepare(model, mode, file.name, file.read_bytes) for file in files]
        else:
            settings = replace(self._settings, data_dir=Path(question["data_dir"]))
            index = open_index(settings, question["dataset"])
            found = [
                self._prepare(model, mode, f"row {row}", lambda row=row: read_image_bytes(index.get(row)))
                for row in question["rows"]
            ]
        return {"pictures": self._answers(model, found)}

    def _checked(self, name: str) -> Path:
        """The model's path, if it is one that a run of this STUDIO_HOME saved: only those may be loaded."""
        path = Path(name).resolve()
        jobs = self._settings.jobs.resolve()
        if path.name != FILE_NAME or path.parent.parent != jobs or not path.is_file():
            raise RequestError(f"{name} is not the model of a finished run of this studio.")
        return path

    def _model(self, path: Path) -> keras.Model:
        key = (path, path.stat().st_mtime_ns)
        if key not in self._models:
            while len(self._models) >= MOST_MODELS:
                del self._models[next(iter(self._models))]
            try:
                self._models[key] = keras.saving.load_model(path, compile=False, safe_mode=True)
            except Exception as error:  # a damaged archive fails in many ways
                raise StudioError(f"The model {path} cannot be loaded; it is damaged.", str(error)) from error
        return self._models[key]

    def _prepare(self, model: keras.Model, mode: str, name: str, read: Any) -> np.ndarray | str:
        """A picture as the model sees it, or the sentence that says why it cannot."""
        try:
            return as_the_model_sees(
                read(), model.input_shape[1:], mode, name=name, max_pixels=self._settings.max_pixels
            )
        except StudioError as error:
            return error.sentence
        except (OSError, KeyError) as error:
            return f"{name} cannot be read ({error})."

    def _answers(self, model: keras.Model, found: list[np.ndarray | str]) -> list[dict[str, Any]]:
        images = [picture for picture in found if not isinstance(picture, str)]
        probabilities = iter(predict(model, np.stack(images)) if images else [])
        answers: list[dict[str, Any]] = []
        for picture in found:
            if isinstance(picture, str):
                answers.append({"error": picture})
                continue
            scores = next(probabilities)
            best = np.argsort(-scores, kind="stable")[:TOP]
            answers.append({"top": [[int(n), float(scores[n])] for n in best], "seen": str(self._keep(picture))})
        return answers

    def _keep(self, picture: np.ndarray) -> Path:
        """Write a picture as PNG, named by its pixels, and return where."""
        name = hashlib.blake2b(picture.tobytes() + repr(picture.shape).encode(), digest_size=16).hexdigest()
        path = self._seen / f"{name}.png"
        if not path.exists():
            part = path.with_suffix(".part")
            part.write_bytes(to_png(Image.fromarray(picture.squeeze(-1) if picture.shape[-1] == 1 else picture)))
            part.replace(path)
        return path
