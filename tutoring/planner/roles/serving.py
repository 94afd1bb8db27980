"""How a planner agent serves its part of a message: one tool for each request, told in the tools' words.

What is missing is asked back, one question at a time. The parts of a plan follow from the results of the tools before.
"""

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from agents.engine.events import HandedOff
from agents.engine.roles import Decided, Plan, PlannedToolUse, PlanPart, Request, Wording
from agents.tools import ToolResult
from conversations.cards import reply_buttons
from tutoring.lesson.turn_results import spoke_before
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.planner.facts import CompanionFacts, CompanionTurn, next_agent, requests_for, turns_before
from tutoring.planner.requests.guesses import guess_request
from tutoring.planner.roles.questions import question_for, unclear_question
from tutoring.planner.roles.tool_uses import tool_for
from tutoring.planner.tools.results import FoundRow, PlannerResult
from tutoring.planner.values import SHARED, AgentName, AskedBack, PlannerRequest, RowRef

MOST_AT_ONCE: Final = 8
"""Requests that an agent serves in a turn: it may use this many tools (`agents.engine.toolbox`)."""
UNDO: Final = gettext_lazy("Undo that")
_ABOUT_SUBJECT: Final = re.compile(r"\b(?:about|on|in) ([\w ]{3,40})$")
ABOUT: Final = {
    "task": gettext_lazy("The message also asks for a task."),
    "event": gettext_lazy("The message also asks for the calendar."),
    "food": gettext_lazy("The message also asks about a meal."),
    "memory": gettext_lazy("The message also asks about something to remember."),
}
FOUND_ELSEWHERE: Final = {
    "task": gettext_lazy("There is a task of this name."),
    "event": gettext_lazy("There is an event of this name."),
}
UNREADABLE: Final = gettext_lazy("I couldn’t make sense of that. Can you say it in other words?")
TASK_FOR_MODEL: Final = (
    "Serve what the person wants of their planner with your tools, in at most three short sentences. Use a tool that "
    "changes something only if they ask for it. Say what was done, with days and times as the tools give them. If something "
    "is missing, ask for it in one question."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Serving:
    """What has been served so far."""

    agent: AgentName
    request: Request
    rest: tuple[PlannerRequest, ...]
    texts: int = 0
    """How many texts were said."""
    turn: CompanionTurn = field(default_factory=CompanionTurn)
    options: tuple[str, ...] = ()

    def noted(self, **fields: object) -> "_Serving":
        return replace(self, turn=self.turn.model_copy(update=fields))


def companion_plan(request: Request, *, agent: AgentName) -> Plan:
    """Return how an agent serves its part of the message."""
    wanted = requests_for(agent, request)[:MOST_AT_ONCE]
    spoke = spoke_before(request.results.values())
    serving = _Serving(agent=agent, request=request, rest=wanted, texts=int(spoke))
    return Plan(say=_serve(serving), background=_background(request), result=CompanionTurn(spoke=True))


def _offers_to_prepare(serving: _Serving) -> list[str]:
    """Return the wish to learn what a new test is about: "I have a test about fractions on Friday"."""
    wanted = serving.turn.last_request
    if wanted is None or (wanted.action, wanted.kind) != ("create", "test"):
        return []
    subject = _ABOUT_SUBJECT.search(wanted.title)
    return [_("Help me learn %(subject)s") % {"subject": subject[1]}] if subject else []


def _background(request: Request) -> str:
    facts: CompanionFacts = request.facts
    return f"It is {facts.now:%A %d %B %Y, %H:%M} for the person ({facts.now.tzinfo})."


def _serve(serving: _Serving) -> tuple[PlanPart, ...]:
    """Return the parts for the requests that are left."""
    if not serving.rest:
        return _closing(serving)
    wanted, serving = serving.rest[0], replace(serving, rest=serving.rest[1:])
    if wanted.action == "drop":
        return _said(serving, _("All right, I’ll leave it."))
    if wanted.action == "advice":
        return _said(
            serving,
            _(
                "That is a question for your parents, a doctor or a dietitian: I don’t give advice on health. I can note what "
                "you eat, and tell you what you liked."
            ),
        )
    if wanted.action == "unclear":
        return _unclear(serving, wanted)
    if wanted.missing:
        return _asked(serving, wanted)
    try:
        call = tool_for(wanted, serving.request.facts)
    except ValidationError:
        call = None
    if call is None:
        return _said(serving, str(UNREADABLE))
    tool, arguments = call
    return (PlannedToolUse(tool=tool, arguments=arguments, then=partial(_after, serving, wanted)),)


def _after(serving: _Serving, wanted: PlannerRequest, found: ToolResult | str) -> tuple[PlanPart, ...]:
    """Return what follows from a tool's result."""
    if not isinstance(found, PlannerResult):
        return _said(
            serving, found if isinstance(found, str) and found else _("That didn’t work. Nothing was changed.")
        )
    if found.status == "choose":
        rows = tuple(_ref(each) for each in found.rows)
        asked = AskedBack(
            request=wanted, missing="which", options=tuple(found.options), rows=rows, question=found.words
        )
        return _with_question(serving, wanted, asked)
    if found.status == "none":
        return _not_found(serving, wanted, found)
    turn = serving.turn
    if found.status == "done":
        turn = turn.model_copy(
            update={
                "rows": [*turn.rows, *(found.rows[:1] if wanted.action != "plan_study" else [])],
                "changes": [*turn.changes, *([found.change] if found.change else [])],
            }
        )
    listed = found.rows if found.status == "found" else turn.listed
    turn = turn.model_copy(update={"actions": [*turn.actions, wanted.action], "listed": listed, "last_request": wanted})
    return _said(replace(serving, turn=turn), found.words)


def _not_found(serving: _Serving, wanted: PlannerRequest, found: PlannerResult) -> tuple[PlanPart, ...]:
    if found.elsewhere and not wanted.row and wanted.action in SHARED and _may_take(serving, found.elsewhere):
        # A task of that name may be an event, and the other way round: who has it serves the request.
        handed = replace(wanted, agent=found.elsewhere)
        reason = str(FOUND_ELSEWHERE.get(found.elsewhere, ABOUT[found.elsewhere]))
        turn = serving.turn.model_copy(
            update={"hand_off": found.elsewhere, "handed": (*serving.turn.handed, handed), "reason": reason}
        )
        return _serve(replace(serving, turn=turn))
    if wanted.action == "create" and wanted.before:
        # The event before which the reminder should come is in no calendar.
        again = replace(wanted, missing=("when",), before="")
        return _with_question(serving, wanted, AskedBack(request=again, missing="when", question=found.words))
    acted = serving.turn.model_copy(update={"actions": [*serving.turn.actions, wanted.action]})
    return _said(replace(serving, turn=acted), found.words)


def _may_take(serving: _Serving, agent: str) -> bool:
    request = serving.request
    return agent not in request.results and agent not in request.failed and agent != serving.agent


def _ref(row: FoundRow) -> RowRef:
    return RowRef(agent=row.agent, id=row.id, title=row.title)


def _unclear(serving: _Serving, wanted: PlannerRequest) -> tuple[PlanPart, ...]:
    """Return the question what the agent should do; a connected model serves the message with the agent's tools."""
    facts: CompanionFacts = serving.request.facts
    words, options = unclear_question(wanted.agent)
    guess = guess_request(wanted.agent, wanted.quote, facts.now)
    if guess is not None and not guess.missing:
        return _serve(replace(serving, rest=(guess, *serving.rest)))
    if guess is not None and serving.turn.asked is None:
        asked = question_for(guess, facts.now)
        words, options = asked.question, asked.options
        serving = serving if facts.has_model else serving.noted(asked=asked)
    wording = Wording(
        words=words,
        task=TASK_FOR_MODEL,
        guard=partial(find_policy_problem, questions=1),
        may_use_tools=True,
        lead="\n\n" if serving.texts else "",
    )
    # The model's own words decide what is open: they may have served everything.
    options = () if facts.has_model else options
    serving = replace(serving, texts=serving.texts + 1, options=serving.options + options)
    return (wording, *_serve(serving.noted(actions=[*serving.turn.actions, "unclear"])))


def _asked(serving: _Serving, wanted: PlannerRequest) -> tuple[PlanPart, ...]:
    return _with_question(serving, wanted, question_for(wanted, serving.request.facts.now))


def _with_question(serving: _Serving, wanted: PlannerRequest, asked: AskedBack) -> tuple[PlanPart, ...]:
    """Return the question, unless another one was asked in this turn: then it waits for its turn."""
    if serving.turn.asked is not None or any(each.asked is not None for each in turns_before(serving.request)):
        return _serve(
            serving.noted(
                waiting=(
                    *serving.turn.waiting,
                    replace(asked.request, missing=asked.request.missing or (asked.missing,)),
                )
            )
        )
    options = serving.options + asked.options
    serving = replace(serving.noted(asked=asked), options=options)
    return _said(serving, asked.question)


def _said(serving: _Serving, words: str) -> tuple[PlanPart, ...]:
    """Return a text as a paragraph of its own, and what comes after it."""
    text = ("\n\n" if serving.texts else "") + words.strip()
    return (text, *_serve(replace(serving, texts=serving.texts + 1)))


def _closing(serving: _Serving) -> tuple[PlanPart, ...]:
    """Return the handover to the next agent, or the buttons at the end; and the result."""
    turn = serving.turn
    facts: CompanionFacts = serving.request.facts
    following = next_agent(serving.request, without=serving.agent, named=turn.hand_off, handed=turn.handed)
    result = turn.model_copy(update={"spoke": serving.texts > 0})
    if following is not None:
        reason = turn.reason if following == turn.hand_off else str(ABOUT[following])
        handover = HandedOff(from_agent=serving.agent, to=following, reason=reason)
        return (handover, Decided(result=result))
    earlier = turns_before(serving.request)
    options = list(serving.options)
    for each in earlier:
        options += list(each.asked.options) if each.asked is not None else []
    if turn.changes or any(each.changes for each in earlier):
        options += [*_offers_to_prepare(serving), str(UNDO)]
    buttons = (reply_buttons(list(dict.fromkeys(options)), turn_id=facts.turn_id),) if options else ()
    return (*buttons, Decided(result=result))
