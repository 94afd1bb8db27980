"""Written questions in the quiz: beside the course's own, rarely, once, and told for what they are."""

from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from django.test import Client

from conversations.models import Turn
from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import solve
from tests.tutoring.lessons.lesson_player import Stage
from tests.tutoring.question_writing.drafts import CHOICE, NUMERIC, draft
from tutoring.courses.exercises.exercise import is_written
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.records.milestones import milestones_reached
from tutoring.models import Question, WrittenQuestion
from tutoring.pages.cards.question_context import question_context
from tutoring.roles.quizzes import question_selection

pytestmark = pytest.mark.django_db
FRIENDS = ("Mina", "Tom", "Lea", "Max", "Eva", "Jon", "Ida", "Ben")


@pytest.fixture
def written(half):
    """Eight questions, some harder to expect than others."""
    drafts = [
        draft(CHOICE if place % 3 == 0 else NUMERIC, difficulty=("easy", "medium", "hard")[place % 3])
        for place in range(len(FRIENDS))
    ]
    return [
        WrittenQuestion.objects.create(
            concept=half, status="checked", item=each.model_dump(mode="json") | {"stem": f"{name}: {each.stem}"}
        )
        for name, each in zip(FRIENDS, drafts, strict=True)
    ]


@pytest.fixture
def stage(half, settings):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}
    stage = Stage(people.make_person("ada", level="beginner"), half)
    stage.open()
    return stage


def facts_of(stage):
    return turn_handler().prepare(Turn.objects.filter(session=stage.session).latest("number")).request.facts


def asked_of(person):
    return list(
        Question.objects.filter(learner=person).order_by("opened_at", "number").values_list("template", flat=True)
    )


def only_written(facts):
    """Return the facts with all of the course's own so easy that a written question tells more."""
    own = [template.id for template in facts.course.concept("one-half").templates]
    return replace(facts, offsets=dict.fromkeys(own, knowledge_tracing.DifficultyOffset(offset=6.0, answers=99)))


def test_checked_questions_are_candidates_like_templates(stage, written):
    facts = facts_of(stage)
    assert [each.template for each in facts.written] == [f"written-{row.pk}" for row in written]
    chosen = question_selection.choose_exercise(only_written(facts), "one-half", 2)
    assert chosen in [row.instance() for row in written]
    assert question_selection.choose_exercise(
        replace(only_written(facts), written=()), "one-half", 2
    ).template.startswith("oh-")


def test_after_a_written_question_comes_one_of_the_courses_own(stage, written):
    facts = replace(only_written(facts_of(stage)), recent_templates=("oh-number", f"written-{written[0].pk}"))
    assert not is_written(question_selection.choose_exercise(facts, "one-half", 2).template)
    facts = replace(facts, recent_templates=(f"written-{written[0].pk}", "oh-number"))
    assert is_written(question_selection.choose_exercise(facts, "one-half", 3).template)


def test_one_that_no_longer_reads_is_left_out(stage, written):
    WrittenQuestion.objects.filter(pk=written[0].pk).update(item={"stem": "What?"})
    assert len(facts_of(stage).written) == len(written) - 1


def test_lessons_ask_them_at_most_every_second_time_and_none_twice(stage, written):
    """Somebody who is right every second time meets everything that there is."""
    for lesson in range(4):
        stage.say("quiz me")
        for _ in range(40):
            if stage.question is None:
                break
            _ = stage.give_up() if stage.question.number % 2 else solve(stage)
        if lesson < 3:
            stage.open()
    asked = asked_of(stage.person)
    seen = [template for template in asked if is_written(template)]
    assert len(set(seen)) == len(seen) > 2
    in_lessons = Question.objects.filter(learner=stage.person).order_by("opened_at")
    for _key, questions in groupby(in_lessons, key=lambda question: question.session_id):
        kinds = [is_written(question.template) for question in questions]
        assert not any(one and following for one, following in pairwise(kinds))


def test_card_says_who_wrote_it_and_the_courses_own_say_nothing(stage, written):
    stage.say("quiz me")
    own = stage.question
    row = written[0]
    own.template, own.stem = f"written-{row.pk}", row.instance().stem
    assert question_context(own)["is_written"] is True
    own.save()
    client = Client()
    client.force_login(stage.person)
    page = client.get(stage.session.get_absolute_url()).text
    assert "A language model wrote this question" in page
    Question.objects.filter(pk=own.pk).update(template="oh-number")
    assert "A language model wrote" not in client.get(stage.session.get_absolute_url()).text


def test_answer_to_a_written_question_reaches_no_milestone(stage, written):
    stage.say("quiz me")
    milestone = stage.concept.value().milestones[0]
    assert all(not is_written(item) for item in milestone.apply.items)
    Question.objects.filter(pk=stage.question.pk).update(template=f"written-{written[0].pk}")
    said = [each.id for each in stage.concept.value().milestones]
    before = milestones_reached(stage.person.pk, stage.concept, said=said, suspicions={})
    solve(stage)
    assert milestones_reached(stage.person.pk, stage.concept, said=said, suspicions={}) == before
