"""Stems by the Snowball algorithms."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import MissingExtraError, MissingResourceError, SpecError, did_you_mean
from karat.resources.languages import NAMES, language_code

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_REMEMBERED = 1 << 17


class Stemmer:
    """Cuts words down to their stems; equal stems mean forms of one word."""

    def __init__(self, algorithm: str, package: _Package) -> None:
        self.algorithm = algorithm
        self._package = package
        self._known: dict[str, str] = {}

    @property
    def signature(self) -> str:
        """The algorithm and Snowball's version, which decides the stems whichever package runs it."""
        return f"snowball-{self.algorithm}:{'.'.join(self._package.version().split('.')[:2])}"

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word; words should be lower-case."""
        # Systems share most of their words, so stems are remembered, until they are too many. Several threads may
        # call: a dictionary that another one puts aside is left whole, and each has a package's object of its own.
        known = self._known
        new = [word for word in words if word not in known]
        if new:
            known.update(zip(new, self._package.make(self.algorithm).stemWords(new), strict=True))
            if len(known) > _MOST_REMEMBERED:
                self._known = {}
        return [known[word] for word in words]


def stemmer(language: str, algorithm: str | None = None) -> Stemmer:
    """The stemmer of a language, or the algorithm of that name, such as porter (1980) for English.

    >>> stemmer("en").stems(["ponies", "running", "generously"])
    ['poni', 'run', 'generous']
    >>> stemmer("en", "porter").stems(["generously"])
    ['gener']
    """
    code = language_code(language)
    known = _package().algorithms
    if algorithm is None and NAMES.get(code, code) not in known:
        raise MissingResourceError(
            f"A stemmer for {NAMES[code].capitalize() if code in NAMES else code}",
            f"Snowball has them for {', '.join(known)}; do without stems here",
        )
    return _stemmer(algorithm or NAMES.get(code, code))


class _Package(NamedTuple):
    version: Callable[[], str]
    algorithms: list[str]
    make: Callable[[str], Any]


@cache
def _stemmer(algorithm: str) -> Stemmer:
    package = _package()
    if algorithm not in package.algorithms:
        raise SpecError(f"there is no stemmer {algorithm!r}.{did_you_mean(algorithm, package.algorithms)}")
    return Stemmer(algorithm, package)


def _package() -> _Package:
    """The package that is installed, the one in C first."""
    try:
        import Stemmer as Compiled
    except ImportError:
        try:
            import snowballstemmer
        except ImportError as error:
            raise MissingExtraError("a stemmer", "linguistic") from error
        return _Package(_version_without_compiler, list(snowballstemmer.algorithms()), snowballstemmer.stemmer)
    # Without its own cache, which takes as long as stemming does.
    return _Package(Compiled.version, list(Compiled.algorithms()), lambda algorithm: Compiled.Stemmer(algorithm, 0))


def _version_without_compiler() -> str:
    from importlib.metadata import version

    return version("snowballstemmer")
