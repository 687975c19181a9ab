"""The one way up: whatever order files have, rows end up over the same systems and segments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from karat.errors import InputError
from karat.evidence import ALL_TESTSETS, Evidence, pooled
from karat.rows import SUM_BLOCK
from karat.scores import SegmentScores
from karat.service import gathering
from karat.service.comparing import CompareRequest, RankRequest, compare_systems, rank_systems
from karat.service.gathering import gather, gather_one
from karat.service.inputs import CorpusFile, Files
from karat.service.listening import Listeners
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.significance import Options

IDS = ("1", "2", "3", "4")
TEXTS = {
    "ref": ["the cat sat", "on the mat", "dogs ran far", "birds sang loudly"],
    "a": ["the cat sat", "on a mat", "dogs ran far", "birds sang"],
    "b": ["a cat sat", "on mats", "dog ran far", "bird sang loud"],
}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    for name, lines in TEXTS.items():
        write(tmp_path / f"{name}.txt", lines)
    systems = tuple((name, str(tmp_path / f"{name}.txt")) for name in ("a", "b"))
    return Files((str(tmp_path / "ref.txt"),), systems)


def write(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def corpus(
    path: Path, *, ids: tuple[str, ...] = IDS, documents: tuple[str, ...] | None = None, edits: bool = False
) -> str:
    records = []
    for i, segment in enumerate(ids):
        record: dict[str, object] = {"segment": segment, "references": {"ref": TEXTS["ref"][i]}}
        record["systems"] = {name: TEXTS[name][i] for name in ("a", "b")}
        if documents is not None:
            record["document"] = documents[i]
        if edits:
            record["post_edits"] = {name: TEXTS[name][i] for name in ("a", "b")}
        records.append(json.dumps(record))
    return write(path, records)


def test_a_long_corpus_is_scored_in_pieces_but_comes_out_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = tuple(map(str, range(SUM_BLOCK + 100)))
    texts = {name: [*lines * (len(ids) // 4)] for name, lines in TEXTS.items()}
    files = [write(tmp_path / f"{name}.txt", lines) for name, lines in texts.items()]
    request = EvidenceRequest(
        texts=Files((files[0],), (("a", files[1]), ("b", files[2]))), metrics=("bleu", "ter", "chrf")
    )
    told: list[SegmentScores] = []
    (whole,) = gather(request)
    monkeypatch.setattr(gathering, "BLOCK_SEGMENTS", SUM_BLOCK)
    (pieces,) = gather(request, Listeners(scores=told.append))
    for one, other in zip(whole.measures, pieces.measures, strict=True):
        assert one.identity == other.identity
        assert all(np.array_equal(one.rows[name].values, other.rows[name].values) for name in ("a", "b"))
    assert [scores.segments[0] for scores in told if scores.metric == "bleu"] == ["1", "1", "4097", "4097"]


def score_file(path: Path, rows: list[str], heading: str = "system\tsegment\tscore") -> str:
    return write(path, [heading, *rows])


def scores_of(evidence: Evidence, measure: str, system: str) -> list[float | None]:
    rows = evidence.measure(measure).rows[system]
    return [float(s) if known else None for s, known in zip(rows.unit_scores(), rows.known, strict=True)]


def test_scores_in_any_order_come_into_that_of_the_texts(files: Files, tmp_path: Path) -> None:
    rows = [f"{system}\t{segment}\t{segment}{'ab'.index(system)}" for system in ("b", "a") for segment in "3142"]
    evidence = gather_one(
        EvidenceRequest(texts=files, metrics=("chrf",), scores=(score_file(tmp_path / "m.tsv", rows),))
    )
    assert evidence.systems == ("a", "b")
    assert evidence.specs == ("chrf", "m")
    assert scores_of(evidence, "m", "a") == [10, 20, 30, 40]
    assert scores_of(evidence, "m", "b") == [11, 21, 31, 41]


def test_scores_alone_keep_the_order_of_their_file_or_that_asked_for(tmp_path: Path) -> None:
    path = score_file(tmp_path / "m.tsv", ["b\t2\t1", "b\t1\t2", "a\t1\t3", "a\t2\t4", "c\t1\t0", "c\t2\t0"])
    evidence = gather_one(EvidenceRequest(scores=(path,)))
    assert (evidence.systems, evidence.segments.ids) == (("b", "a", "c"), ("2", "1"))
    assert scores_of(evidence, "m", "a") == [4, 3]
    assert gather_one(EvidenceRequest(scores=(path,), systems=("a", "b"))).systems == ("a", "b")
    with pytest.raises(InputError, match="no m scores of 'z'"):
        gather_one(EvidenceRequest(scores=(path,), systems=("a", "z")))


def test_segments_of_the_same_name_are_told_apart_by_document(tmp_path: Path) -> None:
    texts = CorpusFile(corpus(tmp_path / "c.jsonl", ids=("1", "2", "1", "2"), documents=("x", "x", "y", "y")))
    rows = [f"{s}\t{d}\t{n}\t{'xy'.index(d)}{n}" for s in "ab" for d in "yx" for n in "21"]
    path = score_file(tmp_path / "m.tsv", rows, "system\tdocument\tsegment\tscore")
    evidence = gather_one(EvidenceRequest(texts=texts, metrics=("chrf",), scores=(path,)))
    assert scores_of(evidence, "m", "a") == [1, 2, 11, 12]


def test_segments_of_the_same_name_without_documents_are_refused(tmp_path: Path) -> None:
    texts = CorpusFile(corpus(tmp_path / "c.jsonl", ids=("1", "2", "1", "2"), documents=("x", "x", "y", "y")))
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "ab" for n in "12"])
    with pytest.raises(InputError, match=r"m\.tsv: .*same name: both sides must tell documents"):
        gather_one(EvidenceRequest(texts=texts, metrics=("chrf",), scores=(path,)))


@pytest.mark.parametrize(
    ("segments", "complaint"),
    [
        ("123", r"m\.tsv: 1 of the 4 segments compared have no m score \(4\)"),
        ("1xyz", r"m\.tsv: only 1 of 4 segments is among the 4 looked at \(1, 2, 3, 4\), and x is not"),
        ("xyz", r"m\.tsv: none of 3 segments is among the 4 looked at \(1, 2, 3, 4\), and x is not"),
    ],
)
def test_segments_that_are_missing_or_mostly_unknown_are_refused(
    files: Files, tmp_path: Path, segments: str, complaint: str
) -> None:
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "ab" for n in segments])
    with pytest.raises(InputError, match=complaint):
        gather_one(EvidenceRequest(texts=files, metrics=("chrf",), scores=(path,)))


@pytest.mark.parametrize("judged", [False, True])
def test_segments_that_the_texts_lack_are_told_whatever_they_are_for(
    files: Files, tmp_path: Path, *, judged: bool
) -> None:
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "ab" for n in ("1", "2", "3", "4", "x", "y")])
    scores, gold = (() if judged else (path,)), (GoldRequest(paths=(path,)) if judged else None)
    evidence = gather_one(EvidenceRequest(texts=files, metrics=("chrf",), scores=scores, gold=gold))
    (warning,) = evidence.warnings
    assert warning.code == "unknown-segments"
    assert warning.message == (
        f"{path}: 2 of 6 segments are not among the 4 looked at, so that 4 of 12 m scores are left out: x, y"
    )


@pytest.mark.parametrize("judged", [False, True])
def test_names_of_which_few_are_shared_are_refused_whatever_they_are_for(
    files: Files, tmp_path: Path, *, judged: bool
) -> None:
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "ab" for n in ("1", "x2", "x3", "x4")])
    scores, gold = (() if judged else (path,)), (GoldRequest(paths=(path,)) if judged else None)
    with pytest.raises(InputError, match=r"m\.tsv: only 1 of 4 segments is among the 4 looked at .* x2 is not"):
        gather_one(EvidenceRequest(texts=files, metrics=("chrf",), scores=scores, gold=gold))


def test_documents_that_the_texts_lack_are_told(tmp_path: Path) -> None:
    texts = CorpusFile(corpus(tmp_path / "c.jsonl", documents=("x", "x", "y", "y")))
    rows = [f"{s}\t{d}\t{n}\t5" for s in "ab" for d, n in (("x", "1"), ("x", "2"), ("y", "3"), ("z", "4"))]
    path = score_file(tmp_path / "m.tsv", rows, "system\tdocument\tsegment\tscore")
    evidence = gather_one(EvidenceRequest(texts=texts, metrics=("chrf",), gold=GoldRequest(paths=(path,))))
    assert [w.message.partition(": ")[2] for w in evidence.warnings] == [
        "1 of 4 segments is not among the 4 looked at, so that 2 of 8 m scores are left out: z/4"
    ]


def test_systems_of_judgements_and_texts_that_do_not_meet_are_told(files: Files, tmp_path: Path) -> None:
    path = score_file(tmp_path / "gold.tsv", [f"{s}\t{n}\t{n}" for s in ("a", "z", "refA") for n in "1234"])
    evidence = gather_one(EvidenceRequest(texts=files, metrics=("chrf",), gold=GoldRequest(paths=(path,))))
    assert [(warning.code, warning.message) for warning in evidence.warnings] == [
        (
            "systems-without-text",
            "people judged 2 systems, of which 1 has no text here and no score under -m: z",
        ),
        ("unjudged-systems", "1 system that nobody judged is left out: b"),
    ]


def test_scores_of_systems_that_nobody_judged_are_told(tmp_path: Path) -> None:
    gold = score_file(tmp_path / "gold.tsv", [f"{s}\t{n}\t{n}" for s in "ab" for n in "1234"])
    scores = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in ("a", "b", "c", "refB") for n in "1234"])
    evidence = gather_one(EvidenceRequest(scores=(scores,), gold=GoldRequest(paths=(gold,))))
    assert [w.message for w in evidence.warnings] == ["1 system that nobody judged is left out: c"]
    others = score_file(tmp_path / "n.tsv", [f"{s}\t{n}\t5" for s in "xyz" for n in "1234"])
    with pytest.raises(InputError, match=r"n\.tsv: none of 3 systems is among the 2 looked at \(a, b\), and x is not"):
        gather_one(EvidenceRequest(scores=(others,), gold=GoldRequest(paths=(gold,))))


def test_names_that_no_system_has_cannot_be_changed(files: Files, tmp_path: Path) -> None:
    path = score_file(tmp_path / "gold.tsv", [f"{s}\t{n}\t{n}" for s in ("Alpha", "b") for n in "1234"])
    asked = EvidenceRequest(texts=files, metrics=("chrf",), gold=GoldRequest(paths=(path,)))
    with pytest.raises(InputError, match="--rename c=Alpha: there is no system 'c'"):
        gather_one(replace(asked, renamed={"a": "Alpha", "c": "Alpha"}))
    with pytest.raises(InputError, match=r"gold\.tsv would have two systems named 'b'"):
        gather_one(replace(asked, renamed={"a": "Alpha", "Alpha": "b"}))


def test_a_score_that_is_empty_is_missing_and_nothing_else(files: Files, tmp_path: Path) -> None:
    rows = [f"{s}\t{n}\t{'' if n == '3' else 5}" for s in "ab" for n in "1234"]
    evidence = gather_one(
        EvidenceRequest(texts=files, metrics=("chrf",), scores=(score_file(tmp_path / "m.tsv", rows),))
    )
    assert scores_of(evidence, "m", "b") == [5, 5, None, 5]
    assert evidence.measure("chrf").rows["b"].known.all()


def test_judgements_may_be_about_part_of_the_segments(files: Files, tmp_path: Path) -> None:
    path = score_file(tmp_path / "gold.tsv", ["b\t2\t7", "b\t9\t1"])
    evidence = gather_one(EvidenceRequest(texts=files, metrics=("chrf",), gold=GoldRequest(paths=(path,))))
    assert evidence.systems == ("b",)
    rows = evidence.gold.rows["b"]
    assert rows.known.tolist() == [False, True, False, False]
    assert rows.score == 7


def test_systems_can_have_other_names_in_texts_and_judgements(files: Files, tmp_path: Path) -> None:
    path = score_file(tmp_path / "gold.tsv", [f"{s}\t{n}\t{n}" for s in ("Alpha", "b") for n in "1234"])
    request = EvidenceRequest(texts=files, metrics=("chrf",), gold=GoldRequest(paths=(path,)), renamed={"a": "Alpha"})
    evidence = gather_one(request)
    plain = gather_one(EvidenceRequest(texts=files, metrics=("chrf",)))
    assert evidence.systems == ("Alpha", "b")
    assert evidence.measure("chrf").rows["Alpha"].score == plain.measure("chrf").rows["a"].score
    unnamed = score_file(tmp_path / "others.tsv", [f"z\t{n}\t{n}" for n in "1234"])
    with pytest.raises(InputError, match="by --rename TEXT=JUDGED"):
        gather_one(EvidenceRequest(texts=files, metrics=("chrf",), gold=GoldRequest(paths=(unnamed,))))


def test_systems_that_only_a_file_knows_are_left_out_and_named(files: Files, tmp_path: Path) -> None:
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "abz" for n in "1234"])
    evidence = gather_one(EvidenceRequest(texts=files, metrics=("chrf",), scores=(path,)))
    assert evidence.systems == ("a", "b")
    assert [(w.code, "z" in w.message) for w in evidence.warnings] == [("outside-systems", True)]


def test_documents_that_only_the_scores_know_are_the_units(files: Files, tmp_path: Path) -> None:
    rows = [f"{s}\td{(int(n) + 1) // 2}\t{n}\t{n}" for s in "ab" for n in "4321"]
    path = score_file(tmp_path / "m.tsv", rows, "system\tdocument\tsegment\tscore")
    request = EvidenceRequest(texts=files, metrics=("chrf",), scores=(path,))
    assert gather_one(request).segments.documents == ("d1", "d1", "d2", "d2")
    found = compare_systems(CompareRequest(evidence=request))
    assert {(pair.unit, pair.units) for pair in found} == {("document", 2)}


def test_post_edits_take_the_place_of_references(tmp_path: Path) -> None:
    texts = CorpusFile(corpus(tmp_path / "c.jsonl", edits=True))
    never, instead = (
        gather_one(EvidenceRequest(texts=texts, metrics=("ter",), targeted=targeted)).measure("ter")
        for targeted in ("never", "instead")
    )
    assert never.rows["b"].score > 0
    assert instead.rows["a"].score == instead.rows["b"].score == 0
    assert instead.rows["a"].identity != instead.rows["b"].identity
    assert instead.comparable()["a"].identity == instead.comparable()["b"].identity == instead.identity


@pytest.fixture
def manifest(tmp_path: Path) -> CorpusFile:
    """Two test sets; the second lacks the third system and has its systems in another order."""
    corpora = {"news": ("a", "b", "c"), "talks": ("b", "a")}
    for name, systems in corpora.items():
        records = [
            {"references": {"r": text}, "systems": {s: TEXTS["ab"[j % 2]][i] for j, s in enumerate(systems)}}
            for i, text in enumerate(TEXTS["ref"])
        ]
        write(tmp_path / f"{name}.jsonl", [json.dumps(record) for record in records] * 4)
    sets = [f'[[testset]]\nname = "{name}"\ncorpus = "{name}.jsonl"' for name in corpora]
    return CorpusFile(write(tmp_path / "sets.toml", sets))


def test_the_pooled_score_is_the_mean_over_test_sets(manifest: CorpusFile) -> None:
    gathered = gather(EvidenceRequest(texts=manifest, metrics=("bleu", "ter")))
    together = pooled(gathered)
    assert (together.testset, together.systems, together.segment_count) == (ALL_TESTSETS, ("a", "b"), 32)
    for spec in ("bleu", "ter"):
        for system in together.systems:
            each = [evidence.measure(spec).rows[system].score for evidence in gathered]
            assert together.measure(spec).rows[system].score == pytest.approx(np.mean(each))
    assert together.segments.ids[0].startswith("news/")
    assert len(set(together.segments.ids)) == 32


def test_test_sets_are_chosen_by_name(manifest: CorpusFile, tmp_path: Path) -> None:
    chosen = gather(EvidenceRequest(texts=manifest, metrics=("chrf",), testsets=("talks",)))
    assert [evidence.testset for evidence in chosen] == ["talks"]
    with pytest.raises(InputError, match=r"no test set 'talk'\. Did you mean"):
        gather(EvidenceRequest(texts=manifest, metrics=("chrf",), testsets=("talk",)))
    with pytest.raises(InputError, match=r"2 test sets \(news, talks\)"):
        gather_one(EvidenceRequest(texts=manifest, metrics=("chrf",)))
    path = score_file(tmp_path / "m.tsv", [f"{s}\t{n}\t5" for s in "ab" for n in "1234"])
    with pytest.raises(InputError, match="choose one with --testset"):
        gather(EvidenceRequest(texts=manifest, metrics=("chrf",), scores=(path,)))


def test_each_test_set_and_all_together_are_compared_and_ranked(manifest: CorpusFile) -> None:
    request = EvidenceRequest(texts=manifest, metrics=("chrf",))
    names = ["news", "talks", ALL_TESTSETS]
    compared = compare_systems(CompareRequest(evidence=request, options=Options(n=100), baseline="a"))
    assert [part.testset for part in compared.parts] == names
    news, talks, together = ({pair.system: pair for pair in p.measures[0].comparisons} for p in compared.parts)
    assert together["b"].difference == pytest.approx((news["b"].difference + talks["b"].difference) / 2)
    assert (together["b"].units, set(together)) == (32, {"b"})
    assert list(dict.fromkeys(entry["testset"] for entry in compared.to_json()["comparisons"])) == names
    ranked = rank_systems(RankRequest(evidence=request, options=Options(n=100)))
    assert [part.testset for part in ranked.parts] == names
    assert len(ranked.ranking) == 3 + 2 + 2


def test_the_gate_needs_every_test_set(manifest: CorpusFile) -> None:
    """b is a's better on one test set and its worse on the other: it passes on one of them only."""
    request = EvidenceRequest(texts=manifest, metrics=("chrf",))
    both = compare_systems(CompareRequest(evidence=request, options=Options(n=1000), baseline="a", margin=2.0))
    gates = {(p.testset, g.system): g.shown for p in both.parts for g in p.measures[0].non_inferiority}
    assert gates["news", "b"] != gates["talks", "b"]
    assert not both.shown
    for testset in ("news", "talks"):
        chosen = EvidenceRequest(texts=manifest, metrics=("chrf",), testsets=(testset,))
        alone = compare_systems(CompareRequest(evidence=chosen, options=Options(n=1000), baseline="a", margin=2.0))
        assert alone.shown == all(shown for (name, _), shown in gates.items() if name == testset)


def test_judgements_are_those_of_the_language_pair_of_the_texts(tmp_path: Path, files: Files) -> None:
    rows = [
        f"r\t{pair}\t{system}\t{i}\tda\t{value}"
        for pair, value in (("en-de", 10), ("en-fr", 90))
        for system in "ab"
        for i in IDS
    ]
    heading = "rater\tlanguage_pair\tsystem\tsegment\tprotocol\tvalue"
    gold = GoldRequest(paths=(score_file(tmp_path / "gold.tsv", rows, heading),))
    german = EvidenceRequest(texts=replace(files, language_pair="en-de"), metrics=("chrf",), gold=gold)
    asked = EvidenceRequest(texts=files, metrics=("chrf",), gold=gold, language_pair="en-de")
    for request in (german, asked):
        assert gather_one(request).golds[0].rows["a"].score == 10
    with pytest.raises(InputError, match="choose one with -l: en-de, en-fr"):
        gather_one(replace(asked, language_pair=None))


def test_numbers_without_names_are_needed_for_every_segment(tmp_path: Path, files: Files) -> None:
    four, three = (write(tmp_path / f"{count}.txt", ["0.5"] * count) for count in (4, 3))
    with pytest.raises(InputError, match=r"4\.txt has 4 scores and .*3\.txt has 3, .*nan where there is no score"):
        gather_one(EvidenceRequest(scores=(f"a={four}", f"b={three}")))
    with pytest.raises(InputError, match="3 scores for 4 segments"):
        gather_one(EvidenceRequest(texts=files, metrics=("chrf",), scores=(f"a={three}", f"b={three}")))
    assert gather_one(EvidenceRequest(scores=(f"a={four}", f"b={four}"))).segment_count == 4


def test_documents_beside_segments_are_told_to_be_left_out(tmp_path: Path) -> None:
    rows = [f"r\t{system}\td\t{segment}\tda\t50" for system in "ab" for segment in ("1", "2", "")]
    heading = "rater\tsystem\tdocument\tsegment\tprotocol\tvalue"
    evidence = gather_one(EvidenceRequest(scores=(score_file(tmp_path / "r.tsv", rows, heading),)))
    assert [warning.message for warning in evidence.warnings if warning.code == "unused-documents"] == [
        "scores of documents are left out: those of segments are compared"
    ]


def test_criteria_that_are_not_the_gold_are_named(tmp_path: Path, files: Files) -> None:
    rows = [f"r\t{system}\t{i}\tldc\t{name}\t3" for system in "ab" for i in IDS for name in ("fluency", "adequacy")]
    heading = "rater\tsystem\tsegment\tprotocol\tcriterion\tvalue"
    gold = GoldRequest(paths=(score_file(tmp_path / "gold.tsv", rows, heading),))
    request = EvidenceRequest(texts=files, metrics=("chrf",), gold=gold)
    found = {warning.code: warning.message for warning in gather_one(request).warnings}
    assert "judgements of fluency, too, which are left out; adequacy is the gold" in found["other-criteria"]
    assert "--criterion" in found["other-criteria"]
    chosen = gather_one(replace(request, gold=replace(gold, criteria=("fluency",))))
    assert "other-criteria" not in {warning.code for warning in chosen.warnings}
