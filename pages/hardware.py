"""Hardware: what will training use, and why?"""

from __future__ import annotations

import streamlit as st

from components import session
from components.hardware_steps import hardware_steps
from components.running_line import running_line
from components.tunnel import tunnel_command
from components.words import ago, counted, escaped, size
from studio.hardware import detect
from studio.jobs.states import HELD

st.title("Hardware", anchor=False)
running_line()
verdict = st.container(border=True, horizontal=True, vertical_alignment="center", key="hardware_verdict")
again = verdict.button("Look again", type="primary", icon=":material/refresh:", key="hardware_look_again")
words = verdict.container(gap="xsmall")
with words.skeleton(height=48):
    found = detect(session.settings(), force=again)
words.markdown(f"**{escaped(found.verdict)}**")
words.caption(f"Looked {ago(found.checked_at)}.")

st.header("What was tried", anchor=False)
st.caption("A TPU takes four steps: resolver, connect, initialize, strategy. Then GPUs are looked for, then the CPU.")
hardware_steps(found.steps)

left, right = st.columns(2, gap="large")
with left:
    st.header("Devices", anchor=False)
    holders = [job for job in session.store().jobs(states=HELD) if job.needs_accelerator]
    st.table(
        {
            "Devices": escaped(", ".join(found.devices)),
            "Replicas": f"{found.replicas}",
            "Used by": escaped(holders[0].name) if holders else "nobody",
            "Processor": counted(found.cores, "core"),
            "Memory": size(found.memory),
        },
        border="horizontal",
        alt="Devices, processor and memory of this machine",
    )
with right:
    st.header("Versions", anchor=False)
    st.table(
        {version.package: escaped(version.version) for version in found.versions},
        border="horizontal",
        alt="Installed versions of the packages that matter for training",
    )
    for version in found.versions:
        if version.problem:
            st.markdown(f":yellow[:material/warning:] **{version.package} {version.version}**: {version.problem}.")
            st.code(version.command, language="bash")
    if not any(version.problem for version in found.versions):
        st.caption(":green[:material/check_circle:] No known bad combination.")

st.header("Reach this page from your laptop", anchor=False)
port = int(st.get_option("server.port"))
st.markdown(f"Run this on the laptop, keep it open, and open `http://localhost:{port}` there.")
st.code(tunnel_command(port, tpu=found.kind == "tpu"), language="bash")
