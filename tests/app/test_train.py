"""The Train page in each of its faces: draft, waiting, live, finished, stopped, failed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from studio import runs
from studio.jobs.drafts import Drafts
from studio.jobs.queue import Claim, claim
from studio.jobs.reporter import Reporter
from studio.jobs.states import Kind, Phase, State
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.recipes import RECIPES
from studio.spec.run import parse_spec

ENTRY = Path(__file__).resolve().parents[2] / "studio" / "app.py"
OWNER = "local"  # a visitor without a browser
STEPS = 39  # of an epoch of the digits


def train(**address: str) -> AppTest:
    """The Train page, opened with this address."""
    at = AppTest.from_file(str(ENTRY), default_timeout=60).run()
    for name, value in address.items():
        at.query_params[name] = value
    return at.switch_page("../pages/train.py").run()


def address(at: AppTest, name: str) -> str:
    """What stands in the address under this name."""
    value = at.query_params[name]
    return value if isinstance(value, str) else value[0]


def words(at: AppTest) -> str:
    """Everything that the page says, escapes taken out."""
    said = [*at.title, *at.header, *at.markdown, *at.caption, *at.text]
    return "\n".join(str(element.value) for element in said).replace("\\", "")


def draft(store: Store, spec: dict[str, Any]) -> str:
    return Drafts(store).create(spec, OWNER).id


def digits(store: Store, **training: Any) -> str:
    spec = RECIPES["digits"].spec.model_dump(mode="json", exclude_unset=True)
    return draft(store, spec | {"training": spec["training"] | training})


def field(at: AppTest, name: str) -> Any:
    """The field of a training setting, whatever draft it belongs to."""
    fields = [*at.number_input, *at.selectbox]
    return next(element for element in fields if str(element.key).startswith(f"training_{name}"))


@pytest.fixture
def queued(settings: Settings, store: Store) -> Job:
    """A digits run that waits for a worker."""
    return runs.start(store, runs.check(settings, RECIPES["digits"].spec), owner=OWNER)


@pytest.fixture
def held(queued: Job, store: Store) -> Iterator[Claim]:
    """The same, running: this process holds its locks as a worker would."""
    claimed = claim(store)
    assert claimed is not None
    assert store.move(queued.id, State.STARTING, State.RUNNING)
    yield claimed
    claimed.close()


@pytest.fixture
def live(held: Claim, store: Store) -> Iterator[Reporter]:
    """The same, after seven epochs: the loss falls, and three of 270 answers are wrong."""
    reporter = Reporter(store, store.get(held.job.id))
    reporter.phase(Phase.DATA)
    reporter.update(parameters=35_914, precision="float32", device="CPU", replicas=1, examples_per_second=6_396.0)
    reporter.phase(Phase.TRAIN)
    for epoch in range(1, 8):
        reporter.record_step(epoch * STEPS, loss=2.2 / epoch, accuracy=1 - 0.8 / epoch)
        figures = {"loss": 2.0 / epoch, "accuracy": 0.97, "val_loss": 1.9 / epoch, "val_accuracy": 267 / 270}
        reporter.record_epoch(epoch, **figures)
        reporter.update(**figures, best_val_accuracy=267 / 270, best_epoch=5, validation_right=267)
    reporter.progress(7, 7 * STEPS + 11)
    pictures = [{"row": row, "label": 1, "answer": answer, "confidence": 0.58} for row, answer in ((0, 1), (1, 8))]
    reporter.update(answers={"epoch": 7, "pictures": pictures})
    reporter.flush()
    yield reporter
    reporter.close()


def finish(reporter: Reporter, state: State, reason: str, *, detail: str = "", **columns: Any) -> None:
    reporter.update(**columns)
    reporter.finish(state, reason, detail=detail)
    reporter.close()


# ---- draft ---------------------------------------------------------------------------------------------------------


def test_a_complete_draft_says_in_numbers_what_will_happen(store: Store) -> None:
    at = train(draft=digits(store))
    said = words(at).replace("**", "")
    assert "The small CNN sees 1,257 images 40 times, on the CPU with 1 replica." in said
    assert "Each step takes a batch of 32: 39 steps per epoch, and 9 images are left over." in said
    assert "270 validation images: expect the accuracy to be uncertain by about 3 points" in said
    assert not at.button(key="start").disabled
    assert at.button(key="start").label == "Start training"


def test_a_model_with_a_name_has_no_article(store: Store) -> None:
    spec = {"data": {"dataset": "digits", "image_size": 32}, "model": {"name": "mobilenet_v2", "weights": "imagenet"}}
    said = words(train(draft=draft(store, spec))).replace("**", "")
    assert "\nMobileNetV2 sees 1,257 images" in said
    assert "The ImageNet weights are not on this machine: they are downloaded when the run starts" in said


def test_a_draft_without_images_says_what_is_missing(home: Path) -> None:
    at = train()
    assert at.button(key="start").disabled
    assert at.button(key="quick_try").disabled
    assert "Waiting: No images are chosen yet." in words(at)


def test_a_set_that_is_not_here_can_be_downloaded(store: Store) -> None:
    at = train(draft=draft(store, {"data": {"dataset": "mnist"}}))
    assert "MNIST is not on this machine yet." in words(at).replace("**", "")
    assert at.button(key="start").disabled
    at.button(key="download_set").click().run()
    (job,) = store.jobs(kind=Kind.DOWNLOAD)
    assert job.spec == {"dataset": "mnist"}
    assert "MNIST is being downloaded" in words(at)
    assert not [button for button in at.button if button.key == "download_set"]


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("epochs", 12, {"epochs": 12}),
        ("batch_size", 64, {"batch_size": 64}),
        ("learning_rate", 0.01, {"learning_rate": 0.01}),
        ("precision", "mixed_bfloat16", {"precision": "mixed_bfloat16"}),
        ("strategy", ("virtual", 4), {"strategy": "virtual", "replicas": 4}),
        ("seed", 3, {"seed": 3}),
        ("optimizer", "sgd", {"optimizer": "sgd"}),
        ("share", 10, {"share": 0.1}),
    ],
)
def test_every_change_is_written_to_the_draft_at_once(
    store: Store, name: str, value: Any, stored: dict[str, Any]
) -> None:
    draft_id = digits(store)
    field(train(draft=draft_id), name).set_value(value).run()
    assert stored.items() <= Drafts(store).get(draft_id).spec["training"].items()
    assert field(train(draft=draft_id), name).value == value  # another tab


def test_a_change_elsewhere_is_taken_over(store: Store) -> None:
    draft_id = digits(store)
    at = train(draft=draft_id)
    field(at, "epochs").set_value(12).run()
    Drafts(store).undo(draft_id)
    assert field(at.run(), "epochs").value == 40


def test_replicas_share_the_batch_and_are_said_to_be_virtual(store: Store) -> None:
    said = words(train(draft=digits(store, strategy="virtual", replicas=2))).replace("**", "")
    assert "on the CPU with 2 virtual replicas" in said
    assert "a global batch of 32, 16 for each replica" in said


def test_a_batch_that_is_too_large_is_refused_with_the_reason(store: Store) -> None:
    at = train(draft=digits(store, batch_size=5_000))
    assert at.button(key="start").disabled
    assert "Waiting: Global batch size is 5,000, but only 1,257 training images are there" in words(at)


def test_a_number_that_is_not_allowed_stands_in_the_field_and_says_what_is(store: Store) -> None:
    at = train(draft=digits(store))
    field(at, "epochs").set_value(0).run()
    assert field(at, "epochs").value == 0
    assert at.button(key="start").disabled
    assert "Epochs is 0; allowed: a whole number from 1 to 100,000." in words(at)


def test_a_number_typed_just_before_start_counts(store: Store) -> None:
    """The click comes with the changed number in one message, before the page was drawn with it."""
    at = train(draft=digits(store))
    field(at, "epochs").set_value(3)
    at.button(key="start").click().run()
    (job,) = store.jobs(kind=Kind.TRAIN)
    assert job.spec["training"]["epochs"] == 3


def test_quick_try_is_refused_where_a_tenth_fills_no_batch(store: Store) -> None:
    at = train(draft=digits(store, batch_size=256))
    assert not at.button(key="start").disabled
    assert at.button(key="quick_try").disabled


def test_the_command_trains_the_same(store: Store, settings: Settings) -> None:
    at = train(draft=digits(store, batch_size=64))
    command = next(code.value for code in at.code if code.value.startswith("echo"))
    spec = parse_spec(command.split("'")[1])
    assert runs.check(settings, spec) == runs.check(
        settings, parse_spec({"data": {"dataset": "digits"}, "training": {"epochs": 40, "batch_size": 64}})
    )


def test_start_makes_one_run_and_shows_it(store: Store) -> None:
    at = train(draft=digits(store))
    at.button(key="start").click().run()
    (job,) = store.jobs(kind=Kind.TRAIN)
    assert address(at, "run") == job.id
    assert (job.spec["training"]["epochs"], job.owner) == (40, OWNER)
    assert "Waiting, next in the queue" in at.get("progress")[0].proto.text


def test_quick_try_is_one_epoch_on_a_tenth(store: Store) -> None:
    train(draft=digits(store)).button(key="quick_try").click().run()
    (job,) = store.jobs(kind=Kind.TRAIN)
    assert (job.spec["training"]["epochs"], job.spec["training"]["share"]) == (1, 0.1)


def test_while_a_run_lives_start_adds_to_the_queue(store: Store, queued: Job) -> None:
    at = train(draft=digits(store))
    assert at.button(key="start").label == "Add to the queue"
    assert "1 run before this one" in words(at)


# ---- waiting and live ----------------------------------------------------------------------------------------------


def test_a_waiting_run_says_its_place_and_can_be_stopped(store: Store, settings: Settings, held: Claim) -> None:
    second = runs.start(store, runs.check(settings, RECIPES["digits"].spec), name="The second")
    at = train(run=second.id)
    assert "Waiting, 1 run before this one" in at.get("progress")[0].proto.text
    assert f"Running now: {held.job.name}" in words(at)
    at.button(key="stop_run").click().run()
    assert store.get(second.id).state == State.STOPPED


def test_a_live_run_shows_its_numbers(live: Reporter, held: Claim) -> None:
    at = train(run=held.job.id)
    assert not at.exception
    shown = {metric.label: (metric.value, metric.proto.delta_description) for metric in at.metric}
    assert shown["Validation accuracy"] == ("98.9%", "best 98.9%, epoch 5")
    assert shown["Validation loss"] == ("0.271", "training 0.286")
    assert shown["Images per second"] == ("6,396", "while training")
    assert shown["Time left"][1].endswith("so far")
    assert "small CNN, 35,914 parameters · batch 32 on 1 replica · float32, read back from the layers · CPU" in words(
        at
    )
    assert at.get("progress")[0].proto.text.startswith("**Epoch 8 of 40**, step 11 of 39 · ")
    assert "**Still learning.** :orange[Validation] loss reached its lowest value at epoch 7." in words(at)


def test_a_live_run_draws_both_curves_with_the_guessing_line(live: Reporter, held: Claim) -> None:
    loss, accuracy = (json.loads(chart.proto.spec) for chart in train(run=held.job.id).get("vega_lite_chart"))
    for chart in (loss, accuracy):
        assert chart["encoding"]["x"]["scale"]["domain"] == [0, 40]
    assert loss["encoding"]["y"]["scale"]["domain"] == [0.0, pytest.approx(1.1 * 2.3026, abs=1e-3)]
    assert accuracy["encoding"]["y"]["scale"]["domain"] == [0.0, 1.0]


def test_a_zoom_stands_in_the_address(live: Reporter, held: Claim) -> None:
    at = train(run=held.job.id, epochs="3-6")
    for chart in at.get("vega_lite_chart"):
        assert json.loads(chart.proto.spec)["encoding"]["x"]["scale"]["domain"] == [3, 6]
    at.button(key="show_whole_run").click().run()
    assert "epochs" not in at.query_params


@pytest.mark.parametrize("nonsense", ["", "7", "9-2", "a-b", "-3-4", "1e9-2"])
def test_a_window_that_makes_no_sense_shows_the_whole_run(live: Reporter, held: Claim, nonsense: str) -> None:
    at = train(run=held.job.id, epochs=nonsense)
    chart = at.get("vega_lite_chart")[0]
    assert json.loads(chart.proto.spec)["encoding"]["x"]["scale"]["domain"] == [0, 40]
    assert "epochs" not in at.query_params


def test_epochs_are_chosen_by_number_too(live: Reporter, held: Claim) -> None:
    at = train(run=held.job.id)
    next(number for number in at.number_input if number.label == "To epoch").set_value(20).run()
    assert address(at, "epochs") == "0-20"


def test_present_answers_are_told_right_from_wrong_in_words(live: Reporter, held: Claim) -> None:
    at = train(run=held.job.id)
    said = words(at)
    assert ":green[:material/check:] **1**  \n58%" in said
    assert ":red[:material/close:] **8**  \n58%, wrong  \nlabel 1" in said
    alts = [image.proto.imgs[0].alt for image in at.get("image")]
    assert alts[-1] == "Image with the label 1; the model says 8, wrong"


def test_class_names_under_the_pictures_stay_on_one_line(
    live: Reporter, held: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("", "automobile", *("",) * 6, "Samoyed, Samoyede")
    monkeypatch.setattr("components.answers_now._pictures", lambda *_: ((b"png", b"png"), names))
    monkeypatch.setattr("components.answers_now.st.image", lambda *_, **__: None)
    said = words(train(run=held.job.id))
    assert "**automobile**" in said
    assert "**Samoy … de**" in said


def test_stop_is_asked_for_once(live: Reporter, held: Claim, store: Store) -> None:
    at = train(run=held.job.id)
    at.button(key="stop_run").click().run()
    assert store.get(held.job.id).stop_by == "you"
    assert at.button(key="stop_run").disabled
    assert "Stopping after this step, then saving a checkpoint" in words(at)


def test_stop_comes_too_late_without_harm(live: Reporter, held: Claim, store: Store) -> None:
    at = train(run=held.job.id)
    finish(live, State.FINISHED, "Finished after 40 epochs.")
    at.button(key="stop_run").click().run()
    assert not at.exception
    assert "is not running" in words(at)
    assert at.header[0].value == "98.9% of the validation images are right"


def test_silence_is_said_with_whether_the_worker_lives(live: Reporter, held: Claim, store: Store) -> None:
    live.close()
    store.update(held.job.id, heartbeat=time.time() - 60)
    said = words(train(run=held.job.id))
    assert "No news for 1 min" in said
    assert "The worker is alive." in said


def test_train_opened_without_an_address_shows_the_own_live_run(live: Reporter, held: Claim) -> None:
    at = train()
    assert address(at, "run") == held.job.id
    at.button(key="back_to_draft").click().run()
    assert "run" not in at.query_params
    assert at.button(key="start").label == "Add to the queue"


def test_a_name_from_outside_is_never_markdown(queued: Job, store: Store) -> None:
    store.update(queued.id, name="![x](http://example.org/x.png) **loud** <b>")
    title = train(run=queued.id).title[0].value
    assert "![x](" not in title
    assert "**loud**" not in title
    assert words(train(run=queued.id)).count("**loud**") == 1  # only after the escapes were taken out


def test_a_run_can_be_renamed(queued: Job, store: Store) -> None:
    (field,) = train(run=queued.id).text_input
    field.set_value("First try").run()
    assert store.get(queued.id).name == "First try"


def test_a_run_can_be_duplicated_as_a_draft(queued: Job, store: Store) -> None:
    at = train(run=queued.id)
    at.button(key="duplicate_run").click().run()
    assert Drafts(store).get(address(at, "draft")).spec == queued.spec
    assert "run" not in at.query_params


# ---- ended ---------------------------------------------------------------------------------------------------------


def test_a_finished_run_says_how_good_it_is_and_what_is_next(
    live: Reporter, held: Claim, store: Store, tmp_path: Path
) -> None:
    model = tmp_path / "model.keras"
    model.write_bytes(b"weights")
    finish(live, State.FINISHED, "Finished after 40 epochs.", model_path=str(model), epoch=40)
    at = train(run=held.job.id)
    assert at.header[0].value == "98.9% of the validation images are right"
    said = words(at)
    assert "267 of 270; the true rate is likely between 96.8% and 99.62% (Wilson 95%)." in said
    assert "Guessing would give 10.4%." in said
    assert "The saved model is that of epoch 40, the last; epoch 5 had 98.9%." in said
    assert "The saved model was loaded again and gives the same answers." in said
    assert at.button(key="try_it").label == "Try it on images"
    assert at.get("download_button")[0].proto.label == "Download model"
    assert not [button for button in at.button if button.key in ("stop_run", "resume_run")]
    assert store.get(held.job.id).seen


def test_a_stopped_run_can_be_resumed(live: Reporter, held: Claim, store: Store) -> None:
    finish(live, State.STOPPED, "Stopped at epoch 8, step 11, by you.", checkpoint_step=284, checkpoint_epoch=7)
    at = train(run=held.job.id)
    assert "Stopped at epoch 8, step 11, by you." in words(at)
    assert at.button(key="resume_run").label == "Resume"
    at.button(key="resume_run").click().run()
    assert store.get(held.job.id).state == State.QUEUED
    assert "Waiting, next in the queue" in at.get("progress")[0].proto.text


def test_resume_twice_is_one_resume(live: Reporter, held: Claim, store: Store) -> None:
    finish(live, State.STOPPED, "Stopped at epoch 8, step 11, by you.", checkpoint_step=284, checkpoint_epoch=7)
    at = train(run=held.job.id)
    store.resume(held.job.id, "somebody else")
    at.button(key="resume_run").click().run()
    assert not at.exception
    assert "cannot be resumed" in words(at)


def test_a_failed_run_says_why_and_hands_out_a_report(live: Reporter, held: Claim) -> None:
    finish(live, State.FAILED, "The loss became NaN at step 812 (learning rate 1).", detail="Traceback: <here>")
    at = train(run=held.job.id)
    assert "The loss became NaN at step 812 (learning rate 1)." in [text.value for text in at.text]
    assert at.button(key="resume_run").label == "Start again"
    details, report = (code.value for code in at.code if "Traceback: <here>" in code.value)
    assert details == "Traceback: <here>"
    assert "## Versions" in report
    assert '"learning_rate": 0.001' in report


def test_a_loss_that_exploded_offers_a_lower_learning_rate(live: Reporter, held: Claim, store: Store) -> None:
    live.event("nan", "The loss became NaN.", epoch=1.0, step=8)
    finish(live, State.FAILED, "The loss became NaN at step 8 (learning rate 0.001).")
    at = train(run=held.job.id)
    at.button(key="change_settings").click().run()
    assert not store.jobs(states=[State.QUEUED])
    assert field(at, "learning_rate").value == pytest.approx(0.0001)


def test_a_deleted_run_says_so(live: Reporter, held: Claim, store: Store) -> None:
    finish(live, State.FINISHED, "Finished after 40 epochs.")
    runs.delete(store, held.job.id)
    at = train(run=held.job.id)
    assert not at.exception
    assert "This run was deleted just now." in words(at)
    assert not at.button


@pytest.mark.parametrize(("owner", "seen"), [(OWNER, True), ("command line", True), ("", True), ("another", False)])
def test_only_the_look_of_its_owner_counts_as_seen(
    live: Reporter, held: Claim, store: Store, owner: str, seen: bool
) -> None:
    store.update(held.job.id, owner=owner)
    finish(live, State.FINISHED, "Finished after 40 epochs.")
    train(run=held.job.id)
    assert store.get(held.job.id).seen is seen


# ---- the running line on other pages -------------------------------------------------------------------------------


def test_other_pages_show_the_live_run_and_then_how_it_ended(live: Reporter, held: Claim) -> None:
    at = AppTest.from_file(str(ENTRY), default_timeout=60).run()
    assert "epoch 8 of 40" in words(at)
    assert "Watch" in [link.proto.label for link in at.get("page_link")]
    finish(live, State.FINISHED, "Finished after 40 epochs.")
    at.run()
    assert "See result" in [link.proto.label for link in at.get("page_link")]
    train(run=held.job.id)  # its end is looked at
    at.run()
    assert "See result" not in [link.proto.label for link in at.get("page_link")]


def test_a_field_that_shows_the_draft_is_left_alone(store: Store) -> None:
    """What a page sends into a field would take back what is being typed into it."""
    at = train(draft=digits(store))
    assert field(at, "epochs").proto.set_value  # nothing stood in it before
    field(at, "epochs").set_value(41).run()
    assert field(at, "epochs").value == 41
    assert not field(at, "epochs").proto.set_value
