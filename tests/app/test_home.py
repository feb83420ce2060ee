"""Home: recipes, what training will use, the latest runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from studio.jobs.drafts import Drafts
from studio.jobs.states import State
from studio.jobs.store import Store
from studio.spec.recipes import RECIPES
from tests.app.pages import alts, links, open_page, words
from tests.app.runs_made import ended_run


def test_the_first_visit_offers_four_recipes_and_says_what_training_will_use(home: Path) -> None:
    at = open_page("home")
    said = words(at)
    assert "Training will use the CPU" in said
    assert "No runs yet. Your first one appears here a few seconds after you press Start." in said
    assert [at.button(key=f"recipe_{name}").label for name in RECIPES] == ["Open recipe"] * 4
    assert "1,797 images, 10 classes, small CNN" in said
    assert said.count("Not measured here yet") == 4


def test_only_what_is_on_this_machine_is_called_ready(home: Path) -> None:
    said = words(open_page("home"))
    assert said.count("ready, works offline") == 1
    assert "11 MiB to download" in said
    assert "162 MiB to download" in said


def test_sets_on_disk_show_real_images(home: Path, tfds_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFDS_DATA_DIR", str(tfds_dir))
    at = open_page("home")
    assert words(at).count("ready, works offline") == 4
    assert alts(at) == [
        "Eight images of Handwritten digits",
        "Eight images of MNIST",
        "Eight images of CIFAR-10",
        "Eight images of Flower photos",
    ]


def test_a_damaged_set_says_so_and_leaves_the_other_cards(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mnist" / "3.0.1").mkdir(parents=True)
    monkeypatch.setenv("TFDS_DATA_DIR", str(tmp_path))
    said = words(open_page("home"))
    assert said.count("cannot be read") == 1
    assert said.count("ready, works offline") == 1


def test_one_click_opens_a_recipe_as_a_filled_draft(store: Store) -> None:
    at = open_page("home")
    at.button(key="recipe_cifar10").click().run()
    assert at.title[0].value == "Train"
    draft = Drafts(store).latest("local")
    assert draft is not None
    assert draft.spec == {
        "data": {"dataset": "cifar10"},
        "model": {"name": "cifar10_cnn"},
        "training": {"epochs": 10, "batch_size": 128},
    }


def test_the_time_of_a_recipe_is_that_of_its_finished_runs_here(store: Store) -> None:
    for seconds in (14.0, 16.0, 90.0):
        store.update(ended_run(store, State.FINISHED).id, seconds=seconds)
    store.update(ended_run(store, State.STOPPED).id, seconds=1.0)
    part = ended_run(store, State.FINISHED)
    store.update(part.id, seconds=2.0, spec=part.spec | {"training": part.spec["training"] | {"share": 0.1}})
    said = words(open_page("home"))
    assert "About 16 s on this machine" in said
    assert said.count("Not measured here yet") == 3


def test_the_latest_five_runs_lead_to_their_pages(store: Store) -> None:
    for number in range(6):
        ended_run(store, State.FAILED, name=f"Run [{number}](http://a.example)")
    at = open_page("home")
    rows = [label for label in links(at) if label.startswith("Run")]
    assert rows == [f"Run [{number}](http://a.example)" for number in (5, 4, 3, 2, 1)]


def test_the_first_visit_loads_neither_pandas_nor_altair(home: Path) -> None:
    """Each costs a good part of the time to the first paint; later pages load them."""
    script = (
        "import sys\n"
        "from tests.app.pages import ENTRY\n"
        "from streamlit.testing.v1 import AppTest\n"
        "at = AppTest.from_file(str(ENTRY), default_timeout=60).run()\n"
        "assert at.title[0].value == 'Train an image classifier'\n"
        "print([name for name in ('altair', 'pandas', 'tensorflow', 'keras') if name in sys.modules])\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
