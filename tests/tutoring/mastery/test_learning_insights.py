"""What answers show about somebody's learning, and what is missing to say more."""

import pytest

from tests import people
from tests.tutoring.small_course import ask
from tutoring.mastery.records.learning_insights import LEAST_ANSWERS, learning_history
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Attempt

pytestmark = pytest.mark.django_db


def test_too_few_answers_show_no_pattern() -> None:
    history = learning_history(people.make_person("ada").pk)
    assert (history.insights, f"From {LEAST_ANSWERS} on" in history.missing) == ((), True)


def test_idea_behind_several_wrong_answers_is_a_pattern_with_links_to_them() -> None:
    ada = people.make_person("ada")
    for number in range(LEAST_ANSWERS):
        record_attempt(ask(ada), learner=ada, answer="2", idempotency_key=str(number))
    wrong = sum(
        "counts_shaded" in each.misconceptions[:1] for each in Attempt.objects.filter(learner=ada, correct=False)
    )
    (pattern,) = [each for each in learning_history(ada.pk).insights if "come from one wrong idea" in each.description]
    assert f"{wrong} of your" in pattern.description
    assert pattern.type == "pattern"
    assert 0 < (pattern.importance or 0) <= 1
    keys = set(Attempt.objects.filter(learner=ada).values_list("pk", flat=True))
    assert all(any(f"#answer-{key})" in link for key in keys) for link in pattern.evidence)
