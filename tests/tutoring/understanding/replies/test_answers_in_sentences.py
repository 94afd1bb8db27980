"""Answers within whole sentences: with reasons before and behind them, results, questions besides, and other numbers."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import pytest

from tutoring.courses.catalogue import TemplateKind
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice
from tutoring.grading.boards import CutBoard, ShareBoard
from tutoring.grading.equation_boards import Axis, PointBoard
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    TraceKey,
)
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt

NO_CHOICES: Mapping[str, str] = MappingProxyType({})
NO_MISTAKES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
GRID = Axis(start=Fraction(0), end=Fraction(6))


def card(
    stem: str,
    key: AnswerKey,
    kind: TemplateKind,
    *,
    choices: Mapping[str, str] = NO_CHOICES,
    wrong: Mapping[str, tuple[str, ...]] = NO_MISTAKES,
    given: str = "",
    solution: tuple[str, ...] = ("",),
) -> Context:
    """Return the context in which this question is open. `given` is an answer that was right in part."""
    exercise = Exercise(
        template="t1",
        seed=1,
        concept="c1",
        kind=kind,
        difficulty="medium",
        stem=stem,
        key=key,
        hints=("",) * 5,
        solution=solution,
        choices=tuple(ExerciseChoice(letter=letter, text=text) for letter, text in choices.items()),
        wrong=wrong,
    )
    return Context(prompts=(Prompt(id="q1", kind="question", text=stem, instance=exercise, given=given),))


def given(text: str, context: Context) -> tuple[str, str]:
    """Return the value and the verdict of the answer in a message; empty for none."""
    return next(((each.value, each.verdict) for each in analyse(text, context).answers), ("", ""))


SLEEP = card(
    "A baby sleeps 7 nights, on average 8 hours. How many hours did it sleep in all?", NumericKey(value="56"), "numeric"
)
PARCELS = card(
    "In four days 11, 0, 6 and 7 parcels come. What is the mean?",
    NumericKey(value="6"),
    "numeric",
    wrong={"8": ("leaves_out_zeros",)},
)
TAXI = card(
    "A ride costs 5 dollars and 3 dollars for each mile: 5 + 3m = 20. How many miles?", NumericKey(value="5"), "numeric"
)
EQUATION = card("Solve x + 29 = 70. What is x?", NumericKey(value="41"), "numeric")


@pytest.mark.parametrize(
    ("text", "context", "found"),
    [
        ("Ah, so seven nights times eight hours, that would be 56 hours in all.", SLEEP, ("56", "right")),
        ("The zero does not count, so I divide 24 by 3, which is 8.", PARCELS, ("8", "wrong")),
        ("24 divided by 4 nights is something, like 6", PARCELS, ("6", "right")),
        ("So out of 24 you would get about six, one in every four.", PARCELS, ("6", "right")),
        ("is it 8m = 20? cause 5 and 3m is 8m so 20/8 = 2.5", TAXI, ("2.5", "wrong")),
        ("then x = 41. check 41 + 29 = 70, told ya", EQUATION, ("41", "right")),
        ("70 - 29, that's 41?", EQUATION, ("41", "right")),
        ("6 times 7 is 42 so 42", EQUATION, ("42", "wrong")),
        ("20 + 80 is 100 so 19 + 80 = 99", EQUATION, ("99", "wrong")),
        ("19 + 80 = 99", EQUATION, ("", "")),
        ("None, you said yourself that it never slept at all on any of these days.", SLEEP, ("0", "wrong")),
        ("About seven, so 56 hours. But how on earth can a baby sleep that long?", SLEEP, ("56", "right")),
    ],
)
def test_result_of_a_sentence_is_its_answer(text: str, context: Context, found: tuple[str, str]) -> None:
    assert given(text, context) == found


@pytest.mark.parametrize(
    "text",
    [
        "we were 9 people and 13 of them had coffee while i had tea the whole time",
        "I do not know how one can say 20 hours of that, or 30 with the nap, if nobody has counted them",
    ],
)
def test_of_several_numbers_none_is_a_wrong_answer(text: str) -> None:
    assert given(text, SLEEP)[1] != "wrong"


def test_numbers_that_may_be_meant_are_offered() -> None:
    found = analyse("i think you take 12 and then 15 or something like that with the nights", SLEEP)
    assert found.nearest_choices == ("12", "15")


LINES = card(
    "Four people start to solve 4x + 8 = 32. Whose next line is right?",
    ChoiceKey(right="A"),
    "choice",
    choices={"A": "Ana: 4x = 24", "B": "Bo: x + 8 = 8", "C": "Cem: 4x = 40"},
)
CHEESE = card(
    "Is that cut fair?",
    ChoiceKey(right="A"),
    "choice",
    choices={
        "A": "No, because one piece is wider",
        "B": "Yes, because there are two pieces",
        "C": "Yes, because both are cheese",
    },
)
SHARED = card(
    "Is this a fair cut?",
    ChoiceKey(right="B"),
    "choice",
    choices={
        "A": "No, because one cut makes only one part",
        "B": "No, because Sam gets more cheese",
        "C": "Yes, because there are two pieces",
    },
)
NEURON = card(
    "What does the neuron decide?",
    ChoiceKey(right="A"),
    "choice",
    choices={
        "A": "Take the umbrella, since the sum is 2",
        "B": "Take the umbrella, since the sum is 11",
        "C": "No umbrella",
    },
)


@pytest.mark.parametrize(
    ("text", "context", "letter"),
    [
        ("ana", LINES, "A"),
        ("bo, he divides by 4 first, 32/4 = 8", LINES, "B"),
        ("nope one slise is fat", CHEESE, "A"),
        ("the neuron says take the umbrella since the sum is 2", NEURON, "A"),
        ("I'd say the first one, because I forgot the bias", NEURON, "A"),
        ("I don't think it says take the umbrella, since the sum is 2", NEURON, ""),
        ("ana was my best friend in school", LINES, ""),
        (
            "whether I add or not, the eight has to go away first on both of the sides. That is A, I suppose.",
            LINES,
            "A",
        ),
        ("why do people not just add the 8 on the other side? that is much shorter, so C", LINES, "C"),
        ("so its A then. he took 8 away", LINES, "A"),
        ("no thats mean, sam has the bigger peace", SHARED, "B"),
        ("no idea what sam has", SHARED, ""),
        ("no thanks, show me the next one", CHEESE, ""),
        ("not sure about that", CHEESE, ""),
        ("why not take the umbrella, since the sum is 2?", NEURON, ""),
    ],
)
def test_choice_is_named_in_a_sentence(text: str, context: Context, letter: str) -> None:
    assert given(text, context)[0] == letter


def test_choice_with_the_number_that_words_come_to_is_offered() -> None:
    found = analyse("oh I forgot the bias, 11 - 9 = 2, still an umbrella", NEURON)
    assert found.nearest_choices == ("Take the umbrella, since the sum is 2",)


PICTURES = {letter: f"picture {letter}" for letter in "ABCDEF"}
EQUAL = MultiKey(right=frozenset("CDEF"))
MULTI = card("Which pictures show equal parts?", EQUAL, "multi", choices=PICTURES)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("c e and f but not d cos its sideways", "c e and f"),
        ("i SAID c e f", "c e f"),
        ("The first two are true. The third is false because it is not.", "A B"),
        ("first and third fit", "A C"),
        ("are the first two right?", ""),
    ],
)
def test_letters_of_several_choices(text: str, letters: str) -> None:
    assert given(text, MULTI)[0] == letters


def test_letter_is_added_to_an_answer_that_was_right_in_part() -> None:
    again = card("Which pictures show equal parts?", EQUAL, "multi", choices=PICTURES, given="c e f")
    assert given("is it d?", again) == ("c e f d", "right")


POINT = card("Put the drone at (4, 1).", ConstructionKey(value="4, 1", board=PointBoard(x=GRID, y=GRID)), "point")
PLANK = card(
    "Cut this plank so that each part is 1/7 of it.", ConstructionKey(value="7", board=CutBoard(shape="bar")), "cut"
)
MUSHROOMS = card(
    "Share the mushrooms 8, 1, 2 and 5.", ConstructionKey(value="4", board=ShareBoard(things=16, people=4)), "share"
)
BOTH = card("What are the mean and the median?", SetKey(values=("12", "8"), names=("mean", "median")), "set")
STEPS = card(
    "How do you get back?",
    OrderKey(
        right=("A", "C", "B"),
        options=(("A", "Subtract 7"), ("B", "Check: double the number and add 7"), ("C", "Divide by 2")),
    ),
    "order",
)


@pytest.mark.parametrize(
    ("text", "context", "verdict"),
    [
        ("4 up and 1 to the right?", POINT, "wrong"),
        ("make 7 same size parts", PLANK, "right"),
        ("7 cuts", PLANK, "wrong"),
        ("4 to the right and then 1 up", POINT, "right"),
        ("Each of them gets four, because 8 plus 1 plus 2 plus 5 is 16 and there are four people.", MUSHROOMS, "right"),
        ("The mean is 12 because they add up to 60, and the median is 8 since that is in the middle.", BOTH, "right"),
        ("ok then subtract 7, divide by 2, then check", STEPS, "right"),
        ("Subtract 7\nDivide by 2\nCheck: double the number and add 7", STEPS, "right"),
        ("why do i subtract first and then divide and then check?", STEPS, ""),
    ],
)
def test_point_share_set_and_order_in_a_sentence(text: str, context: Context, verdict: str) -> None:
    assert given(text, context)[1] == verdict


WEATHER = """t = 34
if t >= 30:
    print("hot")
elif t >= 20:
    print("warm")
"""


@pytest.mark.parametrize(
    ("program", "prints", "text", "found"),
    [
        (WEATHER, "hot", "I think it prints hot and also warm, because 34 is more than both", ("hot\nwarm", "wrong")),
        (WEATHER, "hot", "It is more than 30, so I would say hot.", ("hot", "right")),
        ('print("Level " + str(1 + 1))', "Level 2", "You are not listening. My answer is Level 2.", ("Level 2", "right")),
        ('print("Level " + str(1 + 1))', "Level 2", "I believe it prints Level 11, because str makes text", ("Level 11", "wrong")),
        ('print("9" + "8")', "98", "Probably 98: the plus puts them side by side.", ("98", "right")),
        (
            'print("Points: 6 + 5")\nprint(6 + 5)',
            "Points: 6 + 5\n11",
            "The first line shows Points: 6 + 5 as it is written, and the second line shows 11.",
            ("Points: 6 + 5\n11", "right"),
        ),
        ('print("3 + 4")', "3 + 4", "Which question do you mean? It shows 3 + 4, without the quotation marks.", ("3 + 4", "right")),
        ('print("9" + "8")', "98", 'What would happen if I wrote "9" + 8?', ("", "")),
    ],
)  # fmt: skip
def test_output_within_a_sentence(program: str, prints: str, text: str, found: tuple[str, str]) -> None:
    context = card("What does this program show?", TraceKey(program=program, prints=prints), "trace")
    assert given(text, context) == found


TRIP = card(
    "A bus drives 3 hours at 60 km an hour and then 45 km more. How far is that?",
    NumericKey(value="225"),
    "numeric",
    wrong={"105": ("forgets_hours",)},
    solution=("3 × 60 = 180", "180 + 45 = 225. Check: 225 − 45 = 180"),
)
VISITS = card(
    "A bar chart shows 2 dogs, 5 cats and 40 birds. How many cats and dogs are there?", NumericKey(value="7"), "numeric"
)


@pytest.mark.parametrize(
    ("text", "context", "found"),
    [
        ("3x60=180, plus 45 more... so two hundred and twenty-five?", TRIP, ("225", "right")),
        ("hm 180 for the hours and then with the rest 225 i think but im not sure", TRIP, ("225", "right")),
        ("40 birds do not count, so the two others, 7?", VISITS, ("7", "right")),
        ("my uncle drove 225 km in one night and then slept the whole next day", TRIP, ("", "")),
        ("then she is at a distance of two hundred twenty five", TRIP, ("225", "right")),
        ("why is it not 225", TRIP, ("", "")),
        ("it is surely not 225", TRIP, ("", "")),
        ("how do you get 225", TRIP, ("", "")),
        ("40 or so, I see a third bar, 3?", VISITS, ("", "")),
    ],
)
def test_a_right_number_at_the_end_is_the_answer(text: str, context: Context, found: tuple[str, str]) -> None:
    assert given(text, context) == found


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("so the first part is 180 km", "3 × 60 = 180"),
        ("3 hours with 60, that makes 180?", "3 × 60 = 180"),
        ("so the end is 225 km", ""),
        ("a film of 180 minutes is much too long for me anyway", ""),
        ("60 km an hour, so 60?", ""),
        ("why 180", ""),
    ],
)
def test_a_result_on_the_way_is_a_step(text: str, step: str) -> None:
    analysis = analyse(text, TRIP)
    assert [each.statement for each in analysis.claims if each.is_step] == ([step] if step else [])


TYPES = card(
    'Which type has "12"?',
    ChoiceKey(right="B", options=("A", "B", "C")),
    "choice",
    choices={"A": "int", "B": "str", "C": "float"},
)
SLICES = card(
    "Which pizza is half eaten?",
    ChoiceKey(right="C", options=("A", "B", "C")),
    "choice",
    choices={"A": "", "B": "", "C": ""},
)


@pytest.mark.parametrize(
    ("text", "context", "letter"),
    [
        ("Here the marks decide, so I would say that its type is str.", TYPES, "B"),
        ("it is surely not int, it has to be str", TYPES, "B"),
        ("at first I thought of int. But there are quotes... then its type is str, of course", TYPES, "B"),
        ("is it int or str", TYPES, ""),
        ("why is it not float", TYPES, ""),
        (
            "It looks like a number to me, and one calculates with numbers, but since there are marks I choose B.",
            TYPES,
            "B",
        ),
        ("ohhh C, three slices are there and three not", SLICES, "C"),
        ("the C pizza, because three of the six slices are not there", SLICES, "C"),
        ("not C", SLICES, ""),
    ],
)
def test_a_choice_is_named_within_a_sentence(text: str, context: Context, letter: str) -> None:
    assert given(text, context)[0].upper() == letter


PRINTED = card(
    "What is printed?",
    TraceKey(program="a = 8\nb = a\na = 21\nprint(b)", prints="8"),
    "trace",
    wrong={"21": ("follows",)},
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Still eight; the 21 belongs to a alone.", ("8", "right")),
        ("it is a copy, so b is still 8 although a is 21 by now", ("8", "right")),
        ("If a cell changes, all that hangs on it does. Therefore b becomes 21.", ("21", "wrong")),
    ],
)
def test_an_output_is_told_in_words(text: str, found: tuple[str, str]) -> None:
    assert given(text, PRINTED) == found


def test_an_output_with_marks_around_it_is_another_one() -> None:
    shown = card(
        "What is printed?", TraceKey(program='print("1 + 2")', prints="1 + 2"), "trace", wrong={'"1 + 2"': ("marks",)}
    )
    assert given("I suppose it shows 1 + 2, with the marks around it.", shown)[1] != "right"


def test_rows_are_ordered_by_their_numbers() -> None:
    steps = card(
        "Put the steps in order.",
        OrderKey(right=("C", "A", "B"), options=(("A", "add"), ("B", "round"), ("C", "multiply"))),
        "order",
        choices={"A": "add", "B": "round", "C": "multiply"},
    )
    assert given("3 1 2", steps) == ("3 1 2", "right")


def test_matches_are_listed_row_by_row() -> None:
    solved = card(
        "Match each equation with its solution.",
        MatchKey(
            right=(("A", "2"), ("B", "3"), ("C", "1")),
            rows=(("A", "x + 1 = 9"), ("B", "2x = 24"), ("C", "x - 2 = 3")),
            options=(("1", "5"), ("2", "8"), ("3", "12")),
        ),
        "match",
    )
    assert given("8, 12 and 5", solved) == ("8, 12 and 5", "right")
    assert given("5, 12 and 8", solved)[1] == "wrong"


ASKS_SAME = card(
    "Which equations ask the same as x + 8 = 14?",
    MultiKey(right=frozenset("BD"), options=tuple(zip("ABCD", "wxyz", strict=True))),
    "multi",
    choices=dict(zip("ABCD", "wxyz", strict=True)),
)


@pytest.mark.parametrize(
    ("text", "letters"),
    [("fine b and d then, because they are the same both ways", "b and d"), ("only D. its just swapped round", "d")],
)
def test_letters_may_stand_in_any_sentence(text: str, letters: str) -> None:
    assert given(text, ASKS_SAME)[0].lower() == letters


THREE_WEIGHTS = card(
    "The weights are 4, 0 and −2. Which inputs can grow without making the sum larger?",
    ChoiceKey(right="D", options=tuple(zip("ABCD", "ABCD", strict=True))),
    "choice",
    choices={"A": "All three", "B": "Only the second", "C": "Only the first", "D": "The second and the third"},
)
WAYS = card("Write 2/5 in three ways.", SetKey(values=("4/10", "6/15", "10/25"), form="as_written"), "set")
NAMED = card(
    "4/5 and 20/? are the same amount. Which number is missing?",
    NumericKey(value="25"),
    "numeric",
    wrong={"21": ("adds",)},
)


@pytest.mark.parametrize(
    ("text", "context", "found"),
    [
        ("it must be the 2nd and the third, since 0 adds nothing", THREE_WEIGHTS, ("D", "right")),
        ("zero adds nothing and minus takes away, so number two and number three", THREE_WEIGHTS, ("D", "right")),
        ("only the first", THREE_WEIGHTS, ("C", "wrong")),
        ("4/10 and 6/15 and 10/25 becuase i timesed by 2, 3 and 5", WAYS, ("4/10 , 6/15 , 10/25", "right")),
        ("that was my answer! 4/10, 6/15, 10/25", WAYS, ("4/10, 6/15, 10/25", "right")),
        ("I have 2 brothers and 3 sisters", WAYS, ("", "")),
        ("21 because 4 plus 16 is 20.. no wait, one may not add. 5 times 5 is 25", NAMED, ("25", "right")),
    ],
)
def test_places_lists_and_corrections_are_read(text: str, context: Context, found: tuple[str, str]) -> None:
    assert given(text, context) == found


LIST = card(
    "What is printed?",
    TraceKey(program="n = [4, 9, 2]\nn[1] = 7\nprint(n)", prints="[4, 7, 2]"),
    "trace",
    wrong={"[7, 9, 2]": ("from_one",)},
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in my old language it would be the 4, but we count from 0, so the 9 goes: [4, 7, 2]", ("[4, 7, 2]", "right")),
        ("[4, 7, 2] is right, I am sure of it", ("[4, 7, 2]", "right")),
        ("it is surely not [4, 7, 2]", ("", "")),
        ("the first one is replaced, because lists begin with 1, so [7, 9, 2]", ("[7, 9, 2]", "wrong")),
        ("first 9 and 2 are looked at, then 7 comes, and 4 stays where it was before", ("", "")),
        ("[4, 9, 7]", ("[4, 9, 7]", "wrong")),
    ],
)
def test_a_list_is_found_in_a_sentence(text: str, found: tuple[str, str]) -> None:
    assert given(text, LIST) == found


TIDES = card(
    "What makes the tides?",
    MultiKey(right=frozenset("AB"), options=tuple(zip("ABCD", "wxyz", strict=True))),
    "multi",
    choices={"A": "the pull of the Sun", "B": "the pull of the Moon", "C": "the wind", "D": "whales"},
)
RUI = card(
    "What can you tell Rui?",
    ChoiceKey(right="D", options=tuple(zip("ABCD", "ABCD", strict=True))),
    "choice",
    choices={
        "A": "He should erase the dot",
        "B": "He is right, because one case is enough",
        "C": "There is nothing to see",
        "D": "One exception changes little",
    },
)


@pytest.mark.parametrize(
    ("text", "context", "letters"),
    [
        ("it's the pull of the moon and the pull of the sun", TIDES, "A B"),
        ("the wind has nothing to do with the sea, my uncle says", TIDES, ""),
        ("ok the wind as well, so A and B, and ships need it too, C", TIDES, "A B C"),
        ("what? it was about something else. D then, one case undoes nothing", RUI, "D"),
    ],
)
def test_choices_are_named_by_their_texts_and_letters(text: str, context: Context, letters: str) -> None:
    assert given(text, context)[0].upper() == letters


@pytest.mark.parametrize("row", ["a", "'", "a'", "’ ", "a ", "-", "( "])
def test_long_rows_behind_a_number_are_read_without_backtracking(row: str) -> None:
    assert given(f"so it is 225 {row * 300}é", TRIP) == ("225", "right")


@pytest.mark.parametrize(
    "text", ["so one third is 3 boxes and then i need 2", "1/3 is 3 of the boxes", "1/3 is 3 times as big"]
)
def test_counted_things_are_no_claim_about_a_share(text: str) -> None:
    assert not analyse(text, TRIP).claims
