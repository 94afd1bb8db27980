"""What answers show about somebody's learning, and what is missing to say more."""

import pytest

from tests import people
from tests.tutoring.insights.answer_histories import LAST_WEDNESDAY, WEDNESDAY, answer
from tests.tutoring.review_helpers import load_tiny
from tests.tutoring.small_course import ask
from tutoring.insights.learning_history import learning_history, period_history
from tutoring.insights.patterns import LEAST_ANSWERS
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Attempt

pytestmark = pytest.mark.django_db


def test_too_few_answers_show_no_pattern() -> None:
    history = learning_history(people.make_person("ada"))
    assert (history.insights, f"Once you have given {LEAST_ANSWERS}" in history.missing) == ((), True)


def test_idea_behind_several_wrong_answers_is_a_pattern_with_links_to_them() -> None:
    ada = people.make_person("ada")
    for number, answered in enumerate(["2"] * LEAST_ANSWERS + ["7"]):
        record_attempt(ask(ada), learner=ada, answer=answered, idempotency_key=str(number))
    wrong = sum(
        "counts_shaded" in each.misconceptions[:1] for each in Attempt.objects.filter(learner=ada, correct=False)
    )
    (pattern,) = [
        each for each in learning_history(ada).insights if "come from the same wrong idea" in each.description
    ]
    assert f"{wrong} of your" in pattern.description
    assert pattern.type == "pattern"
    assert pattern.importance == round(wrong / (LEAST_ANSWERS + 1), 3)
    showing = Attempt.objects.filter(learner=ada, answer="2").order_by("pk").values_list("pk", flat=True)
    assert [link.rpartition("#answer-")[2] for link in pattern.evidence] == [f"{pk})" for pk in showing]


@pytest.mark.parametrize(
    ("timeframe", "said"),
    [("week", "So far this week, you have given 1 "), ("month", "So far this month, you have given 1 ")],
)
def test_period_with_too_few_answers_says_how_many_there_are(timeframe, said) -> None:
    ada = people.make_person("ada")
    load_tiny()
    answer(ada, "r")
    history = period_history(ada, timeframe, at=WEDNESDAY)
    assert (history.insights, said in history.missing) == ((), True)
    assert f"Once you have given {LEAST_ANSWERS}" in history.missing


def test_period_without_a_pattern_says_so() -> None:
    ada = people.make_person("ada")
    load_tiny()
    answer(ada, "rrrww")
    Attempt.objects.update(misconceptions=[])
    history = period_history(ada, "week", at=WEDNESDAY)
    assert (history.insights, "don’t show a pattern yet" in history.missing) == ((), True)


def test_period_has_its_own_answers_and_links_to_them_by_the_persons_clock() -> None:
    ada = people.make_person("ada", zone="Pacific/Auckland")
    load_tiny()
    answer(ada, "wwwww", at=LAST_WEDNESDAY)
    answer(ada, "rrrrr")
    (best, trend) = period_history(ada, "week", at=WEDNESDAY).insights
    assert (best.type, trend.type, len(best.evidence), len(trend.evidence)) == ("pattern", "trend", 5, 10)
    latest = Attempt.objects.latest("pk").pk
    assert best.evidence[-1] == f"[Halves, 5 March](/progress/tiny/halves/?from={latest}#answer-{latest})"
