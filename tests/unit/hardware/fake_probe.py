"""A fake in place of `python -m studio.engine.probe`: it ends as its first argument says.

It proves what the asking side makes of each end; it proves nothing about a TPU, a GPU or TensorFlow.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time


def say(**line: object) -> None:
    print(json.dumps(line), flush=True)


def main(how: str) -> None:
    say(begin="resolver")
    say(step="resolver", outcome="ok", seconds=0.01, message="")
    say(begin="initialize")
    match how:
        case "crash":
            print("libtpu: no chip answers", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(600)
        case "garbage":
            print("[1, 2", flush=True)
            print("TPU:0", flush=True)
        case "code":
            print("ImportError: no module", file=sys.stderr)
            sys.exit(3)
        case "none":
            say(step="initialize", outcome="failed", seconds=0.02, message="NotFoundError: TPUs not found")
            say(devices=[])
        case "found":
            say(step="initialize", outcome="ok", seconds=2.5, message="")
            say(devices=["TPU:0", "TPU:1"])


if __name__ == "__main__":
    main(sys.argv[1])
