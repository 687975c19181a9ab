"""Tiny files for the tests of options: twelve segments in four documents, three systems, judgements and scores."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

from karat.service.scaling import ScaleRequest, score_parts

SEGMENTS = [str(number) for number in range(1, 13)]
DOCUMENTS = [f"d{number // 3}" for number in range(12)]
DOMAINS = ["news" if number < 6 else "chat" for number in range(12)]
NOISE = {"ref": 0.0, "ref2": 0.15, "a": 0.1, "b": 0.3, "c": 0.5}
WORDS = ("the", "cat", "sat", "on", "a", "mat", "while", "dogs", "ran", "over", "green", "hills", "and", "birds", ".")


def write_option_files(directory: Path) -> None:
    """Write them all."""
    texts = _texts()
    for name, lines in {**texts, "docs": DOCUMENTS, "other-docs": [f"x{label}" for label in DOCUMENTS]}.items():
        (directory / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, lines in _token_files(texts).items():
        (directory / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    records = [_record(texts, number) for number in range(12)]
    for name in ("all.jsonl", "all.odd"):
        (directory / name).write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    odd_tables: dict[str, dict[str, str]] = {"odd.csv": {}, "two.csv": {"reference:B": "ref2"}}
    for name, more in odd_tables.items():
        (directory / name).write_text(_semicolons(texts, more), encoding="utf-8")
    score_parts(
        ScaleRequest(
            corpus=str(directory / "all.jsonl"), out=str(directory / "stored"), metrics=("chrf",), keep_rows=True
        )
    )
    (directory / "terms.tsv").write_text("Quelle\tsource\n", encoding="utf-8")
    (directory / "sets.toml").write_text(_manifest(), encoding="utf-8")
    for name, systems in {"nbest": ["a", "b", "c"], "other": ["ref", "ref2", "c"]}.items():
        lists = "\n".join(_nbest_records(texts, systems)) + "\n"
        (directory / f"{name}.jsonl").write_text(lists, encoding="utf-8")
    for name, lines in {
        **_nbest_lines(texts),
        **_judgements(),
        **_score_files(),
        **_meta_directory(),
        **_tags(),
        **_rating_files(),
    }.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _texts() -> dict[str, list[str]]:
    rng = random.Random(5)
    base = [[rng.choice(WORDS) for _ in range(12)] for _ in SEGMENTS]

    def changed(share: float) -> list[str]:
        return [
            " ".join(rng.choice(WORDS) if rng.random() < share else word for word in words).capitalize()
            for words in base
        ]

    texts = {name: [f"{line} 中文字" for line in changed(share)] for name, share in NOISE.items()}
    texts["b"][0] = texts["b"][0].replace("文", "国")
    texts["src"] = [f"Quelle {line}" for line in texts["ref"]]
    texts["c"][3:9] = texts["src"][3:9]
    return texts


def _nbest_records(texts: dict[str, list[str]], systems: list[str]) -> list[str]:
    """The texts of three systems as hypotheses of one, with log-probabilities."""
    hypotheses = zip(*(texts[name] for name in systems), strict=True)
    values = [-8.0, -7.0, -0.5]
    return [json.dumps({"hypotheses": list(three), "log_probabilities": values}) for three in hypotheses]


def _nbest_lines(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    lines = [line for three in zip(*(texts[name] for name in "abc"), strict=True) for line in three]
    others = [line for two in zip(texts["ref"], texts["ref2"], strict=True) for line in two]
    rng = random.Random(9)
    chance = [" ".join(rng.choice(WORDS) for _ in range(12)) for _ in SEGMENTS for _ in range(64)]
    return {
        "nbest.txt": lines,
        "many.txt": chance,
        "log.txt": [value for _ in SEGMENTS for value in ("-8", "-7", "-0.5")],
        "other.txt": others,
        "repeated.txt": [*texts["a"], *texts["a"], ""],
    }


def _record(texts: dict[str, list[str]], number: int) -> dict[str, object]:
    systems = {name: texts[name][number] for name in "abc"}
    return {
        "segment": SEGMENTS[number],
        "document": DOCUMENTS[number],
        "domain": DOMAINS[number],
        "source": texts["src"][number],
        "references": {name: texts[name][number] for name in ("ref", "ref2")},
        "systems": systems,
        "post_edits": {name: f"{text.replace('the', 'a')} Yes." for name, text in systems.items()},
    }


def _semicolons(texts: dict[str, list[str]], more: dict[str, str]) -> str:
    """A table with semicolons, whose references stand under a name of their own."""
    names = {"Vorlage": "ref", **more, **{f"system:{name}": name for name in "abc"}}
    rows = zip(SEGMENTS, *(texts[name] for name in names.values()), strict=True)
    return "".join(";".join(row) + "\n" for row in [("segment", *names), *rows])


def _manifest() -> str:
    systems = 'systems = { a = "a.txt", b = "b.txt", c = "c.txt" }'
    return "\n".join(
        f'[[testset]]\nname = "{name}"\nreferences = ["{name}.txt"]\n{systems}\n' for name in ("ref", "ref2")
    )


def _judgements() -> dict[str, list[str]]:
    """Ratings of two criteria by two people, and what they come to as scores."""
    rng = random.Random(6)
    ratings = ["rater\tsystem\tsegment\tcriterion\tvalue"]
    scores = ["metric\tsystem\tsegment\tdocument\tscore"]
    for system, mean in {"a": 4, "b": 3, "c": 2}.items():
        for segment, document in zip(SEGMENTS, DOCUMENTS, strict=True):
            values = [min(5, max(1, mean + rng.choice((-1, 0, 0, 1)))) for _ in range(4)]
            for rater, criterion, value in zip("rsrs", ("adequacy",) * 2 + ("fluency",) * 2, values, strict=True):
                ratings.append(f"{rater}\t{system}\t{segment}\t{criterion}\t{value}")
            scores.append(f"judged\t{system}\t{segment}\t{document}\t{sum(values) / 4 + rng.random() / 10}")
    few = [line for line in ratings if "\t12\t" not in line]
    foreign = [ratings[0].replace("value", "Note"), *ratings[1:]]
    return {
        "ratings.tsv": ratings,
        "ratings.odd": ratings,
        "foreign.tsv": foreign,
        "few.tsv": few,
        "judged.tsv": scores,
    }


def _score_files() -> dict[str, list[str]]:
    """Scores of other metrics: of every segment, with holes, and of systems in two language pairs."""
    rng = random.Random(7)
    heading = "metric\tsystem\tsegment\tscore"
    whole, holes, submitted = [heading], [heading], []
    for system, mean in {"a": 0.7, "b": 0.6, "c": 0.4}.items():
        for number, segment in enumerate(SEGMENTS):
            score = mean + rng.gauss(0, 0.1)
            whole.append(f"neural\t{system}\t{segment}\t{score}")
            holes.append(f"holes\t{system}\t{segment}\t{'' if number % 4 == 'abc'.index(system) else score}")
        submitted += [f"mine\t{pair}\tnews\trefA\t{system}\t{mean + rng.random()}" for pair in ("en-de", "en-cs")]
    return {"scores.tsv": whole, "holes.tsv": holes, "submitted.sys.score": submitted}


def _meta_directory() -> dict[str, list[str]]:
    """A directory of mt-metrics-eval: two language pairs, two kinds of judgement, three metrics, one human output."""
    rng = random.Random(8)
    gold = {f"s{number}": [rng.gauss(number, 2) for _ in range(8)] for number in range(8)}
    gold["refA"] = [rng.gauss(20, 2) for _ in range(8)]

    def noisy(deviation: float) -> list[str]:
        return _plain({system: [value + rng.gauss(0, deviation) for value in of] for system, of in gold.items()})

    files = {}
    for pair in ("en-de", "en-cs"):
        files[f"meta/human-scores/{pair}.mqm.seg.score"] = _plain(gold)
        files[f"meta/human-scores/{pair}.da.seg.score"] = noisy(4)
        files[f"meta/documents/{pair}.docs"] = [f"{'news' if n < 4 else 'chat'}\td{n // 2}" for n in range(8)]
        for name, deviation in (("mine", 3), ("other", 4), ("third-refA", 9)):
            files[f"meta/metric-scores/{pair}/{name}.seg.score"] = noisy(deviation)
    return files


def _plain(of: dict[str, list[float]]) -> list[str]:
    return [f"{system}\t{value}" for system, values in of.items() for value in values]


def _tags() -> dict[str, list[str]]:
    return {
        "gold.tags": ["OK BAD OK OK", "BAD OK"],
        "other.tags": ["OK OK OK BAD", "BAD BAD"],
        "predicted.tags": ["OK BAD BAD OK", "BAD OK"],
        "fine.tags": ["OK OK OK OK", "OK OK"],
    }


def _token_files(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """Labels and base forms of words, and a reference that differs in case only."""

    def each(name: str, change: Callable[[str], str]) -> list[str]:
        return [" ".join(change(word) for word in line.split()) for line in texts[name]]

    return {
        "ref.pos": each("ref", lambda word: "LONG" if len(word) > 3 else "SHORT"),
        "ref.base": each("ref", str.lower),
        "a.base": each("a", str.lower),
        "ref-upper.txt": [line.upper() for line in texts["ref"]],
    }


def _rating_files() -> dict[str, list[str]]:
    """Ratings that leave out what options can say, and some that are bad."""
    return {
        "unnamed.tsv": ["rater\tsegment\tvalue", "r\t1\t4", "s\t2\t5"],
        "bad.tsv": [
            "rater\tsystem\tsegment\tcriterion\tprotocol\tvalue",
            "r\ta\t1\toverall\tda\t50",
            "r\tb\t1\toverall\tda\t101",
        ],
    }
