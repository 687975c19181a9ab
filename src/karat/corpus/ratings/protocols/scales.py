"""Protocols in which raters choose a point on a scale."""

from __future__ import annotations

from karat.corpus.ratings.protocols.base import Protocol, Scale, register_protocol

_LDC_ADEQUACY = ((5, "All"), (4, "Most"), (3, "Much"), (2, "Little"), (1, "None"))
_LDC_FLUENCY = (
    (5, "Flawless English"),
    (4, "Good English"),
    (3, "Non-native English"),
    (2, "Disfluent English"),
    (1, "Incomprehensible"),
)

ADEQUACY_FLUENCY = register_protocol(
    Protocol(
        name="adequacy-fluency",
        title="Adequacy and fluency",
        summary="How much of the meaning is there, and how good is the language: two scales of five points.",
        citation="ldc-2005-linguistic",
        scales={
            "adequacy": Scale(minimum=1, maximum=5, whole=True, labels=_LDC_ADEQUACY),
            "fluency": Scale(minimum=1, maximum=5, whole=True, labels=_LDC_FLUENCY),
        },
        aliases=("ldc",),
        definition=(
            "Adequacy: how much of the meaning expressed in the reference (or the source) is also expressed in the "
            "translation? "
            "Fluency: how good is the language of the translation, read without source or reference? Both are asked "
            "about each "
            "segment, fluency first, so that knowing the meaning does not colour it."
        ),
        formula=(
            "A system's score is the mean over its segments of the mean over raters. ARPA's normalisation puts any "
            "scale of $S$ "
            "points between 0 and 1: $$(p - 1) / (S - 1)$$"
        ),
        use_when=(
            "two different weaknesses have to be told apart: text that reads well but says something else, and the "
            "reverse."
        ),
        avoid_when=(
            "small differences between good systems matter: five points are coarse, raters use them differently, and "
            "agreement is "
            "low."
        ),
        choice=(
            "The labels are LDC's, with English in place of the target language's name. Values are kept as given; "
            "normalisation and "
            "standardisation per rater are steps of the analysis."
        ),
    )
)

FRAGMENT_ADEQUACY = register_protocol(
    Protocol(
        name="fragment-adequacy",
        title="Adequacy by fragment",
        summary="ARPA's adequacy: each fragment of a passage is judged, and the passage gets the mean.",
        citation="white-etal-1994-arpa",
        scales={"adequacy": Scale(minimum=1, maximum=5, whole=True)},
        aliases=("arpa",),
        definition=(
            "An expert translation is cut into fragments, each a syntactic constituent with enough information to "
            "judge. For each one, "
            "raters say on a scale of 1 to 5 how much of its information is found in the translation."
        ),
        formula=(
            r"$$\frac{1}{F} \sum_{f=1}^{F} \frac{p_f - 1}{S - 1}$$ over the $F$ fragments of a passage, with $S = "
            r"5$; a system's "
            "score is the mean over passages."
        ),
        use_when="whole passages are to be judged, but not in one glance: long or complex text.",
        avoid_when="nobody can cut the reference into fragments, or segments are short: then a fragment is a segment.",
        choice=(
            "A fragment is a row with the passage as its document and the fragment as its segment, so that the mean "
            "over a document is "
            "ARPA's mean over a passage."
        ),
    )
)

SPECIA_ADEQUACY = register_protocol(
    Protocol(
        name="four-level-adequacy",
        title="Adequacy in four levels",
        summary="Specia et al.'s adequacy: four levels, each with a description.",
        citation="specia-etal-2011-predicting",
        scales={
            "adequacy": Scale(
                minimum=1,
                maximum=4,
                whole=True,
                labels=(
                    (4, "Highly adequate: the content of the input is conveyed faithfully"),
                    (
                        3,
                        "Fairly adequate: conveyed in general, with problems of word order, tense, voice or number, "
                        "or with repeated, added or untranslated words",
                    ),
                    (2, "Poorly adequate: the content is not conveyed adequately"),
                    (1, "Completely inadequate: the content is not conveyed at all"),
                ),
            )
        },
        aliases=("specia",),
        definition=(
            "Raters see source and translation and choose the level that describes how well the content is conveyed."
        ),
        formula="The mean of the levels, or their distribution; $(p - 1) / 3$ puts them between 0 and 1.",
        use_when="every level should mean something: each has a description, and there is no middle to hide in.",
        avoid_when="differences between two good systems matter: most of their segments share a level.",
        choice="The levels are whole numbers; the descriptions are shortened here.",
    )
)

INTELLIGIBILITY = register_protocol(
    Protocol(
        name="intelligibility",
        title="Intelligibility",
        summary="How far a translation reads like normal, well-edited prose: ALPAC's nine points.",
        citation="alpac-1966-language",
        scales={
            "intelligibility": Scale(
                minimum=1,
                maximum=9,
                whole=True,
                labels=(
                    (9, "Perfectly clear and intelligible"),
                    (5, "Roughly half understood after study"),
                    (1, "Hopelessly unintelligible"),
                ),
            )
        },
        definition="Raters see only the translation, sentence by sentence, and say how readily it is understood.",
        formula="The mean of the points; $(p - 1) / 8$ puts them between 0 and 1.",
        use_when="readers have nothing but the translation.",
        avoid_when="you want to know whether it is right: text that reads perfectly may say something else.",
        choice=(
            "The two ends and the middle are labelled in our words; ALPAC describes each of the nine points in a "
            "sentence."
        ),
    )
)

FIDELITY = register_protocol(
    Protocol(
        name="fidelity",
        title="Fidelity",
        summary=(
            "What the original still has to tell to someone who has read the translation: ALPAC's 0 to 9, lower is "
            "better."
        ),
        citation="alpac-1966-language",
        scales={
            "fidelity": Scale(
                minimum=0,
                maximum=9,
                whole=True,
                labels=(
                    (9, "Extremely informative: the original makes all the difference"),
                    (0, "The original contains less than the translation"),
                ),
                higher_is_better=False,
            )
        },
        definition=(
            "Raters read the translation, then the original (or a careful translation of it), and say how "
            "informative the original is "
            "beyond what they had gathered."
        ),
        formula="The mean of the points; the less the original adds, the more faithful the translation.",
        use_when="completeness and truth to the original are the question, apart from style.",
        avoid_when="raters do not read the source language and there is no careful translation either.",
        choice="The values are ALPAC's, so lower is better; every table says so.",
    )
)

DIRECT_ASSESSMENT = register_protocol(
    Protocol(
        name="da",
        title="Direct assessment",
        summary="A slider from 0 to 100: how well does the translation express the meaning?",
        citation="graham-etal-2013-continuous",
        scales={
            "overall": Scale(minimum=0, maximum=100),
            "adequacy": Scale(minimum=0, maximum=100),
            "fluency": Scale(minimum=0, maximum=100),
            "z": Scale(),
        },
        aliases=("direct-assessment",),
        definition=(
            "Raters see the source (or a reference) and one translation, and move a slider between 0 and 100. Among "
            "the items are "
            "repeats and translations that were damaged on purpose (bad references), to see who pays attention."
        ),
        formula=(
            r"$$z = \frac{x - \bar x_r}{s_r}$$ for each rater $r$, with the standard deviation over $n - 1$ and over "
            r"*all* rows of the "
            "rater, control items included; then the mean by segment, then by system."
        ),
        use_when="many raters each judge many segments, and systems are to be ranked by means with tests.",
        avoid_when="raters judge a handful of items each: then neither their mean nor their spread can be known.",
        choice=(
            "Raw values have the criterion `overall` (or `adequacy`, `fluency`); values that a file holds as "
            "standardised have the "
            "criterion `z`, so that nobody standardises twice."
        ),
    )
)

SQM = register_protocol(
    Protocol(
        name="sqm",
        title="Scalar quality metric (SQM)",
        summary="Seven points from 0 (nonsense) to 6 (perfect), with every second one described.",
        citation="freitag-etal-2021-experts",
        scales={
            "overall": Scale(
                minimum=0,
                maximum=6,
                labels=(
                    (6, "Perfect meaning and grammar"),
                    (4, "Most meaning preserved and few grammar mistakes"),
                    (2, "Some meaning preserved"),
                    (0, "Nonsense, or no meaning preserved"),
                ),
            )
        },
        definition="Raters see a segment of a document in its context and choose a point.",
        formula="The mean of the points by segment, then by system.",
        use_when="ratings should be quick, and raters are professionals or know the labels well.",
        avoid_when="errors have to be known, not only how bad they are together: mark them (MQM, ESA).",
        choice="Points between whole numbers are taken as they are, since some campaigns use a slider.",
    )
)

DA_SQM = register_protocol(
    Protocol(
        name="da-sqm",
        title="DA+SQM",
        summary="A slider from 0 to 100 with the marks of SQM below it, as WMT used in 2022 and 2023.",
        citation="kocmi-etal-2022-findings",
        scales={
            "overall": Scale(
                minimum=0,
                maximum=100,
                labels=(
                    (100, "Perfect meaning and grammar"),
                    (66, "Most meaning preserved and few grammar mistakes"),
                    (33, "Some meaning preserved"),
                    (0, "Nonsense, or no meaning preserved"),
                ),
            ),
            "z": Scale(),
        },
        definition=(
            "As direct assessment, in document context, with seven marks under the slider of which four have labels."
        ),
        formula="The mean of raw values (WMT23) or of values standardised by rater (WMT22).",
        use_when="a scale of 100 points is wanted, but raters need to be told what its regions mean.",
        avoid_when="you can afford to have errors marked.",
        choice="Raw values; standardising is a step of the analysis.",
    )
)

EFFORT = register_protocol(
    Protocol(
        name="effort",
        title="Post-editing effort, estimated",
        summary="How much a translation would have to be edited: five points, as in WMT12's quality estimation task.",
        citation="callison-burch-etal-2012-findings",
        scales={
            "effort": Scale(
                minimum=1,
                maximum=5,
                labels=(
                    (5, "Perfectly clear: hardly anything to edit"),
                    (4, "About 10-25 % to be edited"),
                    (3, "About 25-50 % to be edited"),
                    (2, "About 50-70 % to be edited"),
                    (1, "To be translated from scratch"),
                ),
            )
        },
        definition="Translators see source, translation and post-edit, and say how much editing was called for.",
        formula="WMT12 took a mean of three translators, weighted by how consistent each was.",
        use_when="effort is the question, and nobody can measure times and keystrokes.",
        avoid_when="post-editing can be logged: what people do is better than what they expect to do.",
        choice="Higher is better (less effort), as in the data; weighted means that a file holds may be fractions.",
    )
)

CUSTOM = register_protocol(
    Protocol(
        name="custom",
        title="A scale of your own",
        summary="Any number about any criterion; higher is better.",
        citation="white-etal-1994-arpa",
        scales={"overall": Scale()},
        open_criteria=True,
        definition="What raters do is not known to karat.",
        formula="The mean by segment, then by system.",
        use_when="none of the other protocols fits.",
        avoid_when="one of them does: its scale is then checked, its labels are shown, and its direction is known.",
        choice="Nothing is checked but that values are finite numbers. A table that names no protocol gets this one.",
    )
)
