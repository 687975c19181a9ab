"""MLQE-PE: direct assessments, post-edits with word tags, and catastrophic errors.

The files name no raters: scores stand in lists, and the n-th rater of a segment is called ``n``. That need not be the
same person in every segment. Written files are byte for byte those that were read. The index of direct assessments
is that of a line, from 0, so segment 1 stands under index 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from karat.corpus.jsontext import parse_json
from karat.corpus.lines import split_lines
from karat.corpus.ratings.checks import Checker, checked
from karat.corpus.ratings.formats.base import LoadedFile, RatingsFormat, ReadOptions, position, register_format
from karat.corpus.ratings.model import BadRow, Ratings
from karat.corpus.ratings.schema import EXTRA
from karat.corpus.ratings.tables import LINE, tab_frame
from karat.errors import InputError

_DA = ("index", "original", "translation", "scores", "mean", "z_scores", "z_mean", "model_scores")
_MEAN, _Z_MEAN, _MODEL = (f"{EXTRA}{name}" for name in ("mean", "z_mean", "model_scores"))
_ORDER = "order"
_INDEX = r"^(0|[1-9][0-9]{0,11})$"
_NUMBER = r"^[1-9][0-9]{0,11}$"


def numbers_in(checker: Checker, field: str) -> list[list[float] | None]:
    """The numbers of a column of lists; what is no list of numbers is bad."""
    lists: list[list[float] | None] = []
    for line, text in checker.frame.select(LINE, field).iter_rows():
        try:
            values = parse_json(text)
            lists.append([float(value) for value in values])
        except (ValueError, TypeError):
            checker.bad.append(BadRow(checker.file, line, field, f"{text[:60]!r} is not a list of numbers"))
            lists.append(None)
    return lists


@register_format
class MlqeDirectAssessment(RatingsFormat):
    """Reads and writes direct assessments, raw and standardised."""

    name = "mlqe-da"
    description = "MLQE-PE's direct assessments (*.df.short.tsv)"
    suffixes = (".tsv",)
    priority = 3
    holds = frozenset(
        {"rater", "segment", "source", "target", "value", "protocol", "criterion", _MEAN, _Z_MEAN, _MODEL}
    )
    partly: ClassVar[Mapping[str, pl.Expr]] = {"rater": pl.col("rater") == position("segment", "criterion")}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the header."""
        return tuple(file.head[0].split("\t")) == _DA

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per score and per standardised score."""
        frame, bad = tab_frame(file, _DA, skip=1)
        checker = Checker(file.name, frame, bad)
        checker.refuse(~pl.col("index").str.contains(_INDEX), "index", "{} is not the number of a line, from 0")
        lists = {name: numbers_in(checker, name) for name in ("scores", "z_scores")}
        both = zip(checker.frame[LINE], lists["scores"], lists["z_scores"], strict=True)
        for line, raw, z in both:
            if raw is not None and z is not None and len(raw) != len(z):
                problem = f"there are {len(z)} standardised scores of {len(raw)} raters"
                checker.bad.append(BadRow(file.name, line, "z_scores", problem))
        parts = [
            _long(checker.frame, lists[name], criterion)
            for name, criterion in (("scores", "overall"), ("z_scores", "z"))
        ]
        checker.frame = (
            pl.concat(parts)
            .sort(LINE, "criterion", _ORDER)
            .drop(_ORDER)
            .with_columns(
                pl.lit("da").alias("protocol"),
                pl.lit(options.system or "mt").alias("system"),
                pl.lit(options.language_pair, pl.String).alias("language_pair"),
            )
        )
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Direct assessments of one system, raw and standardised, of numbered segments."""
        fits = (pl.col("protocol") == "da") & pl.col("criterion").is_in(["overall", "z"])
        one_system = pl.col("system").n_unique() == 1
        both = pl.col("criterion").n_unique().over("segment") == 2
        whole = pl.all_horizontal(pl.col(name).is_not_null() for name in ("segment", "source", "target", "value"))
        numbered = pl.col("segment").str.contains(_NUMBER)
        return ratings.frame.select(fits & one_system & both & whole & numbered).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A row per segment."""
        lines = ["\t".join(_DA)]
        for (segment,), rows in ratings.frame.group_by("segment", maintain_order=True):
            lines.append("\t".join(_segment_cells(str(segment), rows)))
        return "".join(f"{line}\n" for line in lines).encode()


def _long(frame: pl.DataFrame, lists: list[list[float] | None], criterion: str) -> pl.DataFrame:
    """A row per number, raters in the order of the list."""
    scored = frame.select(
        LINE,
        (pl.col("index").cast(pl.Int64, strict=False) + 1).cast(pl.String).alias("segment"),
        pl.col("original").alias("source"),
        pl.col("translation").alias("target"),
        pl.col("mean").alias(_MEAN),
        pl.col("z_mean").alias(_Z_MEAN),
        pl.col("model_scores").alias(_MODEL),
        pl.Series("value", lists, pl.List(pl.Float64)),
        pl.lit(criterion).alias("criterion"),
    )
    long = scored.explode("value").drop_nulls("value")
    order = pl.int_range(1, pl.len() + 1).over(LINE)
    return long.with_columns(order.alias(_ORDER), order.cast(pl.String).alias("rater"))


def _segment_cells(segment: str, rows: pl.DataFrame) -> list[str]:
    first = rows.row(0, named=True)
    raw = [_plain(value) for value in rows.filter(pl.col("criterion") == "overall")["value"]]
    z = [repr(value) for value in rows.filter(pl.col("criterion") == "z")["value"]]
    known = [first.get(name) or "" for name in (_MEAN, _Z_MEAN, _MODEL)]
    texts = [str(int(segment) - 1), first["source"], first["target"]]
    return [*texts, f"[{', '.join(raw)}]", known[0], f"[{', '.join(z)}]", *known[1:]]


def _plain(value: float) -> str:
    return repr(int(value)) if value.is_integer() else repr(value)


@register_format
class MlqeCatastrophic(RatingsFormat):
    """Reads and writes judgements of catastrophic errors."""

    name = "mlqe-catastrophic"
    description = "MLQE-PE's catastrophic errors (*_majority_*.tsv)"
    suffixes = (".tsv",)
    priority = 2
    holds = frozenset({"rater", "segment", "source", "target", "value", "protocol", "criterion", f"{EXTRA}majority"})
    partly: ClassVar[Mapping[str, pl.Expr]] = {"rater": pl.col("rater") == position("segment")}

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """By the last cells of the first row."""
        cells = file.head[0].split("\t")
        return len(cells) == 5 and cells[3].startswith("[") and cells[4] in ("NOT", "ERR")

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per rater."""
        frame, bad = tab_frame(file, ("segment", "source", "target", "scores", f"{EXTRA}majority"))
        checker = Checker(file.name, frame, bad)
        values = pl.Series("value", numbers_in(checker, "scores"), pl.List(pl.Float64))
        long = checker.frame.drop("scores").with_columns(values).explode("value").drop_nulls("value")
        checker.frame = long.with_columns(
            pl.int_range(1, pl.len() + 1).over(LINE).cast(pl.String).alias("rater"),
            pl.lit("catastrophic").alias("protocol"),
            pl.lit("catastrophic").alias("criterion"),
            pl.lit(options.system or "mt").alias("system"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Judgements of catastrophic errors whose texts are known."""
        texts = pl.col("source").is_not_null() & pl.col("target").is_not_null()
        return ratings.frame.select((pl.col("protocol") == "catastrophic") & texts).to_series()

    def write(self, ratings: Ratings) -> bytes:
        """A row per segment."""
        lines = []
        for (segment,), rows in ratings.frame.group_by("segment", maintain_order=True):
            first = rows.row(0, named=True)
            scores = f"[{', '.join(_plain(value) for value in rows['value'])}]"
            majority = first.get(f"{EXTRA}majority") or _majority(rows["value"].to_list())
            lines.append("\t".join([str(segment), first["source"], first["target"], scores, majority]))
        return "".join(f"{line}\n" for line in lines).encode()


def _majority(values: list[float]) -> str:
    return "ERR" if values.count(1.0) * 2 > len(values) else "NOT"


_PARTS = ("src", "mt", "pe", "hter", "tags", "source_tags")


@register_format
class MlqePostEdits(RatingsFormat):
    """Reads the post-edits of a directory, with HTER and word tags."""

    name = "mlqe-post-edits"
    description = "directory of MLQE-PE's post-edits (*.mt, *.pe, and perhaps *.src, *.hter, *.tags, *.source_tags)"
    directory = True
    holds = frozenset({"segment", "source", "target", "value", "post_edit", "label", "protocol", "criterion"})

    @classmethod
    def recognises(cls, file: LoadedFile) -> bool:
        """A directory with one .mt and one .pe file."""
        return all(len(list(file.path.glob(f"*.{part}"))) == 1 for part in ("mt", "pe"))

    def read(self, file: LoadedFile, options: ReadOptions) -> Ratings:
        """A row per post-edit, and one per tagging."""
        columns = dict(_columns(file))
        if absent := [f"*.{part}" for part in ("mt", "pe") if part not in columns]:
            raise InputError(
                f"{file.name} has no {' and no '.join(absent)}: post-edits are read with what they correct"
            )
        count = len(columns["mt"])
        if wrong := next((part for part, lines in columns.items() if len(lines) != count), None):
            raise InputError(f"{file.name}: .mt has {count} lines, and .{wrong} has {len(columns[wrong])}")
        base = {
            LINE: list(range(1, count + 1)),
            "segment": [str(number) for number in range(1, count + 1)],
            "source": columns.get("src", [None] * count),
            "target": columns["mt"],
        }
        types = {LINE: pl.Int64, "source": pl.String}
        edits = pl.DataFrame({**base, "post_edit": columns["pe"]}, schema_overrides=types).with_columns(
            pl.Series("value", columns.get("hter", [None] * count), pl.String),
            pl.lit("post-edit").alias("protocol"),
            pl.lit("hter").alias("criterion"),
        )
        tags = [
            pl.DataFrame({**base, "label": columns[part]}, schema_overrides=types).with_columns(
                pl.lit("word-tags").alias("protocol"), pl.lit(side).alias("criterion")
            )
            for part, side in (("tags", "target"), ("source_tags", "source"))
            if part in columns
        ]
        checker = Checker(file.name, pl.concat([edits, *tags], how="diagonal"))
        checker.number("value")
        checker.complete()
        checker.frame = checker.frame.with_columns(
            pl.lit(options.system or "mt").alias("system"),
            pl.lit(options.language_pair, pl.String).alias("language_pair"),
        )
        _check_tags(checker)
        return checked(checker, skip_bad=options.skip_bad)

    def writable(self, ratings: Ratings) -> pl.Series:
        """Post-edits of one system with their texts, and tags; no segment twice."""
        kind = pl.col("protocol").is_in(["post-edit", "word-tags"])
        texts = pl.col("target").is_not_null() & (pl.col("post_edit").is_not_null() | pl.col("label").is_not_null())
        alone = pl.struct("segment", "protocol", "criterion").is_first_distinct() & (pl.col("system").n_unique() == 1)
        alone &= pl.col("segment") == position("protocol", "criterion")
        return ratings.frame.select(kind & texts & alone).to_series()

    def files(self, ratings: Ratings) -> dict[str, bytes]:
        """A file per column; those that are not known for all segments are left out."""
        edits = ratings.where(protocol="post-edit").frame
        columns: dict[str, list[Any]] = {
            "src": edits["source"].to_list(),
            "mt": edits["target"].to_list(),
            "pe": edits["post_edit"].to_list(),
            "hter": [None if value is None else f"{value:.6f}" for value in edits["value"]],
        }
        for part, side in (("tags", "target"), ("source_tags", "source")):
            columns[part] = ratings.where(protocol="word-tags", criterion=side).frame["label"].to_list()
        whole = {part: lines for part, lines in columns.items() if lines and None not in lines}
        return {f"dev.{part}": "".join(f"{line}\n" for line in lines).encode() for part, lines in whole.items()}


def _columns(file: LoadedFile) -> Iterator[tuple[str, list[str | None]]]:
    for part in _PARTS:
        paths = list(file.path.glob(f"*.{part}"))
        if len(paths) > 1:
            raise InputError(f"{file.name} has several .{part} files: {', '.join(sorted(path.name for path in paths))}")
        for path in paths:
            yield part, list(split_lines(LoadedFile(str(path), Path(path).read_bytes()).text()))


def _check_tags(checker: Checker) -> None:
    """A word has a tag, and in the target so has every gap."""
    words = {
        "target": 2 * pl.col("target").str.split(" ").list.len() + 1,
        "source": pl.col("source").str.split(" ").list.len(),
    }
    tags = pl.col("label").str.split(" ").list.len()
    for side, wanted in words.items():
        of_side = (pl.col("protocol") == "word-tags") & (pl.col("criterion") == side)
        checker.refuse(
            of_side & (tags != wanted), "label", f"the number of tags does not fit the words of the {side}: {{}}"
        )
    known = pl.col("label").str.contains(r"^(OK|BAD)( (OK|BAD))*$")
    checker.refuse(~known & (pl.col("protocol") == "word-tags"), "label", "tags are OK or BAD: {}")
