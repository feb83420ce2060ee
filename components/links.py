"""Addresses to hand to somebody else."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

PAGE = "/train"


def train_link(**address: str) -> str:
    """The address of the Train page as this visitor reaches it, with what it shall show."""
    here = (st.context.url or "").rstrip("/").removesuffix(PAGE)
    return f"{here}{PAGE}?{urlencode(address)}"
