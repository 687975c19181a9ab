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
        "--columns": Case(f"--corpus odd.csv {metric} {more}", "--columns reference=Vorlage", "code"),
        "--post-edits": Case(f"--corpus all.jsonl {metric} {more}", "--post-edits instead", number),
        "--annotations": Case(f"{FILES} {metric} {more}", "--annotations nobody=a.conllu", "code"),
        "-j": Case(f"{FILES} {metric} {more}", "-j 2", "code", ODD),
    }


def output_cases(plain: str, noisy: str | None = None) -> dict[str, Case]:
    """The options of results; `noisy` is a run with a warning, if `plain` has none."""
    return {
        "-f": Case(plain, "-f markdown", "out"),
        "--json": Case(plain, "--json", "out"),
        "-w": Case(plain, "-w 1", "out"),
        "-o": Case(plain, "-o written.txt", "file written.txt"),
        "--html": Case(plain, "--html page.html", "file page.html"),
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
        "--from": Case("", "--from stored", "code"),
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
    "--from": Case("", "--from stored", "code"),
    "--out": Case("--corpus all.jsonl -m chrf", "--out written", "file written/manifest.json"),
    "--engine": Case("--corpus all.jsonl -m chrf", "--engine threads", "code"),
    "--address": Case("--corpus all.jsonl -m chrf", "--address 127.0.0.1:9", "code"),
    "--part-rows": Case("--corpus all.jsonl -m chrf --out by-parts", "--part-rows 7", "code"),
    "--group-by": Case("--corpus all.jsonl -m chrf --out by-group", "--group-by domain,none", "code"),
    "--keep": Case("--corpus all.jsonl -m chrf --out kept", "--keep none", "code"),
    "--where": Case("--corpus all.jsonl -m chrf --out where", "--where bleu", "code"),
    "--keep-rows": Case("--corpus all.jsonl -m chrf --out rows", "--keep-rows", "code"),
    "--dedupe": Case("--corpus all.jsonl -m chrf", "--dedupe", "code"),
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
REPORT = {
    **input_cases("-n 100"),
    **output_cases(DRAWN),
    **score_file_cases("p"),
    **{name: case for name, case in test_cases(DRAWN).items() if name != "--unpaired"},
    "--baseline": Case(DRAWN, "--baseline b", "out"),
    "--ratings": Case(DRAWN, "--ratings ratings.tsv", "human"),
    "--redact": Case(DRAWN, "--redact", "out"),
    "--max-segments": Case(DRAWN, "--max-segments 1", "out"),
}
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
TWO = "-m chrf -m ter"
LEARNING = "--ratings judged.tsv --folds 2 -o model.json"
LEARNT = f"{FILES} {TWO} {LEARNING}"
COMBINE = {
    **input_cases(LEARNING, metric=TWO, number="value"),
    "-m": Case(f"{FILES} -m chrf -m ter {LEARNING}", "-m wer", "out"),
    "-l": Case(f"{FILES} -m bleu -m ter {LEARNING}", "-l de-zh", "value"),
    "--ratings": Case(LEARNT, "--ratings scores.tsv", "value"),
    "--criterion": Case(f"{FILES} {TWO} --ratings ratings.tsv -o model.json", "--criterion fluency", "code"),
    "--testset": Case(f"--corpus sets.toml {TWO} {LEARNING}", "--testset ref2", "code"),
    "--method": Case(LEARNT, "--method uniform", "value"),
    "--folds": Case(LEARNT, "--folds 3", "value"),
    "--seed": Case(LEARNT, "--seed 7", "value"),
    "-o": Case(LEARNT, "-o written.json", "file written.json"),
    "--json": Case(LEARNT, "--json", "out"),
    "-q": Case(LEARNT, "-q", "err"),
}
COVERED = "-r ref.txt -r ref2.txt a.txt"
COVERAGE = {
    **{name: input_cases("", metric="")[name] for name in ("-t", "--columns", "--input-format")},
    **output_cases(COVERED, noisy="-r ref.txt a.txt"),
    "-r": Case("-r ref.txt", "-r ref2.txt", "types"),
    "-i": Case(COVERED, "-i c.txt", "out"),
    "--corpus": Case("", "--corpus all.jsonl", "code"),
    "-l": Case(COVERED, "-l de-zh", "types"),
    "--max-order": Case(COVERED, "--max-order 2", "order"),
    "--tokenize": Case(COVERED, "--tokenize char", "types"),
    "--lowercase": Case(COVERED, "--lowercase", "types"),
    "-j": Case(COVERED, "-j 2", "code", ODD),
    "--column": Case("--corpus odd.csv", "--column reference=Vorlage", "code"),
}


def analysis_cases(plain: str, number: str, interval: str = "interval") -> dict[str, Case]:
    """The options of analyses, whose `number` depends on words and systems."""
    return {
        "--tokenize": Case(plain, "--tokenize char", number),
        "--lowercase": Case(plain, "--lowercase", number),
        "--baseline": Case(plain, "--baseline b", "baseline"),
        "--unit": Case(f"--corpus all.jsonl {plain.removeprefix(FILES)}", "--unit segment", "unit"),
        "-n": Case(plain, "-n 150", interval),
        "--seed": Case(plain, "--seed 7", interval),
        "--least": Case(plain, "--least 1", "few"),
    }


def text_cases(more: str) -> dict[str, Case]:
    """The options of texts for a command that scores nothing."""
    cases = input_cases(more, metric="")
    cases["-r"] = Case(f"{FILES} {more}", "-r ref2.txt", "references")
    cases["-l"] = Case(f"{FILES} {more}", "-l de-zh", "tokenize")
    return {name: case for name, case in cases.items() if name not in ("-m", "--post-edits", "--annotations")}


QUICK = "-n 100"
LOOKED_AT = f"{FILES} {QUICK}"
BUCKETED = f"{FILES} -m chrf {QUICK}"
BUCKETS = {
    **input_cases(QUICK),
    **output_cases(BUCKETED, noisy=f"{BUCKETED} -s src.txt"),
    **analysis_cases(f"{BUCKETED} --by reference-length --by difficulty", "bucket"),
    "--tokenize": Case(f"{BUCKETED} --by reference-length", "--tokenize char", "bucket"),
    "--lowercase": Case(f"-r ref.txt -r ref-upper.txt a.txt -m chrf {QUICK} --by agreement", "--lowercase", "bucket"),
    "--by": Case(BUCKETED, "--by difficulty", "by"),
    "--labels": Case(BUCKETED, "--labels docs.txt", "by"),
    "--unit": Case("--corpus all.jsonl -m chrf -n 100", "--unit segment", "unit"),
}
WORDS = {
    **text_cases(QUICK),
    **output_cases(LOOKED_AT, noisy=f"{LOOKED_AT} -s src.txt"),
    **analysis_cases(LOOKED_AT, "f"),
    "--by": Case(LOOKED_AT, "--by case", "by"),
    "--labels": Case(f"{LOOKED_AT} --by case --tokenize none", "--labels reference=ref.pos", "by"),
    "--frequencies": Case(LOOKED_AT, "--frequencies a.txt", "f"),
}
NGRAMS = {
    **text_cases(QUICK),
    **output_cases(LOOKED_AT, noisy=f"{LOOKED_AT} -s src.txt"),
    **analysis_cases(LOOKED_AT, "ngram"),
    "--max-order": Case(LOOKED_AT, "--max-order 1", "order"),
    "--top": Case(LOOKED_AT, "--top 2", "ngram"),
    "--select": Case(LOOKED_AT, "--select discriminative", "accuracy"),
    "--smoothing": Case(LOOKED_AT, "--smoothing 0.1", "log_odds"),
}
ERRORS = {
    **text_cases(QUICK),
    **output_cases(LOOKED_AT),
    **analysis_cases(LOOKED_AT, "count"),
    "--least": Case(LOOKED_AT, "--least 1000", "few"),
    "--base-forms": Case(
        f"-r ref.txt a.txt {QUICK} --tokenize none --base-forms a=a.base", "--base-forms reference=ref.base", "code"
    ),
    "--labels": Case(f"{LOOKED_AT} --tokenize none", "--labels reference=ref.pos", "label"),
    "--words": Case(LOOKED_AT, "--words", "hypothesis_classes"),
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
    "--columns": Case("--corpus two.csv -m chrf --ratings ratings.tsv", "--columns reference:A=Vorlage", "code"),
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
HELD = "-s src.txt -r ref.txt a.txt b.txt c.txt"
FLAWS = {
    **text_cases(""),
    **output_cases(HELD, noisy="-s src.txt -r ref.txt c.txt"),
    "-r": Case("-s src.txt c.txt", "-r ref.txt", "out"),
    "-s": Case("-r ref.txt c.txt", "-s src.txt", "against"),
    "-l": Case(HELD, "-l de-de", "out"),
    "--documents": Case(HELD, "--documents docs.txt", "document"),
    "--terms": Case(HELD, "--terms terms.tsv", "out"),
    "--identify-language": Case(HELD, "--identify-language", "out"),
    "--show": Case(HELD, "--show 1", "out"),
}

NBEST = "nbest.txt -k 3 -m bleu(tokenize=char)"
DROPPED = "many.txt -k 64 -m chrf --strategy prune --alpha 0.9"
MBR = {
    **output_cases("nbest.jsonl -m chrf --format table", noisy="nbest.jsonl -m bleu(tokenize=char)"),
    "-f": Case("nbest.jsonl -m chrf", "-f markdown", "out"),
    "-k": Case("nbest.txt -m chrf", "-k 3", "code"),
    "-m": Case("nbest.jsonl", "-m ter(tokenize=char)", "utility"),
    "--weights": Case("nbest.jsonl -m chrf", "--weights model", "utility"),
    "--log-probabilities": Case(f"{NBEST} --weights model", "--log-probabilities log.txt", "code"),
    "--pseudo-references": Case(NBEST, "--pseudo-references other.jsonl", "utility"),
    "--pseudo-per-segment": Case(f"{NBEST} --pseudo-references other.txt", "--pseudo-per-segment 2", "code"),
    "-r": Case("nbest.jsonl -m chrf", "-r ref.txt", "utility"),
    "--strategy": Case("nbest.jsonl -m chrf", "--strategy aggregate", "utility"),
    "--alpha": Case("many.txt -k 64 -m chrf --strategy prune", "--alpha 0.3", "utilities"),
    "-n": Case(DROPPED, "-n 20", "utilities"),
    "--seed": Case(DROPPED, "--seed 7", "utilities"),
    "-l": Case("nbest.jsonl -m sentence-bleu", "-l de-zh", "utility"),
    "-j": Case("nbest.jsonl -m chrf", "-j 2", "code", ODD),
}
LISTED = "a.txt b.txt -m chrf"
PAIRWISE = {
    **output_cases(LISTED, noisy="repeated.txt -m chrf"),
    "-m": Case("a.txt b.txt", "-m ter(tokenize=char)", "mean"),
    "-o": Case(LISTED, "-o matrix.parquet", "file matrix.parquet"),
    "--per-segment": Case("a.txt b.txt", "--per-segment", "out"),
    "--corpus": Case("--per-segment a b", "--corpus all.jsonl", "code"),
    "--near": Case(LISTED, "--near 30", "near_pairs"),
    "--only-near": Case(LISTED, "--only-near", "code"),
    "-l": Case("a.txt b.txt -m sentence-bleu", "-l de-zh", "mean"),
    "-j": Case(LISTED, "-j 2", "code", ODD),
}

READING = {
    **input_cases(""),
    **output_cases(FILES, noisy=f"{FILES} -s src.txt"),
    "--ratings": Case(FILES, "--ratings ratings.tsv", "out"),
    "--criterion": Case(f"{FILES} --ratings ratings.tsv", "--criterion fluency", "measures"),
    "--count": Case(FILES, "--count 2", "out"),
    "--per-document": Case("--corpus all.jsonl -m chrf", "--per-document 1", "out"),
    "--baseline": Case(FILES, "--baseline b", "baseline"),
}
QUICK_AUDIT = f"{FILES} -m bleu"
AUDIT = {
    **input_cases("", number="shown"),
    **output_cases(QUICK_AUDIT, noisy=f"{QUICK_AUDIT} -s src.txt"),
    "-r": Case(QUICK_AUDIT, "-r ref2.txt", "log10_orderings"),
    "-l": Case(QUICK_AUDIT, "-l de-zh", "tokens"),
    "--post-edits": Case("--corpus all.jsonl -m bleu", "--post-edits instead", "score"),
    "--ratings": Case(QUICK_AUDIT, "--ratings ratings.tsv", "people"),
    "--criterion": Case(f"{QUICK_AUDIT} --ratings ratings.tsv", "--criterion fluency", "people"),
    "--unit": Case("--corpus all.jsonl -m bleu", "--unit segment", "unit"),
    "--examples": Case(QUICK_AUDIT, "--examples 0", "examples"),
    "--verify": Case(QUICK_AUDIT, "--verify", "enumeration"),
    "--seed": Case(QUICK_AUDIT, "--seed 7", "variants"),
    "--plots": Case(QUICK_AUDIT, "--plots audit-plots", "file audit-plots"),
}

ALL = {
    **input_cases(QUICK),
    **output_cases(BUCKETED, noisy=f"{BUCKETED} -s src.txt"),
    **{name: case for name, case in analysis_cases(BUCKETED, "f").items() if name != "--least"},
    "--unit": BUCKETS["--unit"],
    "--top": Case(BUCKETED, "--top 2", "ngram"),
    "--terms": Case(f"{BUCKETED} -s src.txt", "--terms terms.tsv", "out"),
    "--show": Case(f"{BUCKETED} -s src.txt", "--show 1", "out"),
}
CASES: dict[str, dict[str, Case]] = {
    "analyse all": ALL,
    "analyse buckets": BUCKETS,
    "analyse coverage": COVERAGE,
    "analyse errors": ERRORS,
    "analyse findings": FLAWS,
    "analyse multi-reference": MULTI_REFERENCE,
    "analyse ngrams": NGRAMS,
    "analyse segments": READING,
    "analyse word-tags": WORD_TAGS,
    "analyse words": WORDS,
    "audit": AUDIT,
    "combine": COMBINE,
    "compare": COMPARE,
    "convert": CONVERT,
    "mbr": MBR,
    "meta": META,
    "metrics": {"--json": Case("bleu", "--json", "out")},
    "pairwise": PAIRWISE,
    "power": POWER,
    "rank": RANK,
    "report": REPORT,
    "score": SCORE,
    "tune meteor": TUNE,
}
