"""What an agent decided, in words for learners."""

from typing import get_args

import pytest

from tutoring.lesson.moves import MoveId
from tutoring.pages.contexts.agent_decisions import MOVE_SENTENCES, describe_decision


def test_every_move_has_words():
    assert [name for name in get_args(MoveId) if not MOVE_SENTENCES.get(name)] == []


@pytest.mark.parametrize("result", [{}, {"move": "never heard of"}, {"question_id": "q"}])
def test_what_is_nothing_to_tell(result):
    assert describe_decision(result) == ""


def test_looking_back_counts_the_questions():
    told = describe_decision({"mastered": True, "asked": 4, "right": 3})
    assert told.startswith("It looked back at 4 questions (3 right")
    assert describe_decision({"mastered": False, "asked": 1, "right": 0}).endswith("There is more to do.")


def test_what_is_planned_is_told_in_a_plain_sentence():
    planned = {"next_topic": "simplify", "reason": "because you need it for *Adding unlike fractions*"}
    assert describe_decision(planned) == "It planned what comes next (because you need it for Adding unlike fractions)."
    assert describe_decision({"next_topic": "simplify", "reason": ""}) == "It told you what could come next."
    assert describe_decision({"next_topic": "", "reason": ""}) == ""
