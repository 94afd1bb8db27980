"""Say which agent would serve messages given as JSON lines on stdin; one JSON line each on stdout."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.prompts.versions import prompts_in_force
from agents.runtime.model_chain import model_chain_for
from agents.runtime.site_runs import run_for_site
from conversations.processes.identity import PROCESS
from tutoring.dialogue.graphs import MESSAGE_COORDINATION
from tutoring.roles.coordinator import ROLE, CoordinatorAnswer, reason_of
from tutoring.understanding.routing.agent_selection import select_agent

TEXT_LIMIT = 10_000
LINE_LIMIT = 160_000
"""Bytes of a line: a text of full length, every character of it escaped."""


class Command(BaseCommand):
    help = (
        'Reads JSON lines {text, surface: "team"} on stdin; writes {agent, strategy, confidence, reason} for '
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
    text = _text_of(line)
    routed = select_agent(text)
    answer = asdict(routed)
    if not routed.is_certain and (said := _said_by_model(text)) is not None:
        agent = None if said.agent == "none" else said.agent
        answer |= {"agent": agent, "strategy": "llm", "confidence": None, "reason": said.reason}
    return {key: answer[key] for key in ("agent", "strategy", "confidence", "reason")}


def _text_of(line: bytes) -> str:
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
    if row.get("surface", "team") != "team":
        raise ValueError('the only surface is "team"')
    return str(row["text"])


def _said_by_model(text: str) -> CoordinatorAnswer | None:
    """Return a model's routing of a message, with a reason that may be shown; None if no model is connected or answers."""
    if model_chain_for(ROLE.tier).name == "offline":
        return None
    try:
        prompts = prompts_in_force()
    except DatabaseError:
        return None  # Nothing is asked that cannot be recorded.
    request = Request(text=text)
    result = async_to_sync(run_for_site)(MESSAGE_COORDINATION, request, tier=ROLE.tier, holder=PROCESS, prompts=prompts)
    for outcome in result.outcomes:
        if isinstance(outcome, Answered) and isinstance(outcome.result, CoordinatorAnswer):
            return outcome.result.model_copy(update={"reason": reason_of(outcome.result)})
    return None
