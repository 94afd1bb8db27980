"""Answers to a card with words around them, and words with a number in them that answer nothing."""

from dataclasses import replace

import pytest

from tests.tutoring.halves_course import CHOICE
from tutoring.grading.keys import ChoiceKey, ExpressionKey, MultiKey, NumericKey, StepsKey
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message import make_message
from tutoring.understanding.replies.answers import bare_answer
from tutoring.understanding.replies.known_answers import compare_reply

assert isinstance(CHOICE.key, ChoiceKey)
RIGHT = CHOICE.key.right
WRONG = next(each.letter for each in CHOICE.choices if each.letter != RIGHT)
CARD = Prompt(id="q1", kind="question", text=CHOICE.stem, instance=CHOICE)
CASE = Prompt(id="two-pieces", kind="contrast", text="How much of the bar do you really get?")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("argh b", "b"),
        ("well, c i suppose", "c"),
        ("D, happy now?", "d"),
        ("the answer it is 3/4", "3/4"),
        ("7 then", "7"),
        ("c - next", "c"),
        ("gonna say d", "d"),
        ("b? probly wrong", "b"),
        ("a good one", ""),
        ("3 of them are right", ""),
    ],
)
def test_words_around_an_answer_are_left_out(text: str, value: str) -> None:
    assert bare_answer(make_message(text)) == value


@pytest.mark.parametrize("text", ["give me the next one", "another picture one please", "oops i took the wrong one"])
def test_a_pronoun_is_no_answer(text: str) -> None:
    assert analyse(text, Context(prompts=(CARD,))).answers == ()


@pytest.mark.parametrize(("letter", "verdict"), [(RIGHT, "right"), (WRONG, "wrong")])
def test_a_card_is_answered_while_a_case_waits_for_words(letter: str, verdict: str) -> None:
    (given,) = analyse(f"ugh {letter}", Context(prompts=(CASE, CARD))).answers
    assert (given.to, given.verdict) == ("q1", verdict)


@pytest.mark.parametrize(("text", "is_ventured"), [("is it 9?", True), ("could it be B?", True), ("it is 9", False)])
def test_an_answer_that_is_asked_about_is_told_from_one_that_is_given(text: str, is_ventured: bool) -> None:
    assert ("ventured" in analyse(text, Context(prompts=(CARD,))).commands) == is_ventured


REASONS = (
    "(A) No, because one piece is bigger. (B) Yes, because there are two pieces. "
    "(C) Yes, because one is the small half and one is the big half."
)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("no, one of them is bigger", "a"),
        ("the small half and the big half", "c"),
        ("now plus of fractions with different down number", ""),
        ("it does not matter where I cut it", ""),
        ("one of two equal parts", ""),
        ("I like the bigger dog", ""),
    ],
)
def test_a_choice_that_is_a_sentence_is_named_by_two_of_its_own_words(text: str, letter: str) -> None:
    found = compare_reply(make_message(text), REASONS, "A")
    assert (found.value if found else "") == letter


def test_next_behind_an_answer_is_no_wish_to_leave_the_question() -> None:
    found = analyse(f"{RIGHT} - next", Context(prompts=(CARD,)))
    assert [each.verdict for each in found.answers] == ["right"]
    assert "leave_step" not in found.commands


MELONS = "(A) 5 melons (B) The price of one melon and 5 dollars more (C) The price of 5 melons, in dollars (D) A melon with the number 5"


@pytest.mark.parametrize(("text", "letter"), [("the price of all 5", ""), ("its a melon with a number", "d")])
def test_a_number_that_all_choices_have_names_none(text: str, letter: str) -> None:
    found = compare_reply(make_message(text), MELONS, "C")
    assert (found.value if found else "") == letter


def _card(stem: str, kind: str, key: NumericKey | StepsKey | ExpressionKey) -> Prompt:
    exercise = replace(CHOICE, kind=kind, stem=stem, key=key, choices=(), wrong={})  # type: ignore[arg-type]
    return Prompt(id="q1", kind="question", text=stem, instance=exercise)


POURED = _card(
    "A bucket is 2/3 full. Then 1/6 of a bucket is poured in. How full is it?", "numeric", NumericKey(value="5/6")
)
COLD = _card("What is −6 − 15?", "numeric", NumericKey(value="-21"))
WORKING = _card("Work out 3 − 11 − (−6).", "steps", StepsKey(start="3 - 11 - (-6)", value="-2"))
SEVERAL = Prompt(
    id="q1",
    kind="question",
    text=CHOICE.stem,
    instance=replace(CHOICE, kind="multi", key=MultiKey(right=frozenset("AC"), options=CHOICE.key.options)),
)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("5/6 of a bucket", ["right"]),
        ("they go to 6 so its 4/6 plus 1/6, 5/6", ["right"]),
        ("3/9", ["wrong"]),
        ("my brother has 3 of them at home", []),
    ],
)
def test_right_answer_to_the_card_counts_in_words_too_while_a_case_waits(text: str, verdicts: list[str]) -> None:
    assert [each.verdict for each in analyse(text, Context(prompts=(CASE, POURED))).answers] == verdicts


def test_conclusion_counts_where_a_number_stands_on_the_way_to_it() -> None:
    (given,) = analyse("two minuses make a plus so 21", Context(prompts=(COLD,))).answers
    assert (given.value, given.verdict) == ("21", "wrong")


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("first its -8, then +6 is -2", []),
        ("3 - 11 is -8 and -8 + 6 = -2", ["right"]),
        ("3 - 11 = -8\n-8 + 6 = -2", ["right"]),
        ("3 - 11 = -8\n-8 - 6 = -14", ["wrong"]),
    ],
)
def test_steps_told_in_a_sentence_are_never_wrong(text: str, verdicts: list[str]) -> None:
    assert [each.verdict for each in analyse(text, Context(prompts=(WORKING,))).answers] == verdicts


@pytest.mark.parametrize(
    "text", ["A and C becaus both are halves", "its a and c bcs they r equal", "A, C becuase of the size"]
)
def test_several_letters_are_read_before_a_reason(text: str) -> None:
    (given,) = analyse(text, Context(prompts=(SEVERAL,))).answers
    assert given.verdict == "right"


TOWERS = _card("Three towers have 6, 2 and 4 blocks. How many leave the tallest?", "numeric", NumericKey(value="2"))
NUMBERS = Prompt(
    id="q1",
    kind="question",
    text="Which numbers does range(4) give?",
    instance=replace(
        CHOICE,
        choices=tuple(
            replace(each, text=text)
            for each, text in zip(CHOICE.choices, ("0, 1, 2, 3", "1, 2, 3, 4", "0, 1, 2, 3, 4"), strict=False)
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("I think the tallest loses four blocks, because then it is as low as the lowest", "4", "wrong"),
        ("i would put it at 5, in the middle between 4 and 6", "5", "wrong"),
        ("All must be four high, so the tallest one gives away two blocks", "2", "right"),
        ("just two, because then all are four high", "2", "right"),
        ("two blocks, then all of them are level", "2", "right"),
        ("6 minus 4 is 2, so that is what it gives away to the low one", "2", "right"),
        ("5 again, i am quite sure of it", "5", "wrong"),
        ("4 - 2 is 2, so it is 5", "5", "wrong"),
    ],
)
def test_number_before_a_reason_counts(text: str, value: str, verdict: str) -> None:
    (given,) = analyse(text, Context(prompts=(TOWERS,))).answers
    assert (given.value, given.verdict) == (value, verdict)


def test_word_for_a_number_in_a_remark_is_no_answer() -> None:
    text = "towers are rubbish anyway, in our street the average tower has one window and no door"
    assert not [each for each in analyse(text, Context(prompts=(TOWERS,))).answers if each.verdict == "wrong"]


@pytest.mark.parametrize(("text", "place"), [("so 0 1 2 3", 0), ("1 2 3 4 right?", 1), ("0,1,2,3,4", 2)])
def test_choice_of_several_numbers_is_told_without_commas(text: str, place: int) -> None:
    assert NUMBERS.instance is not None
    assert bare_answer(make_message(text, Context(prompts=(NUMBERS,)))) == NUMBERS.instance.choices[place].letter


def test_letters_in_a_sentence_at_the_end_count() -> None:
    (given,) = analyse("n isnt 31 so c too. a and c", Context(prompts=(SEVERAL,))).answers
    assert given.verdict == "right"


EQUATION = _card(
    "Each ride costs 7. After r rides, 6 of 62 are left. Write an equation.",
    "expression",
    ExpressionKey(value="62 - 7r = 6"),
)
BALANCE = _card("The scale shows 2x + 3 = 11. What does one box hold?", "numeric", NumericKey(value="4"))
SOLVING = _card("Solve 6x + 14 = 74.", "steps", StepsKey(start="6x + 14 = 74", value="x = 10"))


@pytest.mark.parametrize("text", ["62-7r=6 duh", "ok the equation is 62 - 7r = 6", "62 minus 7r equals 6"])
def test_equation_in_a_sentence_is_read(text: str) -> None:
    (given,) = analyse(text, Context(prompts=(EQUATION,))).answers
    assert given.verdict == "right"


def test_number_that_is_called_the_answer_counts() -> None:
    text = "the answer is obviously 4, take away 3 then split the 8 in two"
    (given,) = analyse(text, Context(prompts=(BALANCE,))).answers
    assert (given.value, given.verdict) == ("4", "right")


def test_lines_of_a_working_are_read_in_one_sentence() -> None:
    (given,) = analyse("6x = 74 - 14 then 6x = 60 so x = 10", Context(prompts=(SOLVING,))).answers
    assert given.verdict == "right"


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("shouldnt the answer be 8 because 5+3 is 8", []),
        ("8 because 5+3 is 9", ["5 + 3 = 9"]),
        ("y - 19 + 19 = 17 + 19, y = 36", []),
        ("does it matter if i write 6=62-7r", []),
        ("5 x 4 = 20", ["5 × 4 = 20"]),
    ],
)
def test_reason_and_algebra_are_no_claims(text: str, claims: list[str]) -> None:
    found = make_message(text, Context(prompts=(BALANCE,))).claims
    assert [each.statement.replace("*", "×") for each in found] == claims
