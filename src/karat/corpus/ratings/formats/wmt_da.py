"""WMT's direct assessments: single judgements of crowd workers, and the scores made of them.

``ad-*-good-*.csv`` has a header separated by spaces and rows separated by tabs, one per judgement. Whether its scores
are raw or standardised shows in them: a raw score is never negative. ``ad-seg-scores`` and the like have a raw and a
standardised score per line, which become two rows. Google's averages mix tabs and spaces.

Written single judgements and averages are byte for byte those that were read (a space for a tab aside); scores are
written without spaces at the end of a line, and 100 as 100.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import polars as pl

from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, register_format
from karat.corpus.ratings.formats.mtme import NONE, unjudged_of
from karat.corpus.ratings.model import Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.tables import LINE, frame_of, header_of, language_pair, space_rows, tab_frame

_HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
_KINDS = {"SYSTEM": None, "REPEAT": "repeat", "BAD_REF": "bad-reference", "REF": "reference"}
_EXTRAS = {"Input.item": f"{EXTRA}item", "hit": f"{EXTRA}hit", "rid": f"{EXTRA}rid"}


@register_format
class WmtDirectAssessment(RatingsFormat):
    """Reads and writes single judgements."""

    name = "wmt-da"
    description = "WMT's direct assessments, a row per judgement (ad-*-good-raw.csv, ad-*-good-stnd.csv)"
    suffixes = (".csv",)
    priority = 3
    holds = frozenset(
        {"rater", "system", "segment", "language_pair", "value", "item", "control", "seconds", "protocol", "criterion"}
        | set(_EXTRAS.values())
    )

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header, whatever separates its names."""
        return file.head[0].split() == _HEADER.split()

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per judgement."""
        frame, bad = tab_frame(file, _HEADER.split(), skip=1)
        checker = Checker(file.name, frame.rename({"score": "value", "time": "seconds"}), bad)
        checker.one_of("type", _KINDS)
        checker.number("value")
        checker.number("seconds")
        standardised = (checker.frame["value"] < 0).any()
        checker.frame = checker.frame.rename(_EXTRAS).with_columns(
            pl.col("HITId").alias("item"),
            pl.col("WorkerId").alias("rater"),
            pl.col("sys_id").alias("system"),
            pl.col("sid").alias("segment"),
            language_pair("Input.src", "Input.trg"),
            pl.col("type").replace_strict(_KINDS, default=None, return_dtype=pl.String).alias("control"),
            pl.lit("da").alias("protocol"),
            pl.lit("z" if standardised else "overall").alias("criterion"),
        )
        unused = ("HITId", "WorkerId", "sys_id", "sid", "Input.src", "Input.trg", "type")
        checker.frame = checker.frame.drop(unused)
        for name in ("item", *_EXTRAS.values()):
            checker.name(name)
        for name in ("rater", "system", "segment"):
            checker.name(name)
            checker.required(name, "every row must name it")
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Direct assessments of one kind, raw or standardised."""
        kind = pl.col("criterion") == pl.col("criterion").first()
        known = pl.col("control").is_null() | pl.col("control").is_in([kind for kind in _KINDS.values() if kind])
        whole = pl.all_horizontal(pl.col(name).is_not_null() for name in ("value", "rater", "system", "segment"))
        return ratings.frame.select((pl.col("protocol") == "da") & kind & known & whole).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """The header with spaces, the rows with tabs."""
        kinds = {control: kind for kind, control in _KINDS.items()}
        absent = [pl.lit("").alias(name) for name in _EXTRAS.values() if name not in ratings.frame.columns]
        frame = ratings.frame.with_columns(
            pl.col("language_pair").fill_null("").str.splitn("-", 2).struct.rename_fields(["src", "trg"]).alias("pair"),
            pl.Series("score", [f"{value!r}".removesuffix(".0") for value in ratings.frame["value"]], pl.String),
            pl.col("seconds").cast(pl.String).alias("time"),
            pl.col("control").replace_strict(kinds, return_dtype=pl.String).alias("type"),
            *absent,
        ).unnest("pair")
        columns = [
            "item", "rater", "src", "trg", *_EXTRAS.values(), "type", "segment", "score", "time",
        ]  # fmt: skip
        columns.insert(6, "system")
        rows = frame.select(columns).iter_rows()
        return "".join(
            f"{line}\n" for line in [_HEADER, *("\t".join(cell or "" for cell in row) for row in rows)]
        ).encode()


_N, _ALL, _POSITION = f"{EXTRA}n", f"{EXTRA}n_all", f"{EXTRA}doc_segment"
_SCORES = {"SYS": "system", "SID": "segment", "SEGID": "place", "RAW.SCR": "raw", "Z.SCR": "z", "N": _N}


@register_format
class WmtDaScores(RatingsFormat):
    """Reads the scores of segments, documents and systems: two rows each, raw and standardised."""

    name = "wmt-da-scores"
    description = "WMT's direct assessments by segment, document or system (SYS, RAW.SCR, Z.SCR, N)"
    suffixes = (".csv",)
    priority = 3
    holds = frozenset({"system", "segment", "document", "value", "protocol", "criterion", _N, _ALL, _POSITION})
    partly: ClassVar[Mapping[str, pl.Expr]] = {"document": pl.col("segment").is_null()}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return {"SYS", "RAW.SCR", "Z.SCR"} <= set(file.head[0].split())

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """Raw and standardised scores, by system and segment."""
        rows = space_rows(file)
        names = header_of(file, rows, "a header with SYS, RAW.SCR and Z.SCR")
        frame, bad = frame_of(file, [_SCORES.get(name, EXTRA + name.lower().replace(".", "_")) for name in names], rows)
        checker = Checker(file.name, _placed(frame), bad)
        checker.number("raw")
        checker.number("z")
        others = [name for name in checker.frame.columns if name not in ("raw", "z")]
        checker.frame = (
            checker.frame.unpivot(["raw", "z"], index=others, variable_name="criterion", value_name="value")
            .sort(LINE, maintain_order=True)
            .with_columns(
                pl.col("criterion").replace({"raw": "overall"}),
                pl.lit("da").alias("protocol"),
                pl.lit(options.language_pair, pl.String).alias("language_pair"),
            )
        )
        return checked(checker, skip_bad=options.skip_bad)

    def unwritten(self, frame: pl.DataFrame, name: str) -> int:
        """Documents of segments are written where the position of the segment is known."""
        placed = _POSITION in frame.columns and frame[_POSITION].null_count() == 0
        return 0 if name == "document" and placed else super().unwritten(frame, name)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Raw and standardised scores of the same outputs."""
        both = pl.struct("criterion").n_unique().over("system", "segment", "document") == 2
        fits = (pl.col("protocol") == "da") & pl.col("criterion").is_in(["overall", "z"]) & pl.col("rater").is_null()
        return ratings.frame.select(fits & both).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A line per output, separated by spaces."""
        used = [
            name for name in ratings.frame.columns if name in ("system", "segment", "document", _N, _ALL, _POSITION)
        ]
        wide = ratings.frame.pivot("criterion", index=used, values="value", maintain_order=True)
        level = next((name for name in ("segment", "document") if wide[name].null_count() < len(wide)), "system")
        wide = wide.with_columns(pl.Series(name, [repr(value) for value in wide[name]]) for name in ("overall", "z"))
        raw, z = pl.col("overall"), pl.col("z")
        counts = {name: head for name, head in ((_N, "N"), (_ALL, "N.ALL")) if name in used}
        cells = [raw.alias("RAW.SCR"), z.alias("Z.SCR"), *(pl.col(name).alias(head) for name, head in counts.items())]
        if level == "system":
            cells.insert(3, pl.col("system").alias("SYS"))
        elif level == "document" or _POSITION not in used:
            cells = [
                pl.col("system").alias("SYS"),
                pl.col(level).alias("SEGID" if level == "document" else "SID"),
                *cells,
            ]
        else:
            place = pl.concat_str("document", pl.lit("::"), _POSITION).alias("SEGID")
            cells = [pl.col("system").alias("SYS"), place, *cells, pl.col("segment").alias("SID")]
        table = wide.select(cells)
        lines = [" ".join(table.columns), *(" ".join(cell or "NA" for cell in row) for row in table.iter_rows())]
        return "".join(f"{line}\n" for line in lines).encode()


def _placed(frame: pl.DataFrame) -> pl.DataFrame:
    """SEGID is a document, or a document and the number of a segment in it."""
    if "place" not in frame.columns:
        return frame
    document = pl.col("place").str.replace(r"::\d+$", "").alias("document")
    if "segment" not in frame.columns:
        return frame.with_columns(document).drop("place")
    position = pl.col("place").str.extract(r"::(\d+)$").alias(_POSITION)
    return frame.with_columns(document, position).drop("place")


@register_format
class MqmAverages(RatingsFormat):
    """Reads and writes the averages that Google publishes beside its MQM files."""

    name = "mqm-averages"
    description = "Google's MQM averages: system, score and seg_id, tabs and spaces mixed, None where not rated"
    suffixes = (".tsv",)
    priority = 3
    holds = frozenset({"system", "segment", "value", "protocol", "criterion"})
    keeps_unjudged = True

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return file.head[0].split() == ["system", "mqm_avg_score", "seg_id"]

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A line per system and segment."""
        rows = space_rows(file)
        next(rows, None)
        frame, bad = frame_of(file, ("system", "value", "segment"), rows)
        unjudged = unjudged_of(frame, pl.col("value") == NONE, "segment")
        checker = Checker(file.name, frame.filter(pl.col("value") != NONE), bad)
        checker.number("value")
        checker.frame = checker.frame.with_columns(
            pl.lit("mqm").alias("protocol"),
            pl.lit("score").alias("criterion"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return replace(checked(checker, skip_bad=options.skip_bad), unjudged=unjudged)

    def writable(self, ratings: Ratings) -> pl.Series:
        """One MQM score per system and segment."""
        alone = pl.struct("system", "segment").is_first_distinct() & pl.col("rater").is_null()
        score = (pl.col("protocol") == "mqm") & (pl.col("criterion") == "score") & pl.col("segment").is_not_null()
        return ratings.frame.select(score & alone).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A tab after the system, a space after the score, six digits."""
        judged = [
            (row, 1, system, f"{value:.6f}", segment)
            for row, (system, value, segment) in enumerate(
                ratings.frame.select("system", "value", "segment").iter_rows()
            )
        ]
        none = [(unjudged.after, 0, unjudged.system, "None", unjudged.unit) for unjudged in ratings.unjudged]
        lines = (
            f"{system}\t{score} {segment}"
            for _, _, system, score, segment in sorted(judged + none, key=lambda x: x[:2])
        )
        return "".join(f"{line}\n" for line in ["system mqm_avg_score seg_id", *lines]).encode()
