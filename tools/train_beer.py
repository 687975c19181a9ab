"""Train the weights of BEER on human judgements: `python tools/train_beer.py DATA --output FILE`.

DATA is a directory with the data sets `wmt21-news-ende`, `wmt21-ted-mqm-ende` (both to train on, MQM), and, held out,
`wmt23-mtme-ende` (MQM) and `mlqe-pe` (direct assessment, Estonian-English with two references). Nothing is drawn at
random. What is written is numbers alone: weights, how they were found, and correlations on what was held out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import pearsonr

from karat import metric
from karat.corpus.references import References
from karat.metrics.beer import FEATURES, Beer, PreparedFeatures
from karat.text import as_column

Floats = NDArray[np.float64]

PENALTIES = (1e-2, 1e-3, 1e-4)
FOLDS = 3
DISBALANCES = 2


@dataclass(frozen=True)
class Judged:
    """Outputs of systems, references, and what people said: NaN where nobody said anything."""

    references: list[list[str]]
    outputs: list[list[str]]
    ratings: Floats  # systems x segments


def lines(path: Path) -> list[str]:
    """The lines of a file, split at newlines only."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def judged(references: list[list[str]], systems: dict[str, list[str]], scores: dict[str, dict[int, float]]) -> Judged:
    """The systems that have both texts and ratings, by name."""
    names = sorted(systems.keys() & scores.keys())
    segments = range(len(references))
    ratings = [[scores[name].get(i, np.nan) for i in segments] for name in names]
    return Judged(references, [systems[name] for name in names], np.array(ratings))


def average_scores(path: Path) -> dict[str, dict[int, float]]:
    """MQM averages, one line for each system and segment, segments counted from 1."""
    scores: dict[str, dict[int, float]] = {}
    for line in lines(path)[1:]:
        system, score, segment = line.split()
        if score != "None":
            scores.setdefault(system, {})[int(segment) - 1] = float(score)
    return scores


def news(data: Path) -> Iterator[Judged]:
    """WMT21 news, English-German, once against each of the references A, C and D; B is close to one system's output."""
    directory = data / "wmt21-news-ende"
    scores = average_scores(directory / "mqm_newstest2021_ende.avg_seg_scores.tsv")
    systems = {path.stem: lines(path) for path in (directory / "system-outputs").glob("*.txt")}
    systems["Nemo"] = systems.pop("NVIDIA-NeMo")
    for letter in "ACD":
        references = [[line] for line in lines(directory / "references" / f"ref{letter}.de")]
        yield judged(references, systems, scores)


def talks(data: Path) -> Iterator[Judged]:
    """WMT21 TED talks, English-German; the texts stand beside the errors that were marked in them."""
    directory = data / "wmt21-ted-mqm-ende"
    texts: dict[str, dict[int, str]] = {}
    for line in lines(directory / "mqm_ted_ende.tsv")[1:]:
        system, _, _, segment, _, _, target, *_ = line.split("\t")
        texts.setdefault(system, {})[int(segment) - 1] = re.sub("</?v>", "", target)
    reference = texts.pop("ref")
    segments = range(max(reference) + 1)
    systems = {system: [text.get(i, "") for i in segments] for system, text in texts.items()}
    scores = average_scores(directory / "mqm_ted_ende.avg_seg_scores.tsv")
    yield judged([[reference.get(i, "")] for i in segments], systems, scores)


def paragraphs(data: Path) -> Judged:
    """WMT23, English-German."""
    directory = data / "wmt23-mtme-ende" / "wmt23"
    scores: dict[str, list[str]] = {}
    for line in lines(directory / "human-scores" / "en-de.mqm.seg.score"):
        system, score = line.split("\t")
        scores.setdefault(system, []).append(score)
    rated = {
        system: {i: float(score) for i, score in enumerate(column) if score != "None"}
        for system, column in scores.items()
        if system != "refA"
    }
    systems = {path.stem: lines(path) for path in (directory / "system-outputs" / "en-de").glob("*.txt")}
    return judged([[line] for line in lines(directory / "references" / "en-de.refA.txt")], systems, rated)


def estonian(data: Path) -> Judged:
    """MLQE-PE, Estonian-English: one system, two references."""
    directory = data / "mlqe-pe" / "multi-reference-eten"
    references = zip(*(lines(directory / f"ref-{number}.en") for number in (1, 2)), strict=True)
    ratings = [[float(line) for line in lines(directory / "DA-z.scores")]]
    return Judged([list(both) for both in references], [lines(directory / "mt.en")], np.array(ratings))


def differences(data: Judged) -> tuple[Floats, NDArray[np.int64]]:
    """Features of the better output less those of the worse, for each pair that people told apart; and its segment."""
    prepared = PreparedFeatures(Beer(), References.of(data.references), None)
    features = [np.stack(prepared.features(as_column(output)), axis=1) for output in data.outputs]
    found, segments = [], []
    for a, b in combinations(range(len(features)), 2):
        sign = np.sign(data.ratings[a] - data.ratings[b])
        told_apart = np.flatnonzero(np.abs(sign) > 0)
        found.append((features[a] - features[b])[told_apart] * sign[told_apart, None])
        segments.append(told_apart)
    return np.concatenate(found), np.concatenate(segments)


def fit(pairs: Sequence[Floats], penalty: float) -> Floats:
    """Weights that put better outputs above worse ones, each set of pairs as heavy as the others.

    No overlap gets a weight below 0, no difference of length one above; those of the overlaps sum to 1.
    """
    rows = np.concatenate(pairs)
    shares = np.concatenate([np.full(len(some), 1 / len(some) / len(pairs)) for some in pairs])

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = rows @ weights
        slopes = -shares / (1 + np.exp(margins))
        value = shares @ np.logaddexp(0, -margins) + penalty * weights @ weights
        return float(value), rows.T @ slopes + 2 * penalty * weights

    overlaps = len(FEATURES) - DISBALANCES
    bounds = [(0, None)] * overlaps + [(None, 0)] * DISBALANCES
    options = {"maxiter": 10_000, "maxfun": 20_000, "ftol": 1e-15, "gtol": 1e-10}
    found: Floats = minimize(loss, np.zeros(len(FEATURES)), jac=True, bounds=bounds, options=options).x
    return found / found[:overlaps].sum()


def ranked_rightly(pairs: Sequence[Floats], weights: Floats) -> float:
    """The share of pairs in the right order, mean over the sets."""
    return float(np.mean([(some @ weights > 0).mean() for some in pairs]))


def choose_penalty(pairs: Sequence[tuple[Floats, NDArray[np.int64]]]) -> float:
    """The penalty with the most pairs of unseen segments in the right order; the greater of equals."""

    def on_unseen(penalty: float) -> float:
        shares = []
        for fold in range(FOLDS):
            weights = fit([rows[segments % FOLDS != fold] for rows, segments in pairs], penalty)
            shares.append(ranked_rightly([rows[segments % FOLDS == fold] for rows, segments in pairs], weights))
        return float(np.mean(shares))

    return max(PENALTIES, key=on_unseen)


def train(sets: Iterable[Judged]) -> tuple[float, Floats]:
    """The penalty that was chosen, and the weights."""
    pairs = [differences(data) for data in sets]
    penalty = choose_penalty(pairs)
    return penalty, fit([rows for rows, _ in pairs], penalty)


def beer_scores(weights: Floats) -> Callable[[Judged], Floats]:
    """A function that scores all outputs with these weights: the best of several references counts."""

    def score(data: Judged) -> Floats:
        references = References.of(data.references)
        prepared = PreparedFeatures(Beer(), references, None)
        raw = [np.stack(prepared.features(as_column(output)), axis=1) @ weights for output in data.outputs]
        return np.stack([np.maximum.reduceat(np.clip(one, 0, 1), references.offsets[:-1]) for one in raw])

    return score


def metric_scores(spec: str) -> Callable[[Judged], Floats]:
    """A function that scores all outputs with another metric."""

    def score(data: Judged) -> Floats:
        prepared = metric(spec).prepare(data.references)
        return np.stack([prepared.rows(output).unit_scores() for output in data.outputs])

    return score


def agreement(scores: Floats, ratings: Floats) -> dict[str, float]:
    """Pearson's correlation over all segments; Kendall's tau of the outputs of one segment, ties of people left out."""
    rated = ~np.isnan(ratings)
    found = {"pearson": round(float(pearsonr(scores[rated], ratings[rated])[0]), 3)}
    right = wrong = 0
    for a, b in combinations(range(len(ratings)), 2):
        wanted = np.sign(ratings[a] - ratings[b])
        said = np.sign(scores[a] - scores[b])[np.abs(wanted) > 0]
        right += int((said == wanted[np.abs(wanted) > 0]).sum())
        wrong += int((said != wanted[np.abs(wanted) > 0]).sum())
    if right + wrong:
        found["tau_by_segment"] = round((right - wrong) / (right + wrong), 3)
    return found


def report(data: Path, weights: Floats) -> dict[str, Any]:
    """How well BEER, BLEU and chrF agree with people on what was held out."""
    scorers = {
        "beer": beer_scores(weights),
        "bleu": metric_scores("bleu(smooth=add-k)"),
        "chrf": metric_scores("chrf"),
    }
    sets = {"wmt23-mtme-ende": paragraphs(data), "mlqe-pe-eten": estonian(data)}
    return {
        name: {scorer: agreement(score(held_out), held_out.ratings) for scorer, score in scorers.items()}
        for name, held_out in sets.items()
    }


def weights_file(data: Path) -> dict[str, Any]:
    """All that is written."""
    penalty, weights = train([*news(data), *talks(data)])
    return {
        "about": "Weights of BEER's features, made by tools/train_beer.py. Numbers only: no text of the data.",
        "licence": "Apache-2.0, as karat. Ratings: Apache-2.0 (github.com/google/wmt-mqm-human-evaluation). "
        "Texts: WMT21, public, for research; none of them is in here.",
        "trained_on": ["wmt21-news-ende (MQM; references A, C, D)", "wmt21-ted-mqm-ende (MQM)"],
        "penalty": penalty,
        "held_out": report(data, weights),
        "weights": {name: round(float(weight), 12) for name, weight in zip(FEATURES, weights, strict=True)},
    }


def main() -> None:
    """Train, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the directory of the data sets")
    parser.add_argument("--output", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    text = json.dumps(weights_file(arguments.data), indent=2)
    arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
