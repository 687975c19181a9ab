"""The compiled core of karat. Import karat.kernels instead."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class InvalidUtf8(ValueError):
    """Bytes that are not UTF-8: offset, line."""

UNICODE_VERSION: str = '18.0.0'

def unicode_classes() -> bytes:
    """
    N, P, S or - for every code point: the classes that the intl tokenizer knows.
    """

class Text:
    """An immutable column of strings."""

    def __init__(self, lines: list[str]) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> str: ...

    @staticmethod
    def from_lines(data: bytes) -> Text:
        """
        The lines of a file, split at \\n or \\r\\n only. Raises InvalidUtf8(offset, line).
        """

    def to_list(self) -> list[str]: ...

    def slice(self, start: int, stop: int) -> Text:
        """The strings from start to before stop."""

    def lowered(self, table: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Text, list[int]]:
        """
        In lower case by a table of code points, and the numbers of the strings that it is not enough for.
        """

    def translate(self, table: bytes) -> Text:
        """
        The same strings with every byte replaced by that of a table of 256 ASCII characters.
        """

    @staticmethod
    def concat(texts: Sequence[Text]) -> Text:
        """All strings of one text after another."""

    @staticmethod
    def interleave(texts: Sequence[Text]) -> Text:
        """
        The first strings of all texts, then the second ones: a1, b1, a2, b2, ...
        """

    def equal_rows(self, other: Text) -> int:
        """At how many positions both texts have the same string."""

    def empty_count(self) -> int:
        """How many strings hold nothing but white space."""

    def arena(self) -> Annotated[memoryview, dict(dtype='uint8', shape=(None,), writable=False)]:
        """The UTF-8 bytes of all strings, one after the other, without a copy."""

    def offsets(self) -> Annotated[memoryview, dict(dtype='uint64', shape=(None,), writable=False)]:
        """
        Where each string starts in the arena, and where the last ends, as 64-bit integers, without a copy.
        """

class Tokens:
    """An immutable column of token sequences."""

    def __len__(self) -> int: ...

    @property
    def token_count(self) -> int: ...

    def to_lists(self) -> list[list[str]]: ...

def tokenize(text: Text, tokenizer: str) -> Tokens:
    """Text that is cut into tokens by whoever first asks for them."""

def word_errors(hypotheses: NDArray[numpy.int32], hypothesis_offsets: NDArray[numpy.int64], references: NDArray[numpy.int32], reference_offsets: NDArray[numpy.int64], starts: NDArray[numpy.int64], hypothesis_bases: NDArray[numpy.int32], reference_bases: NDArray[numpy.int32], threads: int = 0) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint8], NDArray[numpy.uint8]]:
    """
    The reference that counts of each segment; a mark for each word of hypotheses and references.
    """

def ngram_table(columns: Sequence[tuple[NDArray[numpy.int32], NDArray[numpy.int64]]], orders: int, threads: int = 0) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], list[tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]]]:
    """
    N-grams as the one before their last word, and that word; by column n-gram, segment and count.
    """

def phrase_runs(tokens: Tokens, longest: int, times: int, times_alone: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """Segment, start and length of phrases that are said over and over."""

def shared_ngrams(a: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], b: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """How often two columns of a table share an n-gram in a segment."""

def ngram_tally(a: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], b: tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]], apart: bool) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """
    N-gram, segment, and how often each of two columns has it, or only by how much one has it more often.
    """

def ngram_kinds(ngrams: NDArray[numpy.int32], more: NDArray[numpy.int32], less: NDArray[numpy.int32], kept: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32]]:
    """
    N-grams by how often they count for and against: both, how many of them, and the first ones.
    """

class PreparedBleu:
    """References made ready for BLEU."""

    def __init__(self, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def rows(self, hypotheses: Tokens, max_order: int, reference_length: str, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

class PreparedChrf:
    """References made ready for chrF."""

    def __init__(self, references: Text, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], char_order: int, word_order: int, beta: float, whitespace: bool, eps_smoothing: bool, threads: int = 0) -> None: ...

    def __len__(self) -> int: ...

    def rows(self, hypotheses: Text, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

class Crossing:
    """Strings made ready to be compared all with all."""

    def rows(self, rectangles: Annotated[NDArray[numpy.int64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def mean_rows(self, rectangles: Annotated[NDArray[numpy.int64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def bleu_crossing(tokens: Tokens, groups: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_order: int, threads: int = 0) -> Crossing: ...

def chrf_crossing(text: Text, groups: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], char_order: int, word_order: int, whitespace: bool, threads: int = 0) -> Crossing: ...

def ter_crossing(hypotheses: Tokens, references: Tokens, groups: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], full: bool) -> Crossing: ...

def edit_word_rows(hypotheses: Tokens, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: str, choice: str, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def edit_character_rows(hypotheses: Text, references: Text, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: str, choice: str, spaces: bool, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def eed_scores(hypotheses: Tokens, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], jump: float, coverage: float, deletion: float, insertion: float, count_start: bool, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def character_scores(hypotheses: Tokens, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def hyter_rows(hypotheses: Tokens, pieces: Tokens, steps: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], network_starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], window: int, choice: str, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def guard_exit(sentence: str, status: int) -> None:
    """
    From now on, a library that calls exit() or abort() ends this process with this sentence and status.
    """

def unguard_exit() -> None:
    """Let exit() and abort() end the process as usual."""

class PreparedWords:
    """References made ready to be compared with hypotheses pair by pair."""

    def __init__(self, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> None: ...

    def __len__(self) -> int: ...

    def ribes(self, hypotheses: Tokens, right_first: bool, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def lepor(self, hypotheses: Tokens, window: int, alignment: str, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def order(self, hypotheses: Tokens, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def overlap(self, hypotheses: Tokens, orders: int, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def beer(self, hypotheses: Tokens, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def lcs(self, hypotheses: Tokens, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def summary_lcs(self, hypotheses: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def weighted_lcs(self, hypotheses: Tokens, weight: float, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def skip_bigrams(self, hypotheses: Tokens, gap: int, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

    def gtm(self, hypotheses: Tokens, exponent: float, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def joined_gtm(self, hypotheses: Tokens, exponent: float, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def pair_counts(gold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], others: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], minimum: float, epsilon: float, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def calibrate_ties(gold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, float]: ...

PARAPHRASE_LAYOUT: int = 1

class ParaphraseCompiler:
    """Makes an image of a table of paraphrases."""

    def __init__(self) -> None: ...

    def add(self, data: bytes) -> None:
        """The next bytes of the table, cut anywhere."""

    def finish(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]:
        """The image of all that was added."""

class ParaphraseTable:
    """A compiled table of paraphrases, read where it lies."""

    def __init__(self, image: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

class ParaphraseIndex:
    """A table of paraphrases seen from the types of some texts."""

    def __init__(self, table: ParaphraseTable, types: Text) -> None: ...

class WordKnowledge:
    """What is known about each word type."""

    def __init__(self, function: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], stems: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, synset_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, synsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, paraphrases: ParaphraseIndex | None, exact: bool = True) -> None: ...

def meteor_normalize(text: Text, language: str, punctuation: bool, always: Text, before_numbers: Text, threads: int = 0) -> Text: ...

def meteor_rows(knowledge: WordKnowledge, hypothesis_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], segments: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], search: str, beam: int, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def staged_rows(knowledge: WordKnowledge, hypothesis_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], segments: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], beam: int, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

def staged_partners(knowledge: WordKnowledge, hypothesis_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], beam: int, threads: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]: ...

def ter_rows(hypotheses: Tokens, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], full: bool, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def ter_alignment(hypotheses: Tokens, references: Tokens, hypothesis: int, reference: int, full: bool) -> tuple[int, list[tuple[int, int, int]], str]: ...

def tercom_normalize(text: Text, normalized: bool, no_punct: bool, asian_support: bool, threads: int) -> Text: ...

def terp_rows(knowledge: WordKnowledge, hypothesis_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], segments: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Sequence[float], beam: float, shift_size: int, shift_distance: int, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

class NgramCounts:
    """How often the references of a set have each n-gram."""

    def __init__(self, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], orders: int) -> None: ...

    @staticmethod
    def merged(parts: Sequence[NgramCounts]) -> NgramCounts: ...

    def __getstate__(self) -> tuple[int, int, bytes, bytes, bytes, bytes, bytes, bytes, bytes]: ...

    def __setstate__(self, arg: tuple[int, int, bytes, bytes, bytes, bytes, bytes, bytes, bytes], /) -> None: ...

    def digest(self) -> int: ...

    def segments(self) -> int: ...

    def sizes(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]:
        """By order: different n-grams, and all."""

class PreparedWeighted:
    """References made ready for matches that have weights."""

    def __init__(self, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: NgramCounts, ranking: str, threads: int = 0) -> None: ...

    def rows(self, hypotheses: Tokens, weights: Sequence[str], occurrences: bool, after_zero: bool, sum_of_words: bool, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def coverage(self, hypotheses: Tokens | None, most: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

class WordFacts:
    """What is known about words, by their number."""

    def __init__(self, lemmas: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sounds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], set_starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def tesla(self, hypotheses: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], references: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], orders: int, synonym: float, threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

    def atec(self, hypotheses: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], references: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], worths: Sequence[float], threads: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def word_types(columns: Sequence[Tokens], threads: int = 0) -> tuple[list[str], list[NDArray[numpy.int32]], list[NDArray[numpy.int64]]]:
    """
    Distinct words by first appearance; by column, the number of each token and where segments start.
    """

def spell_words(words: Text, ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Tokens:
    """Segments of words that are known by number."""
