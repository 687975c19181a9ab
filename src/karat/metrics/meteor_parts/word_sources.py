"""What METEOR's modules need to know about words, found once for each word type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat import kernels
from karat.errors import MissingExtraError, MissingResourceError, SpecError, did_you_mean
from karat.metrics.words.known import KnownFacts, KnownWords, Numbering, lists_of
from karat.quick_dataclasses import dataclass
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


class Knowledge:
    """What sources know about word types, in the form that the core wants; usable from several threads at once."""

    def __init__(self, sources: WordSources) -> None:
        self._sources = sources
        self._words = KnownWords(self._look_up)

    def of(self, types: Sequence[str]) -> kernels.WordKnowledge:
        """What is known about each type; only new ones are looked up."""
        facts, sources = self._words.of(types), self._sources
        function, stems = facts.columns
        return kernels.word_knowledge(
            function,
            stems=stems if sources.stems else None,
            synsets=(facts.lists.offsets, facts.lists.ids) if sources.synonyms else None,
            paraphrases=_index(sources.paraphrases, types) if sources.paraphrases else None,
        )

    def _look_up(self, words: list[str], numbering: Numbering) -> KnownFacts:
        sources = self._sources
        function = sources.function.contains(words) if sources.function else [False] * len(words)
        stems = sources.stems.stems(words) if sources.stems else [""] * len(words)
        synsets = sources.synonyms.synsets(words) if sources.synonyms else [()] * len(words)
        # Numbered anew so that they fit; in each word they must ascend.
        numbered = [sorted(map(numbering.number, numbers)) for numbers in synsets]
        return KnownFacts((np.array(function, dtype=np.uint8), numbering.numbers(stems)), lists_of(numbered))


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


def _index(table: ParaphraseTable, types: Sequence[str]) -> kernels.ParaphraseIndex:
    return kernels.ParaphraseIndex(table.table(), kernels.Text(list(types)))
