"""The whole description of a run, and how one is read from what a person wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from studio.errors import SpecError
from studio.spec.data import DataSpec
from studio.spec.fields import Spec, about
from studio.spec.model import ModelSpec
from studio.spec.training import TrainingSpec

LONGEST_SPEC = 1_000_000  # characters


class RunSpec(Spec):
    """A run can be repeated from this alone. The smallest: `{"data": {"dataset": "digits"}}`."""

    version: Literal[1] = 1
    task: Literal["image_classification"] = "image_classification"
    data: DataSpec
    model: ModelSpec = Field(default_factory=ModelSpec)
    training: TrainingSpec = Field(default_factory=TrainingSpec)

    def to_json(self) -> str:
        """The spec as indented JSON, every setting written out."""
        return self.model_dump_json(indent=2)


def parse_spec(source: str | dict[str, Any], overrides: Iterable[str] = ()) -> RunSpec:
    """Read a spec.

    Args:
        source: JSON text, or the dictionary it stands for.
        overrides: `"training.epochs=3"` and the like, applied before the check.

    Raises:
        SpecError: it is not JSON, has an unknown setting, or a value that is not allowed. The sentence names the
            setting, the value and what is allowed.
    """
    document = _read_json(source) if isinstance(source, str) else source
    if not isinstance(document, dict):
        raise SpecError('A spec is a JSON object such as {"data": {"dataset": "digits"}}; this one is not.')
    for text in overrides:
        document = _override(document, text)
    try:
        return RunSpec.model_validate_json(json.dumps(document))
    except ValidationError as error:
        raise SpecError(" ".join(_sentence(problem) for problem in error.errors()[:3]), str(error)) from error


def _read_json(text: str) -> Any:
    if len(text) > LONGEST_SPEC:
        raise SpecError(f"The spec is longer than {LONGEST_SPEC:,} characters; it is not a spec.")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"The spec is not JSON: {error}.") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number that can be used")


def _override(document: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a copy of the document in which `section.setting=value` holds; values are JSON or plain words."""
    path, equals, written = text.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise SpecError(f"--set takes section.setting=value, for example training.epochs=3; got {text!r}.")
    try:
        value = json.loads(written, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        value = written
    copy = dict(document)
    inner = copy
    for key in keys[:-1]:
        below = inner.get(key, {})
        if not isinstance(below, dict):
            raise SpecError(f"{path} cannot be set: {key} is not a section of the spec.")
        inner[key] = dict(below)
        inner = inner[key]
    inner[keys[-1]] = value
    return copy


def _sentence(problem: Any) -> str:
    """One refused value as a sentence: setting, value, what is allowed."""
    path = ".".join(str(part) for part in problem["loc"])
    kind = problem["type"]
    if not path:  # nested too deep, or text that is no Unicode
        return f"The spec is not JSON: {problem['msg']}."
    if kind == "extra_forbidden":
        known = ", ".join(_section(problem["loc"][:-1]).model_fields)
        return f"{path} is not a setting; known here are {known}."
    if kind == "missing":
        return f"{path} is missing; every spec needs it."
    value = problem["input"]
    shown = f"{value!r}" if isinstance(value, str) else json.dumps(value, default=str)
    allowed = _allowed(problem["loc"])
    return f"{path} is {shown[:80]}; allowed: {allowed or problem['msg']}."


def _section(location: tuple[Any, ...]) -> type[BaseModel]:
    section: type[BaseModel] = RunSpec
    for part in location:
        field = section.model_fields.get(part)
        if field is None or not isinstance(field.annotation, type):
            break
        section = field.annotation
    return section


def _allowed(location: tuple[Any, ...]) -> str:
    section = _section(location[:-1])
    name = str(location[-1])
    if name not in section.model_fields:
        return ""
    declared = about(section, name)
    kinds = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "text"}
    annotation = section.model_fields[name].annotation
    kind = next((words for key, words in kinds.items() if key in str(annotation)), "")
    if declared.choices:
        return declared.allowed
    return " ".join(part for part in (kind, declared.allowed and f"from {declared.allowed}") if part).replace(
        "from above", "above"
    )
