"""How to reach this page from another computer."""

from __future__ import annotations

import getpass
import socket


def tunnel_command(port: int, *, tpu: bool) -> str:
    """The command to type on a laptop, with the names of this machine; afterwards localhost there is this server."""
    forward = f"-L {port}:localhost:{port}"
    if tpu:
        return f"gcloud compute tpus tpu-vm ssh {socket.gethostname()} -- {forward}"
    return f"ssh {forward} {_user()}@{socket.gethostname()}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user number without a name, as in some containers
        return "USER"
