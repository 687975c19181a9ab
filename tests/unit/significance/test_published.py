"""Values that others published, on the data that they used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.metrics.bleu import Bleu
from karat.rows import Rows
from karat.significance import Options, compare, compare_runs
from karat.significance.draws import Draws

BASELINE = "LIUM-NMT.4900"
MOSES = {
    "C-3MA": 0.0,
    "FBK": 0.01267,
    "KIT": 0.02233,
    "LMU-nmt-single": 0.20783,
    "online-B": 0.38100,
    "SYSTRAN": 0.20983,
    "uedin-nmt": 0.0,
}
MULTEVAL = {
    "C-3MA": 0.0001,
    "FBK": 0.0218,
    "KIT": 0.0410,
    "LMU-nmt-single": 0.58494,
    "online-B": 0.94111,
    "SYSTRAN": 0.59914,
    "uedin-nmt": 0.0001,
}


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.fixture(scope="module")
def wmt17(shared_data: Path) -> dict[str, Rows]:
    directory = shared_data / "sacrebleu-wmt17-ende"
    prepared = Bleu(tokenize="none").prepare(lines_of(directory / "ref.de"))
    files = {path.name.split(".")[1]: path for path in sorted((directory / "system-outputs").iterdir())}
    first = BASELINE.split(".")[0]
    names = [first, *(name for name in files if name != first)]
    return {name: prepared.rows(lines_of(files[name])) for name in names}


@pytest.mark.long
@pytest.mark.parametrize(("test", "published"), [("moses", MOSES), ("randomization", MULTEVAL)])
def test_p_values_of_wmt17(wmt17: dict[str, Rows], test: str, published: dict[str, float]) -> None:
    # The published values carry the noise of a few thousand draws; ours must not add to it.
    found = compare([wmt17], Options(test=test, n=100_000, correction="none", interval_n=2))
    assert {one.system: one.p for one in found} == {name: pytest.approx(p, abs=0.01) for name, p in published.items()}


def test_the_bootstrap_is_close_to_randomization_and_not_to_moses(wmt17: dict[str, Rows]) -> None:
    found = {one.system: one.p for one in compare([wmt17], Options(test="bootstrap", n=10_000, correction="none"))}
    for name in ("LMU-nmt-single", "online-B", "SYSTRAN"):
        assert found[name] == pytest.approx(MULTEVAL[name], abs=0.03)
        assert found[name] > 2 * MOSES[name]


@pytest.fixture(scope="module")
def multeval(shared_data: Path) -> dict[str, list[Rows]]:
    directory = shared_data / "multeval-example" / "example"
    prepared = Bleu(tokenize="none").prepare(lines_of(directory / "refs.test2010.lc.tok.en.0"))
    return {
        name: [prepared.rows(lines_of(directory / f"hyps.lc.tok.en.{name}.opt{run}")) for run in range(3)]
        for name in ("baseline", "sys1")
    }


def test_the_table_of_multeval(multeval: dict[str, list[Rows]]) -> None:
    report = compare_runs(multeval, Options(n=500))
    baseline = report.systems[0]
    assert round(baseline.scores[0], 2) == 18.54
    draws = Draws("full", 1000, 2489)
    counts = np.concatenate([draws.block(block) for block in range(len(draws))])
    for name, summary in zip(multeval, report.systems, strict=True):
        scores = [rows.score for rows in multeval[name]]
        direct = [np.std(rows.aggregate(counts @ rows.values.astype(float)), ddof=1) for rows in multeval[name]]
        assert summary.s_sel == pytest.approx(np.mean(direct))
        assert summary.s_opt == pytest.approx(np.std(scores, ddof=1))
        assert summary.mean == pytest.approx(np.mean(scores))
    one = report.comparisons[0]
    assert one.p_these_runs is not None
    assert one.p_over_runs_smallest == pytest.approx(0.1)
