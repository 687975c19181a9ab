"""Pairs of systems with a fault planted, one for each signal, and which signals fire about pairs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from karat.analysis.audit.signals import signals
from karat.analysis.measure_table import AuditedMeasure, MeasureTable
from karat.corpus import Corpus
from karat.registry import metric
from karat.service.audit import _pair_texts

Texts = Sequence[str]


def corpus_of(systems: Mapping[str, Texts], references: Mapping[str, Texts]) -> Corpus:
    return Corpus.of(systems=dict(systems), references={name: list(texts) for name, texts in references.items()})


def fired(corpus: Corpus, tokenize: str = "13a") -> dict[str, list[tuple[str, str]]]:
    """The pairs of systems that each signal fires about."""
    references = corpus.references_for()
    tables = []
    for spec in (f"bleu(tokenize={tokenize})", "chrf"):
        prepared = metric(spec).prepare(references, threads=1)
        rows = {name: prepared.rows(column) for name, column in corpus.systems.items()}
        tables.append(MeasureTable(AuditedMeasure(spec, True, rows, rows)))
    found_signals = list(signals(tables, _pair_texts(corpus, tokenize, 1), "segment"))
    codes = dict.fromkeys(signal.code for signal in found_signals)
    return {
        code: [(signal.baseline, signal.system) for signal in found_signals if signal.code == code and signal.fires]
        for code in codes
    }


def wmt21(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    directory = shared_data / "wmt21-news-ende"
    outputs = {path.stem: _lines(path, 1002) for path in sorted((directory / "system-outputs").glob("*.txt"))}
    references = {
        name: _lines(directory / "references" / f"{name}.de", 1002) for name in ("refA", "refB", "refC", "refD")
    }
    return outputs, references


def wmt23(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    directory = shared_data / "wmt23-mtme-ende" / "wmt23"
    count = len((directory / "sources" / "en-de.txt").read_text("utf-8").split("\n")) - 1
    outputs = {p.stem: _lines(p, count) for p in sorted((directory / "system-outputs" / "en-de").glob("*.txt"))}
    return outputs, {"refA": _lines(directory / "references" / "en-de.refA.txt", count)}


def wmt22_chinese(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    directory = shared_data / "wmt22-general-enzh"
    paths = sorted((directory / "system-outputs").glob("*.zh"))
    outputs = {path.name.split(".")[3]: _lines(path, 2037) for path in paths}
    names = {name: directory / "references" / f"generaltest2022.en-zh.ref.{name}.zh" for name in "AB"}
    return outputs, {name: _lines(path, 2037) for name, path in names.items()}


def _lines(path: Path, count: int) -> list[str]:
    return path.read_text("utf-8").split("\n")[:count]


def rate_on_all_pairs(code: str, fires: Mapping[str, list[tuple[str, str]]], systems: int) -> float:
    return len(fires[code]) / (systems * (systems - 1) / 2)


def rate_on_faults(code: str, outputs: Mapping[str, Texts], reference: Texts, humans: Mapping[str, Texts]) -> float:
    """How often a signal fires about pairs that have its fault."""
    rng = random.Random(2006)
    pairs = list(combinations(outputs, 2))[::7]
    hits = total = 0
    if code == "different-kinds":
        alarms = fired(corpus_of({**outputs, **humans}, {"ref": reference}))[code]
        mixed = [pair for pair in alarms if (pair[0] in humans) != (pair[1] in humans)]
        return len(mixed) / (len(outputs) * len(humans))
    for first, second in pairs:
        one_output, other, given = planted_pair(code, outputs[first], outputs[second], reference, rng)
        hits += bool(fired(corpus_of({"a": one_output, "b": other}, {"ref": given}))[code])
        total += 1
    return hits / total


def planted_pair(
    code: str, first: Texts, second: Texts, reference: Texts, rng: random.Random
) -> tuple[Texts, Texts, Texts]:
    """Two outputs and a reference, with the fault that a signal is to find."""
    if code == "little-power":  # two mixtures of the same two systems: whatever they differ by is chance
        mixed = [
            [rng.choice(texts) for texts in zip(first, second, strict=True)],
            [rng.choice(texts) for texts in zip(first, second, strict=True)],
        ]
        return mixed[0], mixed[1], reference
    if code == "few-segments":  # an improvement of one segment in a hundred
        better = {*rng.sample(range(len(first)), max(1, len(first) // 100))}
        return first, [reference[i] if i in better else text for i, text in enumerate(first)], reference
    if code == "close-reference":  # three segments in ten of the reference are the first system's
        copied = {*rng.sample(range(len(first)), 3 * len(first) // 10)}
        return first, second, [first[i] if i in copied else text for i, text in enumerate(reference)]
    assert code == "metrics-disagree"  # long words of the reference are put in, all of them in a wrong form
    missing = [
        [f"{word[:-1]}x" for word in reference[i].split() if len(word) > 6 and word not in text]
        for i, text in enumerate(first)
    ]
    return first, [" ".join([text, *words]) for text, words in zip(first, missing, strict=True)], reference
