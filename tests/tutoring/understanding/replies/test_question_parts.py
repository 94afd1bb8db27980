"""Which part of a question a reply leaves open."""

import pytest

from tutoring.understanding.replies.question_parts import unanswered_part

RIBBONS = "Which ribbon would you give them, the top one or the bottom one, and why?"
PIZZA = "Is this pizza cut into equal parts, and how can you tell?"
BEADS = "Is 8 right, and how would you share the beads?"
PIECES = "How many threes are on the string, and how many of them are dark?"


@pytest.mark.parametrize(
    ("question", "reply", "owed"),
    [
        (RIBBONS, "top", "And why?"),
        (RIBBONS, "i would take the top one", "And why?"),
        (RIBBONS, "the top one because the pieces match", ""),
        (RIBBONS, "top, all of them are as long", ""),
        (PIZZA, "no", "And how can you tell?"),
        (PIZZA, "no they are not equal parts", "And how can you tell?"),
        (PIZZA, "no, one slice is wider", ""),
        (BEADS, "nope", "And how would you share the beads?"),
        (BEADS, "no, five each", ""),
        (BEADS, "no, one for me and one for you", ""),
        (PIECES, "five", ""),
        ("Which is more, 2/5 or 3/5, and how do you know?", "3/5 its one more", ""),
        ("Which is more, 2/5 or 3/5?", "3/5", ""),
    ],
)
def test_second_part_is_owed_where_only_the_first_was_taken_up(question: str, reply: str, owed: str):
    assert unanswered_part(question, reply, missing=()) == owed


def test_part_asked_for_by_what_is_owed_where_its_idea_is_missing():
    boards = "Which of the two has to be sawn again, and into what?"
    assert unanswered_part(boards, "the bottom one", missing=("into fourths",)) == "And into what?"
    assert not unanswered_part(boards, "the bottom one into quarters", missing=())
    bridge = "Is each of the two below one half or above it, and which is more?"
    assert not unanswered_part(bridge, "3/5", missing=("one below and one above",))


def test_choice_in_other_words_owes_the_reason_that_is_missing():
    assert unanswered_part(RIBBONS, "choose ribbon number one from above", missing=("the lengths match",)) == "And why?"
    assert not unanswered_part(RIBBONS, "the upper one since they would quarrel", missing=("the lengths match",))
