"""What a rater's page is told beyond one translation: columns, context, guidelines, a tutorial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from tests.unit.campaigns.asgi import Client
from tests.unit.campaigns.campaign_of import NOW, material_of, plan_of
from tests.unit.campaigns.raters import body_of, rate_all

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from karat.campaigns import CampaignPlan, Gold, Mark, Question, SpanRules, read_plan, work, written_plan
from karat.campaigns.offering import with_offered
from karat.campaigns.store import Store
from karat.errors import InputError
from karat.service.campaigns import Running
from karat.service.ratings import ratings_of
from karat.web.app import application
from karat.web.markdown import rendered

ESA = CampaignPlan(
    name="try",
    protocol="esa",
    questions=(
        Question(criterion="errors", show=("source",), spans=SpanRules(severities=("minor", "major"))),
        Question(criterion="overall", show=("source",)),
    ),
)
ALONE = replace(ESA.assignment, raters=1)


def opened(store: Store, plan: CampaignPlan) -> tuple[Client, Running]:
    """A rater of a campaign that has begun."""
    material = material_of()
    store.begin("plan", material.written(), work(plan, material), plan.assignment.raters, NOW)
    running = Running(plan, material, store, lambda: NOW)
    client = Client(application(running))
    client.enter(store.new_link(1))
    return client, running


def test_systems_stand_side_by_side_and_each_is_judged(sqlite_store: Callable[[], Store]) -> None:
    plan = replace(ESA, together=3, unit="document", assignment=ALONE)
    client, running = opened(sqlite_store(), plan)
    task = client.ask("POST", "/api/next").document
    assert (task["columns"], len(task["parts"])) == (3, 9)
    rows = [task["parts"][start : start + 3] for start in range(0, 9, 3)]
    assert all(len({part["source"] for part in row}) == 1 for row in rows)
    orders = {tuple(part["translation"].partition("s")[0] for part in row) for row in rows}
    assert len(orders) == 1  # a column is one system all the way down
    rate_all(client)
    frame = ratings_of(running).frame
    assert len(frame) == 18
    assert all(text.startswith(f"o{system[-1]}") for system, text in frame.select("system", "target").iter_rows())


@pytest.mark.parametrize(("context", "around"), [("none", (0, 0)), ("neighbours", (1, 1)), ("document", (2, 3))])
def test_context_is_what_stands_around(
    context: Any, around: tuple[int, int], sqlite_store: Callable[[], Store]
) -> None:
    material = material_of(documents=1)
    plan = replace(ESA, context=context, assignment=ALONE)
    store = sqlite_store()
    store.begin("plan", material.written(), work(plan, material), 1, NOW)
    client = Client(application(Running(plan, material, store, lambda: NOW)))
    client.enter(store.new_link(1))
    found = {}
    state = client.ask("GET", "/api/state").document
    while (task := client.ask("POST", "/api/next").document) is not None:
        (part,) = task["parts"]
        texts = [each["translations"] for each in (*task["before"], *task["after"])]
        assert {text[0][:3] for text in texts} <= {part["translation"][:3]}
        found[part["source"][:2]] = (len(task["before"]), len(task["after"]))
        client.ask("POST", f"/api/tasks/{task['public']}/answers", body_of(state, task))
    assert found["q2"] == around


def test_controls_that_offered_spans_would_give_away_are_refused() -> None:
    plan, material = replace(ESA, assignment=ALONE), material_of()
    marks = {("s1", "sys0"): (Mark(start=0, end=4, severity="minor"),)}
    offered = with_offered(material, marks)
    (task,) = (each for each in work(plan, offered).tasks if each.parts[0].offered)
    assert (task.system, task.parts[0].segment) == ("sys0", "s1")
    with pytest.raises(InputError, match="damaged translations could be told"):
        work(replace(plan, controls=replace(plan.controls, degraded=0.2)), offered)
    with pytest.raises(InputError, match="goes from 0 to 99"):
        work(plan, with_offered(material, {("s1", "sys0"): (Mark(start=0, end=99, severity="minor"),)}))
    with pytest.raises(InputError, match="none of which is judged"):
        with_offered(material, {("s1", "nobody"): ()})


def tutored(pass_mark: float) -> CampaignPlan:
    """A campaign whose tutorial wants a major error in its first word, twice."""
    wrong = {"errors": (Mark(start=0, end=5, severity="major"),)}
    items = [
        Gold(segment=f"s{row}", system="sys0", spans=wrong, translation=f"wrong text {row} 1", explanation="See?")
        for row in range(2)
    ]
    return replace(ESA, tutorial=tuple(items), pass_mark=pass_mark, assignment=ALONE)


def test_a_tutorial_comes_first_and_tells_what_is_right(sqlite_store: Callable[[], Store]) -> None:
    client, running = opened(sqlite_store(), tutored(0.5))
    state = client.ask("GET", "/api/state").document
    assert state["tutorial"] == {"done": 0, "planned": 2, "right": 0, "needed": 1, "failed": False}
    task = client.ask("POST", "/api/next").document
    assert task["tutorial"]
    blind = {"values": {"overall": 50}, "spans": {"errors": []}, "seconds": 1.0}
    sent = body_of(state, task) | {"answers": [blind]}
    feedback = client.ask("POST", f"/api/tasks/{task['public']}/answers", sent).document["feedback"]
    assert (feedback["passed"], feedback["explanation"]) == (False, "See?")
    (right,) = feedback["expected"]
    assert [(mark["start"], mark["end"], mark["severity"]) for mark in right["spans"]["errors"]] == [(0, 5, "major")]
    tasks = rate_all(client)
    assert [each["tutorial"] for each in tasks] == [True, *[False] * 18]
    assert client.ask("GET", "/api/state").document["tutorial"]["right"] == 1
    assert dict(ratings_of(running).frame["control"].value_counts().iter_rows()) == {"tutorial": 2, None: 18}


def test_who_has_too_little_of_it_right_is_asked_nothing_more(sqlite_store: Callable[[], Store]) -> None:
    client, _ = opened(sqlite_store(), tutored(1.0))
    state = client.ask("GET", "/api/state").document
    for _ in range(2):
        task = client.ask("POST", "/api/next").document
        blind = {"values": {"overall": 50}, "spans": {"errors": []}, "seconds": 1.0}
        client.ask("POST", f"/api/tasks/{task['public']}/answers", body_of(state, task) | {"answers": [blind]})
    assert client.ask("POST", "/api/next").document is None
    assert client.ask("GET", "/api/state").document["tutorial"]["failed"]


def test_a_tutorial_of_rankings_wants_its_ranks(sqlite_store: Callable[[], Store]) -> None:
    ranks = {"sys0": 2.0, "sys1": 1.0, "sys2": 3.0}
    plan = CampaignPlan(
        name="try",
        protocol="ranking",
        questions=(Question(criterion="overall", widget="ranking"),),
        together=3,
        tutorial=(Gold(segment="s0", ranks=ranks),),
        assignment=ALONE,
    )
    assert read_plan(written_plan(plan), "campaign.toml") == plan
    client, _ = opened(sqlite_store(), plan)
    task = client.ask("POST", "/api/next").document
    right = [ranks[f"sys{part['translation'][1]}"] for part in task["parts"]]
    for given, passed in (([4 - rank for rank in right], False), (right, True)):
        answers = [{"values": {"overall": rank}, "seconds": 1.0} for rank in given]
        body = {"uuid": str(uuid4()), "base_version": int(passed), "answers": answers}
        kept = client.ask("POST", f"/api/tasks/{task['public']}/answers", body).document
        assert kept["feedback"]["passed"] is passed
        assert passed or [answer["values"]["overall"] for answer in kept["feedback"]["expected"]] == right


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (Gold(segment="s0"), "names no system: say which, or the ranks of several"),
        (Gold(segment="s0", ranks={"sys0": 1.0}), "ranks are of two translations or more"),
        (Gold(segment="s0", ranks={"sys0": 1.0, "sys1": 3.0}), "from 1 to 2"),
        (Gold(segment="s0", system="sys0", ranks={"sys0": 1.0, "sys1": 2.0}), "leave system, values, spans"),
    ],
)
def test_right_ranks_make_sense(gold: Gold, message: str) -> None:
    question = Question(criterion="overall", widget="ranking")
    with pytest.raises(InputError, match=message):
        CampaignPlan(name="try", protocol="ranking", questions=(question,), together=3, tutorial=(gold,))
    with pytest.raises(InputError, match="could be told by its 2 translations: rank 3"):
        plan_of(
            protocol="ranking",
            questions=(question,),
            together=3,
            gold=(Gold(segment="s0", ranks={"sys0": 1.0, "sys1": 2.0}),),
        )


def test_hter_is_told_on_submit(sqlite_store: Callable[[], Store]) -> None:
    from karat.campaigns.collected import collected

    questions = tuple(replace(question, show=("source",)) for question in collected("post-edit").questions)
    client, _ = opened(sqlite_store(), CampaignPlan(name="try", protocol="post-edit", questions=questions))
    state, task = client.ask("GET", "/api/state").document, client.ask("POST", "/api/next").document
    kept = client.ask("POST", f"/api/tasks/{task['public']}/answers", body_of(state, task)).document
    assert kept["hters"] == [pytest.approx(int(task["parts"][0]["translation"][-1]) / 8)]


def test_guidelines_in_markdown_do_nothing(sqlite_store: Callable[[], Store]) -> None:
    client, _ = opened(sqlite_store(), plan_of(guidelines="# Read\n\n* twice\n\n<img src=x onerror=alert(1)>"))
    state = client.ask("GET", "/api/state").document
    assert state["guidelines"].startswith("# Read")
    assert "<h1>Read</h1>" in state["guidelines_html"]
    assert "<img" not in state["guidelines_html"]
    assert "javascript:alert" not in rendered("[x](javascript:alert(1))").replace("[x](javascript:alert(1))", "")
    assert "<img" not in rendered("![x](https://example.org/x.png)")
