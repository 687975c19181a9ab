"""Published tables of WMT's metrics tasks come out of `karat meta`."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from tests.e2e.meta_runs import by_key, document


@pytest.fixture(scope="session")
def wmt20(shared_data: Path) -> Path:
    return shared_data / "wmt20-mqm-da-ende"


@pytest.fixture(scope="session")
def wmt23(shared_data: Path) -> Path:
    return shared_data / "wmt23-mtme-ende"


def test_wmt20_systems_with_and_without_outliers(wmt20: Path) -> None:
    published = {"BLEU": (0.928, 0.825), "sentBLEU": (0.934, 0.823), "chrF": (0.962, 0.862), "TER": (0.941, 0.848)}
    files = [part for name in published for part in ("--scores", str(wmt20 / "metric-sys" / f"{name}.sys.score"))]
    found = document(
        "--judgements", str(wmt20 / "metrics-ad-sys-scores-en-de.csv"), *files,
        "--only", "lp=en-de", "--only", "ref=newstest2020", "--measure", "pearson", "--test", "none",
    )  # fmt: skip
    assert set(found["tasks"][0]["outliers"]) == {"zlabs-nlp.179", "WMTBiomedBaseline.388", "Online-G.1556"}
    everything, trimmed = by_key(found["measures"]), by_key(found["without_outliers"])
    for name, values in published.items():
        key = (name, "system", "none", "pearson")
        assert (round(everything[key]["value"], 3), round(trimmed[key]["value"], 3)) == values
        assert (everything[key]["n"], trimmed[key]["n"]) == (14, 11)


def test_wmt20_segments_with_and_without_outliers(wmt20: Path) -> None:
    named = [
        part for name in ("zlabs-nlp.179", "WMTBiomedBaseline.388", "Online-G.1556") for part in ("--outlier", name)
    ]
    found = document(
        "--judgements", str(wmt20 / "metrics-ad-seg-scores-en-de.csv"), "--gold", "RAW.SCR",
        "--scores", str(wmt20 / "metric-seg-ende" / "chrF.seg.score"), "--minimum", "25",
        "--measure", "kendall-like", "--level", "segment", "--grouping", "item", *named,
    )  # fmt: skip
    key = ("chrF", "segment", "item", "kendall-like")
    everything, trimmed = by_key(found["measures"])[key], by_key(found["without_outliers"])[key]
    assert (round(everything["value"], 3), everything["pairs"]) == (0.379, 9339)
    assert (round(trimmed["value"], 3), trimmed["pairs"]) == (0.224, 4637)


@pytest.mark.parametrize(
    ("reference", "published"),
    [
        ("ref-C", {"BLEU": (0.911, 0.846), "chrF": (0.823, 0.761), "TER": (-0.886, -0.821)}),
        ("ref-A", {"BLEU": (0.918, 0.897)}),
    ],
)
def test_wmt21_systems(shared_data: Path, reference: str, published: dict[str, tuple[float, float]]) -> None:
    found = wmt21(shared_data, reference, *published)
    measures = by_key(found["measures"])
    for name, values in published.items():
        entries = [measures[name, "system", "none", measure] for measure in ("pearson", "kendall-b")]
        assert tuple(round(entry["value"], 3) for entry in entries) == values
        assert {entry["n"] for entry in entries} == {13}


def test_wmt21_people_among_the_systems_change_everything(shared_data: Path) -> None:
    found = wmt21(shared_data, "ref-C", "BLEU", extra=("--include-human",))
    entry = by_key(found["measures"])["BLEU", "system", "none", "pearson"]
    assert (round(entry["value"], 3), entry["n"]) == (0.338, 16)
    (drive,) = [one for one in wmt21(shared_data, "ref-C", "BLEU")["tasks"][0]["drives"] if one["kind"] != "system"]
    assert drive["kind"] == "human outputs"
    assert (round(drive["value"], 3), round(drive["value_without"], 3)) == (0.338, 0.911)


def wmt21(shared_data: Path, reference: str, *names: str, extra: tuple[str, ...] = ()) -> dict[str, Any]:
    official = shared_data / "wmt21-metrics-official-sys"
    files = [part for name in names for part in ("--scores", str(official / f"{name}.sys.score"))]
    gold = shared_data / "wmt21-news-ende" / "mqm_newstest2021_ende.avg_seg_scores.tsv"
    chosen = ("--only", "lp=en-de", "--only", "testset=newstest2021", "--only", f"ref={reference}")
    return document("--judgements", str(gold), *files, *chosen, "--level", "system", "--test", "none", *extra)


def test_wmt21_from_texts(shared_data: Path) -> None:
    """The eight systems of which there are texts, scored on the way, have the official scores."""
    news = shared_data / "wmt21-news-ende"
    texts = [str(path) for path in sorted((news / "system-outputs").glob("*.txt"))]
    found = document(
        "-r", str(news / "references" / "refC.de"), *texts, "-m", "bleu", "--rename", "NVIDIA-NeMo=Nemo",
        "--judgements", str(news / "mqm_newstest2021_ende.avg_seg_scores.tsv"),
        "--scores", str(shared_data / "wmt21-metrics-official-sys" / "BLEU.sys.score"),
        "--only", "lp=en-de", "--only", "testset=newstest2021", "--only", "ref=ref-C",
        "--measure", "pearson", "--level", "system", "--test", "none",
        *(part for i in range(1, 6) for part in ("--without", f"metricsystem{i}")),
    )  # fmt: skip
    measures = by_key(found["measures"])
    own, official = (measures[name, "system", "none", "pearson"] for name in ("bleu", "BLEU"))
    assert own["n"] == official["n"] == 8
    assert own["value"] == pytest.approx(official["value"], abs=1e-5)


COLUMNS: dict[str, tuple[str, str, str]] = {
    "sys_pearson": ("system", "none", "pearson"),
    "sys_spearman": ("system", "none", "spearman"),
    "sys_kendall_b": ("system", "none", "kendall-b"),
    "sys_pairacc": ("system", "none", "accuracy"),
    "seg_pearson_none": ("segment", "none", "pearson"),
    "seg_pearson_item": ("segment", "item", "pearson"),
    "seg_pearson_sys": ("segment", "system", "pearson"),
    "seg_kendall_b_none": ("segment", "none", "kendall-b"),
    "seg_kendall_b_item": ("segment", "item", "kendall-b"),
    "acc23_eps0_item": ("segment", "item", "acc-eq-plain"),
    "acc23_opt_item": ("segment", "item", "acc-eq"),
}


def anchors(wmt23: Path) -> list[dict[str, str]]:
    with (wmt23 / "anchors.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_wmt23_anchors(wmt23: Path) -> None:
    """All values of the anchors that have scores here, to the digits printed."""
    common = (str(wmt23 / "wmt23"), "--level", "system", "--level", "segment", "--test", "none")
    names = ("pearson", "spearman", "kendall-b", "accuracy", "acc-eq-plain", "spa")
    found = by_key(document(*common, *(part for name in names for part in ("--measure", name)))["measures"])
    found |= by_key(document(*common, "--measure", "acc-eq", "--grouping", "item")["measures"])
    compared = 0
    for anchor in anchors(wmt23):
        for column, key in COLUMNS.items():
            entry = found.get((anchor["metric"], *key))
            if entry is not None:
                assert entry["value"] == pytest.approx(float(anchor[column]), abs=6e-7), (anchor["metric"], column)
                compared += 1
        soft = found.get((anchor["metric"], "system", "none", "spa"))
        if soft is not None:
            assert soft["value"] == pytest.approx(float(anchor["SPA(1-PCE,seed4,1000)"]), abs=0.004)
    assert compared == 10 * 11 + 2 * 4
    # Where one epsilon is the best, it is that of the anchors; COMET and MetricX have several, of which karat takes
    # the smallest.
    for name in ("f200spBLEU-refA", "XCOMET-Ensemble-refA", "CometKiwi-src"):
        (anchor,) = [one for one in anchors(wmt23) if one["metric"] == name]
        epsilon = found[name, "segment", "item", "acc-eq"]["epsilon"]
        assert epsilon == pytest.approx(float(anchor["acc23_opt_epsilon"]), abs=6e-7)


def test_wmt23_own_scores_equal_the_stored_ones(wmt23: Path) -> None:
    """Systems by BLEU and segments by sentence BLEU, in one row, have WMT's values."""
    common = ("-m", "bleu", "-m", "chrf", "--measure", "pearson", "--test", "none")
    found = by_key(document(str(wmt23 / "wmt23"), *common, "--level", "system", "--level", "segment")["measures"])
    for own, stored, published in (("bleu", "BLEU-refA", (0.9165, 0.1921)), ("chrf", "chrF-refA", (0.8657, 0.2320))):
        # The text of AIRC begins with a byte order mark, which karat drops and WMT scored as a character.
        for level, value, tolerance in zip(("system", "segment"), published, (1e-6, 5e-6), strict=True):
            values = [found[name, level, "none", "pearson"]["value"] for name in (own, stored)]
            assert values[0] == pytest.approx(values[1], abs=tolerance)
            assert round(values[0], 4) == value


def test_wmt23_with_its_standard_reference(wmt23: Path) -> None:
    """Naming the only reference changes names, and no number; it stays out when people are counted in."""
    common = (str(wmt23 / "wmt23"), "--measure", "pearson", "--level", "system", "--test", "none")
    plain = document(*common)
    standard = document(*common, "--standard-reference", "refA", "--include-human")
    named = {entry["metric"].removesuffix("-refA"): entry["value"] for entry in plain["measures"]}
    assert {entry["metric"]: entry["value"] for entry in standard["measures"]} == named
    assert {"BLEU", "MetricX-23-QE-b-src", "XCOMET-Ensemble"} <= set(named)
    assert len(standard["tasks"][0]["systems"]) == 12
    assert standard["tasks"][0]["left_out"] == {"refA": "standard reference"}


@pytest.mark.slow
def test_wmt23_everything(wmt23: Path) -> None:
    """The whole table with comparisons of all metrics: leaders are those of the task's paper."""
    found = document(str(wmt23 / "wmt23"))
    contests = {(one["level"], one["measure"]): one for one in found["tasks"][0]["comparisons"]}
    leaders: Callable[[tuple[str, str]], set[str]] = lambda key: {  # noqa: E731
        one["metric"] for one in contests[key]["ranking"] if one["cluster"] == 1
    }
    assert leaders(("segment", "acc-eq")) == {"XCOMET-Ensemble-refA", "MetricX-23-refA"}
    assert leaders(("segment", "pearson")) == {"XCOMET-Ensemble-refA"}
    assert "GEMBA-MQM-src" in leaders(("system", "pearson"))


def test_wmt12_predicted_effort(shared_data: Path, tmp_path: Path) -> None:
    """The task's baseline, trained anew: the errors and DeltaAvg that the official script gives it."""
    features = shared_data / "wmt12-qe-enes" / "features17"
    x, y = np.loadtxt(features / "training.qe.baseline.tsv"), np.loadtxt(features / "training.effort")
    scaler = StandardScaler().fit(x)
    model = SVR(C=10, gamma=0.0034, epsilon=0.18).fit(scaler.transform(x), y)
    effort = np.loadtxt(features / "test.effort")
    predictions = {
        "baseline": model.predict(scaler.transform(np.loadtxt(features / "test.qe.baseline.tsv"))),
        "constant": np.full(len(effort), y.mean()),
    }
    root = tmp_path / "qe"
    for path, scores in (
        (root / "human-scores" / "en-es.effort.seg.score", effort),
        *((root / "metric-scores" / "en-es" / f"{name}.seg.score", of) for name, of in predictions.items()),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"mt\t{score}\n" for score in scores), encoding="utf-8")
    names = ("mae", "rmse", "delta-avg")
    chosen = [part for name in names for part in ("--measure", name)]
    found = by_key(
        document(str(root), *chosen, "--level", "segment", "--grouping", "none", "--test", "none")["measures"]
    )
    values = [found["baseline", "segment", "none", name]["value"] for name in names]
    assert values == pytest.approx([0.68, 0.81, 0.56], abs=0.005)
    values = [found["constant", "segment", "none", name]["value"] for name in ("mae", "rmse")]
    assert values == pytest.approx([0.828, 0.990], abs=5e-4)


def test_raw_mqm_ratings_and_their_averages_agree(shared_data: Path) -> None:
    ted, official = shared_data / "wmt21-ted-mqm-ende", shared_data / "wmt21-metrics-official-sys"
    common = ("--scores", str(official / "BLEU.sys.score"), "--only", "lp=en-de", "--only", "testset=tedtalks")
    chosen = ("--only", "ref=ref-A", "--measure", "pearson", "--level", "system", "--test", "none")
    values = []
    for gold in (("--ratings", "mqm_ted_ende.tsv"), ("--judgements", "mqm_ted_ende.avg_seg_scores.tsv")):
        found = by_key(document(gold[0], str(ted / gold[1]), *common, *chosen)["measures"])
        values.append(found["BLEU", "system", "none", "pearson"]["value"])
    assert values[0] == pytest.approx(values[1], abs=1e-5)
