"""How many images are trained on, measured with and kept for the end."""

from __future__ import annotations

import streamlit as st

from components.words import counted
from studio.spec.facts import DataFacts
from studio.spec.plan import validation_counts


def set_splits(facts: DataFacts, validation_share: float) -> str:
    """Draw the number of images per split, with validation carved from training where the set has none.

    Returns:
        The same in one line.

    Raises:
        SpecError: a class has too few images to be split.
    """
    train = sum(facts.splits.get("train", ()))
    validation = sum(facts.splits.get("validation", ()))
    test = sum(facts.splits.get("test", ()))
    origin = "comes with the set"
    if not validation:
        validation = sum(validation_counts(facts.splits["train"], validation_share, facts.classes))
        train -= validation
        origin = f"{validation_share:.0%} of the training images of every class, never trained on"
    rows = {
        "Training": counted(train, "image"),
        "Validation": f"{counted(validation, 'image')}  \n{origin}",
        "Test": f"{counted(test, 'image')}  \nnever seen in training" if test else "none",
    }
    st.table(rows, border="horizontal", alt="Number of images in each split")
    return f"{train:,} for training, {validation:,} for validation, {f'{test:,}' if test else 'none'} for test"
