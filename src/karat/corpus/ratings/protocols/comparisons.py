"""Protocols in which raters put translations in order."""

from __future__ import annotations

from karat.corpus.ratings.protocols.base import Protocol, Scale, register_protocol

RANKING = register_protocol(
    Protocol(
        name="ranking",
        title="Ranking",
        summary="Several translations of one segment are ranked from best to worst, ties allowed.",
        citation="bojar-etal-2016-findings",
        scales={"overall": Scale(minimum=1, whole=True, higher_is_better=False)},
        aliases=("rr",),
        definition=(
            "Raters see the source, sometimes a reference, and the translations of up to $N$ systems (five at WMT), "
            "and give each a "
            "rank; 1 is the best, and several may share a rank."
        ),
        formula=(
            r"$$\frac{\text{wins}}{\text{comparisons} - \text{ties}}$$ over the pairs that rankings imply; expected "
            r"wins, "
            "Bradley-Terry and TrueSkill weigh opponents."
        ),
        use_when="raters find it easier to compare than to put a number on quality, and several systems are close.",
        avoid_when=(
            "it matters how good a system is, or how much better: a rank says neither, and pairs from one ranking "
            "are not independent."
        ),
        choice=(
            "A ranking is one row per system, with the rank as its value and the ranking's name as its item. WMT's "
            "files of pairs are one "
            "row per pair, first and second system in the order of the file, because its official kappa counts by "
            "that order."
        ),
    )
)

PREFERENCE = register_protocol(
    Protocol(
        name="preference",
        title="Pairwise preference",
        summary="Two translations side by side: which is better, or is there no difference?",
        citation="laubli-etal-2018-machine",
        scales={"overall": Scale(), "adequacy": Scale(), "fluency": Scale()},
        answers=("first", "second", "tie"),
        needs=("label", "system", "other_system"),
        open_criteria=True,
        aliases=("pairwise",),
        definition=(
            "Raters see two translations of the same segment or document in random order, and prefer one or neither."
        ),
        formula="The share of preferences, ties split or left out; a sign test over the rest.",
        use_when="exactly two systems (or a system and people) are to be told apart.",
        avoid_when="many systems are to be ordered: pairs grow with the square of their number.",
        choice=(
            "The label is `first`, `second` or `tie`; the names of both systems stand in the row, so order effects "
            "can be studied."
        ),
    )
)
