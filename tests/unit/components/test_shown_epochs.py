"""A drag across a chart becomes whole epochs within the run."""

from __future__ import annotations

from typing import Any

import pytest

from components.curve_frames import Window
from components.shown_epochs import dragged_epochs


@pytest.mark.parametrize(
    ("selection", "part"),
    [
        ({"epoch": [3.2, 15.4]}, (3, 16)),
        ({"epoch": [15.4, 3.2]}, (3, 16)),
        ({"epoch": [-2.0, 99.0]}, (0, 40)),
        ({"epoch": [7.0, 7.0]}, None),
        ({"epoch": []}, None),
        ({}, None),
        (None, None),
    ],
)
def test_a_drag_becomes_whole_epochs(selection: Any, part: Window | None) -> None:
    assert dragged_epochs(selection, (0, 40)) == part
