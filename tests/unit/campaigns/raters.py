"""A rater who answers whatever the page is told, well or badly as the text begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from tests.unit.campaigns.asgi import Client

RIGHT = "the right one"


def worse(text: str | None) -> int:
    """How bad a translation is: what the systems of `corpus_of` write ends in their number."""
    return int(text[-1]) if text and text[-1].isdigit() else 0


def points(question: Mapping[str, Any], part: Mapping[str, Any], _: Any) -> float:
    """One of the values of a scale, the higher the worse the translation is."""
    lowest, highest = question["minimum"], question["maximum"]
    return float(min(highest, lowest + worse(part["translation"])))


def chosen(_: Any, part: Mapping[str, Any], item: Mapping[str, Any]) -> float:
    options = [point["label"] for point in item["points"]]
    return float(options.index(RIGHT) if not worse(part["translation"]) else len(options) - 1)


def marked(question: Mapping[str, Any], part: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The first word, where the translation is not good."""
    if not worse(part["translation"]):
        return []
    rules = question["spans"]
    span = {"text": rules["texts"][0], "start": 0, "end": part["translation"].index(" ")}
    kinds = {"category": rules["categories"], "severity": rules["severities"]}
    own = {name: known[-1] if known else None for name, known in kinds.items()}
    return [{**span, **own, "hash": part["hashes"][rules["texts"][0]], "fate": "made"}]


def written(question: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """The translation, corrected in as many words as it is bad; or an answer."""
    if not question["text"]["log"]:
        return {"text": RIGHT if not worse(part["translation"]) else "nothing"}
    start = part["translation"] if part["translation"] and question["text"]["start"] == "translation" else ""
    words = start.split() or ["all", "anew"]
    text = " ".join(["X"] * worse(part["translation"]) + words[worse(part["translation"]) :])
    edits = [] if text == start else [{"at": 1.5, "start": 0, "removed": len(start), "inserted": text}]
    return {"text": text, "log": {"seconds": 4.0, "pauses": [1.25], "keystrokes": 7, "edits": edits}}


def answer_of(questions: list[Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """The answer about one part."""
    answer: dict[str, Any] = {"values": {}, "spans": {}, "texts": {}, "seconds": 2.5}
    for question in questions:
        own = [item for item in part["items"] if item["criterion"] == question["criterion"]]
        for item in own if question["items"] else [question]:
            widget, name = question["widget"], item["name"]
            if widget == "spans":
                answer["spans"][name] = marked(question, part)
            elif widget == "text":
                answer["texts"][name] = written(question, part)
            else:
                how: Callable[..., float] = {"choice": chosen, "ranking": ranked}.get(widget, points)
                answer["values"][name] = how(question, part, item)
            if question["reveal"]:
                answer["words"] = {name: 2}
    return answer


def ranked(question: Mapping[str, Any], part: Mapping[str, Any], _: Any) -> float:
    return float(min(question["maximum"], 1 + worse(part["translation"])))


def body_of(state: Mapping[str, Any], task: Mapping[str, Any]) -> dict[str, Any]:
    """What is posted for a task."""
    answers = [answer_of(state["questions"], part) for part in task["parts"]]
    return {"uuid": str(uuid4()), "base_version": task["version"], "answers": answers}


def rate_all(client: Client) -> list[Any]:
    """Every task that the rater can get, answered."""
    state = client.ask("GET", "/api/state").document
    tasks = []
    while (task := client.ask("POST", "/api/next").document) is not None:
        task = uncovered(client, state, task)
        reply = client.ask("POST", f"/api/tasks/{task['public']}/answers", body_of(state, task))
        assert reply.status == 200, reply.document
        tasks.append(task)
    return tasks


def uncovered(client: Client, state: Mapping[str, Any], task: Mapping[str, Any]) -> Mapping[str, Any]:
    """The task with all that its questions show, for which those before are answered."""
    sights = [{sight for each in state["questions"][: stage + 1] for sight in each["show"]} for stage in stages(state)]
    stage = sights.index(sights[-1])
    if stage <= task["stage"]:
        return task
    answers = [answer_of(state["questions"][:stage], part) for part in task["parts"]]
    reply = client.ask("POST", f"/api/tasks/{task['public']}/stage", {"stage": stage, "answers": answers})
    assert reply.status == 200, reply.document
    return dict(reply.document)


def stages(state: Mapping[str, Any]) -> range:
    return range(len(state["questions"]))
