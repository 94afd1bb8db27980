"""How it seems to go for the learner: levels that follow what happened, and actions that do not flicker."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.mastery.turn_evidence import LearnerTurn
from tutoring.side_agents.affect import MEASURES, Action, Affect, AffectLevels, choose_action, estimate_affect

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
        LearnerTurn,
        text=st.sampled_from(TEXTS),
        latency_s=st.none() | st.floats(0, 4000),
        correct=st.sampled_from([None, True, False]),
        mood=st.sampled_from(["ok", "confused", "frustrated", "bored", "sad"]),
        sure=st.floats(0, 1),
        expected=st.none() | st.floats(0, 1),
        hints=st.integers(0, 3),
    ),
    max_size=12,
)


def turns(*said: str, latency_s: float | None = 10, correct: bool | None = None, mood: str = "ok") -> list[LearnerTurn]:
    return [LearnerTurn(text=text, latency_s=latency_s, correct=correct, mood=mood, sure=0.9) for text in said]


@settings(max_examples=25, deadline=None)
@given(exchanges, st.none() | st.floats(0, 1), st.integers(0, 500), st.sampled_from(["", "fine", "bored", "else"]))
def test_whatever_happens_levels_are_levels(
    session: list[LearnerTurn], mastery: float | None, attempts: int, report: str
) -> None:
    affect = estimate_affect(session, mastery=mastery, attempts=attempts, self_report=report)
    assert all(0 <= getattr(affect, name) <= 1 for name in (*MEASURES, "engagement"))
    assert all(-1 <= change <= 1 for change in affect.trend.values())
    assert len(affect.history) == len(session)
    assert choose_action(affect, mastery or 0) in ACTIONS


@settings(max_examples=25, deadline=None)
@given(exchanges.filter(bool))
def test_wrong_is_never_less_upsetting_than_right(session: list[LearnerTurn]) -> None:
    last = session[-1]
    right, wrong = (estimate_affect([*session[:-1], replace(last, correct=correct)]) for correct in (True, False))
    assert wrong.frustration >= right.frustration
    assert wrong.confusion >= right.confusion


@pytest.mark.parametrize(
    ("measure", "mood"), [("frustration", "frustrated"), ("confusion", "confused"), ("boredom", "bored")]
)
def test_mood_of_the_words_raises_its_own_level_most(measure: str, mood: str) -> None:
    before = turns("3/4", "1/2")
    said, not_said = estimate_affect([*before, *turns("x", mood=mood)]), estimate_affect([*before, *turns("x")])
    raised = {name: getattr(said, name) - getattr(not_said, name) for name in MEASURES}
    assert max(raised, key=raised.__getitem__) == measure
    assert raised[measure] > 0.15


def test_hard_words_about_oneself_weigh_less_than_anger_at_the_task_and_more_than_none() -> None:
    levels = [estimate_affect(turns("x", "x", mood=mood)).frustration for mood in ("ok", "sad", "frustrated")]
    assert levels == sorted(set(levels))


@pytest.mark.parametrize(
    "session",
    [
        [LearnerTurn(text="x", latency_s=each) for each in (10, 10, 3 * 24 * 3600)],
        [LearnerTurn(text=each, latency_s=1.5) for each in ("yes", "next", "next", "ok", "next", "next")],
        [LearnerTurn(text=each, latency_s=80) for each in ("so", "hm", "k", "b")],
        [LearnerTurn(text="", latency_s=1, correct=False) for _ in range(4)],
    ],
)
def test_pause_next_and_short_answers_are_no_boredom(session: list[LearnerTurn]) -> None:
    affect = estimate_affect(session, mastery=0.9)
    assert affect.boredom < 0.4
    assert choose_action(affect, 0.9) != "break_choice"


@pytest.mark.parametrize(
    ("answers", "action"),
    [
        ([LearnerTurn(text="1/2", correct=True)] * 2, "break_choice"),
        ([LearnerTurn(text="1/2", correct=True)], ""),
        ([], ""),
        ([LearnerTurn(text="1/2", correct=True, assisted=True)] * 2, ""),
        ([LearnerTurn(text="1/2", correct=True, hints=1, latency_s=60)] * 2, ""),
        ([*[LearnerTurn(text="1/2", correct=True)] * 3, LearnerTurn(text="2", correct=False)], ""),
    ],
)
def test_something_harder_comes_only_after_right_answers_without_help(answers: list[LearnerTurn], action: str) -> None:
    bored = turns(*["this is boring"] * 4, mood="bored")
    assert choose_action(estimate_affect([*answers, *bored]), 0.5) == action


@pytest.mark.parametrize(
    ("session", "indicator"),
    [
        (turns("1", "2", "3", correct=False), "three wrong answers in a row"),
        (turns("a", "b", "c", latency_s=0.5, correct=False), "several quick replies"),
        (turns("7", "8", "7", correct=False), "the same answer again"),
        (turns("this is hopeless", mood="frustrated"), "said “this is hopeless”"),
        ([LearnerTurn(text="", hints=2)], "asked for hints right away"),
    ],
)
def test_what_was_seen_is_said(session: list[LearnerTurn], indicator: str) -> None:
    assert indicator in estimate_affect(session).indicators


def test_what_says_nothing_is_no_sign() -> None:
    assert estimate_affect(turns("the bigger one, I think", "bigger", "b", latency_s=200)).indicators == ()


def test_guesses_with_hints_at_once_are_gaming_and_wait_for_an_attempt() -> None:
    guesses = turns("a", "b", latency_s=1, correct=False)
    gaming = estimate_affect([LearnerTurn(text="", hints=1, latency_s=1.0), *guesses])
    assert gaming.gaming
    assert not estimate_affect(guesses).gaming
    assert choose_action(gaming, 0) == "ask_attempt"


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
    affect = estimate_affect(upset, self_report=report)
    assert {name for name in MEASURES if getattr(affect, name) >= 0.6} == ({measure} if measure else set())
    assert choose_action(affect, 0) == action


def through(*moments: AffectLevels) -> list[Action]:
    """Return what is wanted after each of the moments."""
    return [choose_action(Affect(history=moments[: end + 1]), 0.5) for end in range(len(moments))]


def test_confusion_may_work_for_a_turn_then_comes_a_hint_then_another_picture() -> None:
    assert through(*[AffectLevels(confusion=0.7)] * 5) == ["", "hint_soon", "hint_soon", "represent", "represent"]


def test_what_was_begun_stays_until_it_is_better() -> None:
    levels = [0.7, 0.5, 0.5, 0.5, 0.4, 0.4]
    assert through(*(AffectLevels(frustration=level) for level in levels)) == [*["simplify"] * 4, "", ""]


def test_what_looks_known_bores_sooner() -> None:
    affect = Affect(history=(AffectLevels(boredom=0.55, proven=True),))
    assert (choose_action(affect, 0.9), choose_action(affect, 0.5)) == ("break_choice", "")


level = st.floats(0, 1)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.builds(AffectLevels, frustration=level, confusion=level, boredom=level, gaming=st.booleans()), max_size=12
    )
)
def test_nothing_changes_two_turns_running(moments: list[AffectLevels]) -> None:
    changes = [one != other for one, other in pairwise(through(*moments))]
    assert not any(first and second for first, second in pairwise(changes))
