"""What a draft would do, before it does it: one sentence in numbers, and what is worth knowing."""

from __future__ import annotations

import streamlit as st

from components.words import counted, escaped
from studio.jobs.interval import wilson
from studio.spec.models import MODELS
from studio.spec.plan import Plan

SURE = 0.01  # an accuracy that is uncertain by more than this is worth a note
USUAL_RATE = 0.03  # the largest learning rate with which adaptive optimizers usually learn
USUAL_RATE_OF_SGD = 1.0
LIKELY_ACCURACY = 0.95  # of which the uncertainty is told beforehand

Note = tuple[bool, str]  # whether it is a warning, and the sentence


def outlook(plan: Plan, notes: list[Note]) -> None:
    """Draw the sentence and the notes."""
    st.markdown(sentence(plan))
    with st.container(gap="xsmall"):
        for warning, text in notes:
            sign = ":yellow[:material/warning:]" if warning else ":green[:material/check_circle:]"
            st.markdown(f"{sign} {escaped(text)}")


def sentence(plan: Plan) -> str:
    """What will happen, as Markdown."""
    training = plan.spec.training
    device = "CPU" if plan.strategy == "virtual" else plan.strategy.upper()
    copies = counted(plan.replicas, "virtual replica" if plan.strategy == "virtual" else "replica")
    each = f", {plan.per_replica_batch:,} for each replica" if plan.replicas > 1 else ""
    batch = (
        f"global batch of **{training.batch_size:,}**{each}"
        if plan.replicas > 1
        else (f"batch of **{training.batch_size:,}**")
    )
    left = f"and {counted(plan.left_over, 'image is', 'images are') if plan.left_over else 'no image is'} left over"
    if plan.left_over:
        left += f". The shuffle leaves out {'a different one' if plan.left_over == 1 else 'different ones'} each time"
    title = MODELS[plan.model].title
    # MobileNetV2 is a name; an MLP and a small CNN are things.
    model = f"The **{MODELS[plan.model].in_sentence}**" if " " in title or title.isupper() else f"**{title}**"
    times = "once" if training.epochs == 1 else f"{training.epochs:,} times"
    return (
        f"{model} sees **{counted(plan.train_images, 'image')}** {times}, on the "
        f"**{device}** with {copies}. Each step takes a {batch}: {counted(plan.steps_per_epoch, 'step')} per epoch, "
        f"{left}."
    )


def notes_on(plan: Plan, *, imagenet_at_hand: bool) -> list[Note]:
    """What is worth knowing about a plan, the harmless first."""
    return sorted(
        (
            note
            for note in (
                _validation(plan),
                _precision(plan),
                _learning_rate(plan),
                _weights(plan, imagenet_at_hand),
                _replicas(plan),
                _share(plan),
            )
            if note
        ),
        key=lambda note: note[0],
    )


def _validation(plan: Plan) -> Note:
    images = plan.validation_images
    low, high = wilson(round(LIKELY_ACCURACY * images), images)
    points = 100 * (high - low) / 2
    if points > 100 * SURE:
        unsure = counted(round(points), "point")
        return True, f"{counted(images, 'validation image')}: expect the accuracy to be uncertain by about {unsure}"
    return False, f"{counted(images, 'validation image')}: the accuracy will be sure to within {points:.1f} points"


def _precision(plan: Plan) -> Note | None:
    precision = plan.spec.training.precision
    on_cpu = plan.strategy in ("cpu", "virtual")
    if on_cpu:
        if precision == "float32":
            return False, "float32 is the fastest precision on most CPUs"
        return True, f"{precision} is slower than float32 on most CPUs"
    if plan.strategy == "tpu" and precision == "mixed_float16":
        return True, "TPUs calculate in bfloat16; choose mixed bfloat16 instead of float16"
    return None


def _learning_rate(plan: Plan) -> Note | None:
    training = plan.spec.training
    usual = USUAL_RATE_OF_SGD if training.optimizer == "sgd" else USUAL_RATE
    if training.learning_rate <= usual:
        return None
    return True, f"A learning rate above {usual:g} usually makes the loss explode; 0.001 is a common start"


def _weights(plan: Plan, at_hand: bool) -> Note | None:
    if plan.spec.model.weights != "imagenet":
        return None
    if at_hand:
        return False, "The ImageNet weights are on this machine"
    return True, "The ImageNet weights are not on this machine: they are downloaded when the run starts"


def _replicas(plan: Plan) -> Note | None:
    if plan.strategy != "virtual":
        return None
    return True, "Virtual replicas share the cores of this CPU: they show how training is shared, and are not faster"


def _share(plan: Plan) -> Note | None:
    share = plan.spec.training.share
    return (True, f"Only {share:.0%} of the training images are used") if share < 1 else None
