"""Which milestones are still to be said, and which of them an answer is about."""

from tutoring.courses.catalogue import ApplicationRule, Milestone
from tutoring.grading import Idea
from tutoring.mastery.milestones import best_explanation, milestone_to_explain, unsaid_milestones

SAME_SIZE = Milestone(
    id="same-size",
    concept="one-half",
    title="Compares sizes",
    ideas=(Idea(any=("same size",), weight=0.75, name="size"), Idea(any=("two",), weight=0.25, name="count")),
    contradicts=("two_pieces",),
    apply=ApplicationRule(items=("oh-*",), unassisted=1),
)
COUNTS = Milestone(id="counts", concept="one-half", title="Counts", apply=ApplicationRule(items=("oh-count",)))
SAID = "there must be two of them and the same size"


def test_right_answer_is_explained_for_the_milestone_that_waits_for_it_and_once():
    both = (SAME_SIZE, COUNTS)
    assert milestone_to_explain(both, template="oh-count", said=(), asked=()) == (SAME_SIZE, True)
    assert milestone_to_explain(both, template="oh-count", said=("same-size",), asked=()) == (COUNTS, True)
    assert milestone_to_explain(both, template="oh-count", said=("same-size",), asked=("counts",)) == (SAME_SIZE, False)
    assert milestone_to_explain(both, template="oh-make", said=("same-size",), asked=("same-size",)) == (None, False)
    assert milestone_to_explain(both, template="uf-make", said=(), asked=()) == (None, False)


def test_what_is_still_to_say_is_what_was_not_said():
    assert unsaid_milestones((SAME_SIZE, COUNTS), said=("same-size",)) == (COUNTS,)


def test_words_that_say_the_most_are_kept_and_of_equals_the_latest():
    assert best_explanation([SAME_SIZE], "", "two of them", SAID, "so two") == SAID
    assert best_explanation([SAME_SIZE], "it is two", "they are two") == "they are two"
