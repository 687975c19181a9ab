"""What METEOR's modules need to know about words, found once for each word type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat import kernels
from karat.errors import MissingExtraError, MissingResourceError, SpecError, did_you_mean
from karat.resources import function_words, paraphrases, stemmer, synonyms
from karat.resources.files import meteor_jar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.resources import FunctionWords, ParaphraseTable, Stemmer, Synonyms

T = TypeVar("T")

AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class WordSources:
    """Where METEOR's modules look words up; a module without a source is not used."""

    function: FunctionWords | None
    stems: Stemmer | None = None
    synonyms: Synonyms | None = None
    paraphrases: ParaphraseTable | None = None
    lacking: tuple[str, ...] = ()
    """What modules would have used if it were installed, each with its install line."""

    @property
    def modules(self) -> str:
        """The modules that are used."""
        sources = {"stem": self.stems, "synonym": self.synonyms, "paraphrase": self.paraphrases}
        return "+".join(["exact", *(name for name, source in sources.items() if source)])

    @property
    def lookups(self) -> dict[str, str]:
        """The signatures of what modules look words up in, for metrics that know no function words."""
        return {name: value for name, value in self.signatures.items() if name != "function"}

    @property
    def signatures(self) -> dict[str, str]:
        """What a signature must tell of them."""
        sources = {
            "function": self.function,
            "stems": self.stems,
            "synonyms": self.synonyms,
            "paraphrases": self.paraphrases,
        }
        signatures = {name: source.signature for name, source in sources.items() if source}
        return {"modules": self.modules, **({} if self.function else {"function": "none"}), **signatures}

    def knowledge(self, types: Sequence[str]) -> kernels.WordKnowledge:
        """What is known about each word type."""
        words = list(types)
        function = self.function.contains(words) if self.function else [False] * len(words)
        return kernels.word_knowledge(
            np.array(function, dtype=np.uint8),
            stems=numbered(self.stems.stems(words)) if self.stems else None,
            synsets=_flat(self.synonyms.synsets(words)) if self.synonyms else None,
            paraphrases=_index(self.paraphrases, words) if self.paraphrases else None,
        )


def word_sources(
    language: str,
    modules: Sequence[str],
    *,
    must_exist: bool,
    function: str = "auto",
    algorithm: str | None = None,
    synonyms_path: str = "",
    paraphrases_path: str = "",
) -> WordSources:
    """The sources of some modules; one that is not installed is an error if it must exist, else left out."""
    lacking: list[str] = []

    def if_installed(source: Callable[[], T], *, must_exist: bool) -> T | None:
        try:
            return source()
        except (MissingResourceError, MissingExtraError, SpecError) as error:
            if must_exist:
                raise
            if not isinstance(error, SpecError):  # what there is for no language cannot be installed
                lacking.append(str(error))
            return None

    def of_module(module: str, source: Callable[[], T], path: str = "") -> T | None:
        return if_installed(source, must_exist=must_exist or path != "") if module in modules else None

    chosen = WordSources(
        function=None
        if function == "none"
        else if_installed(lambda: _function_words(language, function), must_exist=function != AUTO),
        stems=of_module("stem", lambda: stemmer(language, algorithm)),
        synonyms=of_module("synonym", lambda: _synonyms(language, synonyms_path), synonyms_path),
        paraphrases=of_module(
            "paraphrase", lambda: paraphrases(paraphrases_path or None, language=language), paraphrases_path
        ),
    )
    return replace(chosen, lacking=tuple(lacking))


def chosen_modules(metric: str, modules: str) -> tuple[str, ...]:
    """The modules in a parameter such as exact+stem; none of them for auto."""
    names = () if modules == AUTO else tuple(modules.split("+"))
    for name in names:
        if name not in kernels.METEOR_MODULES:
            raise SpecError(f"there is no module {name!r} of {metric}.{did_you_mean(name, kernels.METEOR_MODULES)}")
    if names and "exact" not in names:
        raise SpecError(f"{metric}(modules={modules}) needs the module exact")
    return names


def _function_words(language: str, source: str) -> FunctionWords:
    return function_words("en", "meteor") if source == "released" else function_words(language, source)


def _synonyms(language: str, path: str) -> Synonyms:
    """METEOR's own synonyms of English where they are installed, because only they give its scores."""
    if path:
        return synonyms(language, path=path)
    return synonyms(language, "meteor" if language == "en" and meteor_jar() else "auto")


def numbered(values: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Equal numbers for equal texts, in the order of their first occurrence."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int32)


def _flat(
    synsets: Sequence[tuple[int, ...]],
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """Where the synsets of each word start, and all of them, numbered anew so that they fit."""
    numbers = {synset: number for number, synset in enumerate(sorted({s for word in synsets for s in word}))}
    flat = np.array([numbers[synset] for word in synsets for synset in word], dtype=np.int32)
    return np.cumsum([0, *map(len, synsets)], dtype=np.int64), flat


def _index(table: ParaphraseTable, types: list[str]) -> kernels.ParaphraseIndex:
    return kernels.ParaphraseIndex(table.table(), kernels.Text(types))
