"""What the answers of a week, a month or a conversation show. Every number can be counted again from the evidence."""

import random
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, timedelta

import pytest

from conversations.models import Session
from tests.tutoring.insights.answer_histories import LAST_WEDNESDAY, WEDNESDAY, answer
from tests.tutoring.review_helpers import load_tiny
from tutoring.insights.calendar_periods import period_at
from tutoring.insights.counted_answers import AnswerInsight
from tutoring.insights.patterns import LEAST_ANSWERS
from tutoring.insights.period_insights import insights_of_period, insights_of_session
from tutoring.models import Attempt, MasteryChange, Question

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _course(db):
    load_tiny()


def found_in(person, timeframe="week", at=WEDNESDAY):
    return insights_of_period(person.pk, period_at(at, timeframe=timeframe, zone=UTC))


def told(person, **given):
    return [each.description for each in found_in(person, **given).insights]


def counts_in(answers: Sequence[Attempt]) -> Iterator[int]:
    """Yield what can be counted in the answers: all, right ones, and the share of right ones in percent."""
    right = sum(each.correct for each in answers)
    yield from (len(answers), right, round(100 * right / len(answers)) if answers else 0)


def recounted(insight: AnswerInsight) -> set[int]:
    """Return all numbers that the evidence allows: of all answers, of each topic, and before and after the Monday."""
    monday = period_at(WEDNESDAY, timeframe="week", zone=UTC).start
    groups = [list(insight.answers)]
    for topic in {each.question.concept for each in insight.answers}:
        groups.append([each for each in insight.answers if each.question.concept == topic])
    groups.append([each for each in insight.answers if each.created_at >= monday])
    groups.append([each for each in insight.answers if each.created_at < monday])
    return {count for group in groups for count in counts_in(group)}


def test_too_few_answers_show_nothing(ada):
    answer(ada, "w" * (LEAST_ANSWERS - 1))
    found = found_in(ada)
    assert (found.answers, list(found.insights)) == (LEAST_ANSWERS - 1, [])


def test_topic_that_went_well_is_named_with_its_answers(ada):
    answer(ada, "rrrrw")
    (insight,) = found_in(ada).insights
    assert insight.description == "*Halves* went well: you got 4 of 5 answers right without help."
    assert {each.pk for each in insight.answers} == set(Attempt.objects.values_list("pk", flat=True))
    assert (insight.type, insight.importance) == ("pattern", 0.8)


def test_topic_that_was_hard_is_named(ada):
    answer(ada, "wwrww")
    assert "*Halves* was hard: you got 1 of 5 answers right without help." in told(ada)


def test_topic_in_between_is_not_named(ada):
    answer(ada, "rrrww")
    assert not [each for each in told(ada) if "Halves" in each]


def test_hard_topic_on_a_hard_one_is_a_connection(ada):
    answer(ada, "www")
    answer(ada, "wwr", slug="adding")
    (connection,) = [each for each in found_in(ada).insights if each.type == "connection"]
    assert connection.description == (
        "*Adding parts* builds on *Halves*, and both were hard. You got 1 of 3 questions right on *Adding parts*, and "
        "0 of 3 on *Halves*."
    )
    assert [each.title for each in connection.connects or ()] == ["Adding parts", "Halves"]
    assert len(connection.answers) == 6


def test_trend_compares_with_the_week_before(ada):
    answer(ada, "rrwwww", at=LAST_WEDNESDAY)
    answer(ada, "rrrwr")
    (trend,) = [each for each in found_in(ada).insights if each.type == "trend"]
    assert trend.description == ("You got 80% of your answers right (4 of 5), up from 33% (2 of 6) the week before.")
    assert len(trend.answers) == 11


def test_trend_downward_is_told_as_one(ada):
    answer(ada, "rrrrr", at=LAST_WEDNESDAY)
    answer(ada, "rrrww")
    assert "You got 60% of your answers right (3 of 5), down from 100% (5 of 5) the week before." in told(ada)


def test_month_compares_with_the_month_before(ada):
    answer(ada, "wwwww", at=LAST_WEDNESDAY)
    answer(ada, "rrrrr")
    (trend,) = [each for each in found_in(ada, timeframe="month").insights if each.type == "trend"]
    assert trend.description.endswith("up from 0% (0 of 5) the month before.")


def test_answers_of_other_weeks_and_people_do_not_count(ada, ben):
    answer(ada, "rrrr", at=LAST_WEDNESDAY)
    answer(ben, "rrrr")
    answer(ada, "r", at=WEDNESDAY + timedelta(days=7))
    answer(ada, "r")
    assert found_in(ada).answers == 1


def test_answers_with_help_of_placements_and_left_out_ones_do_not_count(ada):
    answer(ada, "rrrrrr")
    first, second, third, *_others = Attempt.objects.order_by("pk")
    Attempt.objects.filter(pk=first.pk).update(assisted=True)
    Question.objects.filter(pk=second.question_id).update(purpose=Question.Purpose.PLACEMENT)
    MasteryChange.objects.filter(attempt=third).update(left_out=True)
    assert found_in(ada).answers == 3


def test_short_quiz_is_enough_for_a_conversation(ada):
    answer(ada, "rr")
    session = Session.objects.get()
    assert list(insights_of_session(session).insights) == []
    answer(ada, "r")
    assert len(insights_of_session(session).insights) == 1


def test_conversation_has_the_insights_of_its_own_answers(ada):
    answer(ada, "rrrrr")
    elsewhere = Session.objects.create(owner=ada, key="elsewhere")
    found = insights_of_session(Session.objects.get(key="lesson"))
    assert (found.answers, [each.type for each in found.insights]) == (5, ["pattern"])
    assert insights_of_session(elsewhere).answers == 0


@pytest.mark.parametrize("seed", range(12))
def test_every_number_can_be_counted_again_from_the_evidence(ada, seed):
    chance = random.Random(seed)
    for at in (LAST_WEDNESDAY, WEDNESDAY):
        for slug in ("halves", "adding"):
            answer(ada, "".join(chance.choices("rw", k=chance.randint(0, 7))), at=at, slug=slug)
    for insight in found_in(ada).insights:
        numbers = {int(each) for each in re.findall(r"(?<![/\w])\d+(?![/\w])", insight.description)}
        assert numbers <= recounted(insight), insight.description
        assert 0 <= insight.importance <= 1
        assert insight.answers
