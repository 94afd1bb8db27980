"""Collaborators that nobody named: those whose capabilities the question has, each with the reason."""

import pytest

from conversations.models import Collaborator
from conversations.round_table.roster import SHIPPED
from conversations.round_table.selection import select

ROSTER = [Collaborator(name=name, **fields) for name, fields in SHIPPED.items()]


@pytest.mark.parametrize(
    ("question", "name", "word"),
    [
        ("Who invented zero, and when?", "historian", "invented"),
        ("How do I use a number line?", "practitioner", "use"),
        ("Give me an example of a half", "example_finder", "example"),
        ("What does denominator mean? Explain it", "explainer", "explain"),
    ],
)
def test_question_chooses_who_can_answer_it(question, name, word):
    chosen = {each.collaborator.name: each for each in select(question, ROSTER)}
    assert word in chosen[name].matched
    assert f"“{word}”" in chosen[name].reason


def test_question_without_a_known_word_still_has_two():
    chosen = select("xyzzy", ROSTER)
    assert len(chosen) == 2
    assert all("added to fill the table" in each.reason for each in chosen)


def test_no_more_than_asked_for_and_none_from_an_empty_roster():
    assert len(select("How do I use an example to explain who invented it?", ROSTER, most=1)) == 1
    assert select("Why?", []) == []
