"""The only door to the compiled core: typed names, and errors that karat's users know."""

from __future__ import annotations

from karat._native import (
    UNICODE_VERSION,
    NgramCounts,
    PreparedBleu,
    PreparedChrf,
    PreparedWeighted,
    PreparedWords,
    Text,
    Tokens,
    unicode_classes,
)
from karat.kernels.edits import (
    TerAlignment,
    TerShift,
    edit_character_rows,
    edit_word_rows,
    eed_scores,
    ter_alignment,
    ter_rows,
    tercom_normalize,
)
from karat.kernels.matching import (
    beer_pairs,
    gtm_pairs,
    gtm_segments,
    lcs_pairs,
    lepor_pairs,
    order_pairs,
    overlap_pairs,
    prepare_words,
    ribes_pairs,
    skip_bigram_pairs,
    summary_lcs_pairs,
    weighted_lcs_pairs,
)
from karat.kernels.ngrams import bleu_rows, chrf_rows, prepare_bleu, prepare_chrf
from karat.kernels.pairs import calibrate_ties, pair_counts
from karat.kernels.text import InvalidUtf8, split_lines, thread_count, tokenize
from karat.kernels.types import WordTypes, spell_words, word_types
from karat.kernels.weights import count_ngrams, prepare_weighted, reference_coverage, weighted_rows

__all__ = [
    "UNICODE_VERSION",
    "InvalidUtf8",
    "NgramCounts",
    "PreparedBleu",
    "PreparedChrf",
    "PreparedWeighted",
    "PreparedWords",
    "TerAlignment",
    "TerShift",
    "Text",
    "Tokens",
    "WordTypes",
    "beer_pairs",
    "bleu_rows",
    "calibrate_ties",
    "chrf_rows",
    "count_ngrams",
    "edit_character_rows",
    "edit_word_rows",
    "eed_scores",
    "gtm_pairs",
    "gtm_segments",
    "lcs_pairs",
    "lepor_pairs",
    "order_pairs",
    "overlap_pairs",
    "pair_counts",
    "prepare_bleu",
    "prepare_chrf",
    "prepare_weighted",
    "prepare_words",
    "reference_coverage",
    "ribes_pairs",
    "skip_bigram_pairs",
    "spell_words",
    "split_lines",
    "summary_lcs_pairs",
    "ter_alignment",
    "ter_rows",
    "tercom_normalize",
    "thread_count",
    "tokenize",
    "unicode_classes",
    "weighted_lcs_pairs",
    "weighted_rows",
    "word_types",
]
