"""A learner's way from a goal to the first thing mastered, past all the agents, with whatever model stands behind them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from unittest.mock import patch

from pydantic import ValidationError

from agents.engine import runner
from agents.engine.registry import roles
from agents.engine.roles import Plan, Request, RoleCall, Tier
from agents.engine.speaker import Speaker, SpeechPiece
from conversations.models import Message, Transition
from tests.tutoring.lessons.learners import Learner
from tests.tutoring.lessons.lesson_player import Exchange, Stage
from tests.tutoring.lessons.rubric import answer_leaks
from tutoring.courses.quiz_limits import MAXIMUM_PER_CONCEPT, MAXIMUM_QUESTIONS, MINIMUM_QUESTIONS
from tutoring.lesson import session_state
from tutoring.models import Attempt, Cycle, DiagnosticResult, Goal, Mastery, MasteryChange, Question

GOAL = "I want to learn to add fractions with different denominators"
MOST_TURNS = 60
KEY = "sk-"


AGENTS = ("diagnostic", "tutor", "quiz", "feedback", "pathplanner")
FAILURES = ("raises", "hangs", "says too much", "returns nothing")
"""What one agent does in the middle of a turn, the first time it is its turn."""
TOO_MUCH = "x" * (1 << 20)


@contextmanager
def failing(agent: str, how: str, speakers: Mapping[Tier, Speaker]) -> Iterator[Mapping[Tier, Speaker]]:
    """Let an agent fail once in this way; yield who speaks meanwhile."""
    role, calls = roles[agent], count()

    def plan(request: Request) -> Plan:
        if next(calls):
            return role.plan(request)
        match how:
            case "raises":
                raise RuntimeError("a bug")
            case "says too much":
                return replace(role.plan(request), say=(TOO_MUCH,))
            case "returns nothing":
                return Plan()
        return role.plan(request)

    hanging = {tier: Hanging(speaker, agent if how == "hangs" else "") for tier, speaker in speakers.items()}
    faulty = replace(role, plan=plan, timeout_s=0.1 if how == "hangs" else role.timeout_s)
    with patch.dict(roles, {agent: faulty}), patch.object(runner, "raise_bugs", False):
        yield hanging


class Hanging(Speaker):
    """Speaks as another does, but for one agent's first words, which never come."""

    def __init__(self, speaker: Speaker, agent: str) -> None:
        self.speaker, self.agent = speaker, agent
        self.hung = False

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        if call.role.name == self.agent and not self.hung:
            self.hung = True
            await asyncio.Event().wait()
        async for piece in self.speaker.stream(call):
            yield piece


def play(stage: Stage, *, misses: int = 0, most: int = MOST_TURNS, until: str = "") -> Stage:
    """Name a goal, stop the placement, and learn the path's first concept, so many quiz questions missed at first.

    `until` is a state of the cycle at which to stop, if not at its end.
    """
    if failed(stage.say(GOAL)):
        stage.say(GOAL)
    if stage.question is not None:
        stage.give_up()
    stage.say("that is enough questions")
    stage.say("Let’s start")
    learner = Learner()
    while not is_mastered(stage) and stage.standing.cycle.state != until and len(stage.exchanges) < most:
        question = stage.question
        if question is None or stage.state.get("quiz_paused"):
            learner.reply(stage)
        elif misses and question.purpose == Question.Purpose.QUIZ:
            misses -= 1
            stage.give_up()
        else:
            learner.answer(stage, question)
    return stage


def failed(exchange: Exchange) -> bool:
    """Tell whether nobody answered: the learner is told so, and says it again."""
    return not exchange.events("agent_finished")


def is_mastered(stage: Stage) -> bool:
    """Tell whether the first concept is learned, all of it said, and the path planner has named what comes next."""
    standing = stage.standing
    over = standing.cycle.state == "mastered" and not standing.explaining
    return over and stage.state.get("last_routed_to") == "pathplanner"


def faults(stage: Stage, *, misses: int = 0) -> Iterator[str]:
    """Yield whatever of the stored state is not as it should be after `play`."""
    if not is_mastered(stage):
        yield f"not over after {len(stage.exchanges)} turns: {stage.standing.cycle}"
    yield from _said(stage)
    yield from _asked(stage)
    yield from _learned(stage, misses=misses)
    yield from _planned(stage)
    yield from _shared(stage)


def _said(stage: Stage) -> Iterator[str]:
    replies = Message.objects.filter(session=stage.session, author="team").order_by("turn__number")
    if [row.text for row in replies] != [each.reply for each in stage.exchanges]:
        yield "what is stored is not what was shown"
    for number, exchange in enumerate(stage.exchanges, start=1):
        if not exchange.reply.strip() and not exchange.events("card") and not failed(exchange):
            yield f"turn {number}: nothing was said"
        if KEY in str(exchange.wires):
            yield f"turn {number}: a key was shown"
        if TOO_MUCH[:100] not in exchange.reply and answer_leaks(stage, exchange):
            yield f"turn {number}: the answer was given away in {exchange.reply!r}"
    if Transition.objects.filter(session=stage.session, reason="").exists():
        yield "a transition without a reason"


def _asked(stage: Stage) -> Iterator[str]:
    questions = Question.objects.filter(session=stage.session)
    if (left := questions.filter(status=Question.Status.OPEN).count()) > 1:
        yield f"{left} questions are open"
    twice = [key for key, times in Counter(questions.values_list("turn", "number")).items() if times > 1]
    if twice:
        yield f"asked twice: {twice}"
    for cycle in Cycle.objects.filter(session=stage.session):
        asked = questions.filter(cycle=cycle, purpose="quiz").order_by("opened_at")
        numbers = list(asked.values_list("number", flat=True))
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"cycle {cycle.number}: questions are numbered {numbers}"
        if not MINIMUM_QUESTIONS <= len(numbers) <= MAXIMUM_QUESTIONS:
            yield f"cycle {cycle.number}: {len(numbers)} questions"
        if max(Counter(asked.values_list("concept", flat=True)).values(), default=0) > MAXIMUM_PER_CONCEPT:
            yield f"cycle {cycle.number}: too many questions on one concept"


def _learned(stage: Stage, *, misses: int) -> Iterator[str]:
    cycles = list(Cycle.objects.filter(session=stage.session).order_by("number"))
    if [each.number for each in cycles] != list(range(1, len(cycles) + 1)) or not cycles:
        yield f"cycles are numbered {[each.number for each in cycles]}"
    if any(each.completed_at is None or each.quiz_score is None for each in cycles):
        yield "a cycle was left open"
    if [each.mastery_achieved for each in cycles] != [False] * (len(cycles) - 1) + [True]:
        yield f"mastery of the cycles: {[each.mastery_achieved for each in cycles]}"
    if misses >= MINIMUM_QUESTIONS and len(cycles) < 2:
        yield "a failed cycle was not repeated"
    attempts = Attempt.objects.filter(learner=stage.person, question__purpose="quiz")
    changes = MasteryChange.objects.filter(attempt__in=attempts)
    first = attempts.filter(number=1)
    if changes.count() < first.exclude(question__kind="text").count():
        yield f"{changes.count()} changes of mastery for {first.count()} answers"
    given_up = Attempt.objects.filter(learner=stage.person, gave_up=True).exclude(question__purpose="placement").count()
    if given_up != misses:
        yield f"{given_up} answers given up, not {misses}"
    row = Mastery.objects.filter(learner=stage.person, concept=cycles[0].concept_id).first() if cycles else None
    if row is None or not row.is_mastered:
        yield f"mastery: {row and row.probability}"


def _planned(stage: Stage) -> Iterator[str]:
    goals = list(Goal.objects.filter(learner=stage.person).values_list("concept__slug", "reached_at", "dropped_at"))
    if goals != [("add-unlike", None, None)]:
        yield f"goals: {goals}"
    placed = list(DiagnosticResult.objects.filter(learner=stage.person).values_list("ended", "questions"))
    if placed != [("stopped", 1)]:
        yield f"placements: {placed}"
    if not stage.exchanges[-1].cards("replies"):
        yield "the path planner offers nothing"


def _shared(stage: Stage) -> Iterator[str]:
    try:
        held = session_state.shared_state(stage.state, user_id=str(stage.person.pk), session_id=stage.key)
    except ValidationError as error:
        yield f"the state is not the document's: {error.errors()[0]['loc']}"
        return
    if not held.diagnostic_complete or held.goals != ["add-unlike"] or not held.learning_path:
        yield f"the state's plan: {held.diagnostic_complete}, {held.goals}, {held.learning_path}"
    if held.next_topic not in held.learning_path:
        yield f"next is {held.next_topic!r}, which is not on the path"
    open_ones = {str(pk) for pk in Question.objects.open().filter(session=stage.session).values_list("pk", flat=True)}
    if any(each.expected_answer is not None for each in held.quiz_questions if each.question_id in open_ones):
        yield "the state holds an open question's answer"
    last = Cycle.objects.filter(session=stage.session).order_by("number").last()
    if last is not None and (held.learning_cycle_count, held.quiz_score) != (last.number, last.quiz_score):
        yield f"the state counts {held.learning_cycle_count}, {held.quiz_score}; stored {last.number}, {last.quiz_score}"
