"""Terms: what does this word mean?"""

from __future__ import annotations

import streamlit as st

from components.running_line import running_line
from studio.spec.data import DataSpec
from studio.spec.fields import about
from studio.spec.glossary import TERMS
from studio.spec.model import ModelSpec
from studio.spec.training import TrainingSpec

st.title("Terms", anchor=False)
running_line()

st.header("Words", anchor=False)
with st.grid(2, min_column_width=320, gap="medium", key="terms_words"):
    for term, sentence in sorted(TERMS.items()):
        st.markdown(f"**{term}**  \n{sentence}")

st.header("Settings", anchor=False)
with st.grid(2, min_column_width=320, gap="medium", key="terms_settings"):
    for spec in (DataSpec, ModelSpec, TrainingSpec):
        for name in spec.model_fields:
            setting = about(spec, name)
            st.markdown(f"**{setting.label}**  \n{setting.help}")
