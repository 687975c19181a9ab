"""WMT's rankings (RNK) as CSV: a row per pair of systems, or a row per ranking of up to N.

A pair stays one row, first and second system in the order of the file: WMT's official kappa counts by that order.
Systems with the same output are joined by ``+``, as in the collapsed files. A row with N systems becomes N rows that
share their item. A rank of -1 is no judgement. Written pairs are byte for byte those that were read. Rankings are
written with as many systems as the longest has, and at least three, since two would be read as a pair; where one has
fewer, the rest have the rank -1.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any, ClassVar

import polars as pl

from karat.corpus.lines import repeated
from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.tables import LINE, frame_of, header_of, language_pair, quoted_rows
from karat.errors import InputError, did_you_mean

_INDEX = f"{EXTRA}srcIndex"
_LABELS = {
    "judgeid": "rater",
    "segmentid": "segment",
    "documentid": "document",
    "rankingid": "item",
    "srcindex": _INDEX,
}
_SYSTEM = re.compile(r"system(\d+)id")
_NEEDED = ("judgeid", "segmentid")
_PAIRS = (
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID",
)  # fmt: skip

_RANKING = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeID")
_FEWEST = 3
"""Systems in a ranking that is no pair."""


@register_format
class WmtRanking(RatingsFormat):
    """Reads and writes pairs and longer rankings."""

    name = "wmt-ranking"
    description = "WMT's rankings (RNK): CSV with a row per pair of systems, or per ranking of up to N"
    suffixes = (".csv",)
    priority = 2
    holds = frozenset(
        {"rater", "system", "other_system", "segment", "language_pair", "value", "other_value", "item", _INDEX}
        | {"protocol", "criterion", "document"}
    )
    partly: ClassVar[Mapping[str, pl.Expr]] = {"document": pl.col("other_system").is_null()}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        names = file.head[0].lower().split(",")
        return {"system1id", "system1rank"} <= set(names)

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per pair, or per system of a ranking."""
        rows = quoted_rows(file)
        spelt = header_of(file, rows, "a header with judgeID, system1Id, system1rank and so on")
        names = [name.lower() for name in spelt]
        numbers = [match[1] for name in names if (match := _SYSTEM.fullmatch(name))]
        _check_header(file.name, spelt, names, numbers)
        frame, bad = frame_of(file, names, rows)
        labelled = _labelled(frame)
        flat = _pairs(labelled) if numbers == ["1", "2"] else _rankings(labelled, numbers)
        checker = Checker(file.name, flat, bad)
        for name in ("value", "other_value"):
            checker.number(name)
        checker.frame = checker.frame.filter(pl.col("value").is_null() | (pl.col("value") != -1))
        for name in ("rater", "system", "segment"):
            checker.name(name)
            checker.required(name, "every row must name it")
        whole = pl.col("other_value") < 1
        checker.refuse(
            whole | pl.col("other_value").is_null() & pl.col("other_system").is_not_null(),
            "other_value",
            "{} is no rank",
        )
        checker.frame = checker.frame.with_columns(
            pl.lit("ranking").alias("protocol"), pl.lit("overall").alias("criterion")
        )
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Comparisons of two systems by rank, or else rankings: a file has the one or the other."""
        named = [pl.col(name).is_not_null() for name in ("rater", "segment", "item", "value")]
        ranked = pl.all_horizontal(pl.col("protocol") == "ranking", *named)
        pair = pl.col("other_value").is_not_null()
        place = (pl.col("value") >= 1) & (pl.col("value") == pl.col("value").floor()) & pl.col("other_system").is_null()
        once = pl.struct("rater", "segment", "item", "system").is_first_distinct()
        first = ratings.frame.filter(ranked).select(pair).head(1).to_series()
        return ratings.frame.select(ranked & (pair if first.any() else place & once)).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A row per pair, or per ranking."""
        rows = list(ratings.frame.iter_rows(named=True))
        out = StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        if any(row["other_value"] is not None for row in rows):
            writer.writerow(_PAIRS)
            writer.writerows(map(_cells, rows))
        else:
            writer.writerows(_ranking_rows(rows))
        return out.getvalue().encode()


def _ranking_rows(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """The header, and each ranking with its systems in the order of the table."""
    rankings: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        rankings.setdefault((row["rater"], row["segment"], row["item"]), []).append(row)
    longest = max(_FEWEST, *map(len, rankings.values()), 0)
    pairs = [name for number in range(1, longest + 1) for name in (f"system{number}Id", f"system{number}rank")]
    return [[*_RANKING, *pairs, "rankingID"], *(_ranking_cells(ranking, longest) for ranking in rankings.values())]


def _ranking_cells(ranking: list[dict[str, Any]], longest: int) -> list[str]:
    first = ranking[0]
    source, _, target = (first["language_pair"] or "").partition("-")
    place = [first.get(_INDEX) or first["segment"], first["document"] or "", first["segment"], first["rater"]]
    ranks = [cell for row in ranking for cell in (row["system"], f"{row['value']:.0f}")]
    return [source, target, *place, *ranks, *("", "-1") * (longest - len(ranking)), first["item"]]


def _check_header(file: str, spelt: list[str], names: list[str], numbers: list[str]) -> None:
    """Refuse headers that lack a column or name one twice; capital letters do not matter."""
    if (twice := repeated(names)) is not None:
        raise InputError(f"{file}, line 1: two columns are called {twice}, capital letters aside")
    if not numbers:
        raise InputError(f"{file}, line 1: there is no column system1Id.{did_you_mean('system1Id', spelt)}")
    pairs = [(f"system{number}rank", f"system{number}Id") for number in numbers]
    languages = [("trglang", "srclang"), ("srclang", "trglang")]
    for wanted, beside in [*pairs, *(pair for pair in languages if pair[1] in names)]:
        if wanted not in names:
            raise InputError(f"{file}, line 1: there is {beside}, but no {wanted}.{did_you_mean(wanted, spelt)}")
    for wanted in _NEEDED:
        if wanted not in names:
            raise InputError(f"{file}, line 1: there is no column {wanted}.{did_you_mean(wanted, spelt)}")


def _labelled(frame: pl.DataFrame) -> pl.DataFrame:
    renamed = frame.rename({name: _LABELS[name] for name in frame.columns if name in _LABELS})
    has_languages = "srclang" in renamed.columns
    pair = language_pair("srclang", "trglang") if has_languages else pl.lit(None, pl.String).alias("language_pair")
    item = [] if "item" in renamed.columns else [pl.concat_str(pl.lit("line "), LINE).alias("item")]
    index = [] if _INDEX in renamed.columns else [pl.lit(None, pl.String).alias(_INDEX)]
    document = [] if "document" in renamed.columns else [pl.lit(None, pl.String).alias("document")]
    return renamed.with_columns(pair, *item, *index, *document)


_KEPT = ("rater", "segment", "document", "language_pair", "item", _INDEX)


def _pairs(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(
        LINE,
        *_KEPT,
        pl.col("system1id").alias("system"),
        pl.col("system1rank").alias("value"),
        pl.col("system2id").alias("other_system"),
        pl.col("system2rank").alias("other_value"),
    )


def _rankings(frame: pl.DataFrame, numbers: list[str]) -> pl.DataFrame:
    parts = [
        frame.select(
            LINE,
            *_KEPT,
            pl.col(f"system{number}id").alias("system"),
            pl.col(f"system{number}rank").alias("value"),
            pl.lit(None, pl.String).alias("other_system"),
            pl.lit(None, pl.String).alias("other_value"),
        )
        for number in numbers
    ]
    return pl.concat(parts).sort(LINE, maintain_order=True)


def _cells(row: dict[str, Any]) -> list[str]:
    source, _, target = (row["language_pair"] or "").partition("-")
    index = row.get(_INDEX) or row["segment"]
    ranks = f"{row['value']:.0f}", f"{row['other_value']:.0f}"
    systems = [row["system"], ranks[0], row["other_system"], ranks[1]]
    return [source, target, index, row["segment"], row["rater"], *systems, row["item"]]
