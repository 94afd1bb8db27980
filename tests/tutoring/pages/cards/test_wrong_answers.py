"""What a card says to a wrong answer: which parts are right, and the idea behind it."""

from html import unescape

import pytest

from conversations.models import Turn
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.cards.test_question_kinds import put, right
from tests.tutoring.pages.views.test_answers import post, shown
from tests.tutoring.small_course import ask, choice, describe, numeric
from tutoring.grading import MatchKey, MultiKey, NumericKey, OrderKey, SetKey, key_to_json
from tutoring.models import Course, Question
from tutoring.pages.cards.named_values import order_of_names
from tutoring.pages.cards.right_parts import right_parts

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

THREE = (("A", "x"), ("B", "y"), ("C", "z"), ("D", "w"))
ROWS = (("A", "one half"), ("B", "a long text " * 5), ("C", "one third"))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("B", "B doesn’t fit."),
        ("BD", "B and D don’t fit."),
        ("A", "A: right so far. There is 1 more that fits."),
        ("AB", "A is right, but something else you chose doesn’t fit."),
        ("ABC", "A and C are right, but something else you chose doesn’t fit."),
    ],
)
def test_of_several_choices_the_right_ones_are_named(chosen, said):
    key = key_to_json(MultiKey(right=frozenset("AC"), options=THREE))
    assert right_parts(key, answer="", chosen=tuple(chosen)) == said


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (("A=2", "B=3", "C=1"), "None of the pairs are right yet."),
        (("A=1", "B=3", "C=2"), "Right so far: “one half”. Look at the other rows again."),
        (("A=1", "B=2", "C=1"), "Right so far: “one half” and row 2. Look at the other rows again."),
    ],
)
def test_of_pairs_the_right_rows_are_named(chosen, said):
    key = key_to_json(MatchKey(right=(("A", "1"), ("B", "2"), ("C", "3")), rows=ROWS))
    assert right_parts(key, answer="", chosen=chosen) == said


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("BCDA", "Nothing is in the right place yet. Compare two items that are next to each other."),
        ("ACBD", "Positions 1 and 4 are right. Compare the others with each other."),
        ("ACDB", "Position 1 is right. Compare the others with each other."),
    ],
)
def test_of_an_order_the_right_places_are_named(chosen, said):
    key = key_to_json(OrderKey(right=tuple("ABCD"), options=THREE))
    assert right_parts(key, answer="", chosen=tuple(chosen)) == said


def test_of_several_values_the_right_ones_are_named():
    key = key_to_json(SetKey(values=("2", "3", "5")))
    assert right_parts(key, answer="3, 4, 2", chosen=()).startswith("Right so far: 2 and 3.")
    assert right_parts(key, answer="7", chosen=()) == ""


@pytest.mark.parametrize(
    ("names", "answer", "said"),
    [
        (("mean", "median"), "median 7, mean 10", "Right so far: median = 7."),
        (("mean", "median"), "7, 11", "you wrote 7 for the mean and 11 for the median."),
        (("Q1", "group X"), "7, 11", "you wrote 7 for Q1 and 11 for group X."),
        (("mean", "median"), "7, 12", ""),
    ],
)
def test_of_named_values_the_right_and_the_swapped_ones_are_named(names, answer, said):
    told = right_parts(key_to_json(SetKey(values=("11", "7"), names=names)), answer=answer, chosen=())
    assert said in told
    assert bool(said) == bool(told)


def test_three_swapped_values_are_not_listed():
    key = key_to_json(SetKey(values=("4", "5", "6"), names=("mean", "median", "mode")))
    told = right_parts(key, answer="5, 4, 6", chosen=())
    assert told == "You have the right values, but not all of them in the right order."


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("mean", "median"), "Write the mean first, then the median, with a comma between them."),
        (("x", "y"), "Write x first, then y, with a comma between them."),
        (("Q1", "median", "Q3"), "Write Q1, the median and Q3 in this order, with commas between them."),
    ],
)
def test_names_tell_the_order(names, told):
    assert order_of_names(names) == told


def test_card_names_the_right_places_of_an_order(ada):
    question = put(ada, "p-order")
    letters = list(right(question))
    swapped = dict(zip(letters, ["1", "2", "4", "3"], strict=True))
    page = unescape(shown(post(ada, question, **swapped)[0]))
    assert "Positions 1 and 2 are right. Compare the others with each other." in page


class TestIdeaBehind:
    def test_wrong_choice_gets_what_the_course_noticed(self, ada):
        question = ask(ada, choice())
        describe(Course.objects.get(), "two_pieces", noticed="You counted two pieces as halves.")
        response, _ = post(ada, question, answer="A")
        assert "You counted two pieces as halves." in shown(response)

    def test_without_such_words_its_statement_is_told(self, ada):
        response, _ = post(ada, ask(ada, choice()), answer="A")
        assert "Maybe you thought: two_pieces says" in shown(response)

    def test_answer_that_two_ideas_may_explain_is_not_explained(self, ada):
        question = ask(ada, numeric(wrong={"2": ("counts_shaded", "two_pieces")}))
        response, _ = post(ada, question, answer="2")
        assert "Maybe you thought" not in shown(response)

    def test_closed_card_does_not_tell_it_again_after_the_same_answer(self, ada):
        question = ask(ada, choice())
        post(ada, question, answer="A")
        Turn.objects.update(status="done")
        page = shown(post(ada, question, answer="A", idempotency_key="k2")[0])
        assert "Two of four equal parts" in page
        assert "two_pieces says" not in page

    def test_giving_up_is_not_explained(self, ada):
        question = ask(ada, choice())
        page = shown(post(ada, question, action="give_up")[0])
        assert "Maybe you thought" not in page
        assert Question.objects.get().status == "answered"
        assert "· shown" in page

    def test_a_result_on_the_way_is_told_as_such(self, ada):
        solution = ("3 × 60 = 180", "180 + 45 = 225")
        question = ask(ada, numeric(key=NumericKey(value="225"), wrong={}, solution=solution))
        assert "You’re on the way: 3 × 60 = 180. What comes next?" in shown(post(ada, question, answer="180")[0])
