"""`python -m studio.engine.desk DUTY`: answer short questions, one JSON line each, until standard input ends.

An answer that cannot be given is `{"error": sentence, "detail": text}`. Whatever libraries print goes to standard
error, so that the answers stay alone on the pipe.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from studio.engine.keras_home import use_own_keras_home
from studio.errors import StudioError
from studio.settings import Settings

Question = dict[str, Any]
Answer = dict[str, Any]


def main(duty: str) -> None:
    """Serve a duty; returns never, the process ends with its standard input."""
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.nice(10)  # training and the page come first
    questions: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    answer = _duty(duty)
    while True:
        question = json.loads(questions.get())
        try:
            said = {} if question["ask"] == "hello" else answer(question)
        except StudioError as error:
            said = {"error": error.sentence, "detail": error.detail}
        except Exception as error:
            said = {
                "error": f"The helper process could not answer ({type(error).__name__}: {error}).",
                "detail": traceback.format_exc(),
            }
        pipe.write(json.dumps(said) + "\n")
        pipe.flush()


def _listen(questions: SimpleQueue[str]) -> None:
    """Take questions in; leave at once when the asker is gone, even in the middle of an answer."""
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)


def _duty(name: str) -> Callable[[Question], Answer]:
    """The function that answers for a duty; importing it loads TensorFlow."""
    settings = Settings.load()
    use_own_keras_home(settings)
    if name == "shapes":
        from studio.engine.summary import summary

        return summary
    from studio.engine.predictions import Predictions

    return Predictions(settings).answer


if __name__ == "__main__":
    main(sys.argv[1])
