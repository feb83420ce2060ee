"""Data: the sets, their images, what happens to them, and downloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from studio import runs
from studio.jobs.drafts import Drafts
from studio.jobs.queue import claim
from studio.jobs.reporter import Reporter
from studio.jobs.states import Kind, Phase, State
from studio.jobs.store import Store
from studio.spec.recipes import RECIPES
from tests.app.pages import alts, open_page, words


def spec_of(store: Store) -> dict:
    draft = Drafts(store).latest("local")
    assert draft is not None
    return draft.spec


def labels(at: AppTest) -> list[str]:
    return [alt.removeprefix("Image with the label ") for alt in alts(at)]


def test_the_digits_are_there_without_a_choice(home: Path) -> None:
    at = open_page("data")
    said = words(at)
    assert "Version 1.0.0 · 1,797 images, 10 classes, 8 × 8 pixels, grey" in said
    assert "License: CC BY 4.0" in said
    assert "All images are 8 × 8 pixels." in said
    assert "1,257 for training, 270 for validation, 270 for test" in said
    assert len(labels(at)) == 16
    chart = at.get("vega_lite_chart")[0].proto
    assert chart.alt == "Images of each class of Handwritten digits"


def test_samples_are_filtered_by_class_and_split_and_reshuffled(home: Path) -> None:
    at = open_page("data")
    at.selectbox(key="samples_class_digits").select(3).run()
    assert labels(at) == ["3"] * 16
    at.selectbox(key="samples_split_digits").select("test").run()
    assert labels(at) == ["3"] * 16
    at.selectbox(key="samples_class_digits").select(None).run()
    before = labels(at)
    at.button(key="samples_reshuffle").click().run()
    assert len(labels(at)) == 16
    assert labels(at) != before


def test_use_these_images_puts_set_and_settings_into_the_draft(store: Store) -> None:
    at = open_page("data")
    at.radio(key="choice_set_here").set_value("shapes").run()
    at.number_input(key="choice_shapes_image_size").set_value(48).run()
    at.selectbox(key="choice_shapes_resize").select("pad").run()
    assert spec_of(store) == {}  # nothing is changed before the button
    at.button(key="data_use").click().run()
    assert at.title[0].value == "Model"
    assert spec_of(store)["data"] == {
        "dataset": "shapes",
        "image_size": 48,
        "resize": "pad",
        "validation_share": 0.1,
    }


def test_undo_takes_back_the_last_choice_and_what_stands_in_the_fields(store: Store) -> None:
    first = Drafts(store).create({"data": {"dataset": "digits", "image_size": 16}}, "local")
    Drafts(store).update(first.id, {"data": {"dataset": "digits", "image_size": 32}})
    at = open_page("data", draft=first.id)
    assert at.number_input(key="choice_digits_image_size").value == 32
    at.number_input(key="choice_digits_image_size").set_value(64).run()
    at.button(key="draft_undo").click().run()
    assert at.number_input(key="choice_digits_image_size").value == 16
    assert "draft_undo" not in [button.key for button in at.button]


def test_validation_is_carved_where_the_set_has_none(
    home: Path, tfds_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFDS_DATA_DIR", str(tfds_dir))
    at = open_page("data")
    at.radio(key="choice_set_here").set_value("tf_flowers").run()
    assert "1,504 for training, 167 for validation, none for test" in words(at)
    at.number_input(key="choice_tf_flowers_validation_share").set_value(50).run()
    assert "none for test" in words(at)
    assert "167 for validation" not in words(at)
    assert "421 sizes: 88 to 500 pixels wide" in words(at)


def test_the_strip_warns_where_a_part_does_not_fit(store: Store) -> None:
    draft = Drafts(store).create({"data": {"dataset": "digits"}, "model": {"name": "cifar10_cnn"}}, "local")
    at = open_page("data", draft=draft.id)
    strip = {link.proto.label: link.proto.help for link in at.get("page_link")}
    warned = [label for label in strip if "warning" in label]
    assert len(warned) == 1
    assert "Data" in warned[0]
    assert "needs images of at least 18 pixels" in strip[warned[0]].replace("\\", "")


def test_a_set_of_the_catalogue_is_downloaded_as_a_job(store: Store) -> None:
    at = open_page("data")
    at.radio(key="choice_source").set_value("Catalogue").run()
    assert "70,000 images (60,000 training, 10,000 test), 10 classes" in words(at)
    at.button(key="data_download").click().run()
    (job,) = store.jobs(kind=Kind.DOWNLOAD)
    assert job.spec == {"dataset": "mnist"}
    assert at.button(key="data_download").disabled
    assert at.get("progress")[0].proto.text == "MNIST: waiting for its turn. You can leave this page."
    at.button(key="job_cancel").click().run()
    assert store.get(job.id).state == State.STOPPED
    assert "The download was canceled. Nothing was stored." in words(at)
    assert not at.button(key="data_download").disabled


def test_a_running_download_says_how_far_it_is(store: Store) -> None:
    job = runs.download(store, "mnist")
    claimed = claim(store)
    assert claimed is not None
    assert store.move(job.id, State.STARTING, State.RUNNING)
    reporter = Reporter(store, store.get(job.id))
    reporter.phase(Phase.DOWNLOAD, 3 * 2**20, 11 * 2**20)
    reporter.flush()
    at = open_page("data")
    at.radio(key="choice_source").set_value("Catalogue").run()
    assert at.get("progress")[0].proto.text.startswith("Downloading MNIST: 3.0 MiB of 11 MiB")
    reporter.finish(State.FAILED, "The server of this dataset does not answer (tried for 10 s). Nothing was stored.")
    reporter.close()
    claimed.close()
    at.run()
    assert "The server of this dataset does not answer" in words(at)
    assert not at.button(key="data_download").disabled


def test_a_damaged_set_says_which_folder_is_broken(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mnist" / "3.0.1").mkdir(parents=True)
    monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path))
    at = open_page("data")
    at.radio(key="choice_set_here").set_value("mnist").run()
    assert not at.exception
    assert "is incomplete" in words(at)
    at.radio(key="choice_set_here").set_value("digits").run()
    assert len(labels(at)) == 16


def test_a_draft_of_a_recipe_shows_its_set_first(store: Store) -> None:
    spec = RECIPES["flowers"].spec.model_dump(mode="json", exclude_unset=True)
    at = open_page("data", draft=Drafts(store).create(spec, "local").id)
    assert at.radio(key="choice_source").value == "Catalogue"
    assert at.header[0].value == "Flower photos"


@pytest.mark.parametrize("draft", ["gone123456", "../../etc/passwd", "<b>"])
def test_an_address_with_an_unknown_draft_begins_a_new_one(home: Path, draft: str) -> None:
    at = open_page("data", draft=draft)
    assert len(labels(at)) == 16
