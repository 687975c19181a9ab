"""What is loaded when: `import karat` costs nothing, and a command loads what it needs and no more."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tomllib
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import karat
from karat.cli import BLAS_THREADS
from karat.quick_dataclasses import SOURCE
from karat.sample import path as sample_path

HEAVY = ["numpy", "polars", "scipy", "rich", "click", "xml", "sacrebleu", "pandas"]


def loaded_after(code: str) -> set[str]:
    program = f"import json, sys\n{code}\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_import_karat_loads_nothing_heavy() -> None:
    assert loaded_after("import karat; karat.__all__") == set()


def test_scoring_text_loads_numpy_only() -> None:
    assert loaded_after("import karat; karat.score(['a b'], ['a b'])") == {"numpy"}


def modules_after(*arguments: str) -> set[str]:
    """What a command has loaded when it ends, its output being a pipe."""
    program = f"""
import sys
from karat.cli import main
try:
    main({list(arguments)!r})
except SystemExit as end:
    print(end.code)
print(*sys.modules)"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *_, code, modules = result.stdout.splitlines()
    assert code == "0", result.stderr
    return set(modules.split())


def scoring(*arguments: str) -> set[str]:
    texts = ("-r", str(sample_path("refA.en.txt")), str(sample_path("neural.txt")))
    return modules_after("score", *texts, *arguments)


def test_help_loads_neither_numpy_nor_the_core() -> None:
    loaded = modules_after("--help")
    assert loaded & {*HEAVY, "karat._native", "importlib.metadata"} == {"click"}


def test_a_score_in_a_pipe_loads_no_more_than_it_needs() -> None:
    loaded = scoring("-m", "bleu")
    heavy = {*HEAVY, "importlib.metadata", "numpy.ma", "json", "csv", "concurrent.futures"}
    assert loaded & heavy == {"click", "numpy"}
    assert "karat.metrics.bleu" in loaded
    families = ("karat.metrics.ter", "karat.metrics.meteor", "karat.resources", "karat.significance.paired")
    assert not loaded & {*families, "karat.corpus.records", "karat.corpus.given_scores.tables"}


def test_a_metric_is_loaded_when_it_is_named() -> None:
    loaded = scoring("-m", "chrf++", "-m", "ter")
    assert {"karat.metrics.chrf", "karat.metrics.ter"} <= loaded
    assert not {"karat.metrics.bleu", "karat.metrics.rouge"} & loaded


def test_a_reader_is_loaded_for_its_files() -> None:
    loaded = modules_after("score", "--corpus", str(sample_path("corpus.jsonl")), "-m", "bleu")
    assert "karat.corpus.readers.json_records" in loaded
    assert not {"karat.corpus.readers.tmx", "karat.corpus.readers.parquet", "polars"} & loaded


TEXTS = ("-r", str(sample_path("refA.en.txt")), str(sample_path("neural.txt")), "-m", "bleu")
CORPUS = ("--corpus", str(sample_path("corpus.jsonl")), "-m", "bleu", "-n", "40")


def blas_threads(arguments: tuple[str, ...], given: dict[str, str]) -> str | None:
    """How many threads BLAS was told to start by the time that a command ends."""
    program = f"""
import os
from karat.cli import main
try:
    main({list(arguments)!r})
except SystemExit as end:
    print(end.code, os.environ.get("OPENBLAS_NUM_THREADS"))"""
    code, threads = last_line(program, given).split()
    assert code == "0"
    return None if threads == "None" else threads


def last_line(program: str, given: dict[str, str]) -> str:
    """What a program prints last where the user has set nothing about BLAS but what is given."""
    unset = {name: value for name, value in os.environ.items() if name not in BLAS_THREADS}
    run = [sys.executable, "-c", program]
    result = subprocess.run(run, capture_output=True, text=True, check=True, env=unset | given)
    return result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "given", "expected"),
    [
        (("score", *TEXTS), {}, "1"),
        (("score", *TEXTS), {"OPENBLAS_NUM_THREADS": "2"}, "2"),
        (("score", *TEXTS), {"OMP_NUM_THREADS": "2"}, None),
        (("score", *TEXTS, "--ci", "0.9", "-n", "40"), {}, "1"),
        (("rank", *CORPUS), {}, "1"),
        (("analyse", "buckets", *CORPUS), {}, "1"),
        (("human", str(sample_path("ratings.tsv"))), {}, None),
    ],
    ids=["score", "set by the user", "set for all by the user", "interval", "rank", "analyse", "human"],
)
def test_blas_starts_threads_only_where_no_others_multiply(
    arguments: tuple[str, ...], given: dict[str, str], expected: str | None
) -> None:
    assert blas_threads(arguments, given) == expected


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc, which only Linux has")
def test_a_score_of_one_thread_runs_in_one_thread() -> None:
    program = f"""
import os
from karat.cli import main
try:
    main({["score", *TEXTS, "--threads", "1"]!r})
except SystemExit:
    print(len(os.listdir("/proc/self/task")))"""
    assert last_line(program, {}) == "1"


def collections_during(start: str) -> int:
    """How often Python looks for cycles while a score is made and printed, by whoever starts it."""
    program = f"""
import gc, sys
looks = []
gc.callbacks.append(lambda phase, _: looks.append(phase))
sys.argv[1:] = {["score", *TEXTS]!r}
{start}
try:
    main()
except SystemExit:
    print(looks.count("start"), gc.get_freeze_count() > 0)"""
    looks, frozen = last_line(program, {}).split()
    assert (frozen == "True") is ("__main__" in start)
    return int(looks)


def test_the_command_seldom_looks_for_cycles_and_leaves_nothing_to_look_through() -> None:
    assert 4 * collections_during("from karat.__main__ import main") < collections_during("from karat.cli import main")


def test_only_the_command_changes_how_often_python_looks_for_cycles() -> None:
    program = "import gc, karat.__main__, karat.cli; karat.score(['a'], ['a']); print(gc.get_threshold()[0])"
    assert last_line(program, {}) == last_line("import gc; print(gc.get_threshold()[0])", {})


def test_the_installed_command_is_the_one_that_python_starts() -> None:
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["scripts"]["karat"] == "karat.__main__:main"


LAZY = ("karat", "karat.corpus", "karat.corpus.given_scores", "karat.significance")
VOCABULARY = ("karat.service.vocabulary.metrics", "karat.service.vocabulary.testing", "karat.service.vocabulary.texts")


@pytest.mark.parametrize("package", [*LAZY, *VOCABULARY])
def test_every_name_of_a_package_that_loads_on_demand_is_there(package: str) -> None:
    module = importlib.import_module(package)
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing_here'"):
        _ = module.nothing_here


@pytest.mark.parametrize("name", karat.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(karat, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = karat.nothing_here


@pytest.mark.parametrize("command", ["score", "compare", "rank", "human"])
def test_classes_of_commands_are_made_quickly(command: str) -> None:
    texts = ("-r", str(sample_path("refA.en.txt")), str(sample_path("neural.txt")), str(sample_path("fluent.txt")))
    arguments = (str(sample_path("ratings.tsv")),) if command == "human" else ("-m", "bleu", *texts)
    slow = [
        f"{module}.{cls.__name__}"
        for module in modules_after(command, *arguments)
        if module.startswith("karat") and not module.startswith("karat.metrics.")
        for cls in vars(importlib.import_module(module)).values()
        if isinstance(cls, type) and cls.__module__ == module and _is_made_slowly(cls)
    ]
    assert slow == [], "from karat.quick_dataclasses import dataclass"


def _is_made_slowly(cls: type) -> bool:
    """Whether Python made this frozen dataclass, which is derived from no other."""
    parameters = vars(cls).get("__dataclass_params__")
    derived = any(map(is_dataclass, cls.__bases__))
    return parameters is not None and parameters.frozen and not derived and cls.__init__.__code__.co_filename != SOURCE
