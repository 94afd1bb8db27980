"""Calculations and conversions worked out: every line that is said is true, for any numbers."""

import re
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutoring.courses.pictures import Picture
from tutoring.roles.explanation.worked_calculations import work_out

EQUATION = re.compile(r"[−\d][\d\s/.×÷+−%]*(?:=\s?[−\d][\d\s/.×÷+−%]*)+")
TERM = re.compile(r"−?(?:\d+ \d+/\d+|\d+/\d+|\d+(?:\.\d+)?/\d+|\d*\.?\d+%?)")
CUT = Fraction(1, 10**6)
"""How much a decimal that never ends loses where it is cut."""
lightly = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
numbers = st.integers(1, 60)
fractions = st.tuples(numbers, numbers)


def value(text: str) -> Fraction:
    """Return the value of a side of an equation: numbers with + − × ÷ between them, from left to right."""
    parts = [each for each in re.split(r" ([+−×÷]) ", text.strip(" .")) if each]
    total = number(parts[0])
    for sign, each in zip(parts[1::2], parts[2::2], strict=True):
        other = number(each)
        total = {"+": total + other, "−": total - other, "×": total * other, "÷": total / other if other else total}[
            sign
        ]
    return total


def number(text: str) -> Fraction:
    sign, text = (-1, text[1:]) if text.startswith("−") else (1, text)
    if text.endswith("%"):
        return sign * Fraction(text[:-1]) / 100
    whole, _space, rest = text.rpartition(" ")
    top, slash, bottom = rest.partition("/")
    return sign * (Fraction(whole or 0) + (Fraction(top) / Fraction(bottom) if slash else Fraction(top)))


def said(expression: str) -> str:
    worked = work_out(expression)
    assert worked is not None
    text = " ".join(worked.lines)
    for equation in EQUATION.findall(re.sub(r"[.:] ", " | ", text)):
        sides = [value(each) for each in equation.split("=")]
        assert max(sides) - min(sides) <= (CUT if "…" in text else 0), (expression, equation)
    return text


def result(expression: str) -> Fraction:
    """Return the last number that is said."""
    return number(TERM.findall(said(expression))[-1])


@lightly
@given(fractions, st.sampled_from("+-*/"), fractions)
def test_two_fractions_are_calculated(one: tuple[int, int], sign: str, other: tuple[int, int]) -> None:
    first, second = Fraction(*one), Fraction(*other)
    made = {"+": first + second, "-": first - second, "*": first * second, "/": first / second}[sign]
    assert result(f"{one[0]}/{one[1]} {sign} {other[0]}/{other[1]}") == made


@lightly
@given(st.lists(fractions, min_size=2, max_size=4), st.data())
def test_sums_of_several_numbers(terms: list[tuple[int, int]], data: st.DataObject) -> None:
    signs = [data.draw(st.sampled_from("+-")) for _ in terms[1:]]
    written = " ".join(
        f"{sign} {top}/{bottom}" for sign, (top, bottom) in zip(["", *signs], terms, strict=True)
    ).strip()
    total = Fraction(*terms[0])
    for sign, each in zip(signs, terms[1:], strict=True):
        total += Fraction(*each) if sign == "+" else -Fraction(*each)
    assert result(written) == total


@lightly
@given(fractions, st.sampled_from(["simplest", "mixed", "decimal", "percent"]))
def test_rewriting_keeps_the_value(fraction: tuple[int, int], form: str) -> None:
    top, bottom = fraction
    text = said(f"{form} {top}/{bottom}")
    if "…" not in text and "about" not in text and " is already " not in text and "less than one" not in text:
        assert result(f"{form} {top}/{bottom}") == Fraction(top, bottom)


@lightly
@given(st.integers(1, 20), fractions)
def test_mixed_numbers_become_fractions(whole: int, fraction: tuple[int, int]) -> None:
    top, bottom = fraction
    assert result(f"improper {whole} {top}/{bottom}") == whole + Fraction(top, bottom)


@lightly
@given(st.integers(0, 9999), st.integers(1, 3), st.booleans())
def test_decimals_and_percentages_become_fractions(digits: int, places: int, is_percent: bool) -> None:
    written = f"{digits // 10**places}.{digits % 10**places:0{places}d}"
    assert result(f"fraction {written}{'%' * is_percent}") == Fraction(written) / (100 if is_percent else 1)


@lightly
@given(fractions, numbers, st.booleans())
def test_the_missing_number_makes_the_fractions_equal(
    fraction: tuple[int, int], given_number: int, is_top: bool
) -> None:
    top, bottom = fraction
    missing = Fraction(top, bottom) * given_number if is_top else given_number / Fraction(top, bottom)
    text = said(f"{top}/{bottom} = ?/{given_number}" if is_top else f"{top}/{bottom} = {given_number}/?")
    wanted = f"{missing}/{given_number}" if is_top else f"{given_number}/{missing}"
    assert text.endswith(f"= {wanted}.") if missing.denominator == 1 else "No whole number fits" in text


@lightly
@given(fractions, numbers)
def test_a_share_of_a_number(fraction: tuple[int, int], of: int) -> None:
    assert result(f"{fraction[0]}/{fraction[1]} of {of}") == Fraction(*fraction) * of


@lightly
@given(fractions, fractions)
def test_two_fractions_are_compared(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = Fraction(*one), Fraction(*other)
    word = "the same amount" if first == second else "bigger" if first > second else "smaller"
    text = said(f"{one[0]}/{one[1]} ? {other[0]}/{other[1]}")
    assert word in text.split(".")[0]
    if first != second and "same bottom" in text:
        assert [Fraction(each) for each in re.findall(r"\d+/\d+", text)[2:]] in ([first, second], [])


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("1/2 + 1/3", "So 3/6 + 2/6 = 5/6."),
        ("simplest 6/8", "2 goes into both numbers: 6 ÷ 2 = 3 and 8 ÷ 2 = 4."),
        ("simplest 3/5", "already in its simplest form"),
        ("mixed 7/4", "So 7/4 = 1 3/4."),
        ("fraction 0.25", "0.25 = 25/100 = 1/4."),
        ("decimal 1/3", "0.333333…, and the digits go on forever"),
        ("percent 2/3", "about 66.7%"),
        ("2/3 of 12", "So 2/3 of 12 is 8."),
        ("25% of 80", "So 25% of 80 is 20."),
        ("3/4 = ?/12", "So 3/4 = 9/12."),
        ("3/5 = ?/12", "5 doesn’t go into 12"),
        ("1/2 / 0/3", "You can’t divide by 0."),
        ("simplest 4/0", "nothing can be cut into 0 parts"),
        ("1/0 + 1/2", "nothing can be cut into 0 parts"),
    ],
)  # fmt: skip
def test_lines(expression: str, line: str) -> None:
    assert line in said(expression)


@pytest.mark.parametrize("expression", ["2 + 3", "(1/2 + 1/3) * 2", "sqrt(2)", "1/2", "", "1/2 * 1/3 * 1/4"])
def test_other_expressions_go_to_the_calculator(expression: str) -> None:
    assert work_out(expression) is None


@pytest.mark.parametrize(
    ("expression", "shaded"),
    [
        ("1/2 + 1/3", [3, 2, 5]),
        ("simplest 6/8", [6, 3]),
        ("mixed 7/4", [4, 3]),
        ("3/4 = ?/12", [3, 9]),
        ("2/3 ? 3/4", [2, 3]),
    ],
)
def test_pictures(expression: str, shaded: list[int]) -> None:
    worked = work_out(expression)
    assert worked is not None
    assert isinstance(worked.picture, Picture)
    assert [len(bar.shaded) for bar in worked.picture.bars] == shaded


@pytest.mark.parametrize("expression", ["40/50 + 1/7", "7/4 ? 1/2", "simplest 10/4", "mixed 90/4", "1/3 - 1/2"])
def test_no_picture_where_parts_cannot_be_told_apart(expression: str) -> None:
    worked = work_out(expression)
    assert worked is not None
    assert worked.picture is None


@lightly
@given(st.integers(0, 9), st.integers(0, 99), st.integers(1, 98))
def test_a_decimal_without_end_is_an_exact_fraction(whole: int, before: int, block: int) -> None:
    repeated, start = f"{block:02d}", f"{whole}.{before:02d}"
    assert result(f"fraction {start}{repeated}{repeated}...") == Fraction(start) + Fraction(block, 9900)


def test_digits_that_trail_off_are_no_decimal_without_end() -> None:
    assert result("fraction 0.25...") == Fraction(1, 4)
    assert "the same amount" in said("0.999... ? 1")
