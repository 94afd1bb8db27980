"""When a milestone is reached: said in one's own words, used without help, and not contradicted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.halves import TWO_PIECES
from tutoring.courses.catalogue import Application, Milestone
from tutoring.grading import Idea
from tutoring.rules import verifying
from tutoring.rules.exchanges import Use
from tutoring.rules.own_words import own_claims
from tutoring.rules.verifying import Articulation, Line

SAME_SIZE = Milestone(
    id="same-size",
    concept="one-half",
    title="Compares sizes",
    ask="When may you call a piece one half?",
    triggers=("same size",),
    ideas=(
        Idea(any=("same size", "as big as"), weight=0.7, name="size"),
        Idea(any=(r"\btwo\b", "both"), weight=0.3, name="count"),
    ),
    contradicts=("two_pieces",),
    apply=Application(items=("oh-*",), unassisted=1),
)
SAID = "there are two of them and each is as big as the other"
TOLD = "Remember that halves are two parts and the same size, always."


def said(*learner, told="", then=""):
    lines = [Line(by_learner=False, text=told), *(Line(by_learner=True, text=each) for each in learner)]
    return verifying.articulation(SAME_SIZE, [*lines, Line(by_learner=False, text=then)])


@pytest.mark.parametrize(
    "words",
    [
        SAID,
        "well, two pieces and they must be the same size",
        "if they are not the same size the two pieces aren't halves",
        "my brother says any cut will do but both parts must have the same size",
    ],
)
def test_idea_in_ones_own_words_is_said(words):
    assert said(words).share == 1.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("halves are two parts and the same size, always", TOLD),
        ("yes ok so halves are two parts and the same size always", TOLD),
        ("halves are just two parts and the same size always", TOLD),
        ("ok now i see it, thank you so much for that. halves are two parts and the same size", TOLD),
        ("same size two both as big as", ""),
        ("same size\ntwo\nboth\nas big as", ""),
        ("the same size, both, two, as big as, equal", ""),
        ("it is something with the same size and two of them", ""),
        ("do they have to be the same size, both of them?", ""),
        ("they do not have to be the same size, just two", ""),
        ("the same size of both does not matter at all here", ""),
        ("my teacher says that both must be the same size", ""),
        ('the book has "both parts are the same size" in it', ""),
        ("same size, two", ""),
        ("i get it now, this makes a lot of sense to me", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_echoed_heaped_asked_denied_quoted_or_short_is_not_said(words, told):
    assert said(words, told=told).share < verifying.COVERED


def test_idea_may_be_said_over_two_messages_and_quotes_both():
    found = said("they must all be the same size i think", "and there are exactly two of them")
    assert (found.share, len(found.quotes)) == (1.0, 2)


def test_ones_own_words_stay_ones_own_when_the_tutor_repeats_them():
    assert said(SAID, then=SAID).share == 1.0


def test_wrong_idea_counts_in_the_five_latest_messages():
    def wrong(words):
        return TWO_PIECES.id if "halves because" in words else ""

    lines = [Line(by_learner=True, text=each) for each in (SAID, "they are halves because there are two", *["ok"] * 4)]
    assert verifying.articulation(SAME_SIZE, lines, wrong_idea=wrong).wrong_idea == TWO_PIECES.id
    assert verifying.articulation(SAME_SIZE, [*lines, lines[-1]], wrong_idea=wrong).wrong_idea == ""


def use(template="oh-make", *, correct=True, assisted=False):
    return Use(template=template, correct=correct, assisted=assisted)


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
    assert verifying.application(SAME_SIZE, uses, mastery=mastery).is_shown is shown


USED = (use(),)


def verdict(*, share=1.0, uses=USED, suspicion=0.0, wrong_idea="", tempting=()):
    return verifying.verify(
        SAME_SIZE,
        words=Articulation(share=share, quotes=(SAID,) if share else (), wrong_idea=wrong_idea),
        use=verifying.application(SAME_SIZE, uses, tempting=tempting),
        suspicions={"two_pieces": suspicion, "bigger_bottom": 0.9},
        misconceptions={TWO_PIECES.id: TWO_PIECES},
    )


@pytest.mark.parametrize(
    ("evidence", "missing", "confidence"),
    [
        ({}, "", 0.856),
        ({"tempting": ("oh-make",)}, "", 0.892),
        ({"share": 0.7}, "articulation", 0.4),
        ({"uses": ()}, "application", 0.32),
        ({"suspicion": 0.5}, "misconception", 0.419),
        ({"wrong_idea": "two_pieces"}, "misconception", 0.419),
        ({"share": 0.0, "uses": ()}, "articulation", 0.05),
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
    ("text", "mastery", "streak", "triggered"),
    [("same size, dunno", None, 0, True), ("hm", 0.8, 0, True), ("hm", 0.5, 2, True), ("hm", 0.5, 1, False)],
)
def test_phrase_or_promising_answers_trigger_a_closer_look(text, mastery, streak, triggered):
    assert verifying.is_triggered(SAME_SIZE, text, mastery=mastery, streak=streak) is triggered


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="ab same size,.?!'“”\n1/2½", max_size=300), st.text(max_size=60))
def test_any_text_has_own_words_or_none_and_none_that_were_told(text, told):
    assert isinstance(own_claims(text, told=(told,)), str)
    assert own_claims(SAID, told=(text, SAID)) == ""
