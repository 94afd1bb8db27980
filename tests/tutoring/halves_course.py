"""A small course about halves and its exercises, as values, for tests of the teaching rules."""

from tutoring.courses.catalogue import (
    ConceptContent,
    ContrastCase,
    CourseAnswer,
    CourseContent,
    LessonPiece,
    Milestone,
    Misconception,
)
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice, Scaffold
from tutoring.grading.keys import ChoiceKey, Idea, MultiKey, NumericKey, TextKey

SAME_SIZE = Idea(any=("same size", r"\bequal\b", "as big as", r"\bbigger\b"), weight=0.75, name="the parts are equal")
TWO = Idea(any=(r"\btwo\b", r"\b2\b"), weight=0.25, name="there are two")

PIECE = LessonPiece(
    id="sandwich",
    blocks=("Here is a sandwich cut in two. Would you call each piece *a half*?",),
    question="Would you call each piece *a half*?",
    ideas=(SAME_SIZE, TWO),
    heard="You compared the sizes.",
    not_yet="Lay one piece on the other.",
)
TWO_PIECES = Misconception(
    id="two_pieces",
    kind="conceptual",
    says="Any two pieces are halves.",
    description="Counts the pieces and does not compare their sizes.",
    correct_idea="Halves are two parts of the same size.",
    contrast=ContrastCase(
        blocks=("I cut this bar in two as well. Did we each get half?",),
        question="Did we each get half?",
        ideas=(SAME_SIZE,),
        heard="You compared the sizes.",
        not_yet="Look at the long piece.",
    ),
    utterances=(
        r"\b(these|those|they|both|two pieces)\b.{0,20}\bhal(f|ves)\b",
        r"because there (are|is) two",
        r"\b(do not|don'?t) (have to|need to) be (equal|the same)",
    ),
    base_rate=0.03,
    concepts=("one-half",),
)
BIGGER_BOTTOM = Misconception(
    id="bigger_bottom",
    kind="conceptual",
    says="The bigger the bottom number, the bigger the fraction.",
    description="Compares the bottom numbers as whole numbers.",
    correct_idea="More parts make smaller parts.",
    contrast=TWO_PIECES.contrast,
    utterances=(r"1/8 is (bigger|more) than 1/4",),
    concepts=("compare",),
)
HALF = ConceptContent(
    id="one-half",
    title="One half",
    summary="Two equal parts.",
    level=1,
    minutes=15,
    pieces={"beginner": (PIECE,)},
    milestones=(
        Milestone(id="same", concept="one-half", title="Same size", ideas=(Idea(any=("fair share",), name="fair"),)),
    ),
    answers=(CourseAnswer(asks=(r"what (is|does) (a |one )?half",), says="One of two equal parts."),),
)
COURSE = CourseContent(
    id="halves",
    title="Halves",
    summary="",
    language="en",
    license="CC0",
    version="1",
    threshold=0.85,
    concepts=(HALF,),
    misconceptions={TWO_PIECES.id: TWO_PIECES, BIGGER_BOTTOM.id: BIGGER_BOTTOM},
)

HINTS = (
    "Look at the sizes of the parts. Are they the same?",
    "A fraction counts equal parts.",
    "How many equal parts make the whole bar?",
    "Here is another bar: 1 of its 5 equal parts is dark, so 1/5 is dark.",
    "There are 8 equal parts and 3 are dark: 3/8.",
)
NUMERIC = Exercise(
    template="dark-bar",
    seed=1,
    concept="one-half",
    kind="numeric",
    difficulty="medium",
    stem="What part of the bar is dark?",
    key=NumericKey(value="3/8"),
    hints=HINTS,
    scaffold=Scaffold(ask=HINTS[2], answer="8"),
    solution=("8 equal parts", "3 of them are dark: 3/8"),
    wrong={"3/5": ("part_to_part",)},
)
_OPTIONS = (("A", "the cut from corner to corner"), ("B", "the cut near the left edge"), ("C", "no cut at all"))
CHOICE = Exercise(
    template="which-cut",
    seed=1,
    concept="one-half",
    kind="choice",
    difficulty="easy",
    stem="Which cut makes halves?",
    key=ChoiceKey(right="A", options=_OPTIONS),
    hints=HINTS,
    solution=("From corner to corner both parts match.",),
    choices=tuple(ExerciseChoice(letter=letter, text=text) for letter, text in _OPTIONS),
    wrong={"B": ("two_pieces",)},
)
MULTI = Exercise(
    template="which-cuts",
    seed=1,
    concept="one-half",
    kind="multi",
    difficulty="hard",
    stem="Which cuts make halves?",
    key=MultiKey(right=frozenset({"B", "D"}), options=(*_OPTIONS, ("D", "the cut through the middle"))),
    hints=HINTS,
    solution=("B and D",),
)
TEXT = Exercise(
    template="say-why",
    seed=1,
    concept="one-half",
    kind="text",
    difficulty="medium",
    stem="When are two parts halves?",
    key=TextKey(ideas=(SAME_SIZE, TWO), references=("when the two parts have the same size",)),
    hints=HINTS,
    solution=("The two parts have the same size.",),
)
