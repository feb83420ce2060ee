"""`train`, `resume` and `watch`: a run in the foreground, its result as the last line of standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from studio import runs
from studio.cli.follow import Foreground
from studio.cli.output import emit, result_line, say
from studio.data.catalogue import NotOnDisk
from studio.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_STOPPED, RequestError
from studio.jobs.states import State
from studio.jobs.store import Job, Store
from studio.settings import Settings
from studio.spec.plan import Plan
from studio.spec.recipes import recipe as find_recipe
from studio.spec.run import LONGEST_SPEC, RunSpec, parse_spec

EXIT_CODES = {State.FINISHED: EXIT_OK, State.STOPPED: EXIT_STOPPED, State.FAILED: EXIT_FAILED}

SpecFile = Annotated[Path | None, typer.Argument(metavar="SPEC.json", help="A file with the spec of the run.")]
RecipeName = Annotated[str | None, typer.Option("--recipe", help="A ready choice: digits, mnist, cifar10, flowers.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.SETTING=VALUE", help="Change one setting; may be repeated."),
]
RunName = Annotated[str, typer.Option("--name", help="What the run is called in lists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Accepted for symmetry: the result is always JSON.")]
JobId = Annotated[str, typer.Argument(metavar="JOB", help="The id of a job, as `jobs` lists it.")]


def train(
    spec_file: SpecFile = None,
    recipe: RecipeName = None,
    overrides: Overrides = None,
    name: RunName = "",
    as_json: AsJson = False,
) -> None:
    """Train a model in the foreground. Ctrl-C stops it with a checkpoint."""
    spec = _read_spec(spec_file, recipe, overrides or [])
    settings = Settings.load()
    store = Store(settings)
    with Foreground(store) as foreground:
        plan = _check(store, settings, spec, foreground)
        if isinstance(plan, Job):
            _end(store, plan)
        job = runs.start(store, plan, owner="command line", name=name, reserved_by=foreground.name)
        _end(store, foreground.follow(job.id))


def resume(job_id: JobId, as_json: AsJson = False) -> None:
    """Go on with a stopped or failed run, in the foreground."""
    store = Store(Settings.load())
    with Foreground(store) as foreground:
        store.resume(job_id, "command line", reserved_by=foreground.name)
        _end(store, foreground.follow(job_id))


def watch(job_id: JobId, as_json: AsJson = False) -> None:
    """Follow a job that runs elsewhere; Ctrl-C leaves it running."""
    store = Store(Settings.load())
    store.get(job_id)
    with Foreground(store, stops=False) as foreground:
        job = foreground.follow(job_id)
    if job.live:
        emit(result_line(store, job))
        raise typer.Exit(EXIT_INTERRUPTED)
    _end(store, job)


def _read_spec(spec_file: Path | None, recipe: str | None, overrides: list[str]) -> RunSpec:
    if (spec_file is None) == (recipe is None):
        raise RequestError("train takes either a spec file or --recipe NAME.")
    if recipe is not None:
        return parse_spec(find_recipe(recipe).spec.model_dump(mode="json"), overrides)
    assert spec_file is not None
    try:
        with spec_file.open(encoding="utf-8") as opened:
            text = opened.read(LONGEST_SPEC + 1)
    except OSError as error:
        raise RequestError(f"The spec file {str(spec_file)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RequestError(f"The spec file {str(spec_file)!r} is not text (UTF-8).") from error
    return parse_spec(text, overrides)


def _check(store: Store, settings: Settings, spec: RunSpec, foreground: Foreground) -> Plan | Job:
    """The plan of the run; downloads the set first. A download that did not finish is returned instead."""
    try:
        return runs.check(settings, spec)
    except NotOnDisk as missing:
        runs.check_published(settings, spec)
        say(missing.sentence)
    job = runs.download(store, spec.data.dataset, owner="command line", reserved_by=foreground.name)
    job = foreground.follow(job.id)
    return runs.check(settings, spec) if job.state == State.FINISHED else job


def _end(store: Store, job: Job) -> NoReturn:
    emit(result_line(store, job))
    raise typer.Exit(EXIT_CODES.get(job.state, EXIT_STOPPED))
