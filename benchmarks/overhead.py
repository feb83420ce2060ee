"""CPU seconds of a training in the studio against plain Keras with the same model, data and batch.

Promises: at most 1.05 times a well-written script, at most 0.90 times the pipeline of many tutorials
(`shuffle(1024).batch(128).prefetch()`, no cache), and at most 2 % of the time in our callbacks and recorder.

TFDS_DATA_DIR=../shared/data/tfds python -m benchmarks.overhead

Measured inside `fit` from the second epoch on, in a process of its own each time, alternating, best of five.
Needs MNIST and CIFAR-10 prepared by TensorFlow Datasets, and about an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

EPOCHS = {"mnist": 20, "cifar10": 30}  # at least ENOUGH CPU seconds each on two cores
ENOUGH = 60.0


def measure(*arguments: str) -> dict[str, Any]:
    """Run one of the two scripts and read its last line."""
    done = subprocess.run([sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def compare(name: str, rounds: int, epochs: int) -> None:
    """Measure the three in turn and print the ratios of their best times."""
    length = ("--epochs", str(epochs))
    commands = {
        "studio": ("benchmarks.studio_fit", name, *length),
        "plain": ("benchmarks.plain_keras", name, "--pipeline", "cached", *length),
        "article": ("benchmarks.plain_keras", name, "--pipeline", "article", *length),
    }
    best: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for way, command in commands.items():
            result = measure(*command)
            if way not in best or result["cpu_seconds"] < best[way]["cpu_seconds"]:
                best[way] = result
    for figure in ("parameters", "steps"):
        if len({result[figure] for result in best.values()}) > 1:
            raise SystemExit(f"{name}: the three do not do the same work ({figure}): {best}")
    seconds = {way: result["cpu_seconds"] for way, result in best.items()}
    ours = best["studio"]["callback_seconds"] / seconds["studio"]
    print(f"{name}: {epochs} epochs, {', '.join(f'{way} {value:.1f} s' for way, value in seconds.items())}")
    if min(seconds.values()) < ENOUGH:
        print(f"  under {ENOUGH:.0f} CPU seconds: raise --epochs for figures that mean something")
    print(f"  against plain Keras           {seconds['studio'] / seconds['plain']:.3f}  (promise: at most 1.05)")
    print(f"  against the tutorial pipeline {seconds['studio'] / seconds['article']:.3f}  (promise: at most 0.90)")
    print(f"  callbacks and recorder        {ours:.2%}  (promise: at most 2 %)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", nargs="+", choices=sorted(EPOCHS), default=sorted(EPOCHS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, help="for all of them; otherwise each has its own number")
    choice = parser.parse_args()
    for name in choice.names:
        compare(name, choice.rounds, choice.epochs or EPOCHS[name])


if __name__ == "__main__":
    main()
