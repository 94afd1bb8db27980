"""Say which agent would serve messages given as JSON lines on stdin; one JSON line each on stdout."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from pydantic import BaseModel

from agents.engine.graph import Graph
from agents.engine.outcomes import Answered
from agents.engine.roles import Request, Role
from agents.prompts.versions import prompts_in_force
from agents.routing.decision import RoutingDecision
from agents.runtime.model_chain import model_chain_for
from agents.runtime.site_runs import run_for_site
from conversations.processes.identity import PROCESS
from tutoring.dialogue.graphs import MESSAGE_COORDINATION
from tutoring.planner import companion_coordinator
from tutoring.planner.companion_coordinator import CompanionAnswer, build_request
from tutoring.planner.routing import decision_of, route_companion
from tutoring.roles import coordinator
from tutoring.roles.coordinator import CoordinatorAnswer
from tutoring.understanding.routing.agent_selection import select_agent

TEXT_LIMIT = 10_000
SURFACES = ("team", "companion")
LINE_LIMIT = 160_000
"""Bytes of a line: a text of full length, every character of it escaped."""


class Command(BaseCommand):
    help = (
        'Reads JSON lines {text, surface: "team" or "companion"} on stdin; writes {agent, strategy, confidence, reason} for '
        "each (agent null when out of scope) or {error}; exits 1 if there was an error. Works like the live app "
        "without a conversation's context: with a model connected, uncertain messages are sent to it, and then "
        "strategy is llm and confidence is null."
    )

    requires_system_checks: list[str] = []  # Pages are not used; without a model, neither is the database.

    def handle(self, *args: Any, **options: Any) -> None:
        refused = 0
        for line in _stdin_lines():
            try:
                row = _routed(line)
            except ValueError as error:
                refused += 1
                row = {"error": str(error)}
            self.stdout.write(json.dumps(row))
            self.stdout.flush()  # A caller that writes one line and waits for its answer gets it.
        if refused:
            raise CommandError(f"{refused} lines could not be routed")


def _stdin_lines() -> Iterator[bytes]:
    """Yield the lines of stdin that are not blank, each cut just past the limit."""
    while line := sys.stdin.buffer.readline(LINE_LIMIT + 1):
        rest = line
        while len(rest) > LINE_LIMIT and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(LINE_LIMIT + 1)
        if line.strip():
            yield line


def _routed(line: bytes) -> dict[str, object]:
    """Return the answer to a line. Raise ValueError, in words, for a line without one."""
    text, surface = _text_and_surface(line)
    routed = select_agent(text) if surface == "team" else route_companion(text)
    if not routed.is_certain:
        ask = _team_by_model if surface == "team" else _companion_by_model
        routed = ask(text) or routed
    answer = asdict(routed)
    return {key: answer[key] for key in ("agent", "strategy", "confidence", "reason")}


def _text_and_surface(line: bytes) -> tuple[str, str]:
    if len(line) > LINE_LIMIT:
        raise ValueError(f"the line is longer than {LINE_LIMIT} bytes")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not a line of JSON") from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError("the line must be an object with a text")
    if len(row["text"]) > TEXT_LIMIT:
        raise ValueError(f"the text is longer than {TEXT_LIMIT} characters")
    surface = row.get("surface", "team")
    if surface not in SURFACES:
        raise ValueError('the surface must be "team" or "companion"')
    return str(row["text"]), str(surface)


def _team_by_model(text: str) -> RoutingDecision | None:
    """Return a model's routing of a message, with a reason that may be shown; None if no model is connected or answers."""
    said = _result_of_model(coordinator.ROLE, MESSAGE_COORDINATION, Request(text=text))
    if not isinstance(said, CoordinatorAnswer):
        return None
    agent = None if said.agent == "none" else said.agent
    return RoutingDecision(agent=agent, strategy="llm", confidence=None, reason=coordinator.reason_of(said))


def _companion_by_model(text: str) -> RoutingDecision | None:
    said = _result_of_model(companion_coordinator.ROLE, companion_coordinator.GRAPH, build_request(text))
    return decision_of(said) if isinstance(said, CompanionAnswer) else None


def _result_of_model(role: Role, graph: Graph, request: Request) -> BaseModel | None:
    """Return what a model says as a role; None if no model is connected or answers."""
    if model_chain_for(role.tier).name == "offline":
        return None
    try:
        prompts = prompts_in_force()
    except DatabaseError:
        return None  # Nothing is asked that cannot be recorded.
    result = async_to_sync(run_for_site)(graph, request, tier=role.tier, holder=PROCESS, prompts=prompts)
    return next((each.result for each in result.outcomes if isinstance(each, Answered)), None)
