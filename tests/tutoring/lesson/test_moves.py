"""Deciding the next teaching move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.lesson import moves
from tutoring.lesson.moves import HintClimb, Move, MoveSituation, decide_move


def after_answer(verdict: str = "wrong", **facts: object) -> Move:
    return decide_move(MoveSituation(verdict=verdict, **({"ladder": HintClimb(attempts=1)} | facts)))  # type: ignore[arg-type]


def after_message(act: str, **facts: object) -> Move:
    return decide_move(MoveSituation(act=act, **facts))  # type: ignore[arg-type]


def test_each_new_attempt_earns_one_rung_up_to_the_solution():
    ladder, shown = HintClimb(), []
    for _ in range(6):
        ladder = ladder.after_attempt()
        move = after_answer(ladder=ladder)
        ladder = ladder.after_hint(move.rung)
        shown.append((move.id, move.rung))
    names = ["focus_step", "hint_principle", "hint_substep", "worked_twin", "bottom_out", "bottom_out"]
    assert shown == list(zip(names, [1, 2, 3, 4, 5, 5], strict=True))


def test_the_solution_owes_a_twin():
    move = after_answer(ladder=HintClimb(rung=4, attempts=5, attempts_at_rung=4))
    assert (move.id, move.owes_twin) == ("bottom_out", True)
    assert not after_answer().owes_twin


@pytest.mark.parametrize(
    ("verdict", "facts", "move"),
    [
        ("correct", {}, "affirm_specific"),
        ("correct", {"explain": True}, "self_explain"),
        ("unparsable", {}, "retype"),
        ("equivalent_not_in_form", {}, "ask_form"),
        ("partial", {}, "focus_step"),
        ("sign_error", {}, "focus_step"),
        ("wrong", {"probing": True}, "probe_reasoning"),
        ("wrong", {"misconception": "bug", "probing": True}, "contrast_case"),
        ("wrong", {"misses": 6, "prerequisite": "equal-parts", "misconception": "bug"}, "prereq_drop"),
        ("wrong", {"misses": 5, "prerequisite": "equal-parts"}, "focus_step"),
        ("wrong", {"misses": 9}, "focus_step"),
        ("wrong", {"closed": True, "misconception": "bug"}, "bottom_out"),
        ("wrong", {"closed": True, "misses": 6, "prerequisite": "equal-parts"}, "prereq_drop"),
        ("equivalent_not_in_form", {"misses": 6, "prerequisite": "equal-parts"}, "ask_form"),
        ("equivalent_not_in_form", {"closed": True}, "bottom_out"),
        ("wrong", {"frustration": 0.7}, "simplify"),
        ("wrong", {"confused_turns": 3}, "represent"),
        ("wrong", {"confused_turns": 2}, "focus_step"),
        ("wrong", {"boredom": 0.6}, "break_choice"),
        ("wrong", {"cycle_ended": True}, "summarise_retrieve"),
    ],
)
def test_answers_are_met_with_the_move_of_the_table(verdict: str, facts: dict[str, object], move: str):
    assert after_answer(verdict, **facts).id == move


OPEN, TRIED = HintClimb(), HintClimb(rung=1, attempts=2, attempts_at_rung=1)


@pytest.mark.parametrize(
    ("act", "facts", "move", "rung"),
    [
        ("misconception", {"misconception": "bug"}, "contrast_case", 0),
        ("idea_said", {}, "affirm_specific", 0),
        ("idea_partly", {}, "probe_reasoning", 0),
        ("answer_demand", {}, "decline_answer", 0),
        ("answer_demand", {"ladder": OPEN}, "ask_attempt", 0),
        ("answer_demand", {"ladder": TRIED}, "decline_answer", 2),
        ("answer_demand", {"ladder": HintClimb(rung=1, attempts=1, attempts_at_rung=1)}, "decline_answer", 1),
        ("answer_demand", {"ladder": HintClimb(rung=4, attempts=5, attempts_at_rung=4)}, "bottom_out", 5),
        ("hint_request", {"ladder": OPEN}, "ask_attempt", 0),
        ("hint_request", {"ladder": TRIED}, "hint_principle", 2),
        ("hint_request", {}, "not_yet", 0),
        ("does_not_know", {"ladder": OPEN}, "focus_step", 1),
        ("does_not_know", {"ladder": TRIED}, "hint_principle", 2),
        ("does_not_know", {"ladder": HintClimb(rung=1, attempts=1, attempts_at_rung=1)}, "hint_principle", 2),
        ("does_not_know", {}, "not_yet", 0),
        ("question", {"ladder": TRIED}, "answer_question", 0),
        ("quiz_request", {}, "begin_quiz", 0),
        ("quiz_request", {"quiz_paused": True}, "resume_quiz", 0),
        ("resume", {"quiz_paused": True}, "resume_quiz", 0),
        ("resume", {}, "continue_lesson", 0),
        ("go_on", {}, "continue_lesson", 0),
        ("go_on", {"quiz_paused": True, "ladder": OPEN}, "resume_quiz", 0),
        ("go_on", {"ladder": OPEN}, "ask_attempt", 0),
        ("go_on", {"contested": True}, "ask_attempt", 0),
        ("greeting", {}, "welcome", 0),
        ("goodbye", {}, "farewell", 0),
        ("other", {}, "not_yet", 0),
        ("other", {"frustration": 0.9}, "simplify", 0),
        ("", {}, "not_yet", 0),
    ],
)
def test_messages_are_met_with_the_move_of_the_table(act: str, facts: dict[str, object], move: str, rung: int):
    decided = after_message(act, **facts)
    assert (decided.id, decided.rung) == (move, rung)


@given(st.lists(st.sampled_from(["answer", "answer_demand", "hint_request", "does_not_know", "question"]), max_size=40))
def test_no_path_climbs_faster_than_attempts_or_skips_a_rung(steps: list[str]):
    ladder = HintClimb()
    for step in steps:
        ladder = ladder.after_attempt() if step == "answer" else ladder
        move = after_answer(ladder=ladder) if step == "answer" else after_message(step, ladder=ladder)
        ladder = ladder.after_attempt() if step == "does_not_know" else ladder
        assert move.rung <= ladder.rung + 1
        assert move.rung <= ladder.attempts
        ladder = ladder.after_hint(move.rung)


def test_one_right_answer_in_three_is_explained_and_every_one_at_a_milestone():
    due = [moves.is_explanation_due(seed=seed, milestone=False) for seed in range(300)]
    assert sum(due) == 100
    assert all(moves.is_explanation_due(seed=seed, milestone=True) for seed in range(10))
