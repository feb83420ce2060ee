"""Terms: every word of the interface and every setting, once."""

from __future__ import annotations

import re
from pathlib import Path

from components.words import with_terms
from studio.spec.data import DataSpec
from studio.spec.fields import about
from studio.spec.glossary import TERMS
from studio.spec.model import ModelSpec
from studio.spec.training import TrainingSpec
from tests.app.pages import open_page, words

SENTENCE = re.compile(r"[A-Z].*\.", re.DOTALL)


def test_every_word_and_every_setting_is_explained(home: Path) -> None:
    said = words(open_page("terms"))
    for term, sentence in TERMS.items():
        assert f"**{term}**  \n{sentence}" in said
    for spec in (DataSpec, ModelSpec, TrainingSpec):
        for name in spec.model_fields:
            assert f"**{about(spec, name).label}**" in said


def test_explanations_are_sentences_and_no_setting_is_explained_twice() -> None:
    assert all(SENTENCE.fullmatch(sentence) for sentence in TERMS.values())
    settings = {about(spec, name).label for spec in (DataSpec, ModelSpec, TrainingSpec) for name in spec.model_fields}
    assert not settings & set(TERMS)


def test_help_texts_lead_to_the_page() -> None:
    assert with_terms("What it does.").startswith("What it does. [")
    assert with_terms("What it does.").endswith("](terms)")
