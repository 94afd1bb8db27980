"""The worked example whose result the learner fills in."""

import pytest

from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.views.test_answers import post, shown
from tests.tutoring.small_course import HINTS, ask, numeric
from tutoring.models import Attempt, Question
from tutoring.pages.cards.example_lines import open_line

EXAMPLE = "A rope of 16 m is cut in two. How long is one half?\n\nOne half of 16 m: 16 ÷ 2 = 8\n\nSo it is 8 m long."


@pytest.mark.parametrize(
    ("example", "before", "value", "rest"),
    [
        (EXAMPLE, "One half of 16 m: 16 ÷ 2 = ", "8", 1),
        ("Of 20.\n\n20 ÷ 5 = 4\n\nCheck: 4 × 5 = 20", "20 ÷ 5 = ", "4", 1),
        ("Two bars.\n\n1/5 = 2/10 and 3/10\n\n2/10 + 3/10 = 5/10", "2/10 + 3/10 = ", "5/10", 0),
        ("Five thirds.\n\n5/3 = 1 2/3", "5/3 = ", "1 2/3", 0),
        ("Ten floors down.\n\nBelow the street is negative.\n\nThe floor is −10.", "The floor is ", "−10", 0),
        ("Colder.\n\n3 − 5 = −2", "3 − 5 = ", "−2", 0),
        ("Two cakes.\n\nTwo people share one.\n\nSo 1/2 is more.", "So ", "1/2", 0),
    ],
)
def test_result_is_left_open_where_it_is_first_worked_out(example, before, value, rest):
    found = open_line(example)
    assert found is not None
    assert (found.before, found.value, len(found.rest)) == (before, value, rest)
    assert f"{found.before}{found.value}{found.after}" in example


@pytest.mark.parametrize(
    "example",
    ["Of 6, 3 are half.", "A rope.\n\nThe parts differ.\n\nSo it is not fair.", "A.\n\nSo 1/4 and 2/8 are equal."],
)
def test_example_without_one_result_is_shown_whole(example):
    assert open_line(example) is None


@pytest.mark.parametrize(("typed", "is_right"), [("8", True), ("16 ÷ 2", False), ("7", False), ("x", False)])
def test_line_is_graded_as_an_answer(typed, is_right):
    found = open_line(EXAMPLE)
    assert found is not None
    assert found.is_right(typed) == is_right


@pytest.mark.db
@pytest.mark.django_db
@pytest.mark.usefixtures("quiet_host")
class TestOnTheCard:
    def asked(self, person):
        return ask(person, numeric(hints=(*HINTS[:3], EXAMPLE, HINTS[4])))

    def test_first_press_gives_a_hint_and_the_second_the_example(self, ada):
        question = self.asked(ada)
        first = shown(post(ada, question, action="stuck")[0])
        second = shown(post(ada, question, action="stuck")[0])
        assert ("Look at the parts." in first, "Here is one like it" in first) == (True, False)
        assert "16 ÷ 2 = " in second
        assert "8 m long" not in second
        assert 'name="action" value="line"' in second

    def test_right_line_is_completed_and_counts_as_no_answer(self, ada):
        page = self.completed(ada, "8")
        assert "Right. Now do the same with your question." in page
        assert "So it is 8 m long." in page
        assert not Attempt.objects.exists()
        assert Question.objects.get().is_open

    def test_wrong_line_gets_one_more_try_and_is_then_filled_in(self, ada):
        page = self.completed(ada, "7")
        assert "Not yet. Look at the lines above" in page
        assert "8 m long" not in page
        page = shown(post(ada, Question.objects.get(), action="line", answer="9")[0])
        assert "I’ve filled in the line for you." in page
        assert "So it is 8 m long." in page

    def test_line_before_the_example_changes_nothing(self, ada):
        question = self.asked(ada)
        post(ada, question, action="line", answer="8")
        assert "line" not in Question.objects.get().public

    def completed(self, person, typed):
        question = self.asked(person)
        for _ in range(2):
            post(person, question, action="stuck")
        return shown(post(person, question, action="line", answer=typed)[0])
