"""Model: the choice, the options, the layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components import model_summary
from studio.errors import StudioError
from studio.jobs.drafts import Draft, Drafts
from studio.jobs.store import Store
from studio.spec.models import MODELS
from tests.app.pages import links, open_page, words

SUMMARY = {
    "layers": [
        {"name": "image", "kind": "InputLayer", "shape": [8, 8, 1], "parameters": 0, "trainable": 0, "layers": 1},
        {"name": "backbone", "kind": "Model", "shape": [4, 4, 64], "parameters": 900, "trainable": 0, "layers": 154},
        {"name": "logits", "kind": "Dense", "shape": [10], "parameters": 100, "trainable": 100, "layers": 1},
    ],
    "parameters": 1_000,
    "trainable": 100,
}


class FakeDesk:
    """Answers at once, and remembers what it was asked."""

    def __init__(self, answer: dict[str, Any] | StudioError) -> None:
        self.answer = answer
        self.questions: list[dict[str, Any]] = []

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self.questions.append(question)
        if isinstance(self.answer, StudioError):
            raise self.answer
        return self.answer


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeDesk:
    desk = FakeDesk(SUMMARY)
    monkeypatch.setattr(model_summary, "desk", lambda duty: desk)
    return desk


def digits(store: Store, **model: Any) -> Draft:
    return Drafts(store).create({"data": {"dataset": "digits"}, "model": model}, "local")


def diagram(at: AppTest) -> str:
    return next(element.value for element in at.markdown if "flowchart" in element.value)


def test_without_images_it_asks_for_them(home: Path, fake: FakeDesk) -> None:
    at = open_page("model")
    assert "The first and the last layer follow from the images, and none are chosen yet." in words(at)
    assert "Choose images" in links(at)
    assert fake.questions == []


def test_the_layers_of_the_real_model_are_shown(store: Store) -> None:
    """Asks the real helper process, which builds the model with Keras."""
    at = open_page("model", draft=digits(store, name="small_cnn").id)
    assert "For images of 8 × 8 pixels and 10 classes: 35,914 parameters, all of them trained." in words(at)
    table = at.dataframe[0].value
    assert table["Parameters"].sum() == 35_914
    assert list(table["Layer"])[:3] == ["image", "scale", "conv1"]
    assert table["Output"][2] == "8 × 8 × 32"


def test_a_backbone_is_one_row_and_one_block(store: Store, fake: FakeDesk) -> None:
    at = open_page("model", draft=digits(store).id)
    assert "1,000 parameters, 100 of them trained" in words(at)
    assert list(at.dataframe[0].value["Kind"]) == ["Image", "backbone (154 layers)", "Dense"]
    assert 'block1["backbone (154 layers)<br/>4 × 4 × 64"]' in diagram(at)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("small_cnn", {"dropout", "batch_normalization"}),
        ("mnist_mlp", {"dropout"}),
        ("cifar10_cnn", set()),
        ("mobilenet_v2", {"dropout", "weights", "width", "train_backbone"}),
    ],
)
def test_only_options_that_the_model_has_are_shown(store: Store, fake: FakeDesk, name: str, options: set[str]) -> None:
    at = open_page("model", draft=digits(store, name="small_cnn").id)
    if name != "small_cnn":
        at.button(key=f"model_{name}").click().run()
    fields = [*at.number_input, *at.checkbox, *at.selectbox]
    assert {str(field.key).removeprefix(f"choice_{name}_") for field in fields} == options
    assert at.header[0].value == MODELS[name].title


def test_an_option_counts_at_once_in_the_layers(store: Store, fake: FakeDesk) -> None:
    at = open_page("model", draft=digits(store, name="small_cnn").id)
    at.checkbox(key="choice_small_cnn_batch_normalization").check().run()
    assert [question["spec"]["model"]["batch_normalization"] for question in fake.questions] == [False, True]


def test_a_model_that_does_not_fit_says_why(store: Store, fake: FakeDesk) -> None:
    at = open_page("model", draft=digits(store, name="small_cnn").id)
    at.button(key="model_cifar10_cnn").click().run()
    assert "CIFAR-10 CNN needs images of at least 18 pixels; the data has 8." in words(at)
    assert len(fake.questions) == 1


def test_use_this_model_leaves_nothing_of_the_last_one_in_the_draft(store: Store, fake: FakeDesk) -> None:
    draft = digits(store, name="mobilenet_v2", weights="imagenet", width=0.35, train_backbone=True)
    at = open_page("model", draft=draft.id)
    at.button(key="model_small_cnn").click().run()
    at.number_input(key="choice_small_cnn_dropout").set_value(0.5).run()
    at.button(key="model_use").click().run()
    assert at.title[0].value == "Train"
    assert Drafts(store).get(draft.id).spec["model"] == {
        "name": "small_cnn",
        "dropout": 0.5,
        "batch_normalization": False,
    }


def test_missing_imagenet_weights_are_said_before_the_start(store: Store, fake: FakeDesk) -> None:
    draft = Drafts(store).create(
        {"data": {"dataset": "digits", "image_size": 96}, "model": {"name": "mobilenet_v2"}}, "local"
    )
    at = open_page("model", draft=draft.id)
    assert "The ImageNet weights are not on this machine." in words(at)
    at.selectbox(key="choice_mobilenet_v2_weights").select("random").run()
    assert "The ImageNet weights are not on this machine." not in words(at)


def test_a_helper_that_does_not_answer_leaves_the_rest_of_the_page(store: Store, fake: FakeDesk) -> None:
    fake.answer = StudioError("The helper process did not answer; ask again, and a new one will.")
    at = open_page("model", draft=digits(store, name="small_cnn").id)
    assert "The helper process did not answer" in words(at)
    assert not at.button(key="model_use").disabled
