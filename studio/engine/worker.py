"""`python -m studio.engine.worker JOB --lock-fd N [--accelerator-fd M]`: do one job and end.

A worker is started for a job that was claimed for it and gets the locks that say so as open files: it holds
them to its last moment, and they are free as soon as it is gone, whatever ended it. Standard output and error are
the log of the job.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial

from studio.engine.keras_home import use_own_keras_home
from studio.engine.stopped import Stopped
from studio.errors import StudioError
from studio.hardware import record, tpu
from studio.jobs.reporter import Reporter
from studio.jobs.states import NEEDS_ACCELERATOR, Kind, State
from studio.jobs.store import Job, Store
from studio.settings import Settings

RECORD_FOR = 60.0  # seconds in which the end of a job is tried to be recorded

# What does a job of each kind: `module:function`, called with the job, the reporter and the settings. Returning
# means finished, with the returned sentence; `Stopped` and `StudioError` say otherwise.
FUNCTIONS = {
    Kind.TRAIN: "studio.engine.trainer:run",
    Kind.DOWNLOAD: "studio.engine.download:run",
}


def main(arguments: list[str]) -> None:
    """Do the job and end the process; the exit code is 0 however the job ended, the store says how."""
    parser = argparse.ArgumentParser(prog="python -m studio.engine.worker")
    parser.add_argument("job")
    parser.add_argument("--lock-fd", type=int, required=True)
    parser.add_argument("--accelerator-fd", type=int)
    given = parser.parse_args(arguments)
    keep_from_children(given.lock_fd, given.accelerator_fd)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a closed terminal does not end a run

    settings = Settings.load()
    store = Store(settings)
    job = store.get(given.job)
    if store.begin(job, os.getpid()):
        do(store.get(job.id), store, settings)
    leave()


def do(job: Job, store: Store, settings: Settings) -> None:
    """Run the function of the job's kind and record how it ended."""
    reporter = Reporter(store, job)
    signal.signal(signal.SIGTERM, lambda number, frame: reporter.request_stop())
    os.environ.update(device_environment(job, settings))
    use_own_keras_home(settings)
    state, reason, detail = State.FAILED, "", ""
    try:
        with reporter.safe_to_leave():  # importing TensorFlow takes seconds
            function = function_of(job.kind)
        state, reason = State.FINISHED, function(job, reporter, settings)
    except Stopped as stopped:
        state, reason = State.STOPPED, reporter.stop_sentence(stopped.where)
    except StudioError as error:
        reason, detail = error.sentence, error.detail
    except BaseException as error:
        traceback.print_exc()
        reason = (
            f"Something went wrong that the program did not expect ({type(error).__name__}: {error}); "
            "the details hold what a developer needs."
        )
        detail = traceback.format_exc()
    record_end(reporter, state, reason, detail)


def record_end(reporter: Reporter, state: State, reason: str, detail: str) -> None:
    """Record how the job ended; a store that is busy or on a full disk is tried again for a while."""
    give_up = time.monotonic() + RECORD_FOR
    while True:
        try:
            reporter.finish(state, reason, detail=detail)
            break
        except StudioError as error:
            if time.monotonic() > give_up:
                reporter.log(f"The end could not be recorded: {error.sentence} It was: {state}. {reason}")
                break
            time.sleep(1)
    reporter.close()


def function_of(kind: Kind) -> Callable[[Job, Reporter, Settings], str]:
    """The function that does jobs of a kind."""
    module, name = FUNCTIONS[kind].split(":")
    function: Callable[[Job, Reporter, Settings], str] = getattr(importlib.import_module(module), name)
    return function


def device_environment(job: Job, settings: Settings) -> dict[str, str]:
    """Variables TensorFlow reads at import, so that a job touches the accelerator only if it was planned for it."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "1")}
    strategy = job.spec.get("training", {}).get("strategy") if job.kind in NEEDS_ACCELERATOR else None
    if strategy == "tpu":
        known = record.stored(settings.home)
        return quiet | tpu.environment(known.runtime if known else tpu.runtimes_to_try()[0])
    if strategy == "gpu":
        return quiet | tpu.environment("")
    return quiet | tpu.environment("") | {"CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}


def keep_from_children(*descriptors: int | None) -> None:
    """Keep the locks in this process: a child that outlived it would seem to be the worker."""
    for descriptor in filter(None, descriptors):
        os.set_inheritable(descriptor, False)
        os.register_at_fork(after_in_child=partial(os.close, descriptor))


def leave() -> None:
    """End now: TensorFlow's own end takes over a second, in which the device would stay taken."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
