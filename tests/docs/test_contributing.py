"""The examples of CONTRIBUTING.md and of plug-ins are complete: pasted into the files that they name, they work."""

from __future__ import annotations

import importlib.util
import json
import re
import sysconfig
from pathlib import Path

import pytest
from tests.docs.checkout import CONTRIBUTING, ROOT, Checkout, sections

from karat.sample import path as sample_path

METRIC = "A metric in two files"
PLUGIN_PAGE = ROOT / "docs" / "how-to" / "plugin.md"
PLUGIN = sections(PLUGIN_PAGE)["The package"]
STATISTIC = "An agreement statistic in two files"
MEASURE = "A meta measure in two files"
READER = "A reader in two files"
RATING_FORMAT = "A rating format in two files"
COMMAND = "A command in four files"
KERNEL = "A kernel, step by step"
IN_PYTHON = (METRIC, STATISTIC, MEASURE, READER, RATING_FORMAT, COMMAND)

SAMPLE = sample_path()
REFERENCE, SYSTEM = SAMPLE / "refA.en.txt", SAMPLE / "neural.txt"
RATED = ("--corpus", SAMPLE / "corpus.jsonl", "--criterion", "adequacy", "--json", "--quiet")

pytestmark = pytest.mark.xdist_group("contributing")  # one worker makes the copy for all tests


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the repository with all examples in Python, and the docs made of it."""
    copy = Checkout(tmp_path_factory.mktemp("contributing") / "karat")
    copy.use_installed_core()
    for heading in IN_PYTHON:
        copy.paste(heading)
    copy.python("docs/generate.py")
    return copy


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the repository with the example of a kernel."""
    copy = Checkout(tmp_path_factory.mktemp("kernel") / "karat")
    copy.paste(KERNEL)
    return copy


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the example of a plug-in."""
    directory = tmp_path_factory.mktemp("plugin")
    for block in PLUGIN:
        block.paste(directory)
    return directory / "karat-ending"


def python_files(heading: str) -> list[str]:
    return [block.path for block in sections()[heading] if block.language == "python"]


def page(checkout: Checkout, name: str) -> str:
    return (checkout.root / "docs" / name).read_text(encoding="utf-8")


def test_every_section_with_code_is_tested() -> None:
    assert set(sections()) == {*IN_PYTHON, KERNEL}


def test_links_lead_somewhere() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w-]", "", line.lower().replace(" ", "-")) for line in re.findall(r"^## (.*)$", text, re.M)}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert target[1:] in headings if target.startswith("#") else (ROOT / target).exists(), target


@pytest.mark.parametrize(
    ("heading", "name", "laws", "least"),
    [
        (METRIC, "length", "tests/contract/test_metric_laws.py", 10),
        (STATISTIC, "scott", "tests/contract/test_agreement_laws.py", 10),
        (MEASURE, "concordance", "tests/contract/test_measure_laws.py", 10),
        (READER, "srt", "tests/contract/test_readers.py", 15),
        (RATING_FORMAT, "da-lines", "tests/contract/test_rating_formats.py", 3),
    ],
    ids=["metric", "statistic", "measure", "reader", "rating format"],
)
def test_it_is_under_the_laws_of_its_kind(heading: str, name: str, laws: str, least: int, checkout: Checkout) -> None:
    assert any(block.path.startswith("src/") for block in sections()[heading])
    assert checkout.passed(laws, "-k", name) >= least


def test_their_own_tests_and_docstrings_pass(checkout: Checkout) -> None:
    blocks = [block for heading in IN_PYTHON for block in sections()[heading] if block.language == "python"]
    tests = [block.path for block in blocks if Path(block.path).name.startswith("test_")]
    modules = [block.path for block in blocks if ">>>" in block.body]
    assert (len(tests), len(modules)) == (5, 3)
    assert checkout.passed(*tests, *modules) == 20


def test_the_laws_of_readers_want_a_sample_of_each(checkout: Checkout) -> None:
    assert checkout.passed("tests/contract/test_readers.py", "-k", "under_contract") == 1


def test_a_metric_shows_up_on_the_command_line_and_in_the_docs(checkout: Checkout) -> None:
    scored = json.loads(checkout.karat("score", "-r", REFERENCE, SYSTEM, "-m", "length", "--json"))
    assert [score["metric"] for score in scored["scores"]] == ["length"]
    assert "length" in checkout.karat("metrics").split()
    assert "Known failure" in checkout.karat("metrics", "length")
    assert "## Do not use when" in page(checkout, "metrics/length.md")
    assert "(length.md)" in page(checkout, "metrics/index.md")


def test_a_statistic_shows_up_in_tables_json_and_docs(checkout: Checkout) -> None:
    ratings = SAMPLE / "ratings.tsv"
    values = {
        entry["measure"]: entry["value"] for entry in json.loads(checkout.karat("human", ratings, *RATED))["agreement"]
    }
    # Where all items have equally many raters, Fleiss' kappa is Scott's pi over all pairs of them.
    assert values["scott"] == pytest.approx(values["fleiss"])
    assert re.search(r"\| scott \|", checkout.karat("human", ratings, *RATED[:4], "--format", "markdown", "--quiet"))
    assert "# Scott's pi" in page(checkout, "measures/scott-pi.md")


def test_a_measure_shows_up_on_the_command_line_and_in_the_docs(checkout: Checkout) -> None:
    arguments = ("--ratings", SAMPLE / "ratings.tsv", "-m", "bleu", "--measure", "concordance")
    found = json.loads(checkout.karat("meta", *RATED, *arguments))
    assert {entry["measure"] for entry in found["measures"]} == {"concordance"}
    assert {entry["level"] for entry in found["measures"]} == {"system", "document", "domain", "segment"}
    assert "## Do not use when" in page(checkout, "measures/concordance.md")
    assert "[Lin's concordance correlation](concordance.md)" in page(checkout, "measures/index.md")


def test_a_reader_is_found_by_suffix_and_by_name(checkout: Checkout, tmp_path: Path) -> None:
    subtitles = "1\n00:00:01,000 --> 00:00:02,500\nGood\nmorning.\n\n2\n00:00:03,000 --> 00:00:04,000\nHello!\n"
    named, unnamed = tmp_path / "film.srt", tmp_path / "film"
    for path in (named, unnamed):
        path.write_text(subtitles, encoding="utf-8")
    by_suffix = checkout.karat("score", "-r", named, named, "-m", "chrf", "--json")
    by_name = checkout.karat("score", "-r", unnamed, unnamed, "-m", "chrf", "--input-format", "srt", "--json")
    for document in map(json.loads, (by_suffix, by_name)):
        assert [score["score"] for score in document["scores"]] == [100.0]


def test_a_rating_format_is_listed_and_converts(checkout: Checkout, tmp_path: Path) -> None:
    assert re.search(r"^da-lines +read, write ", checkout.karat("convert", "--formats"), re.M)
    lines = "anna\tneural\t1\t71.5\nben\tneural\t2\t60.0\n"
    (tmp_path / "campaign.da").write_text(lines, encoding="utf-8")
    checkout.karat("convert", tmp_path / "campaign.da", "-o", tmp_path / "campaign.jsonl", "--quiet")
    assert checkout.karat("convert", tmp_path / "campaign.jsonl", "--to", "da-lines", "--quiet") == lines


def test_a_command_is_listed_and_documented(checkout: Checkout) -> None:
    assert "lengths" in checkout.karat("--help").split()
    assert "## karat lengths" in page(checkout, "commands.md")


def test_the_copy_is_what_runs(checkout: Checkout) -> None:
    assert checkout.python("-c", "import karat; print(karat.__file__)").startswith(str(checkout.root))
    assert not (ROOT / "src" / "karat" / "metrics" / "length.py").exists()


@pytest.mark.skipif(importlib.util.find_spec("ruff") is None, reason="ruff belongs to the group lint")
def test_the_examples_are_formatted(checkout: Checkout, kernel: Checkout, plugin: Path) -> None:
    pasted = {
        checkout: [path for heading in IN_PYTHON for path in python_files(heading)],
        kernel: [*python_files(KERNEL), *map(str, plugin.glob("*.py"))],
    }
    for copy, paths in pasted.items():
        for work in (("check",), ("format", "--check")):
            copy.python("-m", "ruff", *work, "--no-cache", "--config", "pyproject.toml", *paths)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy belongs to the group lint")
def test_the_examples_have_types_and_keep_to_their_layers(checkout: Checkout) -> None:
    checkout.python("-m", "mypy")
    checkout.python("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


def test_a_plugin_is_installed_and_signs_with_its_package(plugin: Path, tmp_path: Path) -> None:
    copy = Checkout(tmp_path / "karat")
    copy.use_installed_core()
    installed = tmp_path / "installed"
    copy.install(plugin, installed)
    copy.path.append(installed)
    found = json.loads(copy.karat("score", "-r", REFERENCE, SYSTEM, "-m", "ending", "--json"))
    (score,) = found["scores"]
    texts = (path.read_text(encoding="utf-8").splitlines() for path in (REFERENCE, SYSTEM))
    same = [reference[-1:] == hypothesis[-1:] for reference, hypothesis in zip(*texts, strict=True)]
    assert score["score"] == pytest.approx(100 * sum(same) / len(same))
    assert re.search(r"\|karat-ending:0\.2\.0\|karat:", score["signature"])
    assert "ending" in copy.karat("metrics").split()
    for command in re.findall(r"^karat (.*)$", PLUGIN_PAGE.read_text(encoding="utf-8"), re.M):
        assert "ending" in copy.karat(
            *(SAMPLE / word if (SAMPLE / word).is_file() else word for word in command.split())
        )
    assert copy.passed("--doctest-modules", installed / "karat_ending.py") == 1


def compile_cpp(kernel: Checkout, *arguments: str | Path) -> None:
    kernel.run("c++", "-std=c++20", "-Inative/include", *arguments)


def test_a_kernel_passes_its_cpp_test(kernel: Checkout) -> None:
    core = ("repetitions", "parallel", "tokens", "tokenize_line", "kept_memory", "unicode")
    sources = [f"native/src/{name}.cpp" for name in core]
    tests = ["native/tests/main.cpp", "native/tests/test_repetitions.cpp"]
    sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    compile_cpp(kernel, "-pthread", "-O0", *sanitizers, *tests, *sources, "-o", "repetition_tests")
    assert kernel.run(kernel.root / "repetition_tests") == "3 passed, 0 failed\n"


def test_the_binding_of_a_kernel_compiles(kernel: Checkout) -> None:
    nanobind = kernel.python("-m", "nanobind", "--include_dir").strip()
    headers = ("-isystem", nanobind, "-isystem", sysconfig.get_path("include"))
    for name in ("repetitions", "module"):
        compile_cpp(kernel, "-fsyntax-only", *headers, f"native/bindings/{name}.cpp")


@pytest.mark.slow
def test_a_kernel_equals_its_oracle(kernel: Checkout, tmp_path: Path) -> None:
    kernel.install(kernel.root, tmp_path)
    kernel.path[1] = tmp_path
    assert kernel.passed("tests/unit/test_repetition_kernel.py") == 1
