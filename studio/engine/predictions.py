"""What a saved model says about pictures it has not seen."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import keras
import numpy as np
from PIL import Image

from studio.data.images import decode, to_png
from studio.data.index import Index, open_index, read_image_bytes
from studio.engine.backend.tensorflow import predict
from studio.engine.pictures import as_the_model_sees
from studio.engine.saving import FILE_NAME
from studio.errors import RequestError, StudioError
from studio.settings import Settings
from studio.spec.run import parse_spec

TOP = 5  # answers a picture
MOST_MODELS = 3  # kept loaded
COPY_SIDE = 512  # pixels at most, of the copy of a file
KEPT_SECONDS = 86_400.0  # at least, of the pictures that answers name
UPLOADS = "*.upload"  # what a page writes for one question and removes after the answer, unless it is killed

Said = dict[str, Any]  # the answer for one picture


class Predictions:
    """Answers the desk's questions `predict` and `predict_examples`; loaded models are kept."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models: dict[tuple[Path, int], keras.Model] = {}
        self._seen = settings.temporary / "seen"
        self._seen.mkdir(parents=True, exist_ok=True)
        for old in (*self._seen.iterdir(), *settings.temporary.glob(UPLOADS)):
            with suppress(FileNotFoundError):  # another helper that starts now cleans up too
                if old.stat().st_mtime < time.time() - KEPT_SECONDS:
                    old.unlink()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the model thinks of each picture.

        Args:
            question: `model` (path of a finished run's `model.keras`) and either `data_dir`, `dataset` and `rows` (of
                its index; `ask` is `predict_examples`), or (`ask` is `predict`) `pictures` (paths of files), if
                wanted with `names` (what errors call them) and `max_pixels` (the largest width × height).

        Returns:
            `pictures`: for each, in order, `top` (up to five pairs of class index and probability, the likeliest
            first) and `seen` (path of a PNG of what the model sees), or `error` (a sentence). For files also `size`
            (width and height of the upright picture) and `copy` (path of a PNG of it, at most 512 pixels a side).
            The PNGs are kept for a day.

        Raises:
            RequestError: there is no such model, or it is not one of this studio's.
            StudioError: it cannot be loaded.
        """
        path = self._checked(question["model"])
        model = self._model(path)
        mode = parse_spec((path.parent / "spec.json").read_text()).data.resize
        if question["ask"] == "predict":
            files = [Path(path) for path in question["pictures"]]
            names = question.get("names", [file.name for file in files])
            max_pixels = question.get("max_pixels", self._settings.max_pixels)
            found = [
                self._prepare(model, mode, name, file.read_bytes, max_pixels, copy=True)
                for file, name in zip(files, names, strict=True)
            ]
        else:
            settings = replace(self._settings, data_dir=Path(question["data_dir"]))
            index = open_index(settings, question["dataset"])
            found = [
                self._prepare(model, mode, f"row {row}", partial(_stored, index, row), settings.max_pixels)
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

    def _prepare(
        self,
        model: keras.Model,
        mode: str,
        name: str,
        read: Callable[[], bytes],
        max_pixels: int,
        *,
        copy: bool = False,
    ) -> tuple[Said, np.ndarray | None]:
        """What can be said of a picture before the model is asked, and what the model gets; None after an error."""
        try:
            picture = decode(read(), name=name, max_pixels=max_pixels)
        except StudioError as error:
            return {"error": error.sentence}, None
        except (OSError, KeyError) as error:
            return {"error": f"{name} cannot be read ({error})."}, None
        pixels = as_the_model_sees(picture, model.input_shape[1:], mode)
        said: Said = {"seen": self._keep(Image.fromarray(pixels.squeeze(-1) if pixels.shape[-1] == 1 else pixels))}
        if copy:
            said["size"] = list(picture.size)
            picture.thumbnail((COPY_SIDE, COPY_SIDE))
            said["copy"] = self._keep(picture)
        return said, pixels

    def _answers(self, model: keras.Model, found: list[tuple[Said, np.ndarray | None]]) -> list[Said]:
        """The prepared pictures with the model's answers, `top`, put to them."""
        images = [pixels for _, pixels in found if pixels is not None]
        probabilities = iter(predict(model, np.stack(images)) if images else [])
        for said, pixels in found:
            if pixels is not None:
                scores = next(probabilities)
                best = np.argsort(-scores, kind="stable")[:TOP]
                said["top"] = [[int(n), float(scores[n])] for n in best]
        return [said for said, _ in found]

    def _keep(self, picture: Image.Image) -> str:
        """Write a picture as PNG, named by its pixels, and return the path."""
        content = picture.tobytes() + f"{picture.mode}{picture.size}".encode()
        path = self._seen / f"{hashlib.blake2b(content, digest_size=16).hexdigest()}.png"
        if path.exists():
            path.touch()  # it is named once more, so its day begins anew
        else:
            part = path.with_suffix(".part")
            part.write_bytes(to_png(picture))
            part.replace(path)
        return str(path)


def _stored(index: Index, row: int) -> bytes:
    return read_image_bytes(index.get(row))
