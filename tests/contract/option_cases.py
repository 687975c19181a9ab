"""For every option of every command: a run without it, what to add, and what must differ."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`differs` is out, err, code or file (its name follows), or a field of the JSON document.

    `environment` is what both runs see.
    """

    plain: str
    added: str
    differs: str
    environment: tuple[tuple[str, str], ...] = ()


FILES = "-r ref.txt a.txt b.txt c.txt"
ODD = (("KARAT_THREADS", "many"),)
"""A number of threads that is refused wherever nobody has named another."""


def input_cases(more: str, metric: str = "-m chrf", number: str = "score") -> dict[str, Case]:
    """The options of texts, for a command that needs `more` besides them and prints a `number`."""
    return {
        "-r": Case(f"{FILES} {metric} {more}", "-r ref2.txt", number),
        "-i": Case(f"-r ref.txt a.txt b.txt {metric} {more}", "-i c.txt", "out"),
        "-s": Case(f"{FILES} {metric} {more}", "-s src.txt", "err"),
        "-m": Case(f"{FILES} -m bleu {more}", "-m ter", "out"),
        "--corpus": Case(f"{metric} {more}", "--corpus all.jsonl", "code"),
        "-t": Case(f"a.txt b.txt c.txt {metric} {more} -l en-de", "-t wmt22", "code"),
        "-l": Case(f"{FILES} -m bleu {more}", "-l de-zh", number),
        "--documents": Case(f"{FILES} {metric} {more}", "--documents docs.txt", "out"),
        "--input-format": Case(f"--corpus all.odd {metric} {more}", "--input-format jsonl", "code"),
        "--column": Case(f"--corpus odd.csv {metric} {more}", "--column reference=Vorlage", "code"),
        "--post-edits": Case(f"--corpus all.jsonl {metric} {more}", "--post-edits instead", number),
        "-j": Case(f"{FILES} {metric} {more}", "-j 2", "code", ODD),
    }


def output_cases(plain: str, noisy: str | None = None) -> dict[str, Case]:
    """The options of results; `noisy` is a run with a warning, if `plain` has none."""
    return {
        "-f": Case(plain, "-f markdown", "out"),
        "--json": Case(plain, "--json", "out"),
        "-w": Case(plain, "-w 1", "out"),
        "-o": Case(plain, "-o written.txt", "file written.txt"),
        "-q": Case(noisy or plain, "-q", "err"),
    }


def resampling_cases(plain: str, number: str = "interval") -> dict[str, Case]:
    """The options of resamples."""
    return {
        "--seed": Case(plain, "--seed 7", number),
        "--resample": Case(plain, "--resample half", "interval"),
        "--interval": Case(plain, "--interval bca", "interval"),
    }


def score_file_cases(number: str) -> dict[str, Case]:
    """The options of scores from elsewhere."""
    return {
        "--scores": Case(f"{FILES} -m chrf", "--scores scores.tsv", "out"),
        "--criterion": Case("--scores ratings.tsv", "--criterion fluency", "out"),
        "--unit": Case("--corpus all.jsonl -m chrf", "--unit segment", number),
        "--testset": Case("--corpus sets.toml -m chrf", "--testset ref2", "out"),
    }


def test_cases(plain: str) -> dict[str, Case]:
    """The options of tests."""
    return {
        "--test": Case(plain, "--test wilcoxon", "p"),
        "-n": Case(plain, "-n 150", "p"),
        "--alpha": Case(plain, "--alpha 0.9", "significant"),
        "--correction": Case(plain, "--correction none", "p_adjusted"),
        "--unpaired": Case("--scores holes.tsv", "--unpaired", "units"),
        **resampling_cases(plain),
        "--seed": Case(plain, "--seed 7", "p"),
    }


DRAWN = f"{FILES} -m chrf -n 100"
INTERVALS = f"{FILES} -m chrf --ci"
SCORE = {
    **input_cases(""),
    **output_cases(f"{FILES} -s src.txt -m chrf"),
    "--documents": Case(f"{FILES} -m chrf --level document", "--documents docs.txt", "code"),
    "--level": Case(f"{FILES} -m chrf", "--level segment", "out"),
    "--testset": Case("--corpus sets.toml -m chrf", "--testset ref2", "out"),
    "--sort": Case("-r ref.txt c.txt b.txt a.txt -m chrf", "--sort name", "out"),
    "--ci": Case(f"{FILES} -m chrf", "--ci 0.9", "interval"),
    "-n": Case(INTERVALS, "-n 1500", "interval"),
    "--unit": Case("--corpus all.jsonl -m chrf --ci", "--unit segment", "interval"),
    **resampling_cases(INTERVALS),
}
COMPARE = {
    **input_cases("-n 100"),
    **output_cases(DRAWN),
    **score_file_cases("p"),
    **test_cases(DRAWN),
    "--baseline": Case(DRAWN, "--baseline b", "baseline"),
    "--non-inferior": Case(f"{FILES} -m chrf", "--non-inferior 0.5", "code"),
}
RANK = {**input_cases("-n 100"), **output_cases(DRAWN), **score_file_cases("p"), **test_cases(DRAWN)}
PLANNED = f"{FILES} -m chrf"
POWER = {
    **input_cases("", number="deviation"),
    **output_cases(PLANNED, noisy=f"{PLANNED} -s src.txt"),
    **score_file_cases("deviation"),
    "--baseline": Case(PLANNED, "--baseline b", "deviation"),
    "--difference": Case(PLANNED, "--difference 3", "needed_units"),
    "--sd": Case("--sd 10 --units 50", "--sd 20", "detectable"),
    "--units": Case("--sd 10 --units 50", "--units 90", "detectable"),
    "--power": Case(PLANNED, "--power 0.9", "detectable"),
    "--alpha": Case(PLANNED, "--alpha 0.01", "detectable"),
}
JUDGED = "--judgements judged.tsv -n 20"
DIRECTORY = "meta -l en-de -n 20"
META = {
    **input_cases(JUDGED, number="value"),
    **output_cases(f"{FILES} -m chrf {JUDGED}"),
    "--documents": Case(f"{FILES} -m chrf {JUDGED} --by document", "--documents docs.txt", "code"),
    "-j": Case(f"{FILES} -m chrf {JUDGED} --measure pearson --test none", "-j 2", "code", ODD),
    "--gold": Case(DIRECTORY, "--gold da", "value"),
    "--ratings": Case(f"{FILES} -m chrf", "--ratings ratings.tsv", "code"),
    "--criterion": Case(f"{FILES} -m chrf --ratings ratings.tsv -n 20", "--criterion fluency", "value"),
    "--judgements": Case(f"{FILES} -m chrf -n 20", "--judgements judged.tsv", "code"),
    "--scores": Case(f"{FILES} -m chrf {JUDGED}", "--scores scores.tsv", "metric"),
    "--only": Case(f"{JUDGED} --scores submitted.sys.score", "--only lp=en-de", "code"),
    "--rename": Case(f"-r ref.txt a.txt x=b.txt c.txt -m chrf {JUDGED}", "--rename x=b", "value"),
    "--human": Case(DIRECTORY, "--human s3", "systems"),
    "--level": Case(DIRECTORY, "--level system", "level"),
    "--grouping": Case(DIRECTORY, "--grouping item", "grouping"),
    "--measure": Case(DIRECTORY, "--measure pearson", "measure"),
    "--minimum": Case(DIRECTORY + " --measure kendall-like", "--minimum 3", "value"),
    "--standard-reference": Case(DIRECTORY, "--standard-reference refA", "metric"),
    "--include-human": Case(DIRECTORY, "--include-human", "systems"),
    "--outliers": Case(DIRECTORY + " --include-human", "--outliers none", "outliers"),
    "--outlier": Case(DIRECTORY, "--outlier s1", "outliers"),
    "--without": Case(DIRECTORY, "--without s1", "systems"),
    "--test": Case(DIRECTORY, "--test bootstrap", "p"),
    "--compare": Case(DIRECTORY, "--compare segment:acc-eq:item", "p"),
    "-n": Case("meta -l en-de", "-n 50", "p"),
    "--seed": Case(DIRECTORY, "--seed 7", "p"),
    "--alpha": Case(DIRECTORY, "--alpha 0.5", "interval"),
    "--correction": Case(DIRECTORY, "--correction holm", "p_adjusted"),
    "--by": Case(DIRECTORY, "--by domain", "subset"),
    "--weight": Case("meta -l all -n 20", "--weight en-de=1 --weight en-cs=3", "value"),
    "--testset": Case(f"--corpus sets.toml -m chrf {JUDGED}", "--testset ref2", "code"),
    "--plots": Case(DIRECTORY, "--plots plots", "file plots"),
    "--html": Case(DIRECTORY, "--html page.html", "file page.html"),
    "-l": Case("meta -n 20", "-l en-de", "code"),
}
TUNING = "--judgements judged.tsv --starts 1"
TUNE = {
    **input_cases(TUNING, metric="", number="tuned_on"),
    "-m": Case(f"{FILES} {TUNING}", "-m meteor(gamma=0.1)", "tuned_on"),
    "-l": Case(f"{FILES} {TUNING}", "-l en-de", "metric"),
    "--documents": Case(f"{FILES} {TUNING}", "--documents other-docs.txt", "code"),
    "--judgements": Case(f"{FILES} {TUNING}", "--judgements scores.tsv", "tuned_on"),
    "--criterion": Case(f"{FILES} --judgements ratings.tsv --starts 1", "--criterion fluency", "code"),
    "--testset": Case(f"--corpus sets.toml {TUNING}", "--testset ref2", "code"),
    "--measure": Case(f"{FILES} {TUNING}", "--measure spearman", "tuned_on"),
    "--level": Case(f"{FILES} {TUNING}", "--level system", "tuned_on"),
    "--held-out": Case(f"{FILES} {TUNING}", "--held-out 0.5", "segments"),
    "--starts": Case(f"{FILES} --judgements scores.tsv --measure kendall --seed 1 --starts 1", "--starts 5", "metric"),
    "--seed": Case(f"{FILES} {TUNING}", "--seed 7", "held_out"),
    "--json": Case(f"{FILES} {TUNING}", "--json", "out"),
}
COVERED = "-r ref.txt -r ref2.txt a.txt"
COVERAGE = {
    **output_cases(COVERED, noisy="-r ref.txt a.txt"),
    "-r": Case("-r ref.txt", "-r ref2.txt", "types"),
    "--corpus": Case("", "--corpus all.jsonl", "code"),
    "-l": Case(COVERED, "-l de-zh", "types"),
    "--input-format": Case("--corpus all.odd", "--input-format jsonl", "code"),
    "--max-order": Case(COVERED, "--max-order 2", "order"),
    "--tokenize": Case(COVERED, "--tokenize char", "types"),
    "--lowercase": Case(COVERED, "--lowercase", "types"),
    "-j": Case(COVERED, "-j 2", "code", ODD),
}
RATED = "--ratings ratings.tsv"
EXPERIMENT = f"-r ref.txt -r ref2.txt a.txt b.txt c.txt -m chrf {RATED}"
MULTI_REFERENCE = {
    **{
        name: case._replace(plain=f"-r ref2.txt {case.plain}" if "-r ref" in case.plain else case.plain)
        for name, case in input_cases(RATED, number="value").items()
    },
    **output_cases(EXPERIMENT, noisy=f"{EXPERIMENT} -s src.txt"),
    "-r": Case(EXPERIMENT, "-r c.txt", "value"),
    "--ratings": Case(EXPERIMENT, "--ratings few.tsv", "value"),
    "--criterion": Case(EXPERIMENT, "--criterion fluency", "criteria"),
    "--column": Case("--corpus two.csv -m chrf --ratings ratings.tsv", "--column reference:A=Vorlage", "code"),
}
WORD_TAGS = {
    **output_cases("-g gold.tags predicted.tags", noisy="-g gold.tags fine.tags"),
    "-g": Case("-g gold.tags predicted.tags", "-g other.tags", "mcc"),
}
CONVERT = {
    "--to": Case("ratings.tsv --to jsonl", "--to csv", "out"),
    "-o": Case("ratings.tsv --to jsonl", "-o written.jsonl", "file written.jsonl"),
    "--from": Case("ratings.odd --to jsonl", "--from tsv", "code"),
    "--column": Case("foreign.tsv --to jsonl", "--column value=Note", "code"),
    "--protocol": Case("unnamed.tsv --to jsonl", "--protocol da", "out"),
    "--criterion": Case("unnamed.tsv --to jsonl", "--criterion adequacy", "out"),
    "--system": Case("unnamed.tsv --to jsonl", "--system a", "out"),
    "-l": Case("unnamed.tsv --to jsonl", "-l en-de", "out"),
    "--skip-bad": Case("bad.tsv --to jsonl", "--skip-bad", "code"),
    "--formats": Case("ratings.tsv --to jsonl", "--formats", "out"),
    "--json": Case("ratings.tsv -o written.jsonl", "--json", "out"),
    "-q": Case("ratings.tsv --to jsonl", "-q", "err"),
}
CASES: dict[str, dict[str, Case]] = {
    "analyse coverage": COVERAGE,
    "analyse multi-reference": MULTI_REFERENCE,
    "analyse word-tags": WORD_TAGS,
    "compare": COMPARE,
    "convert": CONVERT,
    "meta": META,
    "metrics": {"--json": Case("bleu", "--json", "out")},
    "power": POWER,
    "rank": RANK,
    "score": SCORE,
    "tune meteor": TUNE,
}
