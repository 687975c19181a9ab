"""Writes the pages that are made from docstrings: one per metric, tokenizer and protocol, and the command reference.

From `references.bib` it writes the references of metrics that the package takes along, from the modules the indexes
of metrics and readers, and from `pyproject.toml` the version.

The pages of measures are made from docstrings where these are registered objects, else from `measures.toml`.

`python docs/generate.py` writes them, `--check` only says which are stale (exit 1).
"""

from __future__ import annotations

import inspect
import json
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from citations import citations
from literature import literature_page

from karat.campaigns import CampaignPlan, Material, Segment
from karat.campaigns.collected import collected
from karat.campaigns.files import PLAN_FILE
from karat.cli import COMMANDS, group
from karat.corpus import reader_classes
from karat.corpus.ratings.protocols import Protocol, protocol, protocol_names
from karat.human.agreement.base import described, statistics
from karat.meta import all_measures
from karat.meta.measures.description import MeasureDescription, describe_measure
from karat.metrics.framework.description import Description, describe
from karat.registry import metric_classes
from karat.report.meta_writers import pictures
from karat.sample import path as sample_path
from karat.service.campaigns import NewCampaignRequest, Taken, new_campaign
from karat.service.inputs import CorpusFile
from karat.service.meta import MetaRequest, evaluate_metrics
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.text.tokenizers import TokenizerDescription, describe_tokenizer, tokenizer_class, tokenizer_names

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "src" / "karat"
INDEX_HEAD = '"""{} Made by docs/generate.py: run `make format` after adding one."""\n\n'
CITATIONS = PACKAGE / "metrics" / "framework" / "citations.json"
NOTE = "<!-- Made from docstrings by docs/generate.py: edit those, then run `make format`. -->\n\n"
COMMANDS_HEAD = (
    "# Commands\n\nHow a command can end, and what it writes where: [exit codes and output](exit-codes.md). "
    "Names of options, files and metrics after a tab: [shell completion](how-to/completion.md).\n\n"
)
AGREEMENT = "Agreement of people"

TABLE_NOTE = "<!-- Made from literature.toml by docs/generate.py: edit that, then run `make format`. -->\n\n"


def metric_page(one: Description) -> str:
    """Summary, spec, sections, parameters, aliases and citation of a metric."""
    better = "Higher is better." if one.higher_is_better else "Lower is better."
    lines = [f"# {one.display_name}", "", one.summary, better, "", f"Spec: `{one.name}`", ""]
    for title, body in one.sections.items():
        lines += [f"## {title}", "", example(one, body) if title == "Example" else body, ""]
    lines += ["## Parameters", "", "| Name | Default | Values | What it does |", "| :--- | :--- | :--- | :--- |"]
    for item in one.parameters:
        values = " \\| ".join(item.choices) or item.type.replace("|", "\\|")
        lines.append(f"| `{item.name}` | {f'`{item.default}`' if item.default else ''} | {values} | {item.help} |")
    lines += ["", *(f"`{alias}` is short for `{spec}`.\n" for alias, spec in one.aliases.items())]
    lines += ["## Citation", "", f"`{one.citation}` in [references.bib](../references.bib)."]
    return "\n".join(lines) + "\n"


def example(one: Description, body: str) -> str:
    """An example as code, with the import that makes it run by itself."""
    cls = metric_classes()[one.name]
    return f"```python\n>>> from {cls.__module__} import {cls.__name__}\n{body}\n```"


def protocol_page(one: Protocol) -> str:
    """What raters do, the scale, how answers become a score, when to use it, and what karat decided."""
    lines = [f"# {one.title}", "", one.summary, "", f"Name: `{one.name}`{also(one)}", "", "## What raters do", ""]
    lines += [one.definition, "", "## Scale", "", *scale_lines(one), "", "## Formula", "", one.formula, ""]
    lines += ["## Use when", "", sentence(one.use_when), "", "## Do not use when", "", sentence(one.avoid_when), ""]
    lines += ["## What karat does", "", one.choice, "", "## Collect it", "", *collecting(one), ""]
    lines += ["## Citation", "", f"`{one.citation}` in [references.bib](../references.bib)."]
    return "\n".join(lines) + "\n"


def collecting(one: Protocol) -> list[str]:
    """The command that makes a campaign, its file, what raters see, and where more is told."""
    scale = " --scale politeness=1:4" if one.name == "custom" else ""
    same = " --same-source never --raters 3" if one.name == "productivity" else ""
    page, about = next((page, about) for page, about, fits in FAMILIES if fits(collected(one.name)))
    command = f"$ karat campaign new mine --corpus corpus.jsonl --protocol {one.name}{scale}{same}"
    made = [
        "```text",
        command,
        "```",
        "",
        "writes, of a corpus of one segment and three systems, this `mine/campaign.toml`:",
    ]
    plan, text = campaign_of(one.name)
    return [
        *made,
        "",
        "```toml",
        text,
        "```",
        "",
        *picture_of(plan),
        "",
        f"More about {about}: [{page}](../how-to/{page}).",
    ]


LINE = Segment(
    name="1",
    document="news",
    source="Die Brücke bleibt bis Mittwoch gesperrt, sagt die Stadt.",
    reference="The bridge stays closed until Wednesday, says the city.",
    outputs={
        "fluent": "The bridge is closed until Wednesday, says the city.",
        "literal": "The bridge stays until Wednesday locked, says the town.",
        "short": "The bridge stays closed.",
    },
)
"""What the campaigns on pages of protocols are about."""


def campaign_of(name: str) -> tuple[CampaignPlan, str]:
    """The campaign that the command makes of it, and its file."""
    timed = name == "productivity"
    with TemporaryDirectory() as place:
        request = NewCampaignRequest(
            directory=f"{place}/mine",
            texts=Taken(material=Material(segments=(LINE,)), languages=("de", "en")),
            protocol=name,
            scales=(("politeness", 1.0, 4.0),) if name == "custom" else (),
            raters=3 if timed else 2,
            same_source="never" if timed else "any",
        )
        plan = new_campaign(request).plan
        return plan, Path(place, "mine", PLAN_FILE).read_text(encoding="utf-8").strip()


def picture_of(plan: CampaignPlan) -> list[str]:
    """The page of a rater with the widget of the first question, and of which protocol it is a picture."""
    name = plan.protocol
    widget = "preference" if name == "preference" else plan.widget(plan.questions[0])
    picture, pictured, seen = PICTURES[widget]
    page = (
        "Raters see this page:" if pictured == name else f"Raters answer on such a page; this one is of `{pictured}`:"
    )
    return [page, "", f"![{seen}](../how-to/pictures/{picture})"]


PICTURES = {
    "points": ("rater.segment.png", "adequacy-fluency", "A translation beside its source, and five points with labels"),
    "slider": ("rater.document.png", "da-sqm", "A document: each segment has a slider with a value and four marks"),
    "spans": (
        "rater.spans.png",
        "mqm",
        "Two errors are marked in a translation; below it are severities and categories",
    ),
    "ranking": ("rater.ranking.png", "ranking", "Three translations, each with the ranks from 1 to 3"),
    "preference": ("rater.preference.png", "preference", "Which of two translations is best, or are both bad?"),
    "choice": ("rater.choice.png", "informativeness", "Two questions about a translation, each with six options"),
    "text": ("rater.writing.png", "post-edit", "A translation beside its source, and a field to correct it in"),
}
"""The picture of each widget, whose protocol it shows, and what is on it."""


FAMILIES = (
    ("campaign-spans.md", "marked errors", lambda how: "spans" in how.widgets),
    ("campaign-rankings.md", "rankings and preferences", lambda how: "ranking" in how.widgets),
    ("campaign-questions.md", "questions and sheets", lambda how: how.items or how.whole or how == collected("task")),
    ("campaign-post-editing.md", "post-editing", lambda how: "text" in how.widgets),
    ("campaign.md", "scales, and how a campaign runs", lambda _: True),
)
"""The pages about how families of protocols are collected; the first one that fits is a protocol's."""


def also(one: Protocol) -> str:
    """The other names of a protocol."""
    return f" (also {', '.join(f'`{alias}`' for alias in one.aliases)})" if one.aliases else ""


def scale_lines(one: Protocol) -> list[str]:
    """The values of each criterion, with the labels of those that have one."""
    lines = ["| Criterion | Values | Better | Labels |", "| :--- | :--- | :--- | :--- |"]
    for criterion, scale in one.scales.items():
        labels = "; ".join(f"{value:g} = {label}" for value, label in scale.labels)
        lines.append(
            f"| `{criterion}` | {scale.says()} | {'higher' if scale.higher_is_better else 'lower'} | {labels} |"
        )
    if one.open_criteria:
        better = "higher" if one.open_scale.higher_is_better else "lower"
        lines.append(f"| any other | {one.open_scale.says()} | {better} | |")
    if one.answers:
        lines += ["", f"Answers (`label`): {', '.join(f'`{answer}`' for answer in one.answers)}."]
    needs = [" or ".join(f"`{name}`" for name in need.split("|")) for need in one.needs]
    return [*lines, "", f"A row must have {' and '.join(needs)}."]


def sentence(text: str) -> str:
    """A text that starts with a capital letter."""
    return text[:1].upper() + text[1:]


def protocol_pages() -> dict[Path, str]:
    """A page per protocol, and the list of them."""
    protocols = [protocol(name) for name in protocol_names()]
    made = {DOCS / "protocols" / f"{one.name}.md": NOTE + protocol_page(one) for one in protocols}
    listing = "".join(f"| [{one.title}]({one.name}.md) | {one.summary} |\n" for one in protocols)
    head = "# Protocols\n\nHow people are asked, and what their answers mean. "
    how = "[Read what people said](../how-to/ratings.md) tells how files of ratings are read.\n\n"
    made[DOCS / "protocols" / "index.md"] = NOTE + head + how + "| Protocol | What it is |\n| :--- | :--- |\n" + listing
    return made


def command_page(name: str) -> str:
    """The help of a command, as it prints it."""
    context = click.Context(group, info_name="karat", terminal_width=88, max_content_width=88)
    command = group.get_command(context, name)
    if command is None:
        raise SystemExit(f"karat has no command {name}")
    return "\n".join(command_help(command, name, context))


def command_help(command: click.Command, name: str, parent: click.Context) -> list[str]:
    """The help of a command, and of the commands it holds."""
    inner = click.Context(command, info_name=name, parent=parent, terminal_width=88, max_content_width=88)
    pages = [f"## {inner.command_path}\n\n```text\n{command.get_help(inner)}\n```\n"]
    if isinstance(command, click.Group):
        for held in command.list_commands(inner):
            one = command.get_command(inner, held)
            assert one is not None
            pages += command_help(one, held, inner)
    return pages


def pages() -> dict[Path, str]:
    """Every generated page, by path."""
    descriptions = [describe(cls) for cls in metric_classes().values()]
    made = {DOCS / "metrics" / f"{one.name}.md": NOTE + metric_page(one) for one in descriptions}
    index = "".join(f"| [{one.display_name}]({one.name}.md) | {one.family} | {one.summary} |\n" for one in descriptions)
    made[DOCS / "metrics" / "index.md"] = (
        NOTE + "# Metrics\n\n| Metric | Family | What it is |\n| :--- | :--- | :--- |\n" + index
    )
    tokenizers = [describe_tokenizer(name) for name in (*tokenizer_names(), "spm")]
    for one in tokenizers:
        made[DOCS / "tokenizers" / f"{page_name(one)}.md"] = NOTE + tokenizer_page(one)
    listing = "".join(
        f"| [{one.name}]({page_name(one)}.md) | {one.languages} | {one.summary} |\n" for one in tokenizers
    )
    made[DOCS / "tokenizers" / "index.md"] = (
        NOTE + "# Tokenizers\n\n| Name | Languages | What it does |\n| :--- | :--- | :--- |\n" + listing
    )
    made[PACKAGE / "metrics" / "framework" / "index.py"] = metric_index()
    made[PACKAGE / "corpus" / "reader_index.py"] = reader_index()
    made[PACKAGE / "version.py"] = version_module()
    made[CITATIONS] = metric_citations(descriptions)
    made |= measure_pages()
    made |= sample_pictures()
    made |= protocol_pages()
    made[DOCS / "literature.md"] = TABLE_NOTE + literature_page()
    made[DOCS / "commands.md"] = NOTE + COMMANDS_HEAD + "\n".join(command_page(name) for name in sorted(COMMANDS))
    return made


def metric_index() -> str:
    """The names and aliases of karat's own metrics with their modules, so that only those asked for are loaded."""
    own = [cls for cls in metric_classes().values() if cls.__module__.startswith("karat.")]
    modules = {name: cls.__module__ for cls in own for name in (cls.name, *cls.aliases)}
    return INDEX_HEAD.format("The module of each metric by its names.") + f"MODULES = {python_table(modules)}\n"


def reader_index() -> str:
    """The modules of karat's own readers, and which of them reads files of which suffix."""
    own = [cls for cls in reader_classes().values() if cls.__module__.startswith("karat.")]
    suffixes = {suffix: cls.__module__ for cls in own for suffix in cls.suffixes}
    names = sorted(path.stem for path in (PACKAGE / "corpus" / "readers").glob("*.py") if path.stem != "__init__")
    listed = "".join(f'    "{name}",\n' for name in names)
    head = INDEX_HEAD.format("The modules of readers, by suffix too.")
    return f"{head}MODULES: tuple[str, ...] = (\n{listed})\nSUFFIXES = {python_table(suffixes)}\n"


def version_module() -> str:
    """The version, where it costs less to look it up than in the metadata of the installed package."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    head = '"""The version of karat, as pyproject.toml has it. Made by docs/generate.py: run `make format`."""\n\n'
    return f'{head}VERSION = "{project["version"]}"\n'


def python_table(entries: dict[str, str]) -> str:
    """A mapping as ruff writes it, an entry to a line."""
    return "{\n" + "".join(f'    "{key}": "{value}",\n' for key, value in sorted(entries.items())) + "}"


def metric_citations(descriptions: list[Description]) -> str:
    """The references of metrics in full, which the package takes along for `karat metrics`."""
    known = citations(DOCS / "references.bib")
    cited = {one.citation: known[one.citation] for one in descriptions if one.citation in known}
    return json.dumps(dict(sorted(cited.items())), ensure_ascii=False, indent=2) + "\n"


def measure_pages() -> dict[Path, str]:
    """A page for every measure and statistic of agreement and for every entry of `measures.toml`, and a list of all."""
    measured = [describe_measure(measure) for measure in all_measures().values()]
    agreed = [{**vars(described(statistic)), "family": AGREEMENT} for statistic in statistics().values()]
    entries = tomllib.loads((DOCS / "measures.toml").read_text(encoding="utf-8"))["measure"]
    note = "<!-- Made from measures.toml by docs/generate.py: edit that, then run `make format`. -->\n\n"
    made = {DOCS / "measures" / f"{measure.name}.md": NOTE + agreement_page(measure) for measure in measured}
    made |= {DOCS / "measures" / f"{entry['name']}.md": NOTE + measure_page(entry) for entry in agreed}
    made |= {DOCS / "measures" / f"{entry['name']}.md": note + measure_page(entry) for entry in entries}
    listed = [(measure.family, measure.title, measure.name, measure.summary) for measure in measured]
    listed += [(entry["family"], entry["title"], entry["name"], entry["summary"]) for entry in (*agreed, *entries)]
    lines = ["# Measures", "", "What is computed about people's judgements, and about metrics beside these."]
    for family in dict.fromkeys(line[0] for line in listed):
        lines += ["", f"## {family}", "", "| Measure | What it is |", "| :--- | :--- |"]
        lines += [f"| [{title}]({name}.md) | {summary} |" for of, title, name, summary in listed if of == family]
    both = "<!-- Made from docstrings and measures.toml by docs/generate.py: edit those, then `make format`. -->\n\n"
    made[DOCS / "measures" / "index.md"] = both + "\n".join(lines) + "\n"
    return made


def agreement_page(measure: MeasureDescription) -> str:
    """Summary, sections and citation of a measure of agreement."""
    better = "Higher is better." if measure.higher_is_better else "Lower is better."
    lines = [f"# {measure.title}", "", measure.summary, better, "", f"Name: `{measure.name}`", ""]
    for title, body in measure.sections.items():
        lines += [f"## {title}", "", f"```python\n{body}\n```" if title == "Example" else body, ""]
    lines += ["## Citation", "", f"`{measure.citation}` in [references.bib](../references.bib)."]
    return "\n".join(lines) + "\n"


def sample_pictures() -> dict[Path, str]:
    """The pictures of the how-to about meta-evaluation, drawn from the sample and its ratings."""
    evidence = EvidenceRequest(
        texts=CorpusFile(str(sample_path("corpus.jsonl"))),
        metrics=("bleu", "chrf", "ter"),
        gold=GoldRequest(paths=(str(sample_path("ratings.tsv")),), criteria=("adequacy",)),
    )
    made = dict(pictures(evaluate_metrics(MetaRequest(evidence=evidence)).tasks))
    wanted = ("scatter.bleu.svg", "metrics.segment.acc-eq.item.svg")
    return {DOCS / "how-to" / "pictures" / name: made[name] for name in wanted}


def measure_page(one: dict[str, Any]) -> str:
    """Summary, formula, karat's choice, example and citation of a measure."""
    lines = [f"# {one['title']}", "", one["summary"], "", f"Name: `{one['name']}`", ""]
    lines += ["## Formula", "", one["formula"], "", "## What karat does", "", one["choice"], ""]
    lines += ["## Example", "", f"```python\n{one['example'].strip()}\n```", ""]
    lines += ["## Citation", "", f"`{one['citation']}` in [references.bib](../references.bib)."]
    return "\n".join(lines) + "\n"


def page_name(one: TokenizerDescription) -> str:
    """The file name of a tokenizer's page."""
    return one.name.partition(":")[0]


def tokenizer_page(one: TokenizerDescription) -> str:
    """The docstring of a tokenizer with its examples set as code, and what it needs."""
    lines = [f"# {one.name}", ""]
    for block in inspect.cleandoc(one.documentation).split("\n\n"):
        lines += [f"```python\n{import_line(one)}{block}\n```" if block.startswith(">>>") else block, ""]
    lines += [f"Languages: {one.languages}.", "", f"Source: {one.source}."]
    if one.extra:
        lines += ["", f"Needs `pip install 'karat[{one.extra}]'`."]
    return "\n".join(lines) + "\n"


def import_line(one: TokenizerDescription) -> str:
    """What makes an example run by itself: the class that it names."""
    cls = tokenizer_class(one.name)
    return f">>> from {cls.__module__} import {cls.__name__}\n"


def main() -> None:
    """Write the pages, or check them."""
    checking = "--check" in sys.argv[1:]
    stale = []
    for path, text in pages().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(DOCS.parent).as_posix())
        if not checking:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if checking and stale:
        sys.exit(f"stale pages, run `make format`: {', '.join(stale)}")


if __name__ == "__main__":
    main()
