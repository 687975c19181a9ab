"""`karat campaign`: judgements of people, collected by a server of your own."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from karat.cli import campaign_copies
from karat.cli.campaign_copies import DIRECTORY, JSON, tell
from karat.cli.command import KaratGroup
from karat.cli.inputs import InputOptions, OutputOptions, output_options, source_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.errors import InputError, MissingExtraError
from karat.service import campaigns, organisers, organising
from karat.service.inputs import CorpusFile
from karat.service.taking_over import TakenOver, taken_over
from karat.service.vocabulary.campaigns import Check, SameSource, Sight

CHECKS: tuple[Check, ...] = ("repeats", "degraded", "gold")
SHOWN: dict[str | None, tuple[Sight, ...]] = {
    None: (),
    "source": ("source",),
    "reference": ("reference",),
    "both": ("source", "reference"),
}

PORT = click.option(
    "--port", type=click.IntRange(0, 65535), default=8020, show_default=True, help="0 takes a free one."
)
HOST = click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on: one that other machines reach wants a password.",
)


@click.group(cls=KaratGroup)
def command() -> None:
    """Collect judgements of people: a server of your own, and a page to rate on."""


for carrying in (campaign_copies.export, campaign_copies.import_, campaign_copies.backup, campaign_copies.restore):
    command.add_command(carrying)


@command.command()
@DIRECTORY
@source_options
@click.option("--from", "origin", type=INPUT, metavar="FILE", help="Take over a campaign of Pearmut: its JSON file.")
@click.option("--protocol", show_default="adequacy-fluency", metavar="NAME", help="How people are asked.")
@click.option("--show", type=click.Choice(["source", "reference", "both"]), help="What stands beside a translation.")
@click.option("--unit", type=click.Choice(["segment", "document"]), show_default="segment")
@click.option("--segments", type=click.IntRange(1), metavar="N", help="Take a sample of so many segments.")
@click.option("--raters", type=click.IntRange(1), show_default="2", metavar="N", help="How many raters.")
@click.option("--judgements", type=click.IntRange(1), show_default="1", metavar="N", help="Of each output.")
@click.option("--repeats", type=click.FloatRange(0, 1), default=0.0, help="Share of tasks to be shown twice.")
@click.option("--degraded", type=click.FloatRange(0, 1), default=0.0, help="Share of tasks to be shown damaged, too.")
@click.option(
    "--loud", type=click.Choice(CHECKS), multiple=True, help="Of these controls, raters are told at once how they did."
)
@click.option(
    "--same-source", type=click.Choice(["any", "never"]), default="any", help="Whether a rater sees it again."
)
@click.option(
    "--scale", "scales", multiple=True, metavar="NAME=LOW:HIGH", help="A scale of your own (--protocol custom)."
)
@click.option("--label", "labels", multiple=True, metavar="NAME:VALUE=TEXT", help="Words beside a point of a scale.")
@click.option("--gold", type=INPUT, metavar="FILE", help="Items whose right answers are known: a CSV or TSV table.")
@click.option("--guidelines", type=INPUT, metavar="FILE", help="What raters should know: a text file.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N")
@JSON
def new(
    directory: str,
    given: InputOptions,
    origin: str | None,
    protocol: str | None,
    show: str | None,
    unit: str | None,
    segments: int | None,
    raters: int | None,
    judgements: int | None,
    repeats: float,
    degraded: float,
    loud: tuple[Check, ...],
    same_source: SameSource,
    scales: tuple[str, ...],
    labels: tuple[str, ...],
    gold: str | None,
    guidelines: str | None,
    seed: int,
    *,
    as_json: bool,
) -> None:
    """Make a campaign: one readable file, and a frozen copy of the texts.

    \b
    karat campaign new mine --corpus corpus.jsonl --raters 6 --judgements 2
    karat campaign new mine -s source.txt -r reference.txt a.txt b.txt --protocol da --repeats 0.1
    karat campaign new mine --corpus corpus.jsonl --protocol custom --scale politeness=1:4 --label politeness:1=rude
    karat campaign new mine --corpus corpus.jsonl --gold gold.csv --loud gold
    karat campaign new mine --from pearmut.json

    What else a campaign can have, such as how long an item waits for who has it, is written into its campaign.toml.
    """
    base = _texts(given) if origin is None else _taken(origin, given)
    own: dict[str, Any] = {"protocol": protocol, "unit": unit, "raters": raters, "judgements": judgements}
    own |= {"scales": tuple(map(_scale, scales)) or None}
    own |= {"guidelines": None if guidelines is None else campaigns.guidelines_in(guidelines)}
    request = campaigns.NewCampaignRequest(
        directory=directory,
        show=SHOWN[show],
        segments=segments,
        repeats=repeats,
        degraded=degraded,
        loud=loud,
        same_source=same_source,
        labels=tuple(map(_label, labels)),
        gold=gold,
        seed=seed,
        **{**base.fields, **{name: value for name, value in own.items() if value is not None}},
    )
    tell(lambda: campaigns.planned(campaigns.new_campaign(request), base.notes), as_json=as_json)


def _texts(given: InputOptions) -> TakenOver:
    """The texts that the options name."""
    return TakenOver(fields={"texts": given.texts(source_is_enough=True)}, notes=())


def _taken(origin: str, given: InputOptions) -> TakenOver:
    """Texts and settings out of another tool's campaign, which leaves nothing to the options of texts but languages."""
    if others := [*(option for option in given.told if option != "-l"), *given.systems]:
        raise InputError(f"--from brings its own texts: leave out {others[0]}")
    return taken_over(origin, given.language_pair)


def _scale(text: str) -> tuple[str, float, float]:
    name, _, ends = text.partition("=")
    try:
        lowest, highest = map(float, ends.split(":"))
    except ValueError as error:
        raise InputError(f"--scale is {text!r}: it is a name and two ends, such as politeness=1:4") from error
    return name.strip(), lowest, highest


def _label(text: str) -> tuple[str, str, str]:
    place, _, words = text.partition("=")
    name, _, value = place.rpartition(":")
    if not (name.strip() and value.strip() and words.strip()):
        raise InputError(f"--label is {text!r}: it is a criterion, a value and words, such as politeness:1=rude")
    return name.strip(), value.strip(), words.strip()


@command.command()
@DIRECTORY
@JSON
def check(directory: str, *, as_json: bool) -> None:
    """Tell what is wrong with a campaign, or what it asks of each rater."""
    tell(lambda: campaigns.planned(campaigns.read_campaign(directory)), as_json=as_json)


@command.command()
@DIRECTORY
@JSON
def status(directory: str, *, as_json: bool) -> None:
    """Tell how far each rater is."""
    tell(lambda: organising.status(campaigns.resumed(directory)), as_json=as_json)


@command.command()
@DIRECTORY
@output_options
def results(directory: str, wanted: OutputOptions) -> None:
    """Tell what people have said so far, as `karat human DIRECTORY` does, which has more options."""
    run(wanted, lambda _: organising.results(campaigns.resumed(directory)))


@command.command()
@DIRECTORY
@click.argument("rater", type=click.IntRange(1), required=False)
@click.option("--revoke", is_flag=True, help="Make no new link; the old one opens nothing any more.")
@click.option("--address", default="http://127.0.0.1:8020", show_default=True, help="Where raters reach the server.")
@JSON
def link(directory: str, rater: int | None, address: str, *, revoke: bool, as_json: bool) -> None:
    """Make a new link for a rater, or one for each; those before open nothing any more."""
    make = organising.revoked_links if revoke else organising.new_links
    tell(lambda: make(campaigns.resumed(directory), rater, address), as_json=as_json)


@command.command()
@DIRECTORY
@JSON
def password(directory: str, *, as_json: bool) -> None:
    """Set the organiser's password, which opens the pages at /organiser; it is read from standard input.

    Raters need none. Where one is set, `karat campaign serve` may listen on addresses that other machines reach.
    """
    if sys.stdin.isatty():
        text = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    tell(lambda: organisers.set_password(directory, text), as_json=as_json)


@command.command()
@DIRECTORY
@HOST
@PORT
@click.option("--address", metavar="URL", help="What links start with, where raters come through a proxy.")
@click.option("--https", is_flag=True, help="Raters come by HTTPS, through a proxy: keep cookies to it.")
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="Believe what this proxy says of raters.")
@click.option(
    "--root-path", default="", metavar="PATH", help="What a proxy has before the page's path, such as /karat."
)
@JSON
def serve(
    directory: str,
    host: str,
    port: int,
    address: str | None,
    proxies: tuple[str, ...],
    root_path: str,
    *,
    https: bool,
    as_json: bool,
) -> None:
    """Begin a campaign if it has not begun, and serve its page."""
    before = {"https": https, "root_path": root_path, "proxies": proxies}
    _serve(directory, host, port, address, before, as_json=as_json)


@command.command()
@HOST
@PORT
@JSON
def demo(host: str, port: int, *, as_json: bool) -> None:
    """Serve a campaign about the bundled sample."""
    from karat.sample import path as sample_path

    with tempfile.TemporaryDirectory(prefix="karat-demo-") as parent:
        directory = str(Path(parent, "demo"))
        texts = CorpusFile(str(sample_path("corpus.jsonl")), None, "de-en", (), ())
        campaigns.new_campaign(
            campaigns.NewCampaignRequest(directory=directory, texts=texts, protocol="adequacy-fluency", repeats=0.1)
        )
        _serve(directory, host, port, None, {}, as_json=as_json)


def _serve(directory: str, host: str, port: int, address: str | None, before: dict[str, Any], *, as_json: bool) -> None:
    """Tell the address and the links, and serve."""
    files = campaigns.read_campaign(directory)
    store = campaigns.open_store(directory)
    try:
        from karat.web.reach import Reach
        from karat.web.serving import listening, serve
    except ImportError as error:
        raise MissingExtraError("karat campaign serve", "web") from error
    reach = Reach.of(**before)
    with listening(host, port, password=organisers.has_password(store)) as bound:
        begins = not store.begun()
        running = campaigns.begin(files, store)
        listens = f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}"
        seen = (address or listens + reach.root_path).rstrip("/")
        setup = organisers.setup_link(running)
        tell(
            lambda: campaigns.links_of(running, listens, seen, begins=begins, setup=setup),
            as_json=as_json,
        )
        serve(running, bound, reach, Path(directory))
