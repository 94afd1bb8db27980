"""A turn of the panel whose models were struck, and what must be true of it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from drills import storage_checks
from drills.model_connection import KEY
from drills.panel.models import (
    BARRING,
    DRAFT,
    GONE,
    MARK,
    OPENING,
    PROMPTS,
    READER,
    SEEN,
    THEME,
    QuestionRecord,
    Strike,
)
from drills.server import ROOT

ATTEMPTS: Final = 3
"""Of an agent at one model: the first request and two more, or another shape of it, or a repaired result."""
LONGEST: Final = 20_000
"""Characters of an answer, whatever a model says."""
SECRETS: Final = (
    KEY,
    "sk-live",
    str(ROOT),
    "Traceback",
    "Incorrect API key",
    "overloaded or not ready",
    "sign in to use",
    "httpx",
)
"""Nothing of it may be shown: the provider's words, and what only the server knows."""
RESULTS: Final = ("concepts", "entities", "facts", "insights", "relationships")
"""Fields of an answer that hold only what stands in the message or in a source."""
ASKING: Final = (READER, *PROMPTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTurn:
    """One turn, as its client and the stand-in saw it."""

    kind: str
    strike: Strike | None
    record: QuestionRecord
    answer: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    problem: str = ""
    """Why there is no answer; empty if there is one."""

    @property
    def asked(self) -> set[str]:
        return {each.agent for each in self.record.requests} - {READER}

    @property
    def struck(self) -> set[str]:
        """The agents whose last request failed: whose first one did may have been answered at the next."""
        last = {each.agent: each.struck for each in self.record.requests}
        return {agent for agent, struck in last.items() if struck} - {READER}

    @property
    def named(self) -> dict[str, str]:
        """The agents that the answer names → their error types."""
        return {each["agent"]: each["error_type"] for each in self.answer["errors"]}

    @property
    def draft(self) -> str:
        return "".join(each["text"] for each in self.events if each["type"] == "agent_text")


def turn_faults(turn: PanelTurn, well: PanelTurn, data: Path) -> Iterator[str]:
    """Yield where a turn is not as it should be; `well` is the same question with all models well."""
    if turn.problem:
        yield turn.problem
        return
    if turn.answer["status"] not in ("done", "degraded") or not turn.answer["response"].strip():
        yield f"the turn is {turn.answer['status']} and says {turn.answer['response']!r}"
    types = [each["type"] for each in turn.events]
    if types.count("turn_finished") != 1 or types[-1] != "turn_finished":
        yield f"{types.count('turn_finished')} turn_finished"
    if [each["seq"] for each in turn.events] != list(range(1, len(types) + 1)):
        yield "the events are not counted without gaps"
    yield from _naming_faults(turn, well)
    yield from _result_faults(turn, well)
    yield from _hidden_faults(turn, data)
    yield from _count_faults(turn, data)


def _naming_faults(turn: PanelTurn, well: PanelTurn) -> Iterator[str]:
    """Yield where the errors do not name exactly those who were struck, each with its kind of error."""
    assert turn.strike is not None
    struck = set(well.asked) if turn.strike is GONE else turn.struck
    unsure = set(turn.strike.unsure)
    if turn.strike.name.partition(" ")[0] in BARRING:
        # Whose model another request had barred asks nothing, and fails all the same.
        unsure |= well.asked - turn.asked
    # Without anything found, there is nothing to put into words.
    unsure |= {"synthesis"} - turn.asked if turn.strike is GONE else set()
    for agent in sorted(set(turn.named) - struck - unsure):
        yield f"{agent} is named ({turn.named[agent]}), and was not struck"
    for agent in sorted(struck - set(turn.named) - unsure):
        yield f"{agent} was struck, and is not named"
    for agent, error_type in turn.named.items():
        if error_type not in turn.strike.error_types:
            yield f"{agent} is said to have failed by {error_type}"


def _result_faults(turn: PanelTurn, well: PanelTurn) -> Iterator[str]:
    """Yield where the results of those who were not struck, or what stands in for a struck one's, are missing."""
    answer, intact = turn.answer, well.answer
    hurt = turn.struck | set(turn.named)
    if answer["classification"] != turn.kind:
        yield f"classified as {answer['classification']}"
    if bool(answer["facts"]) != bool(intact["facts"]) or (
        "research" not in hurt and answer["facts"] != intact["facts"]
    ):
        yield f"facts: {answer['facts']}"
    if answer["concepts"][: len(intact["concepts"])] != intact["concepts"]:
        yield f"concepts: {answer['concepts']}"
    if "analysis" not in hurt and not any(THEME in each for each in answer["themes"]):
        yield f"themes: {answer['themes']}"
    if "conversation" not in hurt and DRAFT not in turn.draft:
        yield f"drafted: {turn.draft[:100]!r}"
    if "synthesis" not in hurt and OPENING in intact["response"] and OPENING not in answer["response"]:
        yield f"the synthesis is not in the answer: {answer['response'][:200]!r}"
    seen = answer["vision"] or {}
    if turn.kind == "visual_query" and not seen.get("extracted_text"):
        yield f"vision: {seen}"
    was_looked_at = turn.kind == "visual_query" and "vision" not in hurt and "vision" in turn.asked
    if was_looked_at and turn.strike and turn.strike.agent != "vision" and seen.get("description") != SEEN:
        yield f"the picture is described as {seen.get('description')!r}"


def _hidden_faults(turn: PanelTurn, data: Path) -> Iterator[str]:
    """Yield what is shown of a provider's words or the server's inside, and what a model made up."""
    shown = json.dumps([turn.answer, turn.events], ensure_ascii=False)
    for secret in (*SECRETS, str(data)):
        if secret in shown:
            at = shown.index(secret)
            yield f"shown: {shown[max(0, at - 60) : at + 60]!r}"
    if any(MARK in json.dumps(turn.answer[name], ensure_ascii=False) for name in RESULTS):
        yield f"what a model made up is in a result: {[turn.answer[name] for name in RESULTS]}"
    assert turn.strike is not None
    if "invents" in turn.strike.name and MARK in turn.answer["response"]:
        yield f"what a model made up is in the answer: {turn.answer['response'][:300]!r}"
    if turn.record.orders:
        yield f"another's order reached {sorted(set(turn.record.orders))}"
    if len(turn.answer["response"]) > LONGEST:
        yield f"the answer has {len(turn.answer['response'])} characters"


def _count_faults(turn: PanelTurn, data: Path) -> Iterator[str]:
    """Yield where an agent asked too often, or where the requests are not the calls on record."""
    asked = Counter((each.agent, each.model) for each in turn.record.requests)
    for (agent, model), times in asked.items():
        if times > ATTEMPTS:
            yield f"{agent} asked {model} {times} times"
    query = f"SELECT status FROM agents_modelcall WHERE turn_id = ? AND agent IN ({', '.join('?' * len(ASKING))})"
    calls = storage_checks.rows(data, query, UUID(turn.answer["turn_id"]).hex, *ASKING)
    if turn.strike is not GONE and len(calls) != len(turn.record.requests):
        yield f"{len(turn.record.requests)} requests, {len(calls)} calls on record"
    if ("open",) in calls:
        yield "a call is open"
