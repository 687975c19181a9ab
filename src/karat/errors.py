"""Every error that karat raises on purpose; each knows its exit code and its HTTP status."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


LONGEST_MESSAGE = 3000


class KaratError(Exception):
    """Anything that karat refuses or cannot do."""

    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 500

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class InputError(KaratError, ValueError):
    """Input that cannot be scored as it is; the message names the place and the remedy."""

    http_status: ClassVar[int] = 422


class ProblemsError(InputError):
    """All that is wrong with an input, the worst first, each with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(map(one_line, problems))
        super().__init__("; ".join(self.problems))


class SpecError(InputError):
    """A metric, tokenizer or parameter that does not exist, or a value it does not take."""


class OutputError(KaratError):
    """Output that could not be written to its end: a full disk, a closed stream."""

    exit_code: ClassVar[int] = 70


class MissingExtraError(KaratError, ImportError):
    """An optional dependency that is not installed."""

    http_status: ClassVar[int] = 501

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency. Install it with: pip install 'karat[{extra}]'")


class MissingResourceError(KaratError):
    """A word list, thesaurus or table that is not on this machine."""

    http_status: ClassVar[int] = 501

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} is not here. {remedy}")


def problems_in(error: InputError) -> tuple[str, ...]:
    """All that an error tells of.

    >>> problems_in(ProblemsError(["a is missing", "b is 0"])), problems_in(InputError("c"))
    (('a is missing', 'b is 0'), ('c',))
    """
    return error.problems if isinstance(error, ProblemsError) else (str(error),)


def one_line(message: str) -> str:
    """A message as one line of bearable length, whatever the input that it quotes.

    >>> one_line("x\\ny\\x1b[1m")
    'x\\\\ny\\\\x1b[1m'
    """
    shown = "".join(sign if sign.isprintable() else _escaped(sign) for sign in message)
    return shown if len(shown) <= LONGEST_MESSAGE else f"{shown[: LONGEST_MESSAGE - 300]} ... {shown[-300:]}"


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that suggests near names, or lists the known ones; empty when there are none."""
    from difflib import get_close_matches

    names = sorted(known)
    longer = [known for known in names if name and known.startswith(name)]
    near = list(dict.fromkeys([*longer, *get_close_matches(name, names, n=3, cutoff=0.5)]))[:3]
    if near:
        return f" Did you mean {' or '.join(near)}?"
    return f" There is: {', '.join(names)}." if names else ""
