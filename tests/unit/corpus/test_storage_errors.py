"""What an object store says when it fails, in words that tell what to do."""

from __future__ import annotations

import pickle

import pytest

from karat.corpus.streams.decoders import StorageError, plain_reason
from karat.errors import InputError


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("status 404: <?xml version='1.0'?><Error><Code>NoSuchBucket</Code></Error>", "no such bucket"),
        ("error sending request for url (http://127.0.0.1:9/b/t)", "does not answer"),
        ("Client error 403 Forbidden: <?xml ...", "check the credentials"),
        ("Generic S3 error: odd <?xml <Error/>", "Generic S3 error: odd (check the name"),
    ],
    ids=["bucket", "network", "credentials", "other"],
)
def test_reasons_are_plain(reason: str, said: str) -> None:
    told = plain_reason(reason)
    assert said in told
    assert "<" not in told


def test_failures_are_refusals_that_may_pass() -> None:
    error = pickle.loads(pickle.dumps(StorageError("t cannot be read: x")))
    assert isinstance(error, InputError)
    assert isinstance(error, OSError)
    assert (str(error), error.exit_code) == ("t cannot be read: x", 2)
