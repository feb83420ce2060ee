"""A spec is read, or refused with the name of the setting, the value and what is allowed."""

from __future__ import annotations

import json

import pytest

from studio.errors import SpecError
from studio.spec.run import RunSpec, parse_spec

SMALLEST = {"data": {"dataset": "digits"}}


def test_the_smallest_spec_has_a_default_for_everything_else() -> None:
    spec = parse_spec(json.dumps(SMALLEST))
    assert (spec.version, spec.task) == (1, "image_classification")
    assert (spec.training.epochs, spec.training.batch_size, spec.training.optimizer) == (10, 32, "adam")
    assert spec.model.name is None


def test_a_spec_survives_writing_and_reading() -> None:
    spec = parse_spec(SMALLEST | {"model": {"name": "mobilenet_v2", "width": 0.35}, "training": {"share": 0.5}})
    assert parse_spec(spec.to_json()) == spec


@pytest.mark.parametrize(
    ("section", "name", "value", "words"),
    [
        ("training", "epochs", 0, ["training.epochs", "0", "1 to 100,000"]),
        ("training", "epochs", 1.5, ["training.epochs", "1.5", "whole number"]),
        ("training", "epochs", "3", ["training.epochs", "'3'"]),
        ("training", "epochs", True, ["training.epochs", "true"]),
        ("training", "batch_size", 10**9, ["training.batch_size", "1000000000", "65,536"]),
        ("training", "learning_rate", 0, ["training.learning_rate", "above 0"]),
        ("training", "optimizer", "lion", ["training.optimizer", "lion", "adam, adamw, sgd, rmsprop"]),
        ("training", "precision", "float64", ["training.precision", "mixed_bfloat16"]),
        ("training", "seed", -1, ["training.seed", "-1"]),
        ("model", "name", "resnet", ["model.name", "resnet", "small_cnn"]),
        ("model", "width", 0.5, ["model.width", "0.5", "0.35, 1.0"]),
        ("model", "dropout", 1.0, ["model.dropout", "1.0", "0 to 0.9"]),
        ("data", "image_size", 7, ["data.image_size", "7", "8 to 512"]),
        ("data", "dataset", "", ["data.dataset"]),
        ("data", "dataset", None, ["data.dataset"]),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_what_is_allowed(
    section: str, name: str, value: object, words: list[str]
) -> None:
    document = {"data": {"dataset": "digits"}}
    document.setdefault(section, {})[name] = value  # type: ignore[assignment]
    with pytest.raises(SpecError) as refused:
        parse_spec(json.dumps(document))
    for word in words:
        assert word in refused.value.sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ("null", "JSON object"),
        ("{}", "data is missing"),
        ('{"data": {}}', "data.dataset is missing"),
        ('{"data": {"dataset": "digits"}, "trainig": {}}', "trainig is not a setting; known here are version, task"),
        ('{"data": {"dataset": "digits", "size": 3}}', "data.size is not a setting"),
        ('{"data": {"dataset": "digits"}, "version": 2}', "version is 2"),
        ('{"data": {"dataset": "digits"}, "training": {"learning_rate": NaN}}', "NaN"),
        ('{"data": {"dataset": "digits"}, "training": {"learning_rate": -Infinity}}', "-Infinity"),
        ('{"data": {"dataset": "digits"}, "training": {"learning_rate": 1e999}}', "training.learning_rate"),
        ("[" * 100_000, "not JSON"),
        ('{"data": ' + "[" * 300 + "]" * 300 + "}", "JSON"),
        ('{"data": {"dataset": "\\ud800"}}', "JSON"),
    ],
)
def test_text_that_is_no_spec_is_refused(text: str, words: str) -> None:
    with pytest.raises(SpecError) as refused:
        parse_spec(text)
    assert words in refused.value.sentence


def test_overrides_change_single_settings_and_leave_the_source_alone() -> None:
    source = {"data": {"dataset": "digits"}, "training": {"epochs": 5}}
    spec = parse_spec(source, ["training.epochs=3", "training.learning_rate=1e-4", "model.name=small_cnn"])
    assert (spec.training.epochs, spec.training.learning_rate, spec.model.name) == (3, 1e-4, "small_cnn")
    assert source["training"] == {"epochs": 5}


@pytest.mark.parametrize(
    "text", ["training.epochs", "=3", "training..epochs=3", "data.dataset.name=x", "training.epochs=" + "[" * 20_000]
)
def test_an_override_that_names_no_setting_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        parse_spec(SMALLEST, [text])


def test_a_spec_cannot_be_changed() -> None:
    spec = RunSpec.model_validate(SMALLEST)
    with pytest.raises(ValueError, match="frozen"):
        spec.training.epochs = 3
