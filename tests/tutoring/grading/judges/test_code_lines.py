"""Judging lines of a program that were put in order and indented."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import LinesKey, grade, key_from_json, key_to_json, programs_to_run
from tutoring.grading.judges.code_lines import arranged_letters, arranged_program
from tutoring.grading.programs.keys import ProgramCase
from tutoring.grading.programs.outcomes import Outcome

LINES = ("def grow(n):", "    more = n + 1", "    return more", "print(grow(1))")
KEY = LinesKey(
    lines=LINES,
    options=(
        ("A", "return more"),
        ("B", "print(grow(1))"),
        ("C", "def grow(n):"),
        ("D", "more = n + 1"),
        ("E", "return n"),
    ),
)
ALL_NEEDED = LinesKey(lines=LINES, options=KEY.options[:4])
RUN = LinesKey(lines=LINES, options=KEY.options, cases=(ProgramCase(prints="2"),))


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("\n".join(LINES), "correct", ""),
        ("\n".join(LINES).replace("    ", "  "), "correct", ""),
        ("\n".join(LINES).replace("    ", "\t"), "correct", ""),
        ("```python\n" + "\n".join(LINES) + "\n```", "correct", ""),
        ("C, >D, >A, B", "correct", ""),
        ("C >D >A B", "correct", ""),
        ("C\n  D\n  A\nB", "correct", ""),
        ("c >d >a b", "correct", ""),
        ("CDAB", "partial", "indent 2"),
        ("C, >D, >>A, B", "partial", "indent 3"),
        ("C, >D, >E, B", "partial", "spare"),
        ("C, >D, B", "partial", "missing"),
        ("B, C, >D, >A", "partial", "order 1"),
        ("B, >A", "wrong", "missing"),
        ("", "unparsable", "empty"),
        ("C C D A", "unparsable", "twice"),
        ("Z", "unparsable", "no_such_line"),
        ("def shrink(n):\n    return n", "unparsable", "no_such_line"),
        ("return more\nreturn more", "unparsable", "twice"),
    ],
)
def test_first_difference_is_named(answer, verdict, reason):
    judgement = grade(KEY, answer)
    assert (judgement.verdict, judgement.reason) == (verdict, reason)


def test_a_line_left_out_is_no_try_where_all_are_needed():
    assert grade(ALL_NEEDED, "C, >D, B").reason == "incomplete"


def test_another_right_arrangement_is_right():
    other = LinesKey(lines=LINES, also=(("def grow(n):", "    return more"),), options=KEY.options)
    assert grade(other, "C, >A").is_correct


def test_with_cases_whatever_passes_them_is_right():
    program = "print(grow(1))\ndef grow(n):\n    return n"
    assert programs_to_run(RUN, "B, C, >E") == (program,)
    assert grade(RUN, "B, C, >E", outcomes={program: Outcome(output="2\n")}).is_correct
    failed = grade(RUN, "B, C, >E", outcomes={program: Outcome(output="3\n")})
    assert failed.reason == "spare"
    assert failed.failure is not None
    assert failed.failure.output == "3"
    assert grade(RUN, "B, C, >E").reason == "not_run"
    assert programs_to_run(RUN, "C, >D, >A, B") == ()


def test_letters_and_program_of_an_answer():
    assert arranged_letters(KEY, "\n".join(LINES)) == (("C", 0), ("D", 1), ("A", 1), ("B", 0))
    assert arranged_program(KEY, "C >D >A B") == "\n".join(LINES)
    assert arranged_program(KEY, "nothing of it") == "nothing of it"


def test_key_comes_back_from_json():
    assert key_from_json(key_to_json(RUN)) == RUN


@settings(max_examples=100, deadline=None)
@given(
    letters=st.permutations("ABCDE"), levels=st.lists(st.integers(0, 3), min_size=5, max_size=5), used=st.integers(1, 5)
)
def test_letters_are_read_as_they_are_written(letters, levels, used):
    chosen = list(zip(letters, levels, strict=True))[:used]
    answer = ", ".join(">" * level + letter for letter, level in chosen)
    assert arranged_letters(KEY, answer) == tuple(chosen)
    judgement = grade(KEY, answer)
    assert judgement.chosen == tuple(">" * level + letter for letter, level in chosen)
    assert judgement.is_correct == (chosen == [("C", 0), ("D", 1), ("A", 1), ("B", 0)])


@settings(max_examples=200, deadline=None)
@given(answer=st.text(alphabet=st.sampled_from("ABCDE> ,\n\t`()=n+1return"), max_size=80))
def test_any_text_is_judged(answer):
    assert 0 <= grade(KEY, answer).score <= 1
