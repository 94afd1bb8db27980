"""Messages to a question that asks for a program."""

from dataclasses import replace

import pytest

from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading.programs.keys import CodeKey, ProgramCase, TraceKey
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.replies.program_answers import program_answer, with_starter

KEY = CodeKey(solution="def bigger(a, b):\n    return max(a, b)", cases=(ProgramCase(call="bigger(2, 5)", value="5"),))
ASKED = Exercise(
    template="t", seed=1, concept="functions", kind="code", difficulty="easy", stem="Write bigger(a, b).",
    key=KEY, hints=("",) * 5, solution=("",),
)  # fmt: skip
CONTEXT = Context(prompts=(Prompt(id="q1", kind="question", text=ASKED.stem, instance=ASKED),))
RIGHT = "def bigger(a,b): return a if a>b else b"


@pytest.mark.parametrize("text", [RIGHT, f"is my code right? {RIGHT}", f"I think this works:\n{RIGHT}"])
def test_a_program_is_an_answer_with_words_before_it_too(text: str) -> None:
    found = program_answer(text, CONTEXT)
    assert found is not None
    assert (found.value, found.verdict) == (RIGHT, "right")


@pytest.mark.parametrize(
    "text", ["is this right? if a is bigger then I return a", "what does def do?", "for what is this?"]
)
def test_words_about_a_program_are_no_answer(text: str) -> None:
    assert program_answer(text, CONTEXT) is None


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("3 + 4", "right"),
        ("3 + 4 without the marks", "right"),
        ("it just shows 3 + 4", "right"),
        ("neither. i mean the answer is 7", "wrong"),
        ("7 again obviously", "wrong"),
    ],
)
def test_an_output_is_an_answer_with_words_around_it(text: str, verdict: str) -> None:
    trace = replace(
        ASKED, kind="trace", stem="What does it show?", key=TraceKey(program='print("3 + 4")', prints="3 + 4")
    )
    context = Context(prompts=(Prompt(id="q1", kind="question", text=trace.stem, instance=trace),))
    found = program_answer(text, context)
    assert found is not None
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("prints", "text", "verdict"),
    [
        ("12", "oh so 12", "right"),
        ("12", "pages is 10 first so it shows 12", "right"),
        ("12", "oh so 13", "wrong"),
        ("17\n17", "17 and 17", "right"),
        ("17\n17", "both are 17", "right"),
        ("10\n21", "first 10 then 21", "right"),
        ("10\n21", "10 and 23", "wrong"),
        ("sleepy", "it shows sleepy because the print comes before", "right"),
        ("20", "ok so y keeps 20", "right"),
        ("20", "but i said 20!! y keeps 20 thats what i wrote", "right"),
        ("awake", "oh so its only awake, the sleepy got overwritten", "right"),
        ("***\n*\n**", "***, * and **", "right"),
        ("17\n8 + 9", "first one 17 second one 8 + 9", "right"),
        ("17\n8 + 9", "the first line is 17, the second line is 8 + 9", "right"),
        ("11\n4 + 7", "11 and then just 4 + 7", "right"),
        ("12", "3 then 12", "wrong"),
        ("Points: 6\n8", "line 1: Points: 6 and line 2: 8", "right"),
        ("Points: 6\n8", "first its Points: 6 and under it 8", "right"),
        ("34", "so it says 34?", "right"),
        ("34", "error probly", "wrong"),
        ("Level 2", "Level 2. Is that right?", "right"),
        ("Level 2", "Ah, 1 + 1 is 2, so it is Level 2. Why does it do the brackets first?", "right"),
        ("3 + 4", "So my first answer was wrong, and it shows 3 + 4 exactly as typed.", "right"),
    ],
)
def test_an_output_may_be_told_line_by_line_or_with_a_reason(prints: str, text: str, verdict: str) -> None:
    trace = replace(ASKED, kind="trace", stem="What does it show?", key=TraceKey(program="", prints=prints))
    found = program_answer(text, Context(prompts=(Prompt(id="q1", kind="question", text=trace.stem, instance=trace),)))
    assert found is not None
    assert found.verdict == verdict


def test_a_right_output_counts_while_the_case_of_a_wrong_idea_is_open() -> None:
    trace = replace(ASKED, kind="trace", stem="What does it show?", key=TraceKey(program="", prints="58"))
    case = Prompt(id="quotes", kind="contrast", text="What does the sign show?")
    context = Context(prompts=(case, Prompt(id="q1", kind="question", text=trace.stem, instance=trace)))
    found = program_answer("58", context)
    assert found is not None
    assert (found.to, found.verdict) == ("q1", "right")
    assert program_answer("13", context) is None


@pytest.mark.parametrize(
    "text", ["i think so", "its not 34", "wait", "so what is a string", "what is 3 + 4", "no idea"]
)
def test_words_alone_are_no_output(text: str) -> None:
    trace = replace(
        ASKED, kind="trace", stem="What does it show?", key=TraceKey(program='print("3 + 4")', prints="3 + 4")
    )
    context = Context(prompts=(Prompt(id="q1", kind="question", text=trace.stem, instance=trace),))
    assert program_answer(text, context) is None


@pytest.mark.parametrize(
    ("code", "starter", "whole"),
    [
        ("points = points * 2\nprint(points)", "points = 14\n", "points = 14\npoints = points * 2\nprint(points)"),
        ("points = 14\nprint(points * 2)", "points = 14\n", "points = 14\nprint(points * 2)"),
        ("print(28)", "points = 14\n", "print(28)"),
        ("def f(x):\n    return x", "def f(x):\n    ...\n", "def f(x):\n    return x"),
        ("points = = 2", "points = 14\n", "points = = 2"),
        ("print(1)", "", "print(1)"),
    ],
)
def test_a_program_typed_without_the_line_it_begins_with_gets_it(code: str, starter: str, whole: str) -> None:
    assert with_starter(code, starter) == whole


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("I would write print(17 // 5) first and then print(17 % 5). Or should that be 17 - 15?", True),
        ("boxes = 17 // 5 and then print(boxes), after that print(17 % 5)", True),
        ("I would write print(17 / 5) first and then print(17 % 5).", False),
    ],
)
def test_a_right_program_may_be_told_in_a_sentence(text: str, is_right: bool) -> None:
    key = CodeKey(solution="print(17 // 5)\nprint(17 % 5)", cases=(ProgramCase(prints="3\n2"),))
    asked = replace(ASKED, key=key, stem="How many boxes are full, and how many bottles are left?")
    context = Context(prompts=(Prompt(id="q1", kind="question", text=asked.stem, instance=asked),))
    found = program_answer(text, context)
    assert (found is not None and found.verdict == "right") is is_right
