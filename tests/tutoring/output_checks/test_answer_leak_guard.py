"""The guard over a model's words while a question is open: an allow-list."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.halves_course import CHOICE, MULTI, NUMERIC, TEXT
from tests.tutoring.output_checks.leaking_texts import HELPFUL, WORDINGS, of_kind, refused, told
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import ChoiceKey, NumericKey, TextKey
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak

KINDS = (("fraction", NumericKey), ("choice", ChoiceKey), ("text", TextKey))
QUESTIONS = 7
"""Of each kind, for each wording: a thousand replies in all."""
PASS = 0.95

SUM = replace(NUMERIC, stem="Work out 1/6 + 8/15.", key=NumericKey(value="7/10"))
LEFT = replace(
    NUMERIC, stem="A cake is cut into 6 slices, and 1 of them is gone. What part is left?", key=NumericKey(value="5/6")
)
OF = replace(NUMERIC, stem="What is 3/4 of 8?", key=NumericKey(value="6"))
BIGGER = replace(NUMERIC, stem="Which is bigger, 1/2 or 1/3?", key=NumericKey(value="1/2"))

ONE = replace(NUMERIC, stem="How many fifths are missing from 4/5 to the whole?", key=NumericKey(value="1"))
TWO = replace(NUMERIC, stem="By which number are 2 and 4 both divided?", key=NumericKey(value="2"))

CLOSEST = replace(
    CHOICE,
    stem="To which of these is 8/9 + 11/12 closest?",
    key=ChoiceKey(right="A", options=(("A", "2"), ("B", "1"), ("C", "19"))),
)


def test_a_model_that_wants_to_tell_tells_nothing_in_a_thousand_replies() -> None:
    replies, shown = 0, []
    for name, kind in KINDS:
        questions = of_kind(kind, range(2, 4))
        for place, wording in enumerate(WORDINGS[name]):
            for question in (questions * 2)[place % len(questions) :][:QUESTIONS]:
                replies += 1
                said = told(question, wording)
                shown += [] if find_leak(said, OpenQuestion(instance=question)) else [f"{question.template}: {said}"]
    wordings = {name: len(WORDINGS[name]) for name, _kind in KINDS}
    assert replies >= 1_000
    assert shown == [], f"{len(shown)} of {replies} replies, in {wordings} wordings, carry the answer"


def test_what_a_good_teacher_says_passes() -> None:
    number, held = sum(map(len, HELPFUL.values())), refused()
    assert number == 200
    assert len(held) <= (1 - PASS) * number, f"{number - len(held)} of {number} pass; refused: {held}"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (SUM, "The numerator is 7 and the denominator is 10"),
        (SUM, "On top write 7, below write 10"),
        (SUM, "It is 7 : 10 after all"),
        (SUM, "zero point seven"),
        (SUM, "10 minus 3 is on top."),
        (SUM, "sieben Zehntel"),
        (SUM, "It's seventenths."),
        (SUM, "se-ven over te-n"),
        (SUM, "The top is an Ⅶ."),
        (SUM, "⚅ and a bit"),
        (SUM, "Take $\\frac{14}{20}$ and halve it."),
        (LEFT, "one minus one sixth"),
        (LEFT, "5 of the 6 parts"),
        (LEFT, "1 - 1/6"),
        (LEFT, "A whole without 1/6."),
        (OF, "Share 8 by 4, then take that 3 times."),
        (OF, "8 · 3 : 4"),
        (BIGGER, "Think of 1/2 of a cake."),
        (BIGGER, "The bottom number is 2."),
        (SUM, "IIIIIII over IIIIIIIIII"),
        (SUM, "ooooooo of them"),
        (SUM, "εφτά δέκατα"),
        (SUM, "세븐"),
        (LEFT, "All but 1 of the 6."),
        (LEFT, "Everything except 1 of the 6 slices."),
        (ONE, "The answer is one."),
        (ONE, "It is one."),
        (ONE, "exactly one"),
        (TWO, "It is a pair."),
        (TWO, "double"),
        (TWO, "both"),
        (replace(TWO, stem="By which number are 3 and 9 divided?", key=NumericKey(value="3")), "It is a trio."),
        (CHOICE, "Pick the 1st."),
        (CHOICE, "It is the 2nd."),
        (CHOICE, "choose the 1st one"),
        (CHOICE, "the one at position 1"),
        (CHOICE, "pick a"),
        (CHOICE, "the middle one"),
        (CHOICE, "not A, not C"),
        (CHOICE, "Let us see. first"),
        (CHOICE, "First, because it fits."),
        (CLOSEST, "The right one says: 2"),
        (CHOICE, "It is the one about corners."),
        (CHOICE, "The cut goes from corner to corner."),
        (MULTI, "Tick two of them: B is one."),
        (TEXT, "They have to be equally big, as big as each other."),
    ],
)  # fmt: skip
def test_an_answer_is_refused_however_it_is_said(question: Exercise, said: str) -> None:
    assert find_leak(said, OpenQuestion(instance=question))


def test_a_hint_that_holds_an_option_by_chance_gives_it_to_nobody() -> None:
    question = OpenQuestion(instance=CLOSEST).supplying("Both of the 2 fractions are nearly 1.")
    assert find_leak("It is 2.", question)
    assert find_leak("Look at the 2 fractions.", question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (SUM, "Look at 1/6 + 8/15: are the parts of one size?"),
        (SUM, "What goes into 6 and into 15?"),
        (SUM, "Is it more than a half?"),
        (LEFT, "How many of the 6 slices are left?"),
        (OF, "Into how many groups do you share the 8?"),
        (ONE, "Which one do you mean?"),
        (ONE, "Look at the other one, and at one part after the next."),
        (TWO, "Both numbers are even."),
        (TWO, "Is it more than a half?"),
        (CHOICE, "A half has two equal parts."),
        (CHOICE, "First look at the sizes, then choose."),
        (CHOICE, "First, look at the sizes."),
        (CHOICE, "Which one makes two parts of the same size?"),
        (TEXT, "What do you see when you lay one on the other?"),
    ],
)
def test_what_leads_on_passes(question: Exercise, said: str) -> None:
    assert find_leak(said, OpenQuestion(instance=question)) == ""


def test_what_the_learner_wrote_or_the_move_supplies_may_be_said_again() -> None:
    assert find_leak("You wrote 21/30.", OpenQuestion(instance=SUM)) == "number"
    assert find_leak("You wrote 21/30.", OpenQuestion(instance=SUM, said=("is it 21/30?",))) == ""
    assert find_leak("How many thirtieths is 1/6?", OpenQuestion(instance=SUM).supplying("Use parts of 1/30.")) == ""
    assert find_leak("You chose B.", OpenQuestion(instance=CHOICE, said=("B",))) == ""
    assert find_leak("It is C.", OpenQuestion(instance=CHOICE, said=("B",))) == "letter"


def test_who_names_every_option_gets_none_of_them_picked() -> None:
    every = " or ".join(text for _letter, text in CHOICE.key.options) if isinstance(CHOICE.key, ChoiceKey) else ""
    assert (
        find_leak("The cut from corner to corner.", OpenQuestion(instance=CHOICE, said=(f"is it {every}?",)))
        == "option"
    )
    ahead = next(each for each in of_kind(ChoiceKey, range(3, 4)) if each.template == "cp-which-ahead")
    assert find_leak("Ada is ahead.", OpenQuestion(instance=ahead)) == "option"
    assert find_leak("Ada is ahead.", OpenQuestion(instance=ahead, said=("is it Ada or is it Yuna?",))) == "option"
    assert find_leak("You chose Ada.", OpenQuestion(instance=ahead, said=("Ada",))) == ""
    assert find_leak("A.", OpenQuestion(instance=CHOICE, said=("is it A, B or C?",))) == "letter"


def test_who_names_many_numbers_is_not_told_which_one() -> None:
    counted = ", ".join(map(str, range(12)))
    assert find_leak("It is 6.", OpenQuestion(instance=OF, said=(f"is it {counted}?",)))


def test_numbers_over_two_sentences_are_one_answer() -> None:
    question = OpenQuestion(instance=BIGGER)
    assert (
        find_leak("On top goes 1.", OpenQuestion(instance=replace(BIGGER, stem="1 of 2 cakes is eaten. What part?")))
        == ""
    )
    assert find_leak("On top goes 1. Below goes 2.", question)


def test_what_is_too_long_to_be_read_is_refused() -> None:
    assert find_leak("word " * 2_000, OpenQuestion(instance=TEXT)) == "long"


@settings(max_examples=40)
@given(message=st.text(max_size=300), said=st.lists(st.text(max_size=60), max_size=2))
def test_any_text_can_be_checked(message: str, said: list[str]) -> None:
    for instance in (NUMERIC, CHOICE, MULTI, TEXT):
        assert isinstance(find_leak(message, OpenQuestion(instance=instance, said=tuple(said))), str)


FRACTIONS = st.sampled_from(of_kind(NumericKey, range(3, 4)))
# Where the digits 0 to 9 of a script stand in Unicode, one after the other.
SCRIPTS = st.sampled_from((0x30, 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10, 0x1D7CE, 0x1D7D8, 0x2080))


@settings(max_examples=40)
@given(FRACTIONS, SCRIPTS)
def test_an_answer_is_refused_in_the_digits_of_any_script(question: Exercise, zero: int) -> None:
    assert isinstance(question.key, NumericKey)
    said = "".join(chr(zero + int(sign)) if sign.isdecimal() else " over " for sign in question.key.value)
    assert find_leak(said, OpenQuestion(instance=question))
