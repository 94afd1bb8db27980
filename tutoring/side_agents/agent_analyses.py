"""The side agents and their judgements of an utterance: by code first, by a model beside it."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from pydantic import BaseModel

from agents.engine.outcomes import Answered, Outcome
from agents.engine.registry import register_role
from agents.engine.roles import Role
from agents.event_log import get_logger
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak
from tutoring.side_agents import emotion, milestone, misconception, vision
from tutoring.side_agents.utterance_facts import OverheardUtterance

logger = get_logger(__name__)


class SideAgent(Protocol):
    """One side agent, one module."""

    NAME: str
    ROLE: Role
    judge: Callable[[OverheardUtterance], BaseModel]
    """Code's judgement alone. Pure; a few milliseconds."""
    combined: Callable[[OverheardUtterance, Any, Any], tuple[BaseModel, str]]
    """Code's and a model's judgement merged, and why the model's was not taken (empty if it was)."""


SIDE_AGENTS: Mapping[str, SideAgent] = {
    each.NAME: cast("SideAgent", each) for each in (misconception, emotion, milestone, vision)
}
for side_agent in SIDE_AGENTS.values():
    register_role(side_agent.ROLE)
REASON_LENGTH = 200
MODEL_OUTPUT_LENGTH = 8_000
"""Characters of a model's judgement: several times what it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeJudgement:
    """A side agent's judgement by code alone."""

    output: BaseModel
    ms: float
    key: str
    """Key of what was judged, its context and the model: equal ones need not be judged again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAnalysis:
    """A side agent's final judgement."""

    agent: str
    output: BaseModel
    key: str
    status: str = "taken"
    reason: str = ""
    rejected: Mapping[str, Any] | None = None
    reused: bool = False
    ms: float = 0.0
    outcome: Answered | None = None
    """The model's answer, if one was asked."""

    def row(self) -> dict[str, Any]:
        """Return the fields of its `Analysis` row."""
        usage = self.outcome.usage if self.outcome else None
        return {
            "agent": self.agent,
            "key": self.key,
            "output": self.output.model_dump(mode="json"),
            "status": self.status,
            "reason": self.reason[:REASON_LENGTH],
            "rejected": self.rejected,
            "reused": self.reused,
            "ms": round(self.ms, 3),
            "backend": usage.backend if usage and usage.model else "",
            "model": usage.model if usage else "",
            "input_tokens": usage.input_tokens if usage else None,
            "output_tokens": usage.output_tokens if usage else None,
            "cost_usd": usage.cost_usd if usage else None,
        }


def judge_by_code(
    facts: OverheardUtterance, names: Iterator[str] | tuple[str, ...], *, by: Mapping[str, str]
) -> dict[str, CodeJudgement]:
    """Return each side agent's judgement by code; one that fails is left out. `by`: agent → the model that is asked too."""
    found = {}
    for name in names:
        began = time.perf_counter()
        try:
            output = SIDE_AGENTS[name].judge(facts)
        except Exception:
            logger.exception("side_agent_failed", agent=name)
            continue
        ms = (time.perf_counter() - began) * 1000
        found[name] = CodeJudgement(output=output, ms=ms, key=analysis_key(name, facts, by=by.get(name, "")))
    return found


def analysis_key(agent: str, facts: OverheardUtterance, *, by: str) -> str:
    """Return the key of an analysis: the utterance, its context as the agent sees it, and the model."""
    context = [agent, by, facts.course.id, facts.course.version, facts.concept.id, *_context(agent, facts)]
    return hashlib.sha256(json.dumps(context, default=str).encode()).hexdigest()


def _context(agent: str, facts: OverheardUtterance) -> tuple[object, ...]:
    milestone_id = facts.milestone.id if facts.milestone else ""
    drawing = facts.seen.snapshot if facts.seen else ""
    held = sorted((each.id, each.odds) for each in facts.suspicions.values())
    match agent:
        case "misconception":
            said = facts.analysis.misconceptions if facts.analysis else ()
            weighed = held if facts.kind == "answer" else []  # Earlier suspicions belong to no message.
            return facts.text, said, facts.question, facts.answer, facts.correct, drawing, weighed
        case "emotion":
            return facts.exchanges, facts.self_report, facts.mastery, facts.milestone_attempts
        case "milestone":
            read = facts.analysis and (facts.analysis.milestones, facts.analysis.misconceptions)
            return milestone_id, facts.text, read, sorted(facts.said), facts.uses, facts.mastery, held
    # Text on a drawing is read after the first look; then it counts as another drawing.
    written = (facts.seen.text, facts.seen.confidence) if facts.seen else ()
    return drawing, milestone_id, vision.wanted_parts(facts), *written


def combine_analyses(
    facts: OverheardUtterance, own: Mapping[str, CodeJudgement], outcomes: Mapping[str, Outcome]
) -> list[AgentAnalysis]:
    """Return each side agent's final judgement: code's, or both merged if a model's can be taken."""
    return [_analysed(name, facts, mine, outcomes.get(name)) for name, mine in own.items()]


def _analysed(name: str, facts: OverheardUtterance, mine: CodeJudgement, outcome: Outcome | None) -> AgentAnalysis:
    by_code = AgentAnalysis(agent=name, output=mine.output, key=mine.key, ms=mine.ms + (outcome.ms if outcome else 0.0))
    if outcome is None:
        return by_code
    if not isinstance(outcome, Answered):
        status = "rejected" if outcome.message == "LLMInvalidOutput" else "failed"
        return replace(by_code, status=status, reason=outcome.message)
    told = outcome.result
    if told is None or not outcome.usage.model:  # Nobody was asked after all: the plan had decided so.
        return replace(by_code, output=told or mine.output)
    output, reason, rejected = _combined(name, facts, mine.output, told)
    status = "rejected" if reason else "taken"
    return replace(by_code, output=output, status=status, reason=reason, rejected=rejected, outcome=outcome)


def _combined(
    name: str, facts: OverheardUtterance, own: BaseModel, told: BaseModel
) -> tuple[BaseModel, str, Mapping[str, Any] | None]:
    """Return the merged judgement, and if the model's was not taken, why, and what is kept of it."""
    written = told.model_dump_json()
    if len(written) > MODEL_OUTPUT_LENGTH:
        return own, "too long", {"text": written[:MODEL_OUTPUT_LENGTH]}
    combined = SIDE_AGENTS[name].combined
    try:
        # Judged as the model put it: with code's words in place of a leak, a contradiction would no longer show.
        output, reason = combined(facts, own, told)
        if not reason:
            output, reason = combined(facts, own, _without_leaks(told, own, facts.open_question))
    except Exception:
        # Made from a model's words: the other side agents' judgements stand.
        logger.exception("side_agent_answer_unusable", agent=name)
        output, reason = own, "internal error"
    return output, reason, told.model_dump(mode="json") if reason else None


def _without_leaks[Output: BaseModel](told: Output, own: Output, question: OpenQuestion | None) -> Output:
    """Return a model's judgement with code's words where the model's give something of the open question away."""
    if question is None:
        return told
    known = question.supplying(*(value for _name, value in own if isinstance(value, str)))
    return told.model_copy(update={name: getattr(own, name) for name, value in told if _has_leak(value, known)})


def _has_leak(value: object, question: OpenQuestion) -> bool:
    """Tell whether a field contains a sentence; an id or a level does not count."""
    sentences = value if isinstance(value, list | tuple) else (value,)
    return any(isinstance(each, str) and " " in each and find_leak(each, question) for each in sentences)
