"""Predict: a finished run on test images and on uploaded pictures."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from components import answers
from studio.data.images import decode, to_png
from studio.data.index import open_index, read_image_bytes
from studio.errors import StudioError
from studio.jobs.states import State
from studio.jobs.store import Store
from studio.settings import Settings
from tests.app.pages import alts, links, open_page, words
from tests.app.runs_made import ended_run, queued_run

WRONG = {3: 8, 25: 2}  # position of a test image: what the model says instead of the label


class FakeDesk:
    """A model that is right but for two test images, and says 7 to every upload."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.questions: list[dict[str, Any]] = []
        self.failure: StudioError | None = None

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        if self.failure:
            raise self.failure
        self.questions.append(question)
        if question["ask"] == "predict":
            files = zip(question["pictures"], question["names"], strict=True)
            return {"pictures": [self._file(Path(path), name, question["max_pixels"]) for path, name in files]}
        index = open_index(self._settings, question["dataset"])
        first = int(index.rows("test")[0])
        return {"pictures": [self._example(index, row, row - first) for row in question["rows"]]}

    def _file(self, path: Path, name: str, max_pixels: int) -> dict[str, Any]:
        try:
            picture = decode(path.read_bytes(), name=name, max_pixels=max_pixels)
        except StudioError as error:
            return {"error": error.sentence}
        said = self._said(7, picture) | {"size": list(picture.size)}
        picture.thumbnail((512, 512))
        return said | {"copy": self._keep(picture)}

    def _example(self, index: Any, row: int, position: int) -> dict[str, Any]:
        example = index.get(row)
        with Image.open(io.BytesIO(read_image_bytes(example))) as picture:
            return self._said(WRONG.get(position, example.label), picture)

    def _said(self, answer: int, picture: Image.Image) -> dict[str, Any]:
        others = [[(answer + step) % 10, 0.1 / step] for step in range(1, 5)]
        return {"top": [[answer, 0.6], *others], "seen": self._keep(picture.convert("L").resize((8, 8)))}

    def _keep(self, picture: Image.Image) -> str:
        path = self._settings.temporary / f"{len(list(self._settings.temporary.iterdir()))}.png"
        path.write_bytes(to_png(picture))
        return str(path)


@pytest.fixture
def fake(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> FakeDesk:
    desk = FakeDesk(settings)
    monkeypatch.setattr(answers, "desk", lambda duty: desk)
    return desk


def film(at: AppTest, run: str, which: str = "all") -> list[str]:
    """The labels of the buttons under the pictures."""
    return [button.label for button in at.button if str(button.key).startswith(f"predict_{run}_{which}_")]


def photo(width: int = 60, height: int = 40) -> bytes:
    return to_png(Image.new("RGB", (width, height), (200, 30, 30)))


def upload(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    at.radio(key="predict_source").set_value("Upload").run()
    for name, data in files:
        at.file_uploader(key="predict_upload").upload(name, data)
    return at.run()


def test_without_a_finished_run_it_leads_to_a_recipe(store: Store) -> None:
    ended_run(store, State.FAILED)
    at = open_page("predict")
    assert "No trained model yet. The digits recipe makes one in about 15 seconds." in words(at)
    assert "Open a recipe" in links(at)


def test_the_newest_run_answers_for_its_test_images(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED, name="Old")
    run = ended_run(store, State.FINISHED, name="New")
    at = open_page("predict")
    assert at.selectbox(key="predict_run").value == run.id
    assert "270 test images never seen in training. 268 answers are right, 99.3%." in words(at).replace("**", "")
    assert len(film(at, run.id)) == 10
    assert ":material/close:" in film(at, run.id)[3]
    assert film(at, run.id)[3].endswith("8")
    assert "The model says" in words(at)
    assert ":material/check: right" in words(at)


def test_the_run_in_the_address_is_chosen(store: Store, fake: FakeDesk) -> None:
    old = ended_run(store, State.FINISHED, name="Old")
    ended_run(store, State.FINISHED, name="New")
    at = open_page("predict", run=old.id)
    assert at.selectbox(key="predict_run").value == old.id


@pytest.mark.parametrize("wanted", ["train-99", "<script>"])
def test_a_run_without_a_model_is_not_chosen_and_it_says_so(store: Store, fake: FakeDesk, wanted: str) -> None:
    run = ended_run(store, State.FINISHED)
    at = open_page("predict", run=wanted)
    assert "The run in the address has no finished model; the newest one is shown." in words(at)
    assert at.selectbox(key="predict_run").value == run.id


def test_mistakes_shows_and_chooses_the_first_mistake(store: Store, fake: FakeDesk, settings: Settings) -> None:
    run = ended_run(store, State.FINISHED)
    at = open_page("predict")
    label = open_index(settings, "digits").labels("test")[3]
    at.radio(key=f"predict_{run.id}_filter").set_value("mistakes").run()
    assert len(film(at, run.id, "mistakes")) == 2
    assert "The model says 8" in words(at)
    assert f"wrong, the label is {label}" in words(at)
    assert "Test image 4" in words(at)


def test_a_picture_is_chosen_by_its_button_on_any_page(store: Store, fake: FakeDesk) -> None:
    run = ended_run(store, State.FINISHED)
    at = open_page("predict")
    at.pagination(key=f"predict_{run.id}_all_page").set_value(3).run()
    at.button(key=f"predict_{run.id}_all_{1257 + 270 + 25}").click().run()
    assert "Test image 26" in words(at)
    assert "The model says 2" in words(at)


def test_the_picture_is_shown_as_the_model_gets_it(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    at = open_page("predict")
    assert "Test image 1 · 8 × 8 pixels, grey, shown enlarged. The model gets exactly these pixels." in words(at)
    chart = at.get("vega_lite_chart")[0].proto
    assert chart.alt == "The likeliest classes with the model's confidence in each"


def test_answers_are_asked_for_once(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    at = open_page("predict")
    asked = len(fake.questions)
    assert sum(len(question["rows"]) for question in fake.questions) == 270
    at.run()
    assert len(fake.questions) == asked


def test_validation_images_stand_in_for_missing_test_images(
    home: Path, tfds_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFDS_DATA_DIR", str(tfds_dir))
    settings = Settings.load()
    store = Store(settings)
    run = ended_run(store, State.FINISHED)
    store.update(run.id, spec=run.spec | {"data": run.spec["data"] | {"dataset": "tf_flowers"}})

    class Always:
        def ask(self, question: dict[str, Any]) -> dict[str, Any]:
            return {"pictures": [{"top": [[0, 1.0]], "seen": "gone.png"} for _ in question["rows"]]}

    monkeypatch.setattr(answers, "desk", lambda duty: Always())
    said = words(open_page("predict")).replace("**", "")
    assert "167 validation images kept out of training; the set has no test images." in said
    assert "55 answers are right" in said  # 549 of the 1,671 photos are dandelions, and a tenth of them was kept


def test_uploaded_pictures_are_read_and_bad_files_get_one_sentence_each(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    at = upload(open_page("predict"), ("cat.png", photo()), ("scan.tif", b"%PDF-1.4"), ("empty.png", b""))
    said = words(at)
    assert "‘scan.tif’ is not a picture that can be read (it is a PDF)." in said
    assert "‘empty.png’ is empty; choose another file." in said
    assert "1 other file could be read." in said
    assert "The model says 7" in said
    assert "cat.png · 60 × 40 pixels, color" in said
    assert "As the model sees it" in said
    assert ":material/check:" not in said


def test_an_upload_is_given_on_under_another_name_and_removed(store: Store, fake: FakeDesk, settings: Settings) -> None:
    ended_run(store, State.FINISHED)
    upload(open_page("predict"), ("../../evil.png", photo()))
    (path,) = fake.questions[-1]["pictures"]
    assert Path(path).parent == settings.temporary
    assert "evil" not in path
    assert not Path(path).exists()


def test_names_of_uploads_are_text(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    at = upload(open_page("predict"), ("**a** [b](http://c.example) :smile:.png", photo()))
    caption = next(element.value for element in at.caption if "60 × 40" in element.value)
    assert "**a**" not in caption
    assert ":smile:" not in caption.replace("\\", "")
    assert "**a** [b](http://c.example) :smile:.png" in words(at)
    assert "**a** [b](http://c.example) :smile:.png" in alts(at)


def test_an_upload_is_never_decoded_by_the_server(
    store: Store, fake: FakeDesk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page shows comes from the small copy: here of a file that it could not read itself."""
    run = ended_run(store, State.FINISHED)
    copy = Image.new("L", (512, 256))
    files = {"seen": fake._keep(copy.resize((8, 8))), "copy": fake._keep(copy), "size": [6_000, 3_000]}
    monkeypatch.setattr(fake, "_file", lambda path, name, max_pixels: {"top": [[7, 0.9]]} | files)
    at = upload(open_page("predict"), ("scan.tif", b"only the helper can read this"))
    assert "The model says 7" in words(at)
    assert "scan.tif · 6,000 × 3,000 pixels, grey." in words(at)
    assert len(film(at, run.id, "upload")) == 1


def test_an_upload_of_more_than_40_million_pixels_is_refused_by_its_name(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    large = io.BytesIO()
    Image.new("1", (8_000, 5_001)).save(large, "PNG")
    at = upload(open_page("predict"), ("<b>large</b>.png", large.getvalue()), ("small.png", photo()))
    assert "‘<b>large</b>.png’ is 8,000 × 5,001 pixels; at most 40,000,000 pixels" in words(at)
    assert "1 other file could be read." in words(at)


def test_an_upload_that_the_helper_died_of_leaves_the_others_their_answers(
    store: Store, fake: FakeDesk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_run(store, State.FINISHED)
    answer = fake.ask

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        if question.get("names") == ["large.png"]:
            raise StudioError("The helper process did not answer.")
        return answer(question)

    monkeypatch.setattr(fake, "ask", ask)
    at = upload(open_page("predict"), ("large.png", photo()), ("small.png", photo()))
    assert "‘large.png’: The helper process did not answer." in words(at)
    assert "small.png · 60 × 40 pixels" in words(at)
    assert not list(settings.temporary.glob("*.upload"))


def test_a_model_that_cannot_be_loaded_is_one_sentence(store: Store, fake: FakeDesk) -> None:
    ended_run(store, State.FINISHED)
    fake.failure = StudioError("The model cannot be loaded; it is damaged.")
    at = open_page("predict")
    assert not at.exception
    assert "The model cannot be loaded; it is damaged." in words(at)


def test_a_run_whose_set_is_gone_still_takes_uploads(store: Store, fake: FakeDesk) -> None:
    run = ended_run(store, State.FINISHED)
    store.update(run.id, spec=run.spec | {"data": run.spec["data"] | {"dataset": "cifar10"}})
    at = open_page("predict")
    assert "CIFAR-10 (cifar10) is not on this machine" in words(at)
    at = upload(at, ("a.png", photo()))
    assert "The model says horse" in words(at)


def test_it_answers_while_another_run_is_under_way(store: Store, fake: FakeDesk) -> None:
    run = ended_run(store, State.FINISHED)
    queued_run(store)
    at = open_page("predict")
    assert len(film(at, run.id)) == 10
