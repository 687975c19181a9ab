"""TER: how many edits a hypothesis is away from its reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError, did_you_mean
from karat.metrics.base import Metric, parameter, register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.framework.crossing import CrossedStrings
from karat.metrics.words.metric import tokenizer_resources
from karat.text import TextColumn, Tokenizer, tokenizer, tokenizer_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values

TERCOM = "tercom"


@dataclass(frozen=True, kw_only=True)
class TercomTokenizer:
    """Tercom's tokenizer: splits off or deletes punctuation, and leaves case alone; `then` cuts what it has left."""

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    passes: int = 1
    then: str = "none"

    @property
    def name(self) -> str:
        """The name that sacreBLEU uses."""
        return "tercom"

    @property
    def resources(self) -> dict[str, str]:
        """Its own rules are fixed; those of the tokenizer that follows may not be."""
        return tokenizer(self.then).resources

    @property
    def signature(self) -> str:
        """The name and every option."""
        options = f"{self.normalized},{self.no_punct},{self.asian_support},{self.passes}"
        return f"tercom({options})" + ("" if self.then == "none" else f"+{tokenizer(self.then).signature}")

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""
        if self.normalized:
            # A possessive is only split before a plain space, and the end of the line counts as one.
            text = kernels.Text([line.rstrip() for line in text.to_list()])
        for _ in range(self.passes):
            text = kernels.tercom_normalize(
                text,
                normalized=self.normalized,
                no_punct=self.no_punct,
                asian_support=self.asian_support,
                threads=threads,
            )
        return tokenizer(self.then).tokens(text, threads)


@register
@dataclass(frozen=True, kw_only=True)
class Ter(Metric):
    r"""Translation edit rate: the edits that turn the hypothesis into a reference, per reference word.

    Formula
    -------
    $$\mathrm{TER} = 100 \cdot \frac{\sum_i \min_r E(h_i, r)}{\sum_i \overline{|r|}_i}, \qquad
    E(h, r) = k + d(h^{(k)}, r)$$

    $\overline{|r|}_i$ is the mean length of the references of segment $i$. $h^{(k)}$ is the hypothesis after $k$ block
    shifts, and $d$ counts insertions, deletions and substitutions of words. Each shift is the one that lowers $d$ most
    (then the longest block, then the first, then the leftmost target), for as long as one lowers it at all. A block has
    at most 10 words, occurs in the reference at most 50 positions away, and is moved only if both places hold an error.
    $d$ is computed in a band of 25 words on either side of the diagonal.

    With no reference words at all the score is 100 if there are edits and 0 otherwise. Of several references the
    definition takes the fewest edits and the mean length, so that one more reference can make a segment worse, by
    lowering that mean.

    ``tokenize=tercom`` cuts text as the options ``normalized``, ``no_punct`` and ``asian_support`` say, and at white
    space where none is set. Any other tokenizer cuts what these options have left. ``lowercase=true`` is
    ``case_sensitive=false``, and the other way round.

    ``search=sacrebleu`` stops looking for shifts in a segment once 1,000 candidates have been tried, and forgets the
    best one of that round; it equals sacreBLEU to the last edit. ``search=full`` has no such budget, and is otherwise
    the same. It recovers the shifts that the budget loses in long segments, but it is not tercom: that one has no band
    around the diagonal, and leaves out cells whose cost exceeds the best of the column before by more than 20. A
    segment with more than 2,000,000 candidates is refused.

    ``reference_passes=2`` tokenises references twice, as sacreBLEU does. This matters with ``normalized`` only, where a
    second pass splits possessives before punctuation that the first has left whole; ``reference_passes=1`` treats
    references as hypotheses are treated.

    Use when
    --------
    You want the amount of post-editing in units that a translator understands, in particular against a reference that
    was made by correcting the hypothesis itself (HTER).

    Do not use when
    ---------------
    The reference is a free translation and the systems are strong: a good paraphrase costs as many edits as nonsense.
    Nor for languages written without spaces, unless ``normalized`` and ``asian_support`` are both set.

    Known failure
    -------------
    A missing word costs as much as a wrong one, so a system loses nothing by leaving out whatever is doubtful. The
    greedy search finds no minimum; and with ``search=sacrebleu`` two swapped blocks of twenty words cost 40 edits
    instead of 2, because the budget runs out.

    Example
    -------
    >>> ter = Ter()
    >>> rows = ter.prepare(["the cat sat on the mat"]).rows(["on the mat the cat sat"])
    >>> rows.values.tolist()
    [[1.0, 6.0]]
    >>> round(rows.score, 2)
    16.67
    """

    name: ClassVar[str] = "ter"
    family: ClassVar[str] = "edit distance"
    citation: ClassVar[str] = "snover-etal-2006-study"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    normalized: bool = parameter(False, "split punctuation off and undo XML entities first")
    no_punct: bool = parameter(False, "delete punctuation first")
    asian_support: bool = parameter(False, "make normalized and no_punct treat CJK characters too")
    case_sensitive: bool = parameter(False, "tell upper from lower case")
    search: str = parameter("sacrebleu", "how far to look for shifts", choices=("sacrebleu", "full"))
    reference_passes: int = parameter(
        2, "how often references are tokenised: 2 as in sacreBLEU, 1 as hypotheses are", within=(1, 2)
    )
    tokenize: str = parameter(
        TERCOM, "how text is cut into words: tercom (see normalized), 13a, intl, zh, char, none, ..."
    )
    lowercase: bool | None = parameter(None, "ignore case: another way to say case_sensitive")

    cutting: ClassVar[frozenset[str]] = frozenset({"tokenize", "normalized", "asian_support"})

    def __post_init__(self) -> None:
        # One choice has one form, so that equal metrics have equal specs and signatures.
        if self.lowercase is not None:
            if self.lowercase and self.case_sensitive:
                raise SpecError(f"{self.name}(lowercase=true) and case_sensitive=true contradict each other")
            object.__setattr__(self, "case_sensitive", not self.lowercase)
            object.__setattr__(self, "lowercase", None)
        super().__post_init__()

    def check(self) -> None:
        """Refuse a tokenizer that does not exist."""
        known = (TERCOM, *tokenizer_names())
        if self.tokenize not in (*known, "spm") and not self.tokenize.startswith("spm:"):
            raise SpecError(
                f"there is no tokenizer {self.tokenize!r}.{did_you_mean(self.tokenize, (*known, 'spm:PATH'))}"
            )

    def without_spaces(self, tokenizer: str) -> Metric:
        """Tercom's own rules for Chinese and Japanese, a tokenizer for what they do not know."""
        if tokenizer == "char" or "tokenize" in self.given:
            return super().without_spaces(tokenizer)
        return self.changed(**{name: True for name in ("normalized", "asian_support") if name not in self.given})

    def reads(self, language: str) -> bool:
        """Tercom's rules tell Chinese and Japanese characters apart, if they are told to."""
        asian = self.tokenize == TERCOM and self.normalized and self.asian_support
        return (asian and language in ("zh", "ja")) or super().reads(language)

    @property
    def columns(self) -> tuple[str, ...]:
        """Fewest edits over the references, and the mean length of the references."""
        return ("edits", "reference_length")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "TER"

    @property
    def resources(self) -> dict[str, str]:
        """The versions of Unicode or of a dictionary, where the tokenizer depends on them."""
        return {} if self.tokenize == TERCOM else tokenizer_resources(self.tokenize)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self._tokens(references.column, self.reference_passes, threads)
        full = self.search == "full"

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self._tokens(hypotheses, 1, threads)
            return kernels.ter_rows(tokens, reference_tokens, references.offsets, full=full, threads=threads)

        return rows

    def crossing(self, strings: TextColumn, groups: NDArray[np.int64], threads: int | None) -> CrossedStrings:
        """Cut every string into words once, or twice where references are cut in another way."""
        hypotheses = self._tokens(strings, 1, threads)
        references = self._tokens(strings, self.reference_passes, threads)
        return CrossedStrings(kernels.ter_crossing(hypotheses, references, groups, full=self.search == "full"))

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Edits per hundred reference words."""
        return per_hundred(sums[..., 0], sums[..., 1])

    def details(self, sums: NDArray[np.float64]) -> dict[str, Any]:
        """The two numbers that the score is a ratio of."""
        return {"num_edits": int(sums[0]), "ref_length": float(sums[1])}

    def sacrebleu_signature(self, references: str) -> str | None:
        """What sacreBLEU prints for the same score; None where it has no such option."""
        if self.search == "full" or (self.normalized and self.reference_passes != 2):
            return None
        if self.tokenize not in (TERCOM, "none"):
            return None
        keys = {
            "nrefs": references,
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": _yes_no(self.normalized),
            "punct": _yes_no(not self.no_punct),
            "asian": _yes_no(self.asian_support),
            "version": "2.6.0",
        }
        return "|".join(f"{key}:{value}" for key, value in keys.items())

    def _tokens(self, column: TextColumn, passes: int, threads: int | None) -> kernels.Tokens:
        cased = column if self.case_sensitive else column.lowered()
        return cased.tokens(self._tokenizer(passes), threads)

    def _tokenizer(self, passes: int) -> Tokenizer:
        then = "none" if self.tokenize == TERCOM else self.tokenize
        if not (self.normalized or self.no_punct):
            return tokenizer(then)
        return TercomTokenizer(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            passes=passes,
            then=then,
        )


def _yes_no(flag: bool) -> str:
    return "yes" if flag else "no"
