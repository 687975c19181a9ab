"""How a run ends, whatever happens: one line on stderr and an exit code that says which kind of end it was."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TextIO

import click

from karat.cli.streams import say, use_plain_signs
from karat.errors import KaratError, ProblemsError

CRASHED = 70
INTERRUPTED = 130
TERMINATED = 143
MOST_PROBLEMS = 20
_LONG_NUMBER = re.compile(r"(\d{40})\d{20,}")
REPORT = "--debug shows where; please report it"


class Terminated(BaseException):
    """The system has asked the program to end."""


@dataclass
class Session:
    """What one run knows beside its options."""

    debug: bool = False


def run_to_end(work: Callable[[Session], object]) -> int:
    """Do the work and tell the exit code: what it returns if that is a number, else 0, or what its error calls for."""
    session = Session()
    use_plain_signs()
    try:
        with _terminable(), _threads_in_one_line(session):
            status = work(session)
            if sys.stdout is not None:
                sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException as error:
        if session.debug:
            say(traceback.format_exc().rstrip(), plain=False)
        status = _say_why(error)
    finally:
        for stream in (sys.stdout, sys.stderr):
            let_go_if_broken(stream)
    return status if isinstance(status, int) else 0


def _say_why(error: BaseException) -> int:
    """One line about an error, or each thing that is wrong, and its exit code."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case BrokenPipeError():
            return 0  # The reader of our output has seen enough (karat ... | head).
        case KeyboardInterrupt() | click.Abort():
            say("karat: interrupted")
            return INTERRUPTED
        case Terminated():
            say("karat: terminated")
            return TERMINATED
        case click.ClickException():
            say(f"karat: error: {_usage(error)}")
            return error.exit_code
        case ProblemsError():
            for problem in _bearable(error.problems):
                say(f"karat: error: {problem}")
            return error.exit_code
        case KaratError():
            say(f"karat: error: {error}")
            return error.exit_code
    say(f"karat: error: {_unforeseen(error)}")
    return CRASHED


def _bearable(problems: Sequence[str]) -> Sequence[str]:
    """The first of many problems, and how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], f"and {more:,} more problems"] if more > 1 else problems


def _usage(error: click.ClickException) -> str:
    """What click says, in one line, and where help is."""
    message = " ".join(error.format_message().split()).rstrip(".")
    message = _LONG_NUMBER.sub(r"\1…", message)
    context = getattr(error, "ctx", None)
    return f"{message} (see {context.command_path} --help)" if context is not None else message


def _is_want_of_memory(error: BaseException) -> bool:
    """Also where a module cannot be loaded for it, as polars, which then lacks `plr`, or a thread cannot begin."""
    match error:
        case MemoryError() | NameError(name="plr"):
            return True
        case ImportError() | RuntimeError():
            return any(reason in str(error) for reason in ("failed to map segment", "can't start new thread"))
    return False


def _unforeseen(error: BaseException) -> str:
    match error:
        case _ if _is_want_of_memory(error):
            return "there is not enough memory for this: use smaller inputs, fewer metrics or fewer draws"
        case OSError(strerror=str(reason)):
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{reason} ({REPORT if where else 'while reading or writing'})"
    return f"{type(error).__name__}: {error} ({REPORT})"


@contextmanager
def _terminable() -> Iterator[None]:
    """Let a request to end be an exception, so that unfinished files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _threads_in_one_line(session: Session) -> Iterator[None]:
    """Say in a line what ended a thread, where Python would show a traceback."""

    def tell(ended: threading.ExceptHookArgs) -> None:
        if session.debug:
            before(ended)
        elif ended.exc_value is not None:
            say(f"karat: warning: a thread has ended: {_unforeseen(ended.exc_value)}")

    before, threading.excepthook = threading.excepthook, tell
    try:
        yield
    finally:
        threading.excepthook = before


def let_go_if_broken(stream: TextIO | None) -> None:
    """Flush a stream; what it can no longer take is thrown away, so that the interpreter does not try again."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
