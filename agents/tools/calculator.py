"""The calculator: reads what was typed by a grammar of its own, so that nothing but numbers is ever reached."""

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
"""Of brackets, signs and powers within each other."""
MOST_EXPONENT = 310
"""Of ten, in a number as typed: what is beyond is out of bounds however it goes on."""

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?!0[xXbBoO]\w)(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z]+)|(?P<sign>\*\*|//|[-+*/%^()!,²³°√]))"
)
SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "π": " pi "})
SUM, PRODUCT, SIGN, POWER = range(1, 5)
"""How strongly a sign binds."""

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
    """What a calculation comes to."""

    expression: str
    exact: str | None
    """A whole number or a fraction, "224" or "7/2"; None where only a rounded decimal can be given."""
    decimal: str
    """With a decimal point; at most 12 digits where it is no whole number."""
    is_rounded: bool
    """Whether the decimal is."""

    @property
    def summary(self) -> str:
        decimal = f"{'≈' if self.is_rounded else '='} {self.decimal}"
        return f"{self.expression} {decimal if self.exact in {None, self.decimal} else f'= {self.exact} {decimal}'}"


def calculate(text: str) -> Calculation:
    """Return what the text comes to, exactly where that can be. Raise CannotCalculate with words for whoever typed it."""
    if len(text) > MAX_CHARACTERS:
        raise CannotCalculate(
            "too_large", f"That is too long for this calculator: it reads {MAX_CHARACTERS} characters."
        )
    expression = " ".join(text.split()).rstrip("=? ")
    try:
        number = _ExpressionParser(expression).all()
        exact, (decimal, is_rounded) = as_fraction(number), as_decimal(number)
    except OverflowError:
        raise too_large() from None
    except ZeroDivisionError:
        raise undefined_result("That has no value: somewhere it divides by 0.") from None
    return Calculation(expression=expression, exact=exact, decimal=decimal, is_rounded=is_rounded)


class _ExpressionParser:
    """Reads an expression from left to right and computes as it goes, by how strongly each sign binds."""

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
            raise unreadable_expression(f'there is no "{expected}" where one is needed')
        self.place += 1
        return token

    def all(self) -> Number:
        number = self.expression(SUM)
        if self.next == ",":
            raise unreadable_expression("a number is written without commas, 1000, and with a point, 0.5")
        if self.next:
            raise unreadable_expression(f'a sign is missing before "{self.next}": 2 times 3 is 2*3')
        return number

    def expression(self, least: int) -> Number:
        """Return the value of all that binds at least so strongly."""
        self.depth += 1
        if self.depth > DEPTH:
            raise CannotCalculate("too_large", "That has too many brackets, signs or powers within each other.")
        number = self.operand()
        while (strength := self.strength()) >= least:
            combine = BINARY_SIGNS[self.take()][1]
            # Powers are read from the right, all else from the left.
            right = self.expression(strength if strength == POWER else strength + 1)
            number = check_bounds(combine(number, right))
        self.depth -= 1
        return number

    def strength(self) -> int:
        """Return how strongly the next sign binds what is before it to what comes after; 0 where none does."""
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
        """Tell whether what stands there makes a % before it the sign for a remainder: 7 % 3, but 5% + 3."""
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
            raise unreadable_expression(f'it does not know "{name[:20]}"')
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
    """Return the number as typed: a decimal is exact, 0.1 is one tenth."""
    if not token:
        raise unreadable_expression("it ends where a number is needed")
    if not (token[0].isdecimal() or token[0] == "."):
        raise unreadable_expression(f'there is "{token}" where a number is needed')
    number = Decimal(token)
    if number and abs(number.adjusted()) > MOST_EXPONENT:
        raise too_large()
    return check_bounds(Fraction(number))


def unreadable_expression(why: str) -> CannotCalculate:
    return CannotCalculate("unreadable", f"The calculator cannot read that: {why}.")


def tokenize(text: str) -> list[str]:
    """Return numbers, names and signs. Digits of every script count, names are lower case."""
    text = "".join(str(unicodedata.decimal(sign, sign)) for sign in text).translate(SIGNS).rstrip()
    tokens, place = [], 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise unreadable_expression(f'it does not know "{text[place:].lstrip()[:1]}"')
        tokens.append(found[0].strip().lower())
        place = found.end()
    return tokens


class CalculatorArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    expression: str = Field(
        description="What to compute, such as (3+4)*2^5, 15% of 80, 1/2 + 1/3, sqrt(2), round(2.5)."
    )


type WithholdingRule = Callable[[str, int], Awaitable[str]]
"""An expression and who asks, by their id → why it is left to them to compute, in words; empty where it is not."""

_withholding: list[WithholdingRule] = []


def register_withholding_rule(withholds: WithholdingRule) -> WithholdingRule:
    """Add a function that names what a person is to compute themselves. A room calls this while apps start; again is harmless."""
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
        "Computes with numbers, exactly where that can be: + - * / ^ %, brackets, "
        + ", ".join(FUNCTIONS)
        + ", pi and e; angles are in radians, or in degrees with °. Use it for every number that you are not given."
    ),
    arguments=CalculatorArguments,
    run=_run,
)
