from __future__ import annotations

from pathlib import Path

import pytest

from karat.corpus import Corpus, load_corpus, read_corpus
from karat.errors import InputError

WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="generaltest.en-de">
  <collection id="general">
    <doc origlang="en" id="news-1" domain="news">
      <src lang="en"><p><seg id="1">A &amp; B</seg><seg id="2">Two
         lines</seg></p><p><seg id="3">C</seg></p></src>
      <ref lang="de" translator="A"><p><seg id="1">a</seg><seg id="2">b</seg><seg id="3">c</seg></p></ref>
      <ref lang="de" translator="B"><p><seg id="1">a2</seg><seg id="2">b2</seg><seg id="3">c2</seg></p></ref>
      <hyp system="X" language="de"><p><seg id="3">z</seg><seg id="1">x</seg><seg id="2">y</seg></p></hyp>
    </doc>
  </collection>
  <doc origlang="en" id="talk-1" domain="talk">
    <src lang="en"><p><seg id="1">D</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">d</seg></p></ref>
    <hyp system="X" language="de"><p><seg id="1"/></p></hyp>
  </doc>
</dataset>
"""


def read(tmp_path: Path, name: str, text: str, pair: str | None = None) -> Corpus:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_corpus(path, language_pair=pair)


def test_wmt(tmp_path: Path) -> None:
    corpus = read(tmp_path, "t.xml", WMT)
    assert corpus.source is not None
    assert corpus.source.to_list() == ["A & B", "Two lines", "C", "D"]
    assert corpus.references["A"].to_list() == ["a", "b", "c", "d"]
    assert corpus.references["B"].to_list() == ["a2", "b2", "c2", None]
    assert corpus.systems["X"].to_list() == ["x", "y", "z", ""]
    assert corpus.documents == ("news-1",) * 3 + ("talk-1",)
    assert corpus.domains == ("news",) * 3 + ("talk",)
    assert corpus.segment_ids == ("1", "2", "3", "1")
    assert corpus.language_pair == "en-de"


def test_wmt_refusals(tmp_path: Path) -> None:
    missing = WMT.replace('<seg id="3">z</seg>', "")
    with pytest.raises(InputError, match=r"system X has nothing for segment 3 \(document news-1, segment 3\)"):
        read(tmp_path, "t.xml", missing)
    with pytest.raises(InputError, match="the system X has segment 1 of document news-1 twice"):
        read(tmp_path, "t.xml", WMT.replace('<seg id="3">z</seg>', '<seg id="1">z</seg>'))
    two = WMT.replace('<ref lang="de" translator="B">', '<ref lang="fr" translator="B">')
    with pytest.raises(InputError, match="has target texts in de, fr: name the language pair"):
        read(tmp_path, "t.xml", two)
    assert list(read(tmp_path, "t.xml", two, "en-de").references) == ["A"]
    with pytest.raises(InputError, match="has no target text in es, only in de, fr"):
        read(tmp_path, "t.xml", two, "en-es")
    with pytest.raises(InputError, match=r"not WMT XML: its root element is <tmx>.* read it with format='tmx'"):
        read(tmp_path, "t.xml", "<tmx/>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<dataset>\n  <doc>\n</dataset>", r"t\.xml, line 3, column 3: not valid XML \(mismatched tag\)"),
        ("<dataset>&nbsp;</dataset>", r"line 1, column 10: not valid XML \(undefined entity\)"),
        (
            '<!DOCTYPE dataset SYSTEM "d.dtd"><dataset>&nbsp;</dataset>',
            r"line 1, column 43: the entity &nbsp; is not known",
        ),
        (
            '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><dataset>&b;</dataset>',
            r"the entity a is declared, but karat does not read declarations from data",
        ),
        (
            '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><dataset>&a;</dataset>',
            r"the entity a is declared",
        ),
        ('<?xml version="1.0" encoding="ISO-8859-1"?><dataset/>', "declares the encoding ISO-8859-1"),
        ("<a>" * 300 + "</a>" * 300, "nested more than 200 deep"),
    ],
)
def test_bad_xml(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, "t.xml", text)


SGM = """<SRCSET setid="t" srclang="en">
<DOC docid="d1" genre="news">
<hl>
<SEG id=1> AT&T &amp; R&#38;D &lt;b> &nbsp; </SEG>
</hl>
<p>
<seg id='2'>two
  lines</seg>
</p>
</DOC>
</SRCSET>
<refset setid="t" srclang="en" trglang="de">
<doc docid="d1" sysid="ref1"><seg id="1">a</seg><seg id="2">b</seg></doc>
<doc docid="d1" sysid="ref2"><seg id="2">b2</seg><seg id="1">a2</seg></doc>
</refset>
<TSTSET trglang="de"><Doc DocID="d1" SysID="x"><seg id="1">u</seg><seg id="2"></seg></Doc></TSTSET>
<tstset trglang="de" sysid="y"><doc docid="d1"><seg>v</seg><seg>w</seg></doc></tstset>
"""


def test_sgm(tmp_path: Path) -> None:
    corpus = read(tmp_path, "t.sgm", SGM)
    assert corpus.source is not None
    assert corpus.source.to_list() == ["AT&T & R&D <b> &nbsp;", "two lines"]
    assert [column.to_list() for column in corpus.references.values()] == [["a", "b"], ["a2", "b2"]]
    assert {name: column.to_list() for name, column in corpus.systems.items()} == {"x": ["u", ""], "y": ["v", "w"]}
    assert corpus.documents == ("d1", "d1")
    assert corpus.domains == ("news", "news")
    assert corpus.language_pair == "en-de"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<refset>\n<doc><seg>a<seg>b</seg></doc></refset>", r"t\.sgm, line 2: <seg> is not closed before <seg>"),
        ("<refset><doc><seg>a", "<seg> is never closed"),
        ("<refset>\n<seg>a</seg></refset>", r"line 2: <seg> stands outside <doc>"),
        ("<doc><seg>a</seg></doc>", "<doc> stands outside"),
        ("plain text", "is not NIST SGM"),
        ('<refset><doc><seg id="1">a</seg>\n<seg id="1">b</seg></doc></refset>', "line 2: the reference ref has"),
    ],
)
def test_bad_sgm(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, "t.sgm", text)


XLIFF1 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="a.html" source-language="en" target-language="de" datatype="html"><body>
  <group><trans-unit id="u1">
   <source>Press <g id="1">this <x id="2"/>key</g><ph id="3">&lt;br/&gt;</ph></source>
   <target>Diese <mrk mtype="x">Taste</mrk></target>
   <alt-trans><target>not read</target></alt-trans>
  </trans-unit></group>
  <trans-unit id="u2"><source>Two</source>%s</trans-unit>
 </body></file>
</xliff>"""
XLIFF2 = """<xliff version="2.1" srcLang="en" trgLang="de" xmlns="urn:oasis:names:tc:xliff:document:2.0">
 <file id="f1"><unit id="u1">
  <segment id="s1"><source>A <pc id="1">b</pc><ph id="2"/></source><target>C</target></segment>
  <ignorable><source> </source></ignorable>
  <segment><source>D<cp hex="001B"/></source><target/></segment>
 </unit><unit id="u2"><segment><source>E</source><target>F</target></segment></unit></file>
</xliff>"""


def test_xliff_1(tmp_path: Path) -> None:
    corpus = read(tmp_path, "t.xlf", XLIFF1 % "<target>Zwei</target>")
    assert corpus.source is not None
    assert corpus.source.to_list() == ["Press this key", "Two"]
    assert corpus.references["target"].to_list() == ["Diese Taste", "Zwei"]
    assert corpus.documents == ("a.html", "a.html")
    assert corpus.language_pair == "en-de"


def test_xliff_2(tmp_path: Path) -> None:
    corpus = read(tmp_path, "t.xliff", XLIFF2)
    assert corpus.source is not None
    assert corpus.source.to_list() == ["A b", "D\x1b", "E"]
    assert corpus.references["target"].to_list() == ["C", "", "F"]
    assert corpus.segment_ids == ("u1.s1", "u1.2", "u2")
    assert corpus.language_pair == "en-de"


def test_a_missing_target(tmp_path: Path) -> None:
    path = tmp_path / "t.xlf"
    path.write_text(XLIFF1 % "")
    with pytest.raises(InputError, match="segment 2 has no reference at all"):
        read_corpus(path)
    reference = tmp_path / "r.txt"
    reference.write_text("a\nb\n")
    with pytest.raises(InputError, match=r"system s has nothing for segment 2 \(document a\.html, segment u2\)"):
        load_corpus([reference], [("s", path)])


TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="EN" segtype="sentence"/>
<body>
<tu tuid="7"><tuv xml:lang="en"><seg>A <bpt i="1">&lt;b&gt;</bpt>b<ept i="1">&lt;/b&gt;</ept></seg></tuv>
  <tuv xml:lang="de"><seg>C <hi>d</hi></seg></tuv>%s</tu>
<tu><tuv lang="de"><seg>F</seg></tuv><tuv lang="en"><seg>E</seg></tuv></tu>
</body></tmx>"""


def test_tmx(tmp_path: Path) -> None:
    corpus = read(tmp_path, "t.tmx", TMX % "")
    assert corpus.source is not None
    assert corpus.source.to_list() == ["A b", "E"]
    assert corpus.references["target"].to_list() == ["C d", "F"]
    assert corpus.segment_ids == ("7", "2")
    assert corpus.documents is None
    assert corpus.language_pair == "en-de"


def test_tmx_with_more_languages(tmp_path: Path) -> None:
    text = TMX % '<tuv xml:lang="fr"><seg>G</seg></tuv>'
    with pytest.raises(InputError, match=r"has texts in en, de, fr, .* name the language pair"):
        read(tmp_path, "t.tmx", text)
    assert read(tmp_path, "t.tmx", text, "en-de").references["target"].to_list() == ["C d", "F"]
    with pytest.raises(InputError, match="segment 2 has no reference"):
        read(tmp_path, "t.tmx", text, "en-fr")
    with pytest.raises(InputError, match="has no text in es"):
        read(tmp_path, "t.tmx", text, "en-es")
