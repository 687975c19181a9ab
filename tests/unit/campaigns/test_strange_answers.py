"""Whatever a device sends: it is refused, or it is stored whole, read back and counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from pydantic import ValidationError
from tests.unit.campaigns.every_protocol import NAMES, Collected
from tests.unit.campaigns.raters import answer_of

from karat.campaigns.answers import Answer, RefusedAnswerError, checked
from karat.campaigns.rows import rows_of
from karat.web import viewing
from karat.web.views import AnswerBody

JUNK = st.sampled_from(
    [None, True, -1, 0, 1, 2, 0.5, 1e300, 10**9, "", " ", "x", "\x00", "\ud800", "source", "removed", [], {}, [1]]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], junk: Any, *, renamed: bool) -> Any:
    """The document with something else at a place, or with another name for it."""
    key, *rest = path
    changed = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        changed[key] = replaced(value[key], tuple(rest), junk, renamed=renamed)
    elif renamed and isinstance(changed, dict):
        changed[str(junk)] = changed.pop(key)
    else:
        changed[key] = junk
    return changed


@pytest.mark.long
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_strange_answers_are_refused_or_kept_whole(data: st.DataObject, rated: Callable[[str], Collected]) -> None:
    campaign = rated(data.draw(st.sampled_from(NAMES)))
    plan, judged = campaign.running.plan, next(iter(campaign.running.store.judgements())).task
    questions = [viewing.question_view(plan, question).model_dump() for question in plan.questions]
    shown = next(task for task in campaign.tasks if len(task["parts"]) == len(judged.parts))
    documents = [answer_of(questions, part) for part in shown["parts"]]
    for _ in range(data.draw(st.integers(0, 2))):
        path = data.draw(st.sampled_from(list(places(documents))))
        if len(path) > 1:
            documents = replaced(documents, path, data.draw(JUNK), renamed=data.draw(st.booleans()))
    try:
        answers = [AnswerBody.model_validate(document).answer() for document in documents]
        kept = checked(plan, judged, answers)
    except (ValidationError, RefusedAnswerError):
        return
    for answer in kept:
        assert Answer.read(json.loads(json.dumps(answer.stored()))) == answer
        assert viewing.answer_view(answer.stored()).seconds == answer.seconds
    assert list(rows_of(plan, campaign.running.material.by_name, judged, kept, {})) is not None
