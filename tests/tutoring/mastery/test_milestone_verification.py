"""When a milestone is reached: said in one's own words, used without help, and not contradicted."""

import pytest

from tests.tutoring.halves_course import TWO_PIECES
from tutoring.courses.catalogue import ApplicationRule, Milestone
from tutoring.grading import Idea
from tutoring.mastery import milestone_verification
from tutoring.mastery.milestone_verification import Articulation
from tutoring.mastery.turn_evidence import MilestoneUse

SAME_SIZE = Milestone(
    id="same-size",
    concept="one-half",
    title="Compares sizes",
    ask="When can you call a piece one half?",
    ideas=(
        Idea(any=("same size", "as big as"), weight=0.7, name="size"),
        Idea(any=(r"\btwo\b", "both"), weight=0.3, name="count"),
    ),
    contradicts=("two_pieces",),
    apply=ApplicationRule(items=("oh-*",), unassisted=1),
)
SAID = "there are two of them and each is as big as the other"


def use(template="oh-make", *, correct=True, assisted=False):
    return MilestoneUse(template=template, correct=correct, assisted=assisted)


@pytest.mark.parametrize(
    ("uses", "mastery", "shown"),
    [
        ([use()], None, True),
        ([use("uf-make")], None, False),
        ([use(assisted=True)], None, False),
        ([use(correct=False)], None, False),
        ([use(assisted=True), use()], None, False),  # The same exercise again, once it was solved with help.
        ([use("uf-make")] * 3, 0.95, True),
        ([use("uf-make")] * 3, 0.93, False),
        ([use("uf-make")] * 2, 0.95, False),
    ],
)
def test_application_is_a_right_answer_without_help_or_near_certainty(uses, mastery, shown):
    assert milestone_verification.assess_application(SAME_SIZE, uses, mastery=mastery).is_shown is shown


USED = (use(),)


def verdict(*, is_said=True, uses=USED, suspicion=0.0, wrong_idea="", tempting=()):
    return milestone_verification.verify_milestone(
        SAME_SIZE,
        words=Articulation(is_said=is_said, quotes=(SAID,) if is_said else (), wrong_idea=wrong_idea),
        use=milestone_verification.assess_application(SAME_SIZE, uses, tempting=tempting),
        suspicions={"two_pieces": suspicion, "bigger_bottom": 0.9},
        misconceptions={TWO_PIECES.id: TWO_PIECES},
    )


@pytest.mark.parametrize(
    ("evidence", "missing", "confidence"),
    [
        ({}, "", 0.856),
        ({"tempting": ("oh-make",)}, "", 0.892),
        ({"is_said": False}, "articulation", 0.34),
        ({"uses": ()}, "application", 0.32),
        ({"suspicion": 0.5}, "misconception", 0.419),
        ({"wrong_idea": "two_pieces"}, "misconception", 0.419),
        ({"is_said": False, "uses": ()}, "articulation", 0.05),
    ],
)
def test_verdict_names_what_is_missing_and_is_half_as_sure_for_each_part(evidence, missing, confidence):
    found = verdict(**evidence)
    assert (found.mastery_achieved, found.missing) == (not missing, missing)
    assert found.confidence == pytest.approx(confidence, abs=0.01)


def test_evidence_quotes_the_learner_and_names_what_stands_against_it():
    assert any(SAID in line for line in verdict().evidence)
    assert any(TWO_PIECES.says in line for line in verdict(suspicion=0.6).evidence)


@pytest.mark.parametrize(
    ("mastery", "streak", "promising"), [(None, 0, False), (0.8, 0, True), (0.5, 2, True), (0.5, 1, False)]
)
def test_promising_answers_are_worth_a_closer_look(mastery, streak, promising):
    assert milestone_verification.is_promising(mastery=mastery, streak=streak) is promising
