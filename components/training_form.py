"""The settings of the Train page: the essentials, and the others behind labels that state the present choice."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.draft_field import choice_field, number_field, select_field
from components.run_details import OPTIMIZERS
from studio.hardware import Hardware
from studio.jobs.drafts import Draft
from studio.spec.data import DataSpec
from studio.spec.fields import about
from studio.spec.training import TrainingSpec

PRECISIONS = {
    "float32": "float32",
    "mixed_bfloat16": "Mixed bfloat16",
    "mixed_float16": "Mixed float16",
}
VIRTUAL_REPLICAS = range(2, 9)


def training_form(draft: Draft, hardware: Hardware, *, validation_given: bool) -> None:
    """Draw the form.

    Args:
        validation_given: the dataset comes with a validation split, so that none is carved.
    """
    st.header("Essentials", anchor=False)
    with st.grid(2, min_column_width=200, key="essentials"):
        number_field(draft, "training", TrainingSpec, "epochs")
        number_field(draft, "training", TrainingSpec, "batch_size")
        number_field(draft, "training", TrainingSpec, "learning_rate")
        choice_field(draft, "training", TrainingSpec, "precision", PRECISIONS)
        _run_on(draft, hardware)
        number_field(draft, "training", TrainingSpec, "seed")
    _optimizer(draft)
    _images(draft, validation_given)


def device_words(hardware: Hardware) -> str:
    """The devices of this machine: `CPU`, `GPU`, `2 GPUs`, `TPU, 8 replicas`."""
    if hardware.kind == "unknown":
        return "Best device"
    if hardware.kind == "gpu":
        return "GPU" if hardware.replicas == 1 else f"{hardware.replicas} GPUs"
    return hardware.kind.upper() if hardware.replicas == 1 else f"{hardware.kind.upper()}, {hardware.replicas} replicas"


def _run_on(draft: Draft, hardware: Hardware) -> None:
    """One choice for the two settings that say on what a run happens."""
    words: dict[tuple[str, int | None], str] = {
        (
            "auto",
            None,
        ): f"{device_words(hardware)} ({'not looked at yet' if hardware.kind == 'unknown' else 'detected'})"
    }
    if hardware.kind != "cpu":
        words["cpu", None] = "CPU"
    words |= {("virtual", count): f"{count} virtual replicas on the CPU" for count in VIRTUAL_REPLICAS}
    chosen = draft.spec.get("training", {})
    strategy, replicas = chosen.get("strategy", "auto"), chosen.get("replicas")
    value = ("virtual", replicas or VIRTUAL_REPLICAS[0]) if strategy == "virtual" else (strategy, None)
    if value == (hardware.kind, None) and value not in words:
        value = ("auto", None)
    words.setdefault(value, f"{strategy.upper()}, which this machine does not have")
    select_field(
        draft,
        "training",
        about(TrainingSpec, "strategy"),
        list(words),
        value,
        words,
        lambda choice: {"strategy": choice[0], "replicas": choice[1]},
    )


def _optimizer(draft: Draft) -> None:
    optimizer = _present(draft, "training", TrainingSpec, "optimizer")
    gist = OPTIMIZERS.get(optimizer, optimizer)
    if optimizer == "sgd":
        gist += f", momentum {_present(draft, 'training', TrainingSpec, 'momentum'):g}"
    with (
        st.expander(f"**Optimizer** {gist}", icon=":material/trending_down:", key="optimizer"),
        st.grid(2, min_column_width=200),
    ):
        choice_field(draft, "training", TrainingSpec, "optimizer", OPTIMIZERS)
        if optimizer == "sgd":
            number_field(draft, "training", TrainingSpec, "momentum")


def _images(draft: Draft, validation_given: bool) -> None:
    share = _present(draft, "training", TrainingSpec, "share")
    validation = _present(draft, "data", DataSpec, "validation_share")
    gist = "all training images" if share == 1 else f"{share:.0%} of the training images"
    kept = "validation comes with the set" if validation_given else f"{validation:.0%} kept for validation"
    with (
        st.expander(f"**Images** {gist}, {kept}", icon=":material/photo_library:", key="images"),
        st.grid(2, min_column_width=200),
    ):
        number_field(draft, "training", TrainingSpec, "share", percent=True)
        if not validation_given:
            number_field(draft, "data", DataSpec, "validation_share", percent=True)


def _present(draft: Draft, section: str, spec: type[TrainingSpec | DataSpec], name: str) -> Any:
    return draft.spec.get(section, {}).get(name, about(spec, name).default)
