"""When a milestone is reached: said in one's own words, used without help, and not contradicted."""

import pytest

from tutoring.courses.catalogue import Application, Milestone
from tutoring.grading import Idea
from tutoring.rules.milestones import in_own_words, is_reached

SAME_SIZE = Milestone(
    id="same-size",
    concept="one-half",
    title="Compares sizes",
    ideas=(Idea(any=("same size",), weight=0.75, name="size"), Idea(any=("two",), weight=0.25, name="count")),
    contradicts=("two_pieces",),
    apply=Application(items=("oh-*",), unassisted=1),
)
SAID = "there must be two of them and the same size"


def reached(*, own_words=(SAID,), right_templates=("oh-make",), suspected=()):
    return is_reached(SAME_SIZE, own_words=own_words, right_templates=right_templates, suspected=suspected)


def test_milestone_needs_the_idea_its_use_and_no_contradiction():
    assert reached()
    assert not reached(own_words=())
    assert not reached(right_templates=("uf-make",))
    assert not reached(suspected=("two_pieces",))


def test_repeating_what_the_tutor_said_is_no_insight():
    told = "Remember that halves are two parts and the same size, always."
    assert in_own_words([(False, told), (True, "halves are two parts and the same size")]) == []
    assert in_own_words([(False, told), (True, SAID)]) == [SAID]


def test_learner_who_said_it_first_is_no_echo():
    assert in_own_words([(True, SAID), (False, f"You said: {SAID}")]) == [SAID]


@pytest.mark.parametrize("words", ["same size", "two", "", "two the same size"])
def test_few_words_show_no_understanding(words):
    assert in_own_words([(True, words)]) == []
