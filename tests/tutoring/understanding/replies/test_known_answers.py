"""A reply beside an answer that is known: what it commits itself to, and what it only passes on the way."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.understanding.message import make_message
from tutoring.understanding.parsing.spoken_numbers import find_spoken_numbers, spell_in_digits
from tutoring.understanding.replies.known_answers import compare_reply

LABELLED = Path(__file__).parents[4] / "bench" / "understanding" / "development" / "known_answers.jsonl"
WHICH = "Which is bigger, 1/4 or 1/8?"
LETTERS = "(a) 3/5 (b) 4/8 (c) 2/6"
ORDER = "Put these in order, smallest first: 1/2, 1/9, 1/4."
ADD = "Work out 1/2 + 1/3."
BELOW = "Lucy has 5 points and loses 9. What is 5 − 9?"
RIBBON = "A ribbon is cut into 4 equal pieces. Each piece is 3 feet long. How long was it?"


@pytest.mark.parametrize(
    ("asked", "known", "text", "verdict"),
    [
        (ADD, "5/6", "3/6 and 2/6 so its 5/6", "right"),
        (
            "The mean is 9. One more person comes, who knows 23. What is the mean now?",
            "11",
            "its still 9 one guy doesnt change it",
            None,
        ),
        ("How many pieces does Ana get?", "1", "one piece", "right"),
        (ADD, "5/6", "2/5, no wait, 5/6", "right"),
        (ADD, "5/6", "2/5 no 5/6 because they are sixths", "right"),
        (ADD, "5/6", "3/6 + 2/6", "partly"),
        (BELOW, "-4", "she has to be below zero. -4", "right"),
        (BELOW, "-4", "going down is minus so its 4 below zero", "right"),
        (BELOW, "-4", "shes at -4 i think cause 9-5", "right"),
        (BELOW, "-4", "no its minus 4", "right"),
        (BELOW, "-4", "she owes 4", "right"),
        (BELOW, "-4", "up 5 from -9 so its like -4", "right"),
        (BELOW, "-4", "thats 4", "wrong"),
        (BELOW, "-4", "oh minus 4", "right"),
        (BELOW, "-4", "four left of zero", "right"),
        (BELOW, "-4", "i just said it, four meters under water", "right"),
        (BELOW, "-4", "but nobody has 4 points how can that be", None),
        (BELOW, "-4", "i didnt say 0, i said 4 below zero", "right"),
        ("What is 11 - (-4)?", "15", "so you turn around twice, its the same as 11+4", "partly"),
        ("What is 11 - (-4)?", "15", "its 11-4", "wrong"),
        ("What is 11 - (-4)?", "15", "thats like 11 + 4 so 15", "right"),
        (RIBBON, "12", "i mean 4 pieces of 3 feet thats 12 feet", "right"),
        (RIBBON, "12", "so you divide 3 by 4", "wrong"),
        (RIBBON, "12", "so its like putting the 3 back together again", None),
        ("Nests have 5, 6, 10 and 11 eggs. What is the median?", "8", "its 8, 6 and 10 in the middle", "right"),
        ("What is the IQR?", "7.5", "still 7.5 cause the upper half has not changed", "right"),
        ("How long are both together?", "8 1/6", "8 and a sixth meters", "right"),
        (ADD, "5/6", "5/6... no wait 2/5", "wrong"),
        (ADD, "5/6", "two fifths i think", "wrong"),
        (ADD, "5/6", "the sixths first, then", None),
        (ADD, "5/6", "what is 1/2 again?", None),
        (ADD, "5/6", "is it 2/5 or 5/6?", None),
        ("Simplify 6/8.", "3/4", "3/4 cuz both divided by 2", "right"),
        ("Simplify 6/8.", "3/4", "6/8", "partly"),
        ("Write 17/5 as a mixed number.", "3 2/5", "three wholes and then two fifths left", "right"),
        ("Write 17/5 as a mixed number.", "3 2/5", "3.4", "partly"),
        ("35/50 = ?/10. Which number goes there?", "7", "seven tenths", "right"),
        ("How many eighths are dark?", "3/8", "three", "right"),
        ("How many eighths are dark?", "3/8", "5", "wrong"),
        ("Which bottom number do both have?", "8", "both are in eighths, 3/8", "right"),
        ("A jug holds 1 litre and is half full. How much is in it?", "500 ml", "half a litre", "right"),
        ("How many days has a leap year?", "366", "three hundred sixty six", "right"),
        ("How much is left of a 5 m ribbon after 2 2/3 m?", "2 1/3 m", "5 - 2 is 3, so two and one third", "right"),
        ("What is 1 - 3/4?", "1/4", "0,25", "right"),
        ("What is 1 - 3/4?", "1/4", "a qarter", "right"),
        (ADD, "5/6", "fine", None),
        (ADD, "5/6", "right", None),
        (ADD, "5/6", "no", None),
        (ADD, "5/6", "the whole thing is confusing", None),
        (LETTERS, "b", "a pizza is round", None),
        (LETTERS, "b", "i was right", None),
        (LETTERS, "b", "first i have to eat", None),
        (LETTERS, "b", "a, it has an odd number", "wrong"),
        (LETTERS, "b", "the second", "right"),
        (WHICH, "1/4", "the first one", "right"),
        (WHICH, "1/4", "the eighth cuz 8 is more", "wrong"),
        (WHICH, "1/4", "1/8 is smaller", "right"),
        (WHICH, "1/4", "they are the same", "wrong"),
        (WHICH, "1/4", "not 1/8", "right"),
        (f"{WHICH} How do you know?", "1/4", "1/4", "partly"),
        (f"{WHICH} How do you know?", "1/4", "1/4, since fewer parts are bigger parts", "right"),
        ("Which equals 1/2? a) 3/5 b) 4/8 c) 2/6", "b) 4/8", "its b", "right"),
        ("Which equals 1/2? a) 3/5 b) 4/8 c) 2/6", "b) 4/8", "I take C", "wrong"),
        ("Mia ate 2/5, Ben ate 2/3. Who ate more?", "Ben", "mia, 5 beats 3", "wrong"),
        ("Mia ate 2/5, Ben ate 2/3. Who ate more?", "Ben", "ben cuz thirds are fatter", "right"),
        ("Which is more, 3/4 or 6/8?", "the same", "neither, both are the same", "right"),
        ("Which is more, 3/4 or 6/8?", "the same", "6/8 has more", "wrong"),
        ("Is 5/8 more or less than one half?", "more", "less, 8 is a big number", "wrong"),
        ("Is 0.5 the same as 1/2?", "yes", "it is, 5 tenths is half of ten", "right"),
        ("Emma says 5/10 is more than 1/2. Is she right?", "no", "Emma is mistaken. It is one half.", "right"),
        ("True or false: 1/9 is more than 1/2.", "false", "more pieces means thinner pieces, so false", "right"),
        ("Which sign goes between: 5/6 __ 5/8?", ">", "< because 8 is higher", "wrong"),
        (ORDER, "1/9, 1/4, 1/2", "a ninth, then a quarter, then the half", "right"),
        (ORDER, "1/9, 1/4, 1/2", "1/2 1/4 1/9", "wrong"),
        (ORDER, "1/9, 1/4, 1/2", "1/9 comes first", "partly"),
        ("In 5/9, what is on top and what is below?", "top 5, bottom 9", "bottom 9, top 5", "right"),
        ("In 5/9, what is on top and what is below?", "top 5, bottom 9", "top 9, bottom 5", "wrong"),
        ("What happens to 1/n when n gets bigger?", "it gets smaller", "it shrinks", "right"),
        ("Who was first on the moon?", "Neil Armstrong", "armstrong", "right"),
        ("Which planet is closest to the sun?", "Mercury", "venus is, then mercury", None),
        ('How do you say "the dog" in German?', "der Hund", "die Hund", None),
        (
            "How many clicks are there?",
            "25",
            "1 turn is 7 clicks so 3 turns is 21 and then 4 more, i get 25 clicks",
            "right",
        ),
        ("How many clicks are there?", "25", "i did 3 plus 4 so it is 7 clicks", "wrong"),
        ("How many meters is it?", "3/6", "i count 3 steps so it is 3 meters", "wrong"),
        ("How many sixths is it?", "3/6", "its 3", "right"),
    ],
)
def test_a_reply_is_compared_by_what_it_commits_itself_to(asked: str, known: str, text: str, verdict: str | None):
    found = compare_reply(make_message(text), asked, known)

    assert (found.verdict if found else None) == verdict


def test_labelled_replies_by_two_people_are_compared_as_they_were_labelled():
    """The rows were written by people who had not seen the code; a good part of what was mended was read off them."""
    rows = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    told = Counter()
    for row in rows:
        found = compare_reply(make_message(row["text"]), row["asked"]["text"], row["asked"]["answer"])
        told[row["verdict"], found.verdict if found else "none"] += 1
    right, wrong = (sum(count for (label, _), count in told.items() if label == each) for each in ("right", "wrong"))

    assert told["right", "right"] >= 0.83 * right
    assert told["wrong", "wrong"] >= 0.75 * wrong
    assert told["wrong", "right"] <= 0.01 * wrong
    assert told["right", "wrong"] <= 0.02 * right


@given(text=st.text(max_size=80), asked=st.text(max_size=120), known=st.text(min_size=1, max_size=30))
def test_any_text_is_compared(text: str, asked: str, known: str):
    found = compare_reply(make_message(text), asked, known)

    assert found is None or found.verdict in ("right", "wrong", "partly")


@given(top=st.integers(1, 40), bottom=st.integers(2, 40), start=st.sampled_from(["", "it's ", "um i think ", "so "]))
def test_a_bare_fraction_is_right_when_it_is_worth_the_known_one(top: int, bottom: int, start: str):
    value = Fraction(top, bottom)

    assert (found := compare_reply(make_message(f"{start}{top}/{bottom}"), "What is it?", str(value)))
    assert found.verdict == "right"
    assert (found := compare_reply(make_message(f"{start}{top + 1}/{bottom}"), "What is it?", str(value)))
    assert found.verdict == "wrong"


@pytest.mark.parametrize(
    ("said", "figures"),
    [
        ("Zero point three", "0.3"),
        ("two hundred and fifty grams", "250 grams"),
        ("three and one seventh", "3 1/7"),
        ("2½", "2 1/2"),
        ("three of the eight", "3/8"),
        ("the second one", "the second thing"),
        ("i got one wrong before", "i got thing wrong before"),
        ("one wrong and two right", "1 wrong and 2 right"),
        ("two thirds of 12", "2/3 of 12"),
        ("thre eights", "3/8"),
        ("oen hlaf", "1/2"),
        ("there is a tree", "there is a tree"),
        ("three eights", "3/8"),
        ("1 n a half", "1 1/2"),
        ("5\\6", "5/6"),
        ("three degrees below zero", "-3"),
        ("the upper half", "the upper half"),
        ("4 pieces of 3 feet", "4 pieces of 3 feet"),
    ],
)
def test_numbers_are_read_as_they_are_said(said: str, figures: str):
    assert spell_in_digits(said) == figures


def test_a_division_by_zero_has_no_value():
    assert [each.value for each in find_spoken_numbers("3/0")] == [None]
