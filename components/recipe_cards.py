"""The recipes of Home as cards; one click fills a new draft and opens Train."""

from __future__ import annotations

from statistics import median

import streamlit as st

from components import places, session
from components.samples import sample_strip
from components.words import counted, duration, escaped, size
from studio.data.catalogue import CatalogueEntry, NotOnDisk, entry, facts
from studio.errors import StudioError
from studio.jobs.states import Kind, State
from studio.jobs.store import Job
from studio.spec.models import MODELS
from studio.spec.recipes import RECIPES, Recipe

MOST_RUNS = 200  # finished runs that are looked at for the time a recipe took
ABOUT_HEIGHT = 140  # pixels: what a card says, for the placeholder


def recipe_cards() -> None:
    """Draw one card a recipe. What has to be read from disk comes after all buttons."""
    first = next(iter(RECIPES))
    places_of_text = []
    for column, (name, recipe) in zip(st.columns(len(RECIPES), gap="small"), RECIPES.items(), strict=True):
        with column.container(border=True, gap="small", height="stretch", key=f"recipe_card_{name}"):
            places_of_text.append(st.container(gap="small"))
            st.space("stretch")
            if st.button(
                "Open recipe", key=f"recipe_{name}", type="primary" if name == first else "secondary", width="stretch"
            ):
                draft = session.new_draft(recipe.spec.model_dump(mode="json", exclude_unset=True))
                st.switch_page(places.TRAIN, query_params={"draft": draft.id})
    finished = session.store().jobs(kind=Kind.TRAIN, states=[State.FINISHED], limit=MOST_RUNS)
    for place, recipe in zip(places_of_text, RECIPES.values(), strict=True):
        with place, place.skeleton(height=ABOUT_HEIGHT):
            _about(recipe, measured_seconds(recipe, finished))


def measured_seconds(recipe: Recipe, finished: list[Job]) -> float | None:
    """The median time of earlier runs of a recipe on this machine, None where there was none."""
    wanted = recipe.spec.model_dump(mode="json", exclude_unset=True)
    wanted["training"]["share"] = recipe.spec.training.share  # a run on a part of the images says nothing about all
    times = [job.seconds for job in finished if job.seconds is not None and _contains(job.spec, wanted)]
    return median(times) if times else None


def _contains(spec: dict, wanted: dict) -> bool:
    return all(
        _contains(spec.get(key, {}), value) if isinstance(value, dict) else spec.get(key) == value
        for key, value in wanted.items()
    )


def _about(recipe: Recipe, seconds: float | None) -> None:
    """The upper part of a card: real samples where the set is on disk, what it is, how long it takes."""
    published = entry(recipe.spec.data.dataset)
    problem = ""
    try:
        found = facts(session.settings(), published.name)
    except NotOnDisk:
        found = None
    except StudioError as error:
        found, problem = None, error.sentence
    if found:
        st.image(
            sample_strip(session.settings(), found.name, found.version),
            width="stretch",
            alt=f"Eight images of {found.title}",
        )
        images, classes = found.images, len(found.classes)
    else:
        st.caption(f":material/image: {', '.join(published.classes[:4])} …")
        images, classes = sum(published.images.values()), len(published.classes)
    st.markdown(
        f"**{recipe.title}**  \n{_badge(published, found is not None, problem)}",
        help=escaped(problem) if problem else None,
    )
    model = MODELS[str(recipe.spec.model.name)].in_sentence
    st.caption(
        f"{counted(images, 'image')}, {counted(classes, 'class', 'classes')}, {model}  \n"
        + (f"About {duration(seconds)} on this machine" if seconds else "Not measured here yet")
    )


def _badge(published: CatalogueEntry, on_disk: bool, problem: str) -> str:
    if problem:
        return ":red-badge[:material/error: cannot be read]"
    if on_disk:
        return ":green-badge[:material/check: ready, works offline]"
    return f":gray-badge[:material/download: {size(published.download_bytes)} to download]"
