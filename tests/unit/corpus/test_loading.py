from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from karat.corpus import load_corpus, read_corpus, system_arguments
from karat.errors import InputError, SpecError


def write(directory: Path, **files: str) -> None:
    for name, text in files.items():
        (directory / name.replace("_", ".")).write_bytes(text.encode())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_aligned_files(here: Path) -> None:
    write(here, src_en="1\n2\n", refA_de="a\nb\n", refB_de="c\nd\n", sys_de="e\nf\n", docs_tsv="news\td1\ntalk\td2\n")
    corpus = load_corpus(["refA.de", "refB.de"], [("sys", "sys.de")], "src.en", "docs.tsv", language_pair="en-de")
    assert list(corpus.references) == ["refA", "refB"]
    assert corpus.references_for().column.to_list() == ["a", "c", "b", "d"]
    assert corpus.systems["sys"].to_list() == ["e", "f"]
    assert corpus.source is not None
    assert corpus.source.to_list() == ["1", "2"]
    assert (corpus.domains, corpus.documents) == (("news", "talk"), ("d1", "d2"))
    assert corpus.language_pair == "en-de"


def test_references_are_named_by_what_tells_them_apart(here: Path) -> None:
    write(here, set_ref0="a\n", set_ref1="b\n", sys_de="e\n")
    assert list(load_corpus(["set.ref0", "set.ref1"], []).references) == ["set.ref0", "set.ref1"]
    with pytest.raises(InputError, match=r"set\.ref0 is given twice"):
        load_corpus(["set.ref0", "set.ref0"], [])
    assert list(load_corpus("set.ref0", [("set", "sys.de")]).references) == ["set"]


def test_formats_may_differ(here: Path) -> None:
    write(
        here,
        ref_sgm='<refset srclang="en" trglang="de"><doc docid="d1" sysid="A"><seg id="1">a</seg></doc>'
        '<doc docid="d2" sysid="A" genre="news"><seg id="1">b</seg></doc></refset>',
        out_xml='<dataset><doc id="d2"><hyp system="X"><p><seg id="1">y</seg></p></hyp></doc>'
        '<doc id="d1"><hyp system="X"><p><seg id="1">x</seg></p></hyp></doc></dataset>',
        sys_txt="u\nv\n",
    )
    corpus = load_corpus(["ref.sgm"], [("xml", "out.xml"), ("plain", "sys.txt")])
    assert corpus.documents == ("d1", "d2")
    assert corpus.domains == ("", "news")
    assert corpus.systems["xml"].to_list() == ["x", "y"], "joined by document, not by order"
    assert corpus.systems["plain"].to_list() == ["u", "v"]
    assert corpus.language_pair == "en-de"


def test_segments_that_only_one_file_has(here: Path) -> None:
    write(
        here,
        a_sgm='<refset><doc docid="d1"><seg id="1">a</seg></doc></refset>',
        b_sgm='<tstset><doc docid="d1"><seg id="2">a</seg></doc></tstset>',
    )
    with pytest.raises(InputError, match=r"segment 1 of document d1 is in a\.sgm, but not in b\.sgm"):
        load_corpus(["a.sgm"], [("b", "b.sgm")])


def test_one_file_with_several_systems(here: Path) -> None:
    write(here, all_tsv="source\tref\tsystem:x\tsystem:y\n1\tr\ta\tb\n")
    corpus = load_corpus(["all.tsv"], [("y", "all.tsv"), ("x", "all.tsv")], "all.tsv")
    assert {name: column.to_list() for name, column in corpus.systems.items()} == {"y": ["b"], "x": ["a"]}
    with pytest.raises(InputError, match=r"all\.tsv has the systems x, y: choose one by its name"):
        load_corpus(["all.tsv"], [("all", "all.tsv")])


def test_files_without_the_wanted_column(here: Path) -> None:
    write(here, a_sgm='<srcset><doc docid="d1"><seg id="1">a</seg></doc></srcset>', r_txt="a\n", r_tsv="ref\na\n")
    with pytest.raises(InputError, match=r"a\.sgm has no references, only a source"):
        load_corpus(["a.sgm"], [])
    with pytest.raises(InputError, match=r"a\.sgm has no system's output, only a source"):
        load_corpus(["r.txt"], [("a", "a.sgm")])
    with pytest.raises(InputError, match=r"r\.tsv has no source, only references"):
        load_corpus(["r.txt"], [], "r.tsv")


def test_ids_that_contradict_the_order(here: Path) -> None:
    write(here, r_tsv="id\tref\n1\ta\n2\tb\n", s_tsv="id\thyp\n1\ta\n3\tb\n")
    with pytest.raises(InputError, match=r"segment 2 is '3' in s\.tsv, but '2' in r\.tsv"):
        load_corpus(["r.tsv"], [("s", "s.tsv")])


def test_different_lengths(here: Path) -> None:
    write(here, ref_txt="a\nb\nc\n", sys_txt="a\nb\n", docs_txt="d\n", empty_txt="")
    with pytest.raises(InputError, match=r"sys\.txt ends after line 2, but ref\.txt has 3 lines"):
        load_corpus(["ref.txt"], [("sys", "sys.txt")])
    with pytest.raises(InputError, match=r"docs\.txt ends after line 1, but ref\.txt has 3 lines"):
        load_corpus(["ref.txt"], [], documents="docs.txt")
    with pytest.raises(InputError, match=r"empty\.txt is empty, but ref\.txt has 3 lines"):
        load_corpus(["ref.txt"], [("e", "empty.txt")])
    with pytest.raises(InputError, match=r"empty\.txt is empty"):
        load_corpus(["empty.txt"], [])


def test_documents(here: Path) -> None:
    write(here, ref_txt="a\nb\n", docs_txt="d\nd\n", mixed_txt="d\nnews\td\n", nameless_txt="news\t\nnews\td\n")
    corpus = load_corpus(["ref.txt"], [], documents="docs.txt")
    assert (corpus.documents, corpus.domains) == (("d", "d"), None)
    with pytest.raises(InputError, match=r"mixed\.txt, line 2: 2 columns"):
        load_corpus(["ref.txt"], [], documents="mixed.txt")
    with pytest.raises(InputError, match=r"nameless\.txt, line 1: the document has no name"):
        load_corpus(["ref.txt"], [], documents="nameless.txt")


def test_repeated_names_and_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, ref_txt="a\n")
    with pytest.raises(InputError, match=r"two systems are named 's' \(x and y\)"):
        load_corpus(["ref.txt"], [("s", "x"), ("s", "y")])
    with pytest.raises(InputError, match=r"standard input \(-\) is given twice"):
        load_corpus(["-"], [("s", "-")])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"from a pipe\n")))
    assert load_corpus(["ref.txt"], [("s", "-")]).systems["s"].to_list() == ["from a pipe"]


def test_a_whole_corpus_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"ref": "a", "hyp": "b"}\n')))
    assert read_corpus("-", format="jsonl").systems["stdin"].to_list() == ["b"]


def test_read_corpus_refuses_one_column(here: Path) -> None:
    write(here, ref_txt="a\n", no_tsv="source\ttarget\tref\na\tb\tc\n", head_tsv="source\tref\n")
    with pytest.raises(InputError, match="is read as plain text, which is one column only"):
        read_corpus("ref.txt")
    with pytest.raises(InputError, match=r"no\.tsv has no system: the columns target are not known; expected"):
        read_corpus("no.tsv")
    with pytest.raises(InputError, match=r"head\.tsv is empty: it has no segment"):
        read_corpus("head.tsv")
    with pytest.raises(SpecError, match=r"there is no format called 'jsonlines'\. Did you mean json"):
        read_corpus("ref.txt", format="jsonlines")
    with pytest.raises(InputError, match="is a directory, but a file is wanted"):
        read_corpus(here)
    with pytest.raises(InputError, match="is not a directory, but the format mtme is one"):
        read_corpus("ref.txt", format="mtme")


def test_system_arguments(here: Path) -> None:
    write(here, **{"a=b_txt": "x\n"})
    assert system_arguments(["a=b.txt"]) == (("a=b", "a=b.txt"),), "the path exists as given"
    assert system_arguments(["c=b.txt"]) == (("c", "b.txt"),)
    assert system_arguments(["dir/sys.A.txt.gz"]) == (("sys.A", "dir/sys.A.txt.gz"),)
    assert system_arguments(["=x"]) == (("=x", "=x"),)
    assert system_arguments(["-"]) == (("stdin", "-"),)


def test_systems_that_differ_after_the_first_dot_stay_apart() -> None:
    assert system_arguments(["sys.opt0", "d/sys.opt1.gz", "x.de"]) == (
        ("sys.opt0", "sys.opt0"),
        ("sys.opt1", "d/sys.opt1.gz"),
        ("x", "x.de"),
    )
    assert [name for name, _ in system_arguments(["sys.opt0.txt", "sys.opt1.txt"])] == ["sys.opt0", "sys.opt1"]
    assert [name for name, _ in system_arguments(["a/sys.txt", "b/sys.txt"])] == ["sys", "sys"], "refused later"


def test_what_the_shell_makes_up_is_no_name() -> None:
    named = system_arguments(["a.txt", "/dev/fd/63", "ours=/dev/fd/62", "/proc/self/fd/11", "/dev/stdin"])
    assert [name for name, _ in named] == ["a", "system2", "ours", "system4", "stdin"]


@pytest.mark.parametrize("argument", ["a" * 300, "x=" + "a" * 5000, "dir/" * 2000])
def test_a_name_that_no_file_can_have(argument: str) -> None:
    ((name, path),) = system_arguments([argument])
    with pytest.raises(InputError, match=r"cannot be read: File name too long|there is no file") as caught:
        load_corpus(path, [(name, path)])
    assert "\n" not in str(caught.value)


def test_a_zero_byte_in_a_path() -> None:
    with pytest.raises(InputError, match="is no path: there is a zero byte in it"):
        load_corpus("a\0b", [("a", "a\0b")])


def test_importing_the_corpus_is_light() -> None:
    heavy = [
        "polars",
        "pandas",
        "xml.etree.ElementTree",
        "xml.parsers.expat",
        "tomllib",
        "lzma",
        "bz2",
        "gzip",
        "importlib.metadata",
    ]
    code = f"import sys, karat.corpus; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_plain_text_needs_no_heavy_module(here: Path) -> None:
    write(here, a_txt="x\n")
    code = (
        "import sys; from karat.corpus import load_corpus; load_corpus(['a.txt'], [('s', 'a.txt')]);"
        "print([name for name in ('polars', 'xml.parsers.expat', 'tomllib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=here)
    assert done.stdout.strip() == "[]"


def test_post_edits(here: Path) -> None:
    write(here, ref_txt="a\n", sys_txt="b\n", pe_txt="c\n", two_tsv="refA\trefB\nx\ty\n")
    corpus = load_corpus(["ref.txt"], [("s", "sys.txt")], targeted=[("s", "pe.txt")])
    assert corpus.references_for("s", targeted="instead").column.to_list() == ["c"]
    assert load_corpus([], [("s", "sys.txt")], targeted=[("s", "pe.txt")]).targeted["s"].to_list() == ["c"]
    with pytest.raises(InputError, match=r"two\.tsv has 2 references, but one is wanted for s"):
        load_corpus(["ref.txt"], [("s", "sys.txt")], targeted=[("s", "two.tsv")])
    with pytest.raises(InputError, match="targeted references of 't', but no such system"):
        load_corpus(["ref.txt"], [("s", "sys.txt")], targeted=[("t", "pe.txt")])


def test_what_a_file_of_everything_holds_is_kept(here: Path) -> None:
    write(here, all_tsv="ref\tsystem:x\tpost_edit:x\tscore\nr\ta\tb\t7\n")
    corpus = load_corpus(["all.tsv"], [("x", "all.tsv")])
    assert corpus.targeted["x"].to_list() == ["b"]
    assert corpus.metadata["ignored_columns"] == ("score",)


def test_real_post_edits(shared_data: Path) -> None:
    root = shared_data / "mlqe-pe" / "post-editing" / "en-de-dev"
    corpus = load_corpus([], [("mt", root / "dev.mt")], root / "dev.src", targeted=[("mt", root / "dev.pe")])
    assert len(corpus.references_for("mt", targeted="instead")) == 1000


def test_a_reader_is_found_where_that_of_plain_text_is_not_loaded() -> None:
    program = (
        "from karat.corpus.files import InputFile\n"
        "from karat.corpus.readers.base import reader_for\n"
        "print(type(reader_for(InputFile.of('scores.jsonl'))).__module__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "karat.corpus.readers.json_records", done.stderr
