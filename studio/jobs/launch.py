"""Start the worker process of a claimed job."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from studio.jobs import log
from studio.jobs.queue import Claim
from studio.jobs.schema import transaction
from studio.jobs.states import State
from studio.jobs.store import Store, end

ROOT = Path(__file__).resolve().parents[2]


def launch(store: Store, claim: Claim) -> subprocess.Popen[bytes] | None:
    """Start a worker for a claimed job and hand it the locks.

    The worker gets a session of its own, so that Ctrl-C in the terminal of the launcher does not reach it, and a
    log file instead of pipes, so that it can go on when the launcher is gone.

    Returns:
        The process; None if it could not be started (the job has then failed, with the reason).
    """
    job = claim.job
    command = [sys.executable, "-m", "studio.engine.worker", job.id, "--lock-fd", str(claim.lock)]
    if claim.accelerator is not None:
        command += ["--accelerator-fd", str(claim.accelerator)]
    environment = (
        os.environ
        | job.environment
        | {
            "STUDIO_HOME": str(store.settings.home),
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        }
    )
    try:
        with (store.folder(job.id) / log.FILE_NAME).open("ab") as log_file:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
                env=environment,
                pass_fds=claim.descriptors,
                start_new_session=True,
            )
    except OSError as error:
        reason = f"The worker could not be started ({error.strerror}); free memory and disk space, then resume."
        with transaction(store.database) as opened:
            end(opened, job, State.FAILED, reason, actor="launcher", worked_until=time.time(), detail=str(error))
        return None
    finally:
        claim.close()
    return process
