"""Calculator: parses expressions with its own grammar, so that input can reach nothing but numbers."""

import operator
import re
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from fractions import Fraction

from pydantic import BaseModel, ConfigDict, Field

from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.arithmetic import (
    CONSTANTS,
    FUNCTIONS,
    CannotCalculate,
    Number,
    as_decimal,
    as_fraction,
    check_bounds,
    divide,
    power,
    remainder,
    square_root,
    too_large,
    undefined_result,
    whole_part,
)
from agents.tools.arithmetic import factorial as factorial_of

MAX_CHARACTERS = 500
DEPTH = 50
"""Most nested brackets, signs and powers."""
MOST_EXPONENT = 310
"""Largest power of ten in a number as typed: beyond it, every result is out of range."""

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?!0[xXbBoO]\w)(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z]+)|(?P<sign>\*\*|//|[-+*/%^()!,²³°√]))"
)
SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "π": " pi "})
SUM, PRODUCT, SIGN, POWER = range(1, 5)
"""Operator precedence."""

BINARY_SIGNS: Mapping[str, tuple[int, Callable[[Number, Number], Number]]] = {
    "+": (SUM, operator.add),
    "-": (SUM, operator.sub),
    "*": (PRODUCT, operator.mul),
    "x": (PRODUCT, operator.mul),
    "of": (PRODUCT, operator.mul),
    "/": (PRODUCT, divide),
    "//": (PRODUCT, whole_part),
    "%": (PRODUCT, remainder),
    "^": (POWER, power),
    "**": (POWER, power),
}
PREFIX_SIGNS: Mapping[str, tuple[int, Callable[[Number], Number]]] = {
    "-": (SIGN, lambda number: -number),
    "+": (SIGN, lambda number: number),
    "√": (POWER, square_root),
}
POSTFIX_SIGNS: Mapping[str, Callable[[Number], Number]] = {
    "!": factorial_of,
    "%": lambda number: divide(number, 100),
    "²": lambda number: power(number, 2),
    "³": lambda number: power(number, 3),
    "°": lambda number: number * CONSTANTS["pi"] / 180,
}


class Calculation(ToolResult):
    """The result of a calculation."""

    expression: str
    exact: str | None
    """A whole number or a fraction, "224" or "7/2"; None if only a rounded decimal is known."""
    decimal: str
    """With a decimal point; at most 12 digits unless it is a whole number."""
    is_rounded: bool
    """Whether the decimal is rounded."""

    @property
    def summary(self) -> str:
        decimal = f"{'≈' if self.is_rounded else '='} {self.decimal}"
        return f"{self.expression} {decimal if self.exact in {None, self.decimal} else f'= {self.exact} {decimal}'}"


def calculate(text: str) -> Calculation:
    """Return the value of the text, exact if possible. Raises CannotCalculate with a text for the person."""
    if len(text) > MAX_CHARACTERS:
        raise CannotCalculate(
            "too_large", f"That is too long for this calculator. It reads at most {MAX_CHARACTERS} characters."
        )
    expression = " ".join(text.split()).rstrip("=? ")
    try:
        number = _ExpressionParser(expression).all()
        exact, (decimal, is_rounded) = as_fraction(number), as_decimal(number)
    except OverflowError:
        raise too_large() from None
    except ZeroDivisionError:
        raise undefined_result("That has no value: it divides by 0.") from None
    return Calculation(expression=expression, exact=exact, decimal=decimal, is_rounded=is_rounded)


class _ExpressionParser:
    """Parses and computes an expression from left to right, by operator precedence."""

    def __init__(self, text: str) -> None:
        self.tokens = tokenize(text)
        self.place = 0
        self.depth = 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.next
        if expected and token != expected:
            raise unreadable_expression(f'a "{expected}" is missing')
        self.place += 1
        return token

    def all(self) -> Number:
        number = self.expression(SUM)
        if self.next == ",":
            raise unreadable_expression("write numbers without commas, like 1000, and with a decimal point, like 0.5")
        if self.next:
            raise unreadable_expression(
                f'a sign such as + or * is missing before "{self.next}" (2 times 3 is written 2*3)'
            )
        return number

    def expression(self, least: int) -> Number:
        """Return the value of the following part with at least this precedence."""
        self.depth += 1
        if self.depth > DEPTH:
            raise CannotCalculate("too_large", "That has too many parentheses, signs or powers inside one another.")
        number = self.operand()
        while (strength := self.strength()) >= least:
            combine = BINARY_SIGNS[self.take()][1]
            # Powers group from the right, all other operators from the left.
            right = self.expression(strength if strength == POWER else strength + 1)
            number = check_bounds(combine(number, right))
        self.depth -= 1
        return number

    def strength(self) -> int:
        """Return the precedence of the next operator; 0 if it is none."""
        return BINARY_SIGNS[self.next][0] if self.next in BINARY_SIGNS else 0

    def operand(self) -> Number:
        token = self.take()
        if token in PREFIX_SIGNS:
            strength, act = PREFIX_SIGNS[token]
            return check_bounds(act(self.expression(strength)))
        number = self.bracket() if token == "(" else self.named(token) if token.isalpha() else parse_number(token)
        while self.next in POSTFIX_SIGNS and not (self.next == "%" and self.begins_operand(self.place + 1)):
            number = check_bounds(POSTFIX_SIGNS[self.take()](number))
        return number

    def begins_operand(self, place: int) -> bool:
        """Return whether this token makes a % before it the remainder operator: 7 % 3, but 5% + 3."""
        following = self.tokens[place] if place < len(self.tokens) else ""
        return (following[:1].isalnum() and following not in BINARY_SIGNS) or following in {"(", "√"}

    def bracket(self) -> Number:
        number = self.expression(SUM)
        self.take(")")
        return number

    def named(self, name: str) -> Number:
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name not in FUNCTIONS:
            raise unreadable_expression(f'"{name[:20]}" is unknown')
        act, least, most = FUNCTIONS[name]
        self.take("(")
        numbers = [self.expression(SUM)]
        while self.next == ",":
            self.take()
            numbers.append(self.expression(SUM))
        self.take(")")
        if not least <= len(numbers) <= most:
            raise unreadable_expression(f"{name} takes {'one number' if most == 1 else f'{least} to {most} numbers'}")
        return check_bounds(act(*numbers))


def parse_number(token: str) -> Number:
    """Return the number as typed: decimals are exact, 0.1 is one tenth."""
    if not token:
        raise unreadable_expression("a number is missing at the end")
    if not (token[0].isdecimal() or token[0] == "."):
        raise unreadable_expression(f'there is "{token}" where a number should be')
    number = Decimal(token)
    if number and abs(number.adjusted()) > MOST_EXPONENT:
        raise too_large()
    return check_bounds(Fraction(number))


def unreadable_expression(why: str) -> CannotCalculate:
    return CannotCalculate("unreadable", f"The calculator can’t read that: {why}.")


def tokenize(text: str) -> list[str]:
    """Return numbers, names and operators. Digits of every script count; names become lower case."""
    text = "".join(str(unicodedata.decimal(sign, sign)) for sign in text).translate(SIGNS).rstrip()
    tokens, place = [], 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise unreadable_expression(f'"{text[place:].lstrip()[:1]}" is unknown')
        tokens.append(found[0].strip().lower())
        place = found.end()
    return tokens


class CalculatorArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    expression: str = Field(
        description="What to compute, such as (3+4)*2^5, 15% of 80, 1/2 + 1/3, sqrt(2), round(2.5)."
    )


type WithholdingRule = Callable[[str, int], Awaitable[str]]
"""Takes an expression and a person's id; returns why they have to compute it themselves, empty if they need not."""

_withholding: list[WithholdingRule] = []


def register_withholding_rule(withholds: WithholdingRule) -> WithholdingRule:
    """Register a rule for what a person has to compute themselves, while apps start; registering twice is harmless."""
    if withholds not in _withholding:
        _withholding.append(withholds)
    return withholds


async def _run(arguments: CalculatorArguments, use: ToolUse) -> Calculation:
    if use.person_id is not None:
        for withholds in _withholding:
            if why := await withholds(arguments.expression, use.person_id):
                raise ToolFailed(why)
    return calculate(arguments.expression)


CALCULATOR = Tool(
    name="calculator",
    description=(
        "Computes with numbers, exactly where possible: + - * / ^ %, brackets, "
        + ", ".join(FUNCTIONS)
        + ", pi and e; angles are in radians, or in degrees with °. Use it for every number that you have to compute."
    ),
    arguments=CalculatorArguments,
    run=_run,
)
