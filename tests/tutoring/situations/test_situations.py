"""What a strong model would read and say in forty situations is taken as it is: nothing of it is dropped or refused."""

import re

import pytest

from tests.tutoring.situations.cases import MOVES, STATES, Played, played, situations
from tests.tutoring.understanding.contexts import course
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.understanding.model_reading.merge import SURE, merge_reading

TURNS = [turn for situation in situations() for turn in played(situation)]
MOST_WORDS = 75
FILLER = re.compile(
    r"look once more|keep that thought|let that one rest|can stay open|not sure i follow|language model is (?:at hand|connected)",
    re.IGNORECASE,
)
every_turn = pytest.mark.parametrize("turn", TURNS, ids=[turn.id for turn in TURNS])


def test_there_are_forty_of_all_states() -> None:
    every = situations()
    assert len(every) == len({each["id"] for each in every}) == 40
    assert sum(len(each["turns"]) >= 5 for each in every) == 10
    assert {each["state"] for each in every} == {"lobby", "placement", "explaining", "quiz", "mastered"}
    assert len(STATES) == 6


@every_turn
def test_recorded_reading_is_taken_whole(turn: Played) -> None:
    found = merge_reading(
        turn.analysis, turn.reading, turn.text, turn.context, moves=turn.moves, passages=len(turn.passages)
    )
    assert found.rejected == ()
    assert found.move == turn.turn["good"][0]
    assert set(turn.turn["good"]) <= set(turn.turn["allowed"]) <= set(MOVES)
    assert found.analysis.intent == turn.reading.intents[0].intent
    verdicts = [each.verdict for each in found.analysis.answers if each.verdict != "none"]
    assert verdicts == ([turn.turn["verdict"]] if "verdict" in turn.turn else [])
    assert [each.id for each in found.analysis.misconceptions] == [each.id for each in turn.reading.misconceptions]
    assert all(each.probability == SURE for each in found.analysis.misconceptions)
    assert found.answered_by_passages == turn.reading.answered_by_passages


@every_turn
def test_recorded_reply_may_be_shown(turn: Played) -> None:
    assert find_policy_problem(turn.reply, questions=1) == ""
    assert len(turn.reply.split()) <= MOST_WORDS
    assert not FILLER.search(turn.reply)
    assert turn.reply not in turn.earlier
    assert not [words for words in turn.turn.get("never", ()) if words.casefold() in turn.reply.casefold()]


@every_turn
def test_recorded_reply_gives_no_open_answer_away(turn: Played) -> None:
    prompt = next(iter(turn.context.prompts), None)
    if prompt is None or prompt.instance is None or turn.turn.get("closes") or turn.reading.move == "worked_example":
        return  # A worked example has numbers of its own; they are checked where it is made.
    said = tuple(each.text for each in turn.context.history if each.author == "learner")
    cases = (course().misconceptions[each.id].contrast.blocks for each in turn.reading.misconceptions)
    told = (block for blocks in cases for block in blocks if isinstance(block, str))
    supplied = (*prompt.instance.hints[:2], turn.turn.get("facts", ""), *told)
    question = OpenQuestion(instance=prompt.instance, said=(*said, turn.text), supplied=supplied)
    assert find_leak(turn.reply, question) == ""
