"""Ratings as the gold of a meta-evaluation."""

from __future__ import annotations

from pathlib import Path

from karat.service.meta_ratings import rating_tables


def test_segments_of_several_documents_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(
        "rater,system,document,segment,protocol,value\nr,a,d1,1,da,10\nr,a,d2,1,da,90\ns,a,d2,1,da,70\n",
        encoding="utf-8",
    )
    (table,) = rating_tables(str(path))
    assert table.values == {"a": {"d1/1": 10, "d2/1": 80}}


def test_names_that_are_unique_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("rater,system,document,segment,protocol,value\nr,a,d1,1,da,10\nr,a,d2,2,da,90\n", encoding="utf-8")
    (table,) = rating_tables(str(path))
    assert table.values == {"a": {"1": 10, "2": 90}}


def test_items_of_appraise_are_those_of_the_document_whatever_the_task(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(
        "u1,a,7,TGT,eng,deu,50,d1#a,False,1.0,2.0\nu1,a,8,TGT,eng,deu,60,d1#a,False,1.0,2.0\n"
        "u2,b,3,TGT,eng,deu,70,d1#b,False,1.0,2.0\nu2,b,4,TGT,eng,deu,80,d1#b,False,1.0,2.0\n",
        encoding="utf-8",
    )
    (table,) = rating_tables(str(path))
    assert table.values == {"a": {"1": 50, "2": 60}, "b": {"1": 70, "2": 80}}
