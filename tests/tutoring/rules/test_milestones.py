"""When a milestone is reached: said in one's own words, used without help, and not contradicted."""

import pytest

from tutoring.courses.catalogue import Application, Milestone
from tutoring.grading import Idea
from tutoring.rules.milestones import behind, best_said, is_in_own_words, is_reached, still_to_say

SAME_SIZE = Milestone(
    id="same-size",
    concept="one-half",
    title="Compares sizes",
    ideas=(Idea(any=("same size",), weight=0.75, name="size"), Idea(any=("two",), weight=0.25, name="count")),
    contradicts=("two_pieces",),
    apply=Application(items=("oh-*",), unassisted=1),
)
COUNTS = Milestone(id="counts", concept="one-half", title="Counts", apply=Application(items=("oh-count",)))
SAID = "there must be two of them and the same size"


def reached(*, said=("same-size",), right_templates=("oh-make",), suspected=()):
    return is_reached(SAME_SIZE, said=said, right_templates=right_templates, suspected=suspected)


def test_milestone_needs_the_idea_its_use_and_no_contradiction():
    assert reached()
    assert not reached(said=())
    assert not reached(right_templates=("uf-make",))
    assert not reached(suspected=("two_pieces",))


def test_repeating_what_the_tutor_said_is_no_insight():
    told = "Remember that halves are two parts and the same size, always."
    assert not is_in_own_words("halves are two parts and the same size", told=[told])
    assert is_in_own_words(SAID, told=[told])


@pytest.mark.parametrize("words", ["same size", "two", "", "two the same size"])
def test_few_words_show_no_understanding(words):
    assert not is_in_own_words(words, told=[])


def test_right_answer_is_explained_for_the_milestone_that_waits_for_it_and_once():
    both = (SAME_SIZE, COUNTS)
    assert behind(both, template="oh-count", said=(), asked=()) == (SAME_SIZE, True)
    assert behind(both, template="oh-count", said=("same-size",), asked=()) == (COUNTS, True)
    assert behind(both, template="oh-count", said=("same-size",), asked=("counts",)) == (SAME_SIZE, False)
    assert behind(both, template="oh-make", said=("same-size",), asked=("same-size",)) == (None, False)
    assert behind(both, template="uf-make", said=(), asked=()) == (None, False)


def test_what_is_still_to_say_is_what_was_not_said():
    assert still_to_say((SAME_SIZE, COUNTS), said=("same-size",)) == (COUNTS,)


def test_words_that_say_the_most_are_kept_and_of_equals_the_latest():
    assert best_said([SAME_SIZE], "", "two of them", SAID, "so two") == SAID
    assert best_said([SAME_SIZE], "it is two", "they are two") == "they are two"
