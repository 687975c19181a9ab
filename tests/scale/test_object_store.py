"""An object store on loopback: parts are read from it and written to it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from tests.parts import rows

from karat.corpus.streams.decoders import end_decoders
from karat.errors import InputError
from karat.service.inputs import CorpusFile
from karat.service.scaling import ScaleRequest, score_parts
from karat.service.scoring import ScoreRequest, score_systems

THERE = all(find_spec(name) for name in ("moto", "boto3", "flask_cors"))

pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not THERE, reason="install moto: pip install 'moto[s3]' flask flask-cors"),
]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    known = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    }
    for name, value in known.items():
        monkeypatch.setenv(name, value)
    end_decoders()
    # What one server holds, another one of this process would hold, too.
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
    client = boto3.client("s3")
    client.create_bucket(Bucket="texts")
    yield client
    end_decoders()
    server.stop()


def names(client: Any) -> list[str]:
    return sorted(one["Key"] for one in client.list_objects_v2(Bucket="texts").get("Contents", []))


def scored(**request: Any) -> list[float]:
    return [one.score for one in score_systems(ScoreRequest(**request)).scores]


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "jsonl.gz"])
def test_parts_come_and_go(suffix: str, bucket: Any, tmp_path: Path) -> None:
    for number in range(2):
        frame, path = rows(300, number), tmp_path / f"{number}.{suffix}"
        if suffix == "parquet":
            frame.write_parquet(path)
        else:
            frame.write_ndjson(path, compression="gzip" if suffix.endswith("gz") else "uncompressed")
        bucket.upload_file(str(path), "texts", f"in/{path.name}")
    local, remote = str(tmp_path / f"*.{suffix}"), f"s3://texts/in/*.{suffix}"
    wanted = ("bleu", "chrf")
    assert scored(texts=CorpusFile(remote), metrics=wanted) == scored(texts=CorpusFile(local), metrics=wanted)
    request = ScaleRequest(corpus=remote, out="s3://texts/out", metrics=wanted, keep_rows=True)
    score_parts(request)
    assert scored(stored="s3://texts/out") == scored(texts=CorpusFile(local), metrics=wanted)
    written = names(bucket)
    assert sum("/parts/" in name for name in written) == sum("/sums/" in name for name in written) == 2
    lost = next(name for name in written if "/sums/" in name)
    for name in (lost, "out/manifest.json"):
        bucket.delete_object(Bucket="texts", Key=name)
    score_parts(request)
    assert names(bucket) == written
    rows(300, 7).write_parquet(tmp_path / "other.parquet")
    if suffix == "parquet":
        bucket.upload_file(str(tmp_path / "other.parquet"), "texts", "in/0.parquet")
        with pytest.raises(InputError, match=r"0\.parquet, rows 1 to 300 have changed since they were scored"):
            score_parts(request)


def test_what_is_not_there(bucket: Any) -> None:
    with pytest.raises(InputError, match="no file"):
        scored(texts=CorpusFile("s3://texts/none/*.parquet"), metrics=("chrf",))
    with pytest.raises(InputError, match="there is no file"):
        score_parts(ScaleRequest(corpus="s3://texts/none.parquet", out="s3://texts/out", metrics=("chrf",)))
    with pytest.raises(InputError, match="holds no scores that karat wrote"):
        scored(stored="s3://texts/none")
    assert names(bucket) == []


def test_one_object_is_scored_as_a_table(bucket: Any, tmp_path: Path) -> None:
    frame = rows(50)
    frame.write_parquet(tmp_path / "t.parquet")
    bucket.put_object(Bucket="texts", Key="t.parquet", Body=(tmp_path / "t.parquet").read_bytes())
    found = [
        [one.score for one in score_systems(ScoreRequest(texts=CorpusFile(path), metrics=("chrf",))).scores]
        for path in ("s3://texts/t.parquet", str(tmp_path / "t.parquet"))
    ]
    assert found[0] == found[1]


@pytest.mark.usefixtures("bucket")
def test_a_bucket_that_is_not_there_is_told_plainly(tmp_path: Path) -> None:
    rows(5).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="there is no such bucket"):
        score_parts(ScaleRequest(corpus=str(tmp_path / "t.parquet"), out="s3://nobody/x", metrics=("chrf",)))
    with pytest.raises(InputError, match="look for a slip in the name"):
        score_systems(ScoreRequest(texts=CorpusFile("s3://nobody/t.parquet"), metrics=("chrf",)))
