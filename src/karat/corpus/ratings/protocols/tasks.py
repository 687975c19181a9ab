"""Protocols that ask what people can do with a translation, and the sheet of extended criteria."""

from __future__ import annotations

from karat.corpus.ratings.protocols.base import Protocol, Scale, register_protocol

_CORRECT = Scale(minimum=0, maximum=1, whole=True, labels=((1, "correct"), (0, "wrong")))
NONE_OF_ABOVE = "none of the above"
CANNOT_BE_DETERMINED = "cannot be determined"

COMPREHENSION = register_protocol(
    Protocol(
        name="comprehension",
        title="Comprehension",
        summary="Questions about a passage, answered from the translation alone: the share of right answers.",
        citation="white-etal-1994-arpa",
        scales={"comprehension": _CORRECT},
        needs=("question", "value"),
        definition="Readers of the translation answer (six) questions about the passage.",
        formula=r"$$\frac{\text{correct}}{\text{questions}}$$",
        use_when="it matters whether readers understand, not whether the text is pretty.",
        avoid_when="readers may know the answers already: ask people who read no translation, too.",
        choice=(
            "A row per question; the value is 1 for a correct answer and 0 for any other, and an omitted answer is "
            "wrong."
        ),
    )
)

INFORMATIVENESS = register_protocol(
    Protocol(
        name="informativeness",
        title="Informativeness",
        summary=(
            "Six questions with six options each, two of which are always the same: ARPA's later form of comprehension."
        ),
        citation="white-etal-1994-arpa",
        scales={"informativeness": _CORRECT},
        needs=("question", "value"),
        definition=(
            f"Questions are made from expert translations. Four options are about the text; the others are "
            f"*{NONE_OF_ABOVE}* and "
            f"*{CANNOT_BE_DETERMINED}*."
        ),
        formula=r"$$\frac{\text{correct}}{\text{questions}}$$",
        use_when="it should show whether readers could get the information at all.",
        avoid_when="a passage is too short for six independent questions.",
        choice="As comprehension; the option that was chosen is the row's answer.",
    )
)

TASK = register_protocol(
    Protocol(
        name="task",
        title="Tasks",
        summary="Which tasks the translation is good enough for, on White and Taylor's scale of tasks.",
        citation="white-taylor-1998-task",
        scales=dict.fromkeys(("publishing", "gisting", "extraction", "triage", "detection", "filtering"), _CORRECT),
        needs=("value",),
        definition=(
            "Users do text-handling tasks with translations of known quality. The tasks are ordered by how much they "
            "tolerate: what is "
            "too bad to publish may do for a gist, for extracting facts, for putting documents in order of "
            "importance (triage), for "
            "finding those on a topic (detection), or for throwing the irrelevant away (filtering)."
        ),
        formula=(
            "The share of items on which the task was done well, by task; a system is fit for the tasks where that "
            "suffices."
        ),
        use_when="the use of the translations is known.",
        avoid_when="systems are to be compared in general.",
        choice="A task is a criterion; 1 means that it could be done.",
    )
)

EXTRACTION = register_protocol(
    Protocol(
        name="extraction",
        title="Who, when, where",
        summary="Can readers find who, when and where in the translation?",
        citation="voss-tate-2006-task",
        scales={"who": _CORRECT, "when": _CORRECT, "where": _CORRECT},
        definition=(
            "Readers mark the persons, times and places in a translation; their finds are compared with those in the "
            "reference."
        ),
        formula="The share of the reference's elements that were found, by kind.",
        use_when="translations feed the extraction of facts.",
        avoid_when="texts have few such elements.",
        choice="A row per element of the reference; the answer is what the reader marked.",
    )
)

QUESTION_ANSWERING = register_protocol(
    Protocol(
        name="question-answering",
        title="Downstream question answering",
        summary="Questions are answered, by people or by a program, from the translation of a document.",
        citation="jones-etal-2005-measuring",
        scales={"answers": Scale(minimum=0, maximum=1)},
        needs=("question", "value"),
        aliases=("qa",),
        definition="The answer from the translation is compared with the answer from the original or from a reference.",
        formula="The mean of the answers' correctness, between 0 and 1.",
        use_when="translations serve a system that answers questions.",
        avoid_when="the answering itself is weak: its errors hide those of the translation.",
        choice="Correctness may be a fraction, such as an F1 of words.",
    )
)

FEMTI_CRITERIA = (
    "suitability",
    "interoperability",
    "reliability",
    "usability",
    "efficiency",
    "maintainability",
    "portability",
)

FEMTI = register_protocol(
    Protocol(
        name="femti",
        title="Extended criteria (FEMTI)",
        summary="A sheet about the system as a whole: suitability, interoperability, reliability and so on.",
        citation="king-etal-2003-femti",
        scales={name: Scale(minimum=1, maximum=5) for name in FEMTI_CRITERIA},
        needs=("value|label|comment",),
        open_criteria=True,
        definition=(
            "Suitability: does it fit the context of use? Interoperability: does it work with other software? "
            "Reliability: does it run? "
            "Usability: is it easy to learn and use? Efficiency: does it keep up? Maintainability: can it be "
            "adapted? Portability: can "
            "it be moved, and replaced by a newer version?"
        ),
        formula="No score: the sheet is shown as it is, beside the numbers.",
        use_when="a system is chosen for use, not for a paper.",
        avoid_when="only translations are known, and no system.",
        choice=(
            "A row per criterion and system, without segment; a number, words, or a comment. Other criteria may be "
            "added."
        ),
    )
)
