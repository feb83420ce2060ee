"""A browser is known again after a reload, although Streamlit masks its cookie anew each time."""

from __future__ import annotations

import pytest

from components.session import NOBODY, owner_of


def test_the_same_token_under_another_mask_is_the_same_owner() -> None:
    first = owner_of("2|77181eac|3c39a6c972951fbc70d56c13725e8b6f|1796070036")
    second = owner_of("2|394e7508|726fcd6d3cc374183e8307b73c08e0cb|1796070036")
    assert first == second
    assert len(first) == 16


def test_another_token_is_another_owner() -> None:
    assert owner_of("2|77181eac|3c39a6c972951fbc70d56c13725e8b6f|1") != owner_of(
        "2|77181eac|3c39a6c972951fbc70d56c13725e8b60|1"
    )


@pytest.mark.parametrize("cookie", ["", "plain", "2|zz|zz|1", "2|abcd|12"])
def test_a_cookie_that_is_none_of_streamlits_is_nobody(cookie: str) -> None:
    assert owner_of(cookie) == NOBODY
