"""`predict`: ask a finished run about image files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from studio.cli.output import emit, say
from studio.data import catalogue
from studio.desk import Desk
from studio.errors import EXIT_FAILED, RequestError
from studio.jobs.states import Kind, State
from studio.jobs.store import Store
from studio.runs import settings_of
from studio.settings import Settings

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
JobId = Annotated[str, typer.Argument(metavar="JOB", help="The id of a finished run.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Image files.")]

TIMEOUT = 120.0  # seconds: TensorFlow has to be loaded first


def predict(job_id: JobId, files: Files, as_json: AsJson = False) -> None:
    """Say what a finished run sees in image files. A file that is no image is said so; the others are answered."""
    settings = Settings.load()
    store = Store(settings)
    job = store.get(job_id)
    if job.kind != Kind.TRAIN or job.state != State.FINISHED:
        raise RequestError(f"{job_id} has no finished model: it is a {job.kind} job and {job.state}.")
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise RequestError(f"There is no file {missing[0]!r}.")
    classes = catalogue.facts(settings_of(job, settings), job.spec["data"]["dataset"]).classes
    with closing(Desk("predictions", settings)) as desk:  # for one question; it ends with this command
        question = {"ask": "predict", "model": job.model_path, "pictures": [str(file.absolute()) for file in files]}
        answers = desk.ask(question, TIMEOUT)["pictures"]
    rows = [_row(file, answer, classes) for file, answer in zip(files, answers, strict=True)]
    if as_json:
        emit(rows)
    else:
        for row in rows:
            best = row["predictions"][0] if row["predictions"] else None
            print(f"{row['file']}: " + (f"{best['class']} ({best['probability']:.1%})" if best else row["error"]))
    if not any(row["predictions"] for row in rows):
        say("None of the files could be read as an image.")
        raise typer.Exit(EXIT_FAILED)


def _row(file: Path, answer: dict[str, Any], classes: tuple[str, ...]) -> dict[str, Any]:
    predictions = [
        {"class": classes[index], "probability": probability} for index, probability in answer.get("top", [])
    ]
    return {"file": str(file), "predictions": predictions, "error": answer.get("error")}
