"""No prompt holds the answer of an open question: what a model was not told, nobody talks it into telling."""

from collections.abc import Iterator

import pytest

from agents.engine.model_requests import request_for_wording
from agents.engine.roles import Request, Role, RoleCall, Wording
from tests.tutoring.obedient_model import LESSON_KEY, facts_of
from tests.tutoring.output_checks.leaking_texts import every_exercise
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading.keys import ChoiceKey, MultiKey, TextKey
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.state import lesson_to_json
from tutoring.roles import quiz, tutor
from tutoring.roles.speech.prompt_background import right_answer_text


def told(role: Role, facts: LessonFacts) -> Iterator[str]:
    """Yield what a model is told for each wording of a role's plan."""
    request = Request(text=facts.text, facts=facts, state={LESSON_KEY: lesson_to_json(facts.lesson)})
    call = RoleCall(role=role, request=request, plan=role.plan(request))
    for place, part in enumerate(call.plan.say):
        if isinstance(part, Wording) and part.task:
            yield request_for_wording(call, place).system


def secrets(exercise: Exercise) -> list[str]:
    match exercise.key:
        case ChoiceKey(right=right, options=options):
            return [f"{right}: {dict(options)[right]}"]
        case MultiKey(right=right, options=options):
            return [f"{letter}: {dict(options)[letter]}" for letter in right]
        case TextKey(references=references, ideas=ideas):
            return [*references, *(idea.name for idea in ideas if idea.name)]
    # A prompt has whole numbers of its own: "at most 40 words".
    return [answer] if "/" in (answer := right_answer_text(exercise)) else []


@pytest.mark.parametrize("role", [quiz.ROLE, tutor.ROLE], ids=lambda role: role.name)
@pytest.mark.parametrize("number", range(4))
def test_prompt_of_an_open_question_holds_no_answer(role: Role, number: int) -> None:
    asked = 0
    for exercise in every_exercise(seed=number):
        facts = facts_of(exercise, "give me a hint", number=number)
        known = f"{exercise.stem}\n{exercise.hints[:number]}\n{facts.concept.summary}"
        for system in told(role, facts):
            asked += 1
            assert [each for each in secrets(exercise) if each in system and each not in known] == []
    assert asked > 20
