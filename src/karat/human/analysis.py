"""Finds the analysis for every criterion of a table of ratings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from karat.corpus.ratings import Ratings, Scale, protocol
from karat.errors import InputError, SpecError
from karat.human.effort import effort, with_hter, with_seconds_per_word
from karat.human.extraction import judgements, pair_judgements
from karat.human.findings import CriterionFindings, HumanFindings, SystemResult
from karat.human.mqm import breakdown, has_spans, with_penalties
from karat.human.pair_analysis import analyse_pairs
from karat.human.scale_analysis import analyse_scale
from karat.human.settings import PAIR_PRESETS, Settings
from karat.human.span_table import spans_by_output
from karat.human.spans import span_agreement

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPARED = ("ranking", "preference")
SHEET = "femti"
MARKED = ("mqm", "esa", "error-types")


@dataclass(frozen=True)
class Part:
    """The ratings of one criterion of one protocol (and language pair)."""

    ratings: Ratings
    protocol: str
    criterion: str
    language_pair: str | None
    level: str

    @property
    def names(self) -> dict[str, Any]:
        """What the findings are labelled with."""
        named = {"protocol": self.protocol, "criterion": self.criterion}
        return {**named, "language_pair": self.language_pair, "level": self.level}

    def scale(self) -> Scale:
        """The scale of the criterion, as far as it is known."""
        try:
            return protocol(self.protocol).scale(self.criterion)
        except SpecError:
            return Scale()


def parts_of(ratings: Ratings) -> Iterator[Part]:
    """The ratings by language pair, protocol, criterion and level, in order of first appearance.

    Judgements of whole documents are never mixed with those of segments.
    """
    whole = pl.when(pl.col("document").is_not_null()).then(pl.lit("document")).otherwise(pl.lit("system"))
    level = pl.when(pl.col("segment").is_not_null()).then(pl.lit("segment")).otherwise(whole).alias("level")
    for values, frame in ratings.frame.group_by("language_pair", "protocol", "criterion", level, maintain_order=True):
        language_pair, name, criterion, of = (None if value is None else str(value) for value in values)
        kept = replace(ratings, frame=frame.select(ratings.frame.columns))
        yield Part(kept, name or "scale", criterion or "overall", language_pair, of or "segment")


def analyse(ratings: Ratings, settings: Settings) -> HumanFindings:
    """Everything that can be said about every criterion; what cannot be analysed is named in a note."""
    found: list[CriterionFindings] = []
    sheet: list[Mapping[str, Any]] = []
    for part in parts_of(ratings):
        if part.protocol == SHEET:
            shown = part.ratings.frame.select("system", "criterion", "value", "label", "comment")
            sheet += shown.iter_rows(named=True)
        else:
            found += _analyses(part, settings)
    if not found and not sheet:
        raise InputError("there is nothing to analyse: no row has a value, a comparison, errors, a post-edit or a time")
    return HumanFindings(tuple(found), tuple(sheet))


def _analyses(part: Part, settings: Settings) -> Iterator[CriterionFindings]:
    """One analysis, or two where spans and a score were both asked for."""
    if part.protocol in COMPARED:
        yield _pairs(part, settings)
        return
    if settings.preset in PAIR_PRESETS:
        raise InputError(f"the preset {settings.preset} ranks by comparisons, and {part.protocol} has none")
    if part.protocol in MARKED and has_spans(part.ratings):
        if part.protocol != "esa":
            yield _errors(part, settings)
            return
        found = _scale(part, settings)
        yield replace(found, agreement=(*found.agreement, *_span_agreement(part)))
        return
    if part.protocol == "post-edit" and _has(part, "post_edit") and _has(part, "target"):
        yield _post_edits(part, settings)
    elif part.protocol == "productivity":
        yield _timed(part, settings)
    elif _has(part, "value"):
        yield _scale(part, settings)


def _has(part: Part, column: str) -> bool:
    return not part.ratings.frame[column].is_null().all()


def _pairs(part: Part, settings: Settings) -> CriterionFindings:
    if settings.preset is not None and settings.preset not in PAIR_PRESETS:
        raise InputError(
            f"the preset {settings.preset} ranks by values, and these are comparisons: take {', '.join(PAIR_PRESETS)}"
        )
    judged = pair_judgements(part.ratings)
    scored = pair_judgements(part.ratings, expanded=True)
    return analyse_pairs(judged, settings, scored=scored, **part.names)


def _scale(part: Part, settings: Settings) -> CriterionFindings:
    given = judgements(part.ratings, standardised=part.criterion == "z")
    return analyse_scale(given, part.scale(), settings, **part.names)


def _errors(part: Part, settings: Settings) -> CriterionFindings:
    """Penalties on a scale where lower is better, and where they come from."""
    weights = settings.weights if part.protocol == "mqm" else settings.weights.with_plain_errors()
    weighed = with_penalties(part.ratings, weights)
    named = replace(part, ratings=weighed, criterion="penalty")
    scale = Scale(minimum=0, higher_is_better=False)
    found = analyse_scale(judgements(weighed), scale, _without_runs(settings), **named.names)
    kinds = breakdown(part.ratings, weights)
    return replace(
        found,
        kind="errors",
        systems=_with(found.systems, {system: {"errors": errors} for system, errors in kinds.items()}),
        agreement=(*found.agreement, *_span_agreement(part)),
    )


def _without_runs(settings: Settings) -> Settings:
    """Many outputs in a row without an error or an edit are nothing odd."""
    return replace(settings, limits=replace(settings.limits, longest_run=sys.maxsize))


def _span_agreement(part: Part) -> tuple[Any, ...]:
    plain, weighted = span_agreement(spans_by_output(part.ratings.ordinary))
    return tuple(one for one in (plain, weighted) if one.n)


def _post_edits(part: Part, settings: Settings) -> CriterionFindings:
    edited = with_hter(part.ratings)
    named = replace(part, ratings=edited, criterion="hter")
    scale = Scale(minimum=0, maximum=1, higher_is_better=False)
    found = analyse_scale(judgements(edited), scale, _without_runs(settings), **named.names)
    took = {system: one.to_json() for system, one in effort(part.ratings).items()}
    return replace(found, kind="effort", systems=_with(found.systems, took))


def _timed(part: Part, settings: Settings) -> CriterionFindings:
    timed = replace(part, ratings=with_seconds_per_word(part.ratings))
    scale = Scale(minimum=0, higher_is_better=False)
    found = analyse_scale(judgements(timed.ratings), scale, settings, **timed.names)
    took = {system: one.to_json() for system, one in effort(part.ratings).items()}
    return replace(found, kind="effort", systems=_with(found.systems, took))


def _with(systems: tuple[SystemResult, ...], details: Mapping[str, Mapping[str, Any]]) -> tuple[SystemResult, ...]:
    return tuple(replace(one, details={**one.details, **details.get(one.system, {})}) for one in systems)


def selected(
    ratings: Ratings,
    *,
    protocols: tuple[str, ...] = (),
    criteria: tuple[str, ...] = (),
    language_pair: str | None = None,
    excluded: tuple[str, ...] = (),
) -> Ratings:
    """The ratings of these protocols, criteria and language pair, without some systems; unknown names are refused."""
    if unknown := [name for name in excluded if name not in ratings.systems]:
        raise InputError(f"no system is called {unknown[0]!r}; there is: {', '.join(ratings.systems)}")
    if excluded:
        kept = [~pl.col(name).is_in(excluded).fill_null(value=False) for name in ("system", "other_system")]
        ratings = replace(ratings, frame=ratings.frame.filter(*kept))
    for column, wanted in (("protocol", protocols), ("criterion", criteria), ("language_pair", (language_pair,))):
        known = set(ratings.frame[column].unique().drop_nulls())
        missing = [name for name in wanted if name is not None and name not in known]
        if missing:
            raise InputError(
                f"no rating has the {column} {missing[0]!r}; there is: {', '.join(sorted(known)) or 'none'}"
            )
    chosen = {"protocol": protocols or None, "criterion": criteria or None, "language_pair": language_pair}
    return ratings.where(**{name: value for name, value in chosen.items() if value})


def placed(ratings: Ratings, segments: pl.DataFrame) -> Ratings:
    """The ratings with documents and domains filled in from a table of segments, where they have none."""
    known = [name for name in ("document", "domain") if name in segments.columns]
    given = segments.select("segment", *(pl.col(name).alias(f"{name}_given") for name in known))
    joined = ratings.frame.join(given, on="segment", how="left", maintain_order="left")
    filled = joined.with_columns(pl.coalesce(name, f"{name}_given").alias(name) for name in known)
    return Ratings.of(filled.drop(f"{name}_given" for name in known), ratings.skipped)
