"""`jobs` and `stop`: what is running, what ran, and ending it."""

from __future__ import annotations

from typing import Annotated

import typer

from studio.cli.output import emit, job_line, say
from studio.jobs.store import Store
from studio.settings import Settings

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
JobId = Annotated[str, typer.Argument(metavar="JOB", help="The id of a job, as `jobs` lists it.")]


def jobs(as_json: AsJson = False) -> None:
    """List all jobs, newest first."""
    found = Store(Settings.load()).jobs(limit=-1)
    if as_json:
        emit([job_line(job) for job in found])
        return
    if not found:
        say("No jobs yet. `python -m studio train --recipe digits` makes one in about 15 seconds.")
    for job in found:
        epochs = f"epoch {job.epoch} of {job.epochs}" if job.epochs else ""
        print(f"{job.id:14}  {job.state:9}  {epochs:20}  {job.name}  {job.reason or ''}".rstrip())


def stop(job_id: JobId, as_json: AsJson = False) -> None:
    """Ask for a job to be stopped; its checkpoint is kept."""
    job = Store(Settings.load()).request_stop(job_id, "command line")
    if as_json:
        emit(job_line(job))
    else:
        say(f"{job.id}: {job.reason or 'stopping'}")
