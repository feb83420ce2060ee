"""Locks on files that say who lives: free at once when their holder dies, whatever way it dies.

They are `flock` locks: they belong to the open file, so they can be handed to a child process, and no process id,
clock or suspended laptop can lie about them.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def try_lock(path: Path) -> int | None:
    """Take the lock on a file (created if missing) without waiting.

    Returns:
        The open file descriptor that holds it, not inheritable; None if somebody else has it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock on this file. Never creates the file."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
