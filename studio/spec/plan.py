"""From a spec, the counts of the data and the devices at hand to what exactly will happen.

One function answers for the page ("What will happen"), the check before a job exists, and the worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from studio.errors import SpecError
from studio.spec.facts import DataFacts
from studio.spec.models import MODELS
from studio.spec.run import RunSpec

LARGEST_NATIVE_SIDE = 64  # pixels; sets of one size up to this are trained as they are
MOST_VIRTUAL_REPLICAS = 8
SMALLEST_CLASS = 2  # images: one to learn from, one to measure with


@dataclass(frozen=True)
class Plan:
    """What a run will do, in numbers.

    Attributes:
        spec: the spec with every open choice made; `make_plan` of it gives the same plan.
        facts: the dataset it was made for.
        height, width, channels: shape of an image as the model sees it, uint8.
        train_counts, validation_counts: images per class that are trained on and measured with.
        validation_from: `"given"` where the set has a validation split, else `"train"`.
        strategy: `"cpu"`, `"gpu"`, `"tpu"` or `"virtual"`.
        replicas: copies of the model that train together.
        steps_per_epoch: full batches in one epoch.
        left_over: training images that do not fill a batch; each epoch leaves out different ones.
    """

    spec: RunSpec
    facts: DataFacts
    model: str
    height: int
    width: int
    channels: int
    train_counts: tuple[int, ...]
    validation_counts: tuple[int, ...]
    validation_from: Literal["given", "train"]
    strategy: str
    replicas: int
    steps_per_epoch: int
    left_over: int

    @property
    def classes(self) -> int:
        return len(self.facts.classes)

    @property
    def train_images(self) -> int:
        return sum(self.train_counts)

    @property
    def validation_images(self) -> int:
        return sum(self.validation_counts)

    @property
    def per_replica_batch(self) -> int:
        return self.spec.training.batch_size // self.replicas

    @property
    def guessing_accuracy(self) -> float:
        """Share of right answers of always naming the class that is most frequent in validation."""
        return max(self.validation_counts) / self.validation_images


def make_plan(
    spec: RunSpec,
    facts: DataFacts,
    *,
    hardware_kind: str = "cpu",
    hardware_replicas: int = 1,
    imagenet_at_hand: bool = False,
) -> Plan:
    """Make every open choice of a spec and check that the settings, the data and the devices fit.

    Args:
        spec: what is wanted.
        facts: counts and shapes of `spec.data.dataset`.
        hardware_kind: `"cpu"`, `"gpu"` or `"tpu"`, as detected.
        hardware_replicas: devices of that kind.
        imagenet_at_hand: whether the ImageNet weights of MobileNetV2 at its default size are on this machine.

    Raises:
        SpecError: they do not fit; the sentence names the setting and what would do.
    """
    if len(facts.classes) < 2:
        raise SpecError(
            f"data.dataset {facts.name!r} has {len(facts.classes)} classes; at least 2 are needed to tell apart."
        )
    spec = _with_model(spec, facts, imagenet_at_hand)
    _check_model_settings(spec)
    height, width = _image_shape(spec, facts)
    strategy, replicas = _devices(spec, hardware_kind, hardware_replicas)
    train, validation, source = _split_counts(spec, facts)
    training = spec.training
    if training.batch_size > sum(train):
        raise SpecError(
            f"training.batch_size is {training.batch_size:,}, but only {sum(train):,} training images are there; "
            f"allowed: 1 to {sum(train):,}."
        )
    if training.batch_size % replicas:
        raise SpecError(
            f"training.batch_size is {training.batch_size:,}, which {replicas} replicas cannot share equally; "
            f"choose a multiple of {replicas}."
        )
    spec = _update(spec, "training", strategy=strategy, replicas=replicas)
    return Plan(
        spec=spec,
        facts=facts,
        model=str(spec.model.name),
        height=height,
        width=width,
        channels=facts.channels,
        train_counts=train,
        validation_counts=validation,
        validation_from=source,
        strategy=strategy,
        replicas=replicas,
        steps_per_epoch=sum(train) // training.batch_size,
        left_over=sum(train) % training.batch_size,
    )


def validation_counts(per_class: tuple[int, ...], share: float, names: tuple[str, ...]) -> tuple[int, ...]:
    """Images of every class that are kept out of training: the share, rounded, and at least one.

    Raises:
        SpecError: a class has too few images to be on both sides.
    """
    small = [name for name, count in zip(names, per_class, strict=True) if count < SMALLEST_CLASS]
    if small:
        raise SpecError(
            f"{len(small)} of {len(names)} classes have fewer than {SMALLEST_CLASS} training images "
            f"({_listed(small)}), so that none can be kept for validation; add images or leave the class out."
        )
    return tuple(min(max(1, round(count * share)), count - 1) for count in per_class)


def share_counts(per_class: tuple[int, ...], share: float) -> tuple[int, ...]:
    """Images of every class that are trained on when only a share is: rounded, at least one where there is one."""
    return tuple(min(count, max(1, round(count * share))) for count in per_class)


def _with_model(spec: RunSpec, facts: DataFacts, imagenet_at_hand: bool) -> RunSpec:
    """Choose the model and the image size where the spec leaves them open."""
    name, size = spec.model.name, spec.data.image_size
    one_size = facts.height is not None and facts.width is not None
    native = one_size and max(facts.height or 0, facts.width or 0) <= LARGEST_NATIVE_SIDE
    if name is None:
        name = "mobilenet_v2" if not native and imagenet_at_hand else "small_cnn"
    card = MODELS[name]
    if size is None and (not one_size or (card.pretrained and not native)):
        size = card.default_size
    weights = spec.model.weights
    if card.pretrained and weights is None:
        weights = "imagenet"
    dropout = card.dropout if spec.model.dropout is None else spec.model.dropout
    spec = _update(spec, "model", name=name, weights=weights, dropout=dropout)
    return _update(spec, "data", image_size=size)


def _check_model_settings(spec: RunSpec) -> None:
    """Refuse settings that the chosen model does not have: they would be ignored without a word."""
    model = spec.model
    card = MODELS[str(model.name)]
    extra = {
        "dropout": model.dropout is not None and card.dropout is None,
        "batch_normalization": model.batch_normalization and not card.batch_normalization,
        "weights": model.weights == "imagenet" and not card.pretrained,
        "width": model.width != 1.0 and not card.pretrained,
        "train_backbone": model.train_backbone and not card.pretrained,
    }
    for name, refused in extra.items():
        if refused:
            raise SpecError(
                f"model.{name} is {getattr(model, name)!r}, but {card.title} has no such part; leave it out."
            )


def _image_shape(spec: RunSpec, facts: DataFacts) -> tuple[int, int]:
    size = spec.data.image_size
    height, width = (size, size) if size else (facts.height or 0, facts.width or 0)
    card = MODELS[str(spec.model.name)]
    if min(height, width) < card.smallest:
        raise SpecError(
            f"{card.title} needs images of at least {card.smallest} pixels; the data has {min(height, width)}. "
            f"Set data.image_size to {card.smallest} or more, or choose another model."
        )
    return height, width


def _devices(spec: RunSpec, hardware_kind: str, hardware_replicas: int) -> tuple[str, int]:
    """The strategy that will be used and its number of replicas."""
    wanted, replicas = spec.training.strategy, spec.training.replicas
    if wanted == "virtual":
        replicas = 2 if replicas is None else replicas
        if not 2 <= replicas <= MOST_VIRTUAL_REPLICAS:
            raise SpecError(
                f"training.replicas is {replicas}; virtual replicas on the CPU are 2 to {MOST_VIRTUAL_REPLICAS}."
            )
        return wanted, replicas
    strategy = hardware_kind if wanted == "auto" else wanted
    if strategy not in ("cpu", hardware_kind):
        raise SpecError(
            f"training.strategy is {strategy!r}, but the best device found on this machine is the "
            f"{hardware_kind.upper()}; choose auto, or look at the hardware page."
        )
    found = hardware_replicas if strategy == hardware_kind else 1
    if replicas is not None and replicas != found:
        raise SpecError(
            f"training.replicas is {replicas}, but the {strategy.upper()} found here gives {found}; leave it out, "
            f"or choose virtual replicas on the CPU (training.strategy virtual, 2 to 8)."
        )
    return strategy, found


def _split_counts(
    spec: RunSpec, facts: DataFacts
) -> tuple[tuple[int, ...], tuple[int, ...], Literal["given", "train"]]:
    train = facts.splits.get("train", ())
    if not sum(train):
        raise SpecError(f"data.dataset {facts.name!r} has no training images; choose another set.")
    if sum(facts.splits.get("validation", ())):
        validation = facts.splits["validation"]
        source: Literal["given", "train"] = "given"
    else:
        validation = validation_counts(train, spec.data.validation_share, facts.classes)
        train = tuple(have - kept for have, kept in zip(train, validation, strict=True))
        source = "train"
    return share_counts(train, spec.training.share), validation, source


def _update(spec: RunSpec, section: str, **values: object) -> RunSpec:
    return spec.model_copy(update={section: getattr(spec, section).model_copy(update=values)})


def _listed(names: list[str], most: int = 3) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
