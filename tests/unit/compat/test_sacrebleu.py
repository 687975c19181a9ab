"""The drop-in by itself: what it refuses, what it says, what it loads."""

from __future__ import annotations

import gzip
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat.compat.sacrebleu as sacrebleu
from karat.compat.sacrebleu import tables, testsets
from karat.compat.sacrebleu.arguments import parser
from karat.compat.sacrebleu.significance import PairedTest, Result
from karat.errors import InputError, MissingExtraError, SpecError

HYPOTHESES = ["The dog bit the man.", "It wasn't surprising."]
REFERENCES = [["The dog bit the man.", "It was not unexpected."], ["The dog had bit the man.", "No one was surprised."]]
METRICS = [sacrebleu.BLEU, sacrebleu.CHRF, sacrebleu.TER]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("hypotheses", "references", "part"),
    [
        (HYPOTHESES, [["only one"]], "2 hypotheses, but references for 1 segments"),
        ([*HYPOTHESES, "more"], REFERENCES, "3 hypotheses, but references for 2 segments"),
        (HYPOTHESES, [REFERENCES[0], ["only one"]], "different numbers of segments"),
        (HYPOTHESES, [], "there are no references"),
        ([], [[]], "no segment"),
        (HYPOTHESES, [[None, "x"]], "segment 1 has no reference at all"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(metric: Any, hypotheses: Any, references: Any, part: str) -> None:
    with pytest.raises(InputError, match=part):
        metric().corpus_score(hypotheses, references)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("hypotheses", "references", "part"),
    [
        ("The dog", REFERENCES, "`hyps` should be a sequence of strings"),
        (iter(HYPOTHESES), REFERENCES, "`hyps` should be a sequence of strings"),
        (["a", None], REFERENCES, "segment 2 is missing"),
        ([1, 2], REFERENCES, "segment 1 is not a string but int"),
        (HYPOTHESES, "The dog", "`refs` should be a sequence of sequence of strings"),
        (HYPOTHESES, REFERENCES[0], r"put the list of references into a list: \[references\]"),
        (HYPOTHESES, np.array(REFERENCES), "`refs` should be a sequence of sequence of strings"),
    ],
)
def test_wrong_types_are_type_errors_too(metric: Any, hypotheses: Any, references: Any, part: str) -> None:
    with pytest.raises(TypeError, match=part) as caught:
        metric().corpus_score(hypotheses, references)
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("hypothesis", "references", "part"),
    [
        (HYPOTHESES, ["a"], "The argument `hyp` should be a string"),
        (None, ["a"], "The argument `hyp` should be a string"),
        ("a", "a", "The argument `refs` should be a sequence of strings"),
        ("a", [1], "Each element of `refs` should be a string"),
        ("a", [["a"]], "Each element of `refs` should be a string"),
    ],
)
def test_a_sentence_of_a_wrong_type_is_refused(metric: Any, hypothesis: Any, references: Any, part: str) -> None:
    with pytest.raises(TypeError, match=part):
        metric().sentence_score(hypothesis, references)


@pytest.mark.parametrize("references", [[], [None]])
def test_a_sentence_needs_a_reference(references: Any) -> None:
    with pytest.raises(InputError, match="no reference"):
        sacrebleu.sentence_chrf("a", references)


@pytest.mark.parametrize("metric", METRICS)
def test_no_references_at_all(metric: Any) -> None:
    with pytest.raises(RuntimeError, match="the cache is empty"):
        metric().corpus_score(HYPOTHESES, None)


@pytest.mark.parametrize("metric", METRICS)
def test_a_signature_needs_references(metric: Any) -> None:
    with pytest.raises(ValueError, match="evaluate the metric first"):
        metric().get_signature()
    assert str(metric(references=REFERENCES).get_signature()).startswith("nrefs:2|")


@pytest.mark.parametrize(
    ("options", "builtin"), [({"tokenize": "13b"}, KeyError), ({"smooth_method": "floors"}, AssertionError)]
)
def test_unknown_options_suggest_known_ones(options: Any, builtin: type[Exception]) -> None:
    with pytest.raises(SpecError, match="Did you mean") as caught:
        sacrebleu.BLEU(**options)
    assert isinstance(caught.value, builtin)


@pytest.mark.parametrize(("options", "part"), [({"char_order": 0}, "char_order"), ({"beta": -1}, "beta")])
def test_chrf_refuses_what_makes_no_sense(options: Any, part: str) -> None:
    with pytest.raises(SpecError, match=part):
        sacrebleu.CHRF(**options)


def test_paired_tests_refuse_what_they_cannot_do(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = {"BLEU": sacrebleu.BLEU(references=REFERENCES)}
    named = [("a", HYPOTHESES), ("b", HYPOTHESES[:1])]
    with pytest.raises(InputError, match="1 hypotheses, but references for 2"):
        PairedTest(named, metrics, None, "bs", 10)()
    with pytest.raises(AssertionError, match="Unknown test type"):
        PairedTest(named, metrics, None, "bootstrap")
    with pytest.raises(InputError, match="no system"):
        PairedTest([], metrics, None)
    monkeypatch.setenv("SACREBLEU_SEED", "-3")
    with pytest.raises(InputError, match="SACREBLEU_SEED"):
        PairedTest(named[:1], metrics, None)


def test_seed_zero_is_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    named = [("a", HYPOTHESES * 9), ("b", [line + " x" for line in HYPOTHESES * 9])]
    metrics = {"CHRF": sacrebleu.CHRF(references=[REFERENCES[0] * 9])}
    first, second = (PairedTest(named, metrics, None, "ar", 40)()[1] for _ in range(2))
    assert repr(first) == repr(second)


def test_width_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="below zero"):
        sacrebleu.corpus_bleu(HYPOTHESES, REFERENCES).format(width=-1)


def test_json_without_a_signature() -> None:
    assert '"name": "TER"' in sacrebleu.corpus_ter(HYPOTHESES, REFERENCES).format(is_json=True)


def test_inputs_are_left_alone() -> None:
    hypotheses, references = list(HYPOTHESES), [list(stream) for stream in REFERENCES]
    for metric in METRICS:
        metric().corpus_score(hypotheses, references, n_bootstrap=10)
    assert (hypotheses, references) == (HYPOTHESES, REFERENCES)


def test_a_changed_list_is_scored_anew() -> None:
    metric, hypotheses = sacrebleu.CHRF(references=REFERENCES), list(HYPOTHESES)
    before = metric.corpus_score(hypotheses, None).score
    hypotheses[1] = REFERENCES[0][1]
    assert metric.corpus_score(hypotheses, None).score > before


def test_threads_agree() -> None:
    def work(_: int) -> list[float]:
        return [sacrebleu.sentence_bleu(h, [r]).score for h, r in zip(HYPOTHESES, REFERENCES[1], strict=True)]

    with ThreadPoolExecutor(max_workers=4) as pool:
        scores = list(pool.map(work, range(16)))
    assert scores == [work(0)] * 16


def test_statistics_are_there_for_those_who_use_them() -> None:
    metric = sacrebleu.BLEU()
    rows = metric._extract_corpus_statistics(HYPOTHESES, REFERENCES)
    assert rows[0] == [6, 6, 6, 5, 4, 3, 6, 5, 4, 3]
    assert str(metric._aggregate_and_compute(rows)) == str(metric.corpus_score(HYPOTHESES, REFERENCES))


def test_the_effective_order_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "sacrebleu"):
        sacrebleu.BLEU(effective_order=True).sentence_score("a", ["a"])
        assert not caplog.records
        sacrebleu.BLEU().sentence_score("a", ["a"])
    assert "effective_order" in caplog.text


def test_importing_loads_nothing_heavy() -> None:
    code = """
import sys
import karat.compat.sacrebleu as s
s.corpus_bleu(["a"], [["a"]]), s.sentence_chrf("a", ["a"]), s.corpus_ter(["a"], [["a"]])
s.BLEU().corpus_score(["a b"], [["a b"]], n_bootstrap=5)
print([name for name in ("scipy", "polars", "pandas", "sacrebleu", "rich", "click") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_takes_the_place_of_the_package() -> None:
    code = """
import sys
import karat.compat.sacrebleu
sys.modules["sacrebleu"] = karat.compat.sacrebleu
import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
print(BLEU.__module__, sacrebleu.corpus_ter(["a"], [["a"]]), Tokenizer13a()("a."))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "karat.compat.sacrebleu.metrics.bleu TER = 0.00 a ."


def test_test_sets_without_the_extra_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.utils", None)
    with pytest.raises(MissingExtraError, match=r"karat\[testsets\]"):
        sacrebleu.get_available_testsets()
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sacrebleu.nonsense
    with pytest.raises(AttributeError, match="nonsense"):
        _ = sacrebleu.utils.nonsense


def test_test_sets_come_from_sacrebleu() -> None:
    assert "wmt17" in sacrebleu.get_available_testsets()
    assert sacrebleu.DATASETS is testsets.original("dataset").DATASETS


def test_smart_open(tmp_path: Path) -> None:
    text = "a\rb\nä\n"
    (tmp_path / "plain").write_bytes(text.encode())
    (tmp_path / "packed.gz").write_bytes(gzip.compress(text.encode()))
    for name in ("plain", "packed.gz"):
        with sacrebleu.smart_open(tmp_path / name) as lines:
            assert list(lines) == ["a\rb\n", "ä\n"]


def test_colors_mark_what_matters(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(tables.Color, "ENABLE_COLORS", True)
    columns = {"System": ["base", "a", "b"], "TER": [Result(1.0), Result(2.0, 0.2), Result(3.0, 0.01)]}
    tables.print_results_table(columns, {}, "text", 1, False, "A test")  # type: ignore[arg-type]
    output = capsys.readouterr().out
    assert "\x1b[36mSystem\x1b[0m" in output
    assert "\x1b[33mbase\x1b[0m" in output
    assert "\x1b[31m(p = 0.2000)\x1b[0m" in output
    assert " (p = 0.0100)* " in output


def test_every_option_has_a_help_text() -> None:
    assert not [action.dest for action in parser()._actions if not action.help]
