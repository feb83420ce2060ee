"""Whether the present draft can be started, asked once for the strip and the page under it."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

from components.session import settings
from studio import runs
from studio.data import catalogue
from studio.errors import SpecError, StudioError
from studio.spec.data import DataSpec
from studio.spec.fields import about
from studio.spec.model import ModelSpec
from studio.spec.plan import Plan
from studio.spec.run import parse_spec
from studio.spec.training import TrainingSpec

SECTIONS: dict[str, type[BaseModel]] = {"data": DataSpec, "model": ModelSpec, "training": TrainingSpec}
SETTING = re.compile(rf"\b({'|'.join(SECTIONS)})\.(\w+)")


class DraftProblem(StudioError):
    """Why a draft cannot be started, in the words of the pages.

    Attributes:
        section: the part of the draft to change.
    """

    def __init__(self, sentence: str, section: str, detail: str = "") -> None:
        super().__init__(sentence, detail)
        self.section = section


def check_draft(spec: dict[str, Any]) -> Plan | StudioError:
    """What the spec of a draft would do, or the sentence that says what is missing or does not fit."""
    if not spec.get("data", {}).get("dataset"):
        return DraftProblem("No images are chosen yet. Choose them on the Data page.", "data")
    try:
        return runs.check(settings(), parse_spec(spec))
    except SpecError as error:
        named = SETTING.search(error.sentence)
        return DraftProblem(SETTING.sub(_label, error.sentence), named[1] if named else "data", error.detail)
    except StudioError as error:
        return error


def section_of(error: StudioError) -> str:
    """The part of the draft that an error asks to change."""
    return error.section if isinstance(error, DraftProblem) else "data"


def _label(setting: re.Match[str]) -> str:
    """What the pages call the setting that a spec calls `training.batch_size`."""
    spec, name = SECTIONS[setting[1]], setting[2]
    return about(spec, name).label if name in spec.model_fields else setting[0]


def validation_comes_with(spec: dict[str, Any]) -> bool:
    """Whether the set of a draft has a validation split of its own, as far as this machine knows."""
    try:
        facts = catalogue.facts(settings(), spec.get("data", {}).get("dataset", ""))
    except StudioError:
        return False
    return bool(sum(facts.splits.get("validation", ())))
