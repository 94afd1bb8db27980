"""How it seems to go for the learner: levels that follow what happened, and actions that do not flicker."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.rules.affect import MEASURES, Action, Affect, Moment, affect_of, wanted
from tutoring.rules.affect_words import words_of
from tutoring.rules.exchanges import Exchange

ACTIONS = {"", "simplify", "hint_soon", "represent", "break_choice", "ask_attempt"}
TEXTS = (
    "3/4",
    "ok",
    "",
    "\x00",
    "🙂" * 300,
    "x" * 10_000,
    "I HATE THIS!!",
    "why is that?",
    "next",
    "because both are equal",
)
exchanges = st.lists(
    st.builds(
        Exchange,
        text=st.sampled_from(TEXTS),
        latency_s=st.none() | st.floats(0, 4000),
        correct=st.sampled_from([None, True, False]),
        expected=st.none() | st.floats(0, 1),
        hints=st.integers(0, 3),
        first_hint_s=st.none() | st.floats(0, 60),
    ),
    max_size=12,
)


def turns(*said: str, latency_s: float | None = 10, correct: bool | None = None) -> list[Exchange]:
    return [Exchange(text=text, latency_s=latency_s, correct=correct) for text in said]


@settings(max_examples=25, deadline=None)
@given(exchanges, st.none() | st.floats(0, 1), st.integers(0, 500), st.sampled_from(["", "fine", "bored", "else"]))
def test_whatever_happens_levels_are_levels(
    session: list[Exchange], mastery: float | None, attempts: int, report: str
) -> None:
    affect = affect_of(session, mastery=mastery, attempts=attempts, self_report=report)
    assert all(0 <= getattr(affect, name) <= 1 for name in (*MEASURES, "engagement"))
    assert all(-1 <= change <= 1 for change in affect.trend.values())
    assert len(affect.history) == len(session)
    assert wanted(affect, mastery or 0) in ACTIONS


@settings(max_examples=25, deadline=None)
@given(exchanges.filter(bool))
def test_wrong_is_never_less_upsetting_than_right(session: list[Exchange]) -> None:
    last = session[-1]
    right, wrong = (
        affect_of([*session[:-1], Exchange(text=last.text, latency_s=last.latency_s, correct=correct)])
        for correct in (True, False)
    )
    assert wrong.frustration >= right.frustration
    assert wrong.confusion >= right.confusion


@pytest.mark.parametrize(
    ("measure", "telling", "plain"),  # Of one length: typing takes its time.
    [
        ("frustration", "I hate this, I am so stupid", "I took three, and one is red"),
        ("confusion", "I don't understand this one", "I compared the pieces of it"),
        ("boredom", "this is boring, skip it", "the left one is longer."),
    ],
)
def test_what_is_said_raises_its_own_level_most(measure: str, telling: str, plain: str) -> None:
    before = turns("3/4", "1/2")
    said, not_said = affect_of([*before, *turns(telling)]), affect_of([*before, *turns(plain)])
    raised = {name: getattr(said, name) - getattr(not_said, name) for name in MEASURES}
    assert max(raised, key=raised.__getitem__) == measure
    assert raised[measure] > 0.15


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("I'm not bored", "bored"),
        ("I was confused before but now it's clear", "confused"),
        ("I don't hate it", "frustrated"),
        ("the numerator is three", "confused"),
        ("", "bored"),
    ],
)
def test_what_is_denied_or_over_says_nothing(text: str, measure: str) -> None:
    assert getattr(words_of(text, with_model=False), measure) == 0


@pytest.mark.parametrize(
    ("session", "indicator"),
    [
        (turns("1", "2", "3", correct=False), "three wrong in a row"),
        (turns("so", "hm", latency_s=80), "long pause"),
        (turns("5", "back", latency_s=200), "away for more than a minute and a half"),
        (turns("a", "b", "c", latency_s=0.5, correct=False), "several quick replies"),
        (turns("7", "8", "7", correct=False), "the same answer again"),
        (turns("the bigger one, I think", "bigger", "b"), "messages getting shorter"),
        (turns("this is hopeless"), "said “this is hopeless”"),
    ],
)
def test_what_was_seen_is_said(session: list[Exchange], indicator: str) -> None:
    assert indicator in affect_of(session).indicators


def test_joy_is_no_shouting() -> None:
    assert affect_of(turns("YES!!! got it")).frustration < 0.2


def test_guesses_with_hints_at_once_are_gaming_and_wait_for_an_attempt() -> None:
    guesses = turns("a", "b", latency_s=1, correct=False)
    gaming = affect_of([Exchange(text="", hints=1, first_hint_s=1.0), *guesses])
    assert gaming.gaming
    assert not affect_of(guesses).gaming
    assert wanted(gaming, 0) == "ask_attempt"


@pytest.mark.parametrize(
    ("report", "measure", "action"),
    [
        ("frustrated", "frustration", "simplify"),
        ("confused", "confusion", "represent"),
        ("bored", "boredom", "break_choice"),
        ("fine", "", ""),
    ],
)
def test_what_the_learner_says_of_it_overrides(report: str, measure: str, action: Action) -> None:
    upset = turns("ugh wrong again", "I hate this", "this is impossible", "I give up", correct=False)
    affect = affect_of(upset, self_report=report)
    assert {name for name in MEASURES if getattr(affect, name) >= 0.6} == ({measure} if measure else set())
    assert wanted(affect, 0) == action


def test_latency_is_compared_with_the_learners_own_after_ten_turns() -> None:
    slow_people, quick_people = turns(*["x"] * 12, latency_s=45), turns(*["x"] * 12, latency_s=3)
    pause = turns("x", latency_s=45)
    assert "long pause" not in affect_of([*slow_people, *pause]).indicators
    assert "long pause" in affect_of([*quick_people, *pause]).indicators


def through(*moments: Moment) -> list[Action]:
    """Return what is wanted after each of the moments."""
    return [wanted(Affect(history=moments[: end + 1]), 0.5) for end in range(len(moments))]


def test_confusion_may_work_for_a_turn_then_comes_a_hint_then_another_picture() -> None:
    assert through(*[Moment(confusion=0.7)] * 5) == ["", "hint_soon", "hint_soon", "represent", "represent"]


def test_what_was_begun_stays_until_it_is_better() -> None:
    levels = [0.7, 0.5, 0.5, 0.5, 0.4, 0.4]
    assert through(*(Moment(frustration=level) for level in levels)) == [*["simplify"] * 4, "", ""]


def test_what_looks_known_bores_sooner() -> None:
    affect = Affect(history=(Moment(boredom=0.55),))
    assert (wanted(affect, 0.9), wanted(affect, 0.5)) == ("break_choice", "")


level = st.floats(0, 1)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.builds(Moment, frustration=level, confusion=level, boredom=level, gaming=st.booleans()), max_size=12)
)
def test_nothing_changes_two_turns_running(moments: list[Moment]) -> None:
    changes = [one != other for one, other in pairwise(through(*moments))]
    assert not any(first and second for first, second in pairwise(changes))
