"""Finds the analysis for every criterion of a table of ratings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from karat.corpus.ratings import Ratings, Scale, aligned, first_judgements, protocol, without_duplicates
from karat.errors import InputError, SpecError
from karat.human.agreement.base import MarkedOutputs, agreement_on
from karat.human.comparing.analysis import analyse_pairs
from karat.human.effort import effort, with_hter, with_seconds_per_word
from karat.human.extraction import judgements, pair_judgements
from karat.human.mqm import breakdown, has_spans, with_penalties
from karat.human.plan import PAIR_PRESETS, AnalysisPlan
from karat.human.results import CriterionResult, RatingAnalysis, SystemResult
from karat.human.saving import time_saved
from karat.human.scales.analysis import Answers, analyse_scale
from karat.human.span_table import spans_by_output
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.human.agreement.value import AgreementValue

COMPARED = ("ranking", "preference")
SHEET = "femti"
MARKED = ("mqm", "esa", "error-types")


@dataclass(frozen=True)
class CriterionRatings:
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


def parts_of(ratings: Ratings) -> Iterator[CriterionRatings]:
    """The ratings by language pair, protocol, criterion and level, in order of first appearance.

    Judgements of whole documents are never mixed with those of segments.
    """
    whole = pl.when(pl.col("document").is_not_null()).then(pl.lit("document")).otherwise(pl.lit("system"))
    granularity = pl.when(pl.col("segment").is_not_null()).then(pl.lit("segment")).otherwise(whole).alias("level")
    for values, frame in ratings.frame.group_by(
        "language_pair", "protocol", "criterion", granularity, maintain_order=True
    ):
        language_pair, name, criterion, level = (None if value is None else str(value) for value in values)
        kept = replace(ratings, frame=frame.select(ratings.frame.columns))
        yield CriterionRatings(kept, name or "scale", criterion or "overall", language_pair, level or "segment")


def analyse(ratings: Ratings, plan: AnalysisPlan) -> RatingAnalysis:
    """Everything that can be said about every criterion; what cannot be analysed is named in a note."""
    criteria: list[CriterionResult] = []
    sheet: list[Mapping[str, Any]] = []
    for part in parts_of(ratings):
        if part.protocol == SHEET:
            shown = part.ratings.frame.select("system", "criterion", "value", "label", "comment")
            sheet += shown.iter_rows(named=True)
        else:
            criteria += _analyses(part, plan, ratings)
    if not criteria and not sheet:
        raise InputError("there is nothing to analyse: no row has a value, a comparison, errors, a post-edit or a time")
    if plan.weights is not None and not any(criterion.kind == "errors" for criterion in criteria):
        raise InputError("weights are those of marked errors, and these ratings have none: leave out --weights")
    return RatingAnalysis(tuple(criteria), tuple(sheet))


def _analyses(part: CriterionRatings, plan: AnalysisPlan, every: Ratings) -> Iterator[CriterionResult]:
    """One analysis, or two where spans and a score were both asked for; `every` has what it is held against."""
    if part.protocol in COMPARED:
        yield _pairs(part, plan)
        return
    if plan.preset in PAIR_PRESETS:
        raise InputError(f"the preset {plan.preset} ranks by comparisons, and {part.protocol} has none")
    if part.protocol in MARKED and has_spans(part.ratings):
        if part.protocol != "esa":
            yield _errors(part, plan)
            return
        scored = _scale(part, plan)
        yield replace(scored, agreement=(*scored.agreement, *_span_agreement(part)))
        return
    if part.protocol == "post-edit" and _has(part, "post_edit") and _has(part, "target"):
        yield _post_edits(part, plan)
    elif part.protocol == "productivity":
        yield _timed(part, plan, every)
    elif _has(part, "value"):
        yield _scale(part, plan)


def _has(part: CriterionRatings, column: str) -> bool:
    return not part.ratings.frame[column].is_null().all()


def _pairs(part: CriterionRatings, plan: AnalysisPlan) -> CriterionResult:
    if plan.preset is not None and plan.preset not in PAIR_PRESETS:
        raise InputError(
            f"the preset {plan.preset} ranks by values, and these are comparisons: take {', '.join(PAIR_PRESETS)}"
        )
    judged = pair_judgements(part.ratings)
    scored = pair_judgements(part.ratings, expanded=True)
    return analyse_pairs(judged, plan, scored=scored, **part.names)


def _scale(part: CriterionRatings, plan: AnalysisPlan) -> CriterionResult:
    return _on_scale(part, part.scale(), plan, standardised=part.criterion == "z")


def _on_scale(
    part: CriterionRatings, scale: Scale, plan: AnalysisPlan, *, standardised: bool = False
) -> CriterionResult:
    """The analysis of the values of a part; a rater's duplicates of an item are averaged first, unless by a preset."""
    every = replace(part.ratings, frame=aligned(part.ratings.frame))
    averaged, duplicates = without_duplicates(every)
    given = judgements(averaged, standardised=standardised)
    if duplicates is None:
        return analyse_scale(given, scale, plan, **part.names)
    answers = Answers(*(judgements(kept, standardised=standardised) for kept in (first_judgements(every), every)))
    if plan.preset is not None:
        # WMT's scripts count every judgement, and a preset is there to reproduce their tables.
        return analyse_scale(answers.every, scale, plan, answers=answers, **part.names)
    result = analyse_scale(given, scale, plan, answers=answers, **part.names)
    return replace(result, notes=(*result.notes, duplicates))


def _errors(part: CriterionRatings, plan: AnalysisPlan) -> CriterionResult:
    """Penalties on a scale where lower is better, and where they come from."""
    weights = plan.error_weights if part.protocol == "mqm" else plan.error_weights.with_plain_errors()
    weighed = replace(part, ratings=with_penalties(part.ratings, weights), criterion="penalty")
    result = _on_scale(weighed, Scale(minimum=0, higher_is_better=False), _without_runs(plan))
    kinds = breakdown(part.ratings, weights)
    return replace(
        result,
        kind="errors",
        systems=_with(result.systems, {system: {"errors": errors} for system, errors in kinds.items()}),
        agreement=(*result.agreement, *_span_agreement(part)),
    )


def _without_runs(plan: AnalysisPlan) -> AnalysisPlan:
    """Many outputs in a row without an error or an edit are nothing odd."""
    return replace(plan, limits=replace(plan.limits, longest_run=sys.maxsize))


def _span_agreement(part: CriterionRatings) -> tuple[AgreementValue, ...]:
    return agreement_on(MarkedOutputs(spans_by_output(part.ratings.ordinary)))


def _post_edits(part: CriterionRatings, plan: AnalysisPlan) -> CriterionResult:
    edited = replace(part, ratings=with_hter(part.ratings), criterion="hter")
    result = _on_scale(edited, Scale(minimum=0, maximum=1, higher_is_better=False), _without_runs(plan))
    return _with_effort(result, part)


def _timed(part: CriterionRatings, plan: AnalysisPlan, every: Ratings) -> CriterionResult:
    """Seconds per word and, of post-editing, the share of time that it saves over the work from scratch."""
    timed = replace(part, ratings=with_seconds_per_word(part.ratings))
    result = _with_effort(_on_scale(timed, Scale(minimum=0, higher_is_better=False), plan), part)
    if part.criterion != "post-editing":
        return result
    scratch = every.where(protocol=part.protocol, criterion="translation", language_pair=[part.language_pair])
    saved = time_saved(part.ratings, scratch, plan)
    return replace(result, systems=_with(result.systems, {system: own.to_json() for system, own in saved.items()}))


def _with_effort(result: CriterionResult, part: CriterionRatings) -> CriterionResult:
    took = {system: work.to_json() for system, work in effort(part.ratings).items()}
    return replace(result, kind="effort", systems=_with(result.systems, took))


def _with(systems: tuple[SystemResult, ...], details: Mapping[str, Mapping[str, Any]]) -> tuple[SystemResult, ...]:
    return tuple(replace(result, details={**result.details, **details.get(result.system, {})}) for result in systems)


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
