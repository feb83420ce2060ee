"""How a job's function says that it was stopped, not finished."""

from __future__ import annotations


class Stopped(Exception):
    """The job has ended early because somebody asked for it; everything worth keeping is kept.

    Args:
        where: how far it came, as in `at epoch 7, step 12`.
    """

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where
