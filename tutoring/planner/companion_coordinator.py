"""Asks a connected model which of the companion's agents a message is for, where the classifier is not certain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.engine.events import Event
from agents.engine.graph import Graph
from agents.engine.outcomes import Answered
from agents.engine.registry import register_role
from agents.engine.roles import ChatMessage, Plan, Request, Role, Tier
from agents.engine.runner import NO_PROMPT_OVERRIDES, run
from agents.engine.speaker import PlanSpeaker, Speaker, find_prompt_quotation
from agents.llm.offline import OfflineBackend
from agents.llm.prompt import Prompt, read_prompt
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles.coordinator import single_line

NAME: Final = "companion_coordinator"
# The learner waits for it, as for the reading of a message; after that the classifier's guess is the better answer.
TIME_LIMIT_S: Final = 2.0
"""Seconds to wait for a model."""
# Longer messages do not fit into two seconds.
MOST_READ: Final = 4_000
"""Characters of the message that the model sees."""
AGENT_DESCRIPTIONS: Final = {
    "task": "things to do: homework, to-dos, reminders, deadlines, priorities, checklists, shopping and packing lists",
    "event": "the calendar: appointments, tests, lessons and training at a time, free time, planned study sessions",
    "food": "meals: what was eaten or is planned, ratings, patterns, ideas for meals from what was eaten before",
    "memory": "notes: what is to be remembered, and questions about what was remembered",
    "none": "none of them: lessons, questions about a topic, exercises and word problems, small talk, the world",
}


class CompanionAnswer(BaseModel):
    """Which of the companion's agents a message is for. The reason is a model's own words; see `reason_of`."""

    model_config = ConfigDict(frozen=True)

    agent: Literal["task", "event", "food", "memory", "none"]
    reason: str = Field("", exclude=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingQuestion:
    """The facts of a request to the model."""

    current: str = ""
    """The agent that served the message before; empty for none."""


def plan(request: Request) -> Plan:
    """Leave it to a model: without one, nothing is said."""
    agents = "\n".join(f"- {name}: {served}" for name, served in AGENT_DESCRIPTIONS.items())
    current = request.facts.current if isinstance(request.facts, RoutingQuestion) else ""
    before = f"The message before was served by: {current}." if current else "No agent is serving anything yet."
    return Plan(background=f"{before}\nWho may serve it:\n{agents}")


async def ask(
    text: str,
    *,
    speakers: Mapping[Tier, Speaker],
    history: Sequence[ChatMessage] = (),
    current: str = "",
    prompts: Mapping[str, Prompt] = NO_PROMPT_OVERRIDES,
) -> CompanionAnswer | None:
    """Return a model's answer; None if no model is connected, or if it is late, fails or breaks the schema. Never raises."""
    speaker = speakers[ROLE.tier]
    if isinstance(speaker, PlanSpeaker) and isinstance(speaker.backend, OfflineBackend):
        return None
    request = build_request(text, history=history, current=current)
    result = await run(GRAPH, request, emit=_ignore_event, speakers=speakers, roles={NAME: ROLE}, prompts=prompts)
    results = (outcome.result for outcome in result.outcomes if isinstance(outcome, Answered))
    return next((each for each in results if isinstance(each, CompanionAnswer)), None)


def build_request(text: str, *, history: Sequence[ChatMessage] = (), current: str = "") -> Request:
    """Return the request about a message in its conversation."""
    return Request(text=text[:MOST_READ], history=tuple(history), facts=RoutingQuestion(current=current))


def reason_of(answer: CompanionAnswer) -> str:
    """Return a model's reason if it may be shown."""
    reason = single_line(answer.reason)
    problem = find_policy_problem(reason, questions=0) or find_prompt_quotation(reason, ROLE.prompt)
    return _("This is how a language model understood the message.") if not reason or problem else reason


def _ignore_event(event: Event) -> None:
    """Routing reports nothing before it has decided."""


ROLE: Final = register_role(
    Role(
        name=NAME,
        label=gettext_lazy("Companion coordinator"),
        purpose=gettext_lazy("works out whether a message is for the planner when rules, words and examples can’t"),
        plan=plan,
        prompt=read_prompt(Path(__file__).parent / "data" / "companion_coordinator.md"),
        result=CompanionAnswer,
        tier="fast",
        timeout_s=TIME_LIMIT_S,
    )
)
GRAPH: Final = Graph(name="companion_routing", root=NAME)
"""Serves no turn: only finds out which agent a message is for."""
