"""Each setting is declared once: label, help, bounds, default, choices and unit.

Forms, checks, the command line and the stored jobs all read this one declaration.

    class TrainingSpec(Spec):
        epochs: int = setting(10, "Epochs", "How many times the model sees every training image.", ge=1, le=10_000)

    about(TrainingSpec, "epochs").maximum   # 10_000
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast, get_args, get_origin

import annotated_types
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator


class Spec(BaseModel):
    """Base of all specs: frozen, unknown keys are errors, NaN and infinity are refused, no silent conversion."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)

    @field_validator("*")
    @classmethod
    def _one_of_the_choices(cls, value: Any, info: ValidationInfo) -> Any:
        choices = about(cls, str(info.field_name)).choices
        if choices and value is not None and value not in choices:
            raise ValueError(f"not one of {choices}")
        return value


@dataclass(frozen=True)
class Setting:
    """What is declared about one setting. `minimum` and `maximum` are inclusive unless `above` is set."""

    name: str
    label: str
    help: str
    default: Any
    unit: str
    minimum: float | None
    maximum: float | None
    above: float | None
    choices: tuple[Any, ...]

    @property
    def allowed(self) -> str:
        """The allowed values in words, or `""` where anything of the type is allowed."""
        if self.choices:
            return ", ".join(str(choice) for choice in self.choices)
        if self.above is not None and self.maximum is not None:
            return f"above {_number(self.above)}, at most {_number(self.maximum)}"
        if self.minimum is not None and self.maximum is not None:
            return f"{_number(self.minimum)} to {_number(self.maximum)}"
        return ""


def setting(
    default: Any, label: str, help: str, *, unit: str = "", choices: tuple[float, ...] = (), **bounds: Any
) -> Any:
    """Declare a setting.

    Args:
        default: its value when nothing is said; `...` for none.
        label: its name in the interface.
        help: one sentence on what it does.
        unit: unit of the value, shown beside it.
        choices: the allowed numbers where they are few; words are declared as a `Literal` instead.
        bounds: `ge`, `gt`, `le`, `lt`, `min_length`, `max_length`, `pattern`, as in `pydantic.Field`.
    """
    return Field(
        default, title=label, description=help, json_schema_extra={"unit": unit, "choices": list(choices)}, **bounds
    )


def about(spec: type[BaseModel], name: str) -> Setting:
    """Read back what was declared about the setting `name` of a spec class."""
    field = spec.model_fields[name]
    bound: dict[type, Any] = {type(item): item for item in field.metadata}
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    minimum = bound.get(annotated_types.Ge)
    maximum = bound.get(annotated_types.Le)
    above = bound.get(annotated_types.Gt)
    return Setting(
        name=name,
        label=field.title or name,
        help=field.description or "",
        default=None if field.is_required() else field.default,
        unit=str(extra.get("unit", "")),
        minimum=minimum.ge if minimum else None,
        maximum=maximum.le if maximum else None,
        above=above.gt if above else None,
        choices=_choices(field.annotation) or tuple(cast("list[float]", extra.get("choices", []))),
    )


def _choices(annotation: Any) -> tuple[Any, ...]:
    """The values of a `Literal`, also inside `Literal[...] | None`."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    for part in get_args(annotation):
        if get_origin(part) is Literal:
            return get_args(part)
    return ()


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) or value >= 1 else f"{value:g}"
