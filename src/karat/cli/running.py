"""Runs a use case for a command: progress on stderr, the result in the form asked for, warnings last."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from karat.cli.command import words_and_files
from karat.cli.output import Progress, destination, reader_may_leave, show_warnings
from karat.report.forms import show_tables
from karat.results.base import Result
from karat.results.writing import write_csv, write_json
from karat.service.listening import Listeners

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.cli.inputs import OutputOptions
    from karat.report.page.parts import Made
    from karat.report.table import Table

R = TypeVar("R", bound=Result)


def run(
    wanted: OutputOptions,
    work: Callable[[Listeners], R],
    tables: Callable[[R], Iterable[Table]] | None = None,
    records: Callable[[R], list[dict[str, Any]]] | None = None,
    lines: Callable[[R], Iterable[str]] | None = None,
) -> R:
    """Do the work and write its result; `tables`, `records` and `lines` say what people, CSV and plain text see."""
    with destination(wanted.output) as out, Progress(quiet=wanted.quiet) as progress:
        result = work(Listeners(segments=progress.segments, draws=progress.draws, pairs=progress.pairs))
        progress.stop()
        with reader_may_leave():
            if wanted.form == "html":
                out.write(result.to_html(made(), wanted.digits))
            elif wanted.form == "json":
                write_json(result, out)
            elif wanted.form == "lines" and lines is not None:
                out.writelines(f"{line}\n" for line in lines(result))
            elif wanted.form == "csv":
                write_csv(result.records() if records is None else records(result), out, result.fields)
            else:
                show_tables(_tables(result, wanted) if tables is None else tables(result), wanted.form, out)
    write_page(result, wanted)
    if not wanted.quiet:
        show_warnings(result.warnings)
    return result


def write_page(result: Result, wanted: OutputOptions) -> None:
    """Write the page of a result, if it is asked for."""
    if wanted.html is not None:
        with destination(wanted.html) as out:
            out.write(result.to_html(made(), wanted.digits))


def made() -> Made:
    """How the result at hand was made: the words of the command line, and the files that these name."""
    from karat.service.making import made_by

    words, paths = words_and_files()
    return made_by(words, paths)


def _tables(result: Result, wanted: OutputOptions) -> Iterable[Table]:
    return result.paper_tables(wanted.digits) if wanted.form == "latex" else result.tables(wanted.digits)
