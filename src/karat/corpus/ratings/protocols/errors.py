"""Protocols in which raters mark errors or correct them."""

from __future__ import annotations

from karat.corpus.ratings.protocols.base import Protocol, Scale, register_protocol

MQM = register_protocol(
    Protocol(
        name="mqm",
        title="MQM",
        summary=(
            "Every error is marked with its span, category and severity; a segment's penalty is their weighted sum."
        ),
        citation="freitag-etal-2021-experts",
        scales={
            "penalty": Scale(minimum=0, higher_is_better=False),
            "score": Scale(maximum=0),
            "z": Scale(),
        },
        needs=("spans|value",),
        definition=(
            "Professionals see whole documents and mark each error in the translation (or in the source, where "
            "something is left out), "
            "with a category of the typology and a severity."
        ),
        formula=(
            r"$$\sum_e w(\text{severity}, \text{category})$$ with WMT's weights: major 5, minor 1, minor "
            r"fluency/punctuation 0.1, "
            "non-translation 25. Lower is better; files of scores often hold the negative sum, for which higher is "
            "better."
        ),
        use_when="systems are good, small differences matter, and it has to be known what is wrong.",
        avoid_when="there is no money for professionals: crowds do not mark reliably.",
        choice=(
            "A judgement is one row with the list of its spans, empty if there is no error. Offsets count code "
            "points. Weights are "
            "applied by the analysis, never on reading; sums that a file holds have the criterion `penalty` "
            "(positive) or `score` "
            "(negative)."
        ),
    )
)

ESA = register_protocol(
    Protocol(
        name="esa",
        aliases=("esaai",),
        title="Error span annotation (ESA)",
        summary="Error spans with a severity but no category, then a score from 0 to 100.",
        citation="kocmi-etal-2024-error",
        scales={"overall": Scale(minimum=0, maximum=100), "z": Scale()},
        needs=("value",),
        definition=(
            "Raters mark spans as minor or major errors, so that they have seen them, and then give a score as in "
            "DA+SQM."
        ),
        formula="The mean of the scores by segment, then by system; the spans can be weighed as in MQM.",
        use_when="spans are wanted, but not a typology, and raters are bilinguals rather than trained annotators.",
        avoid_when="kinds of errors are the question: use MQM.",
        choice="Score and spans are one judgement, so one row.",
    )
)

ERROR_TYPES = register_protocol(
    Protocol(
        name="error-types",
        title="Error types of words",
        summary="Every word of the translation is right, or has one or several types of error.",
        citation="popovic-2020-informative",
        scales={"penalty": Scale(minimum=0, higher_is_better=False)},
        needs=("spans|value",),
        open_criteria=True,
        open_scale=Scale(minimum=0, higher_is_better=False),
        definition=(
            "Raters mark words and give each the types of its error; an omission is marked where something is missing."
        ),
        formula="The share of words (or of segments) with an error of each type.",
        use_when="the kinds of errors of a system are studied.",
        avoid_when="systems are to be ranked: counts of words depend on how errors are cut into words.",
        choice=(
            "A marked word is a span; several types of one word are several spans with the same offsets. Where "
            "errors were "
            "only counted, each type is a criterion and its count the value."
        ),
    )
)

WORD_TAGS = register_protocol(
    Protocol(
        name="word-tags",
        title="Word tags",
        summary="Every word (and gap) is OK or BAD, as post-editing implies.",
        citation="fomicheva-etal-2022-mlqe",
        scales={"penalty": Scale(minimum=0, higher_is_better=False)},
        needs=("label",),
        definition="Words that the post-editor changed or deleted are BAD, as are gaps where words were inserted.",
        formula="Matthews' correlation between two taggings, or the product of the F1 of OK and BAD.",
        use_when="quality estimation of words is trained or tested.",
        avoid_when="errors should be weighed: every changed word counts the same.",
        choice=(
            "The label is the row of tags, as in the file; the criterion is `target` (words and gaps), or `source`. "
            "What raters tagged themselves has the share of BAD tags as its value."
        ),
        open_criteria=True,
        open_scale=Scale(minimum=0, maximum=1, higher_is_better=False),
    )
)

CATASTROPHIC = register_protocol(
    Protocol(
        name="catastrophic",
        title="Catastrophic errors",
        summary="Is there an error that misleads, offends or endangers: yes or no.",
        citation="fomicheva-etal-2022-mlqe",
        scales={
            "catastrophic": Scale(
                minimum=0,
                maximum=3,
                whole=True,
                labels=(
                    (0, "No catastrophic error"),
                    (1, "A catastrophic error"),
                    (2, "The source cannot be understood"),
                    (3, "The translation cannot be understood"),
                ),
                higher_is_better=False,
            )
        },
        definition="Raters look for deviations in toxicity, safety, names, sentiment or numbers.",
        formula="The majority of three raters; segments whose majority is 2 or 3 are left out.",
        use_when="the worst case matters more than the average one.",
        avoid_when="systems are to be ranked by overall quality.",
        choice="The codes are the file's; means of them have no meaning, shares do.",
    )
)

POST_EDIT = register_protocol(
    Protocol(
        name="post-edit",
        title="Post-editing",
        summary="The translation is corrected with as few changes as possible; text, time and keystrokes are kept.",
        citation="snover-etal-2006-study",
        scales={"hter": Scale(minimum=0, higher_is_better=False)},
        needs=("post_edit|value",),
        definition=(
            "A translator changes the system's output until it is acceptable: it means what the source means and "
            "reads well enough."
        ),
        formula=(
            r"$$\text{HTER} = \frac{\text{edits from output to post-edit}}{\text{words of the post-edit}}$$ and "
            r"seconds or keystrokes "
            "per word of the source."
        ),
        use_when="the use is post-editing, or references close to the system are wanted.",
        avoid_when="quality beyond acceptability counts: style is not edited.",
        choice=(
            "HTER that a file holds is the row's value, between 0 and 1 or above, where lower is better; karat "
            "computes its own."
        ),
    )
)

PRODUCTIVITY = register_protocol(
    Protocol(
        name="productivity",
        title="Translating against post-editing",
        summary="The same work from scratch and from machine output: how much time does the machine save?",
        citation="plitt-masselot-2010-productivity",
        scales={
            "translation": Scale(minimum=0, higher_is_better=False),
            "post-editing": Scale(minimum=0, higher_is_better=False),
        },
        needs=("seconds",),
        definition=(
            "Translators work on some segments from scratch and on others from the output of a system; both are timed."
        ),
        formula=(
            r"$$1 - \frac{t_{\text{post-editing}} / w}{t_{\text{translation}} / w'}$$ with the words $w$ and $w'$ of "
            r"the source that "
            "each took."
        ),
        use_when="money and time decide.",
        avoid_when="translators differ in speed and each does only one of the two: compare within translators.",
        choice=(
            "The criterion is the way of working; the row has its seconds, and the text that came out as its post-edit."
        ),
    )
)
