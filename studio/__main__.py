"""Training Studio without a browser: `python -m studio --help`."""

from __future__ import annotations

import sys

import typer

from studio.cli import data, hardware, jobs, predict, train
from studio.cli.output import emit, error_line, say
from studio.errors import EXIT_OK, EXIT_REQUEST, StudioError

ALWAYS_JSON = ("train", "resume", "watch")

app = typer.Typer(
    name="python -m studio",
    help="Train an image classifier with Keras on the best hardware at hand.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(train.train)
app.command()(train.resume)
app.command()(train.watch)
app.command()(jobs.jobs)
app.command()(jobs.stop)
app.command()(predict.predict)
app.command()(hardware.hardware)
app.add_typer(data.app, name="data")


def main(arguments: list[str]) -> int:
    """Run one command; return its exit code (see studio/errors.py)."""
    try:
        app(arguments)
    except SystemExit as leaving:  # how Typer ends a command, and how it refuses one that it does not know
        code = leaving.code if isinstance(leaving.code, int) else EXIT_OK
        if code == EXIT_REQUEST:
            _refuse(arguments, "The command line was not understood; standard error says what is wrong with it.")
        return code
    except StudioError as error:
        say(error.sentence)
        _refuse(arguments, error.sentence)
        return error.exit_code
    return EXIT_OK


def _refuse(arguments: list[str], sentence: str) -> None:
    if "--json" in arguments or arguments[:1] in ([name] for name in ALWAYS_JSON):
        emit(error_line(sentence))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
