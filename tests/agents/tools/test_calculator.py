"""The calculator: right answers, exactly where they can be, and words for what has none."""

import math
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.tools import ToolUse
from agents.tools.arithmetic import CannotCalculate
from agents.tools.calculator import CALCULATOR, CalculatorArguments, calculate

USE = ToolUse(turn_id=None, person_id=None, agent="tutor", number=1, tool="calculator")
SIGNS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("(3+4)*2^5", "224"),
        ("2^10", "1024"),
        ("٣+٤", "7"),
        ("2**3**2", "512"),
        ("-2^2", "-4"),
        ("2^-1", "1/2"),
        ("1/2 + 1/3", "5/6"),
        ("0.1 + 0.2 = ?", "3/10"),
        ("6 ÷ 4 × 2 − 1", "2"),
        ("3 x 4", "12"),
        ("15% of 80", "12"),
        ("50%", "1/2"),
        ("5% + 3", "61/20"),
        ("17 % 5", "2"),
        ("-7 // 2", "-4"),
        ("5! / 3!", "20"),
        ("√16 + 3²", "13"),
        ("sqrt(9/4)", "3/2"),
        ("4^(1/2)", "2"),
        ("gcd(12, 18) + lcm(4, 6)", "18"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(2.675, 2)", "67/25"),
        ("max(1, 5/2, 2) - min(1, 2) + abs(-3)", "9/2"),
        ("floor(2.9) + ceil(2.1)", "5"),
        ("(-1)^99999999999999999999", "-1"),
        ("2^1000", str(2**1000)),
        ("factorial(170)", str(math.factorial(170))),
    ],
)
def test_answer_is_exact(text: str, exact: str) -> None:
    assert calculate(text).exact == exact


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("sqrt(2)", "1.41421356237"),
        ("sin(pi)", "0"),
        ("sin(30°)", "0.5"),
        ("cos(60°)", "0.5"),
        ("tan(45°)", "1"),
        ("log(1000)", "3"),
        ("log(125, 5)", "3"),
        ("ln(e)", "1"),
        ("8^(1/3)", "2"),
        ("exp(-50)", "1.92874984796e-22"),
    ],
)
def test_answer_that_cannot_be_exact_is_said_to_be_rounded(text: str, decimal: str) -> None:
    found = calculate(text)
    assert (found.exact, found.decimal, found.is_rounded) == (None, decimal, True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9**9**9", "too_large"),
        ("factorial(10**8)", "too_large"),
        ("1e400", "too_large"),
        ("1e999999999999", "too_large"),
        ("1e-400", "too_large"),
        ("1" * 100_000, "too_large"),
        ("2^(10^300)", "too_large"),
        ("1.0000001^100000", "too_large"),
        ("exp(1000)", "too_large"),
        ("sqrt(2)^100000", "too_large"),
        ("round(1/3, 10^9)", "too_large"),
        ("1e300 * 1e300", "too_large"),
        ("(" * 400, "too_large"),
        ("-" * 400 + "1", "too_large"),
        ("2^" * 200 + "2", "too_large"),
        ("1/0", "undefined"),
        ("5 % 0", "undefined"),
        ("0^0", "undefined"),
        ("0^-1", "undefined"),
        ("sqrt(-1)", "undefined"),
        ("(-8)^(1/3)", "undefined"),
        ("(-1)!", "undefined"),
        ("factorial(2.5)", "undefined"),
        ("log(0)", "undefined"),
        ("log(5, 1)", "undefined"),
        ("log(5, 1.00000000000000000000001)", "undefined"),
        ("tan(90°)", "undefined"),
        ("().__class__", "unreadable"),
        ("__import__('os')", "unreadable"),
        ("lambda: 1", "unreadable"),
        ("2(3)", "unreadable"),
        ("2 3", "unreadable"),
        ("1,000", "unreadable"),
        ("0x10", "unreadable"),
        ("½", "unreadable"),
        ("sqrt()", "unreadable"),
        ("sqrt(1, 2)", "unreadable"),
        ("(1 + 2", "unreadable"),
        ("3 +", "unreadable"),
        ("", "unreadable"),
        ("\x00", "unreadable"),
    ],
)
def test_what_has_no_answer_is_told_by_kind(text: str, kind: str) -> None:
    """E1: a hostile calculation gets a typed message, and nothing is computed that is out of bounds."""
    with pytest.raises(CannotCalculate) as caught:
        calculate(text)
    assert caught.value.kind == kind
    assert 0 < len(str(caught.value)) < 200


@given(st.text(alphabet="0123456789.+-*/^%()!,²√°x πeofsqrtlngcd", max_size=40))
@settings(max_examples=150, deadline=None)
def test_whatever_is_typed_is_answered_or_told(text: str) -> None:
    """E1: nothing typed raises anything but the typed message."""
    with suppress(CannotCalculate):
        assert calculate(text).decimal


def numbers() -> st.SearchStrategy[tuple[str, Fraction]]:
    decimals = st.decimals(min_value=0, max_value=1000, places=3).map(lambda number: (str(number), Fraction(number)))
    return st.one_of(st.integers(0, 1000).map(lambda number: (str(number), Fraction(number))), decimals)


def joined(
    parts: tuple[tuple[str, Fraction], str, tuple[str, Fraction]],
) -> tuple[str, Fraction]:
    (left, a), sign, (right, b) = parts
    return (f"({left} {sign} {right})", SIGNS[sign](a, b)) if sign != "/" or b else (f"-({left})", -a)


@given(
    st.recursive(
        numbers(), lambda some: st.tuples(some, st.sampled_from(sorted(SIGNS)), some).map(joined), max_leaves=12
    )
)
@settings(max_examples=100, deadline=None)
def test_sums_of_sums_are_what_fractions_say(pair: tuple[str, Fraction]) -> None:
    text, value = pair
    assert calculate(text).exact == str(value)


@given(st.integers(-30, 30), st.integers(-9, 9), st.integers(1, 9), st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_signs_bind_as_they_do_in_school(a: int, b: int, c: int, n: int) -> None:
    assert calculate(f"{a} + {b} * {c} ^ {n} - {a} / {c}").exact == str(a + b * Fraction(c) ** n - Fraction(a, c))


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("(3+4)*2^5", "(3+4)*2^5 = 224"),
        ("2/4 + 1/4", "2/4 + 1/4 = 3/4 = 0.75"),
        ("1/3 =", "1/3 = 1/3 ≈ 0.333333333333"),
        ("sqrt(2)", "sqrt(2) ≈ 1.41421356237"),
    ],
)
async def test_tool_says_it_in_a_line(text: str, summary: str) -> None:
    found = await CALCULATOR.run(CalculatorArguments(expression=text), USE)
    assert found.summary == summary
