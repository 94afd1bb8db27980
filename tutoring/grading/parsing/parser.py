"""Parses answers in plain typing or LaTeX with one bounded Pratt parser."""

from fractions import Fraction
from functools import lru_cache
from typing import Literal

from tutoring.grading.algebra.intervals import combine_inequalities
from tutoring.grading.algebra.nodes import (
    DEGREES,
    MAX_DEPTH,
    Name,
    Node,
    Number,
    Operation,
    Phrase,
    Quantity,
    Relation,
    Sequence,
    Unparsable,
    depth_over,
    in_radians,
    operation,
    walk,
)
from tutoring.grading.language.vocabulary import ANSWERS, DOUBTS
from tutoring.grading.parsing.normalization import answer_part, normalize_answer, without_preface
from tutoring.grading.parsing.token_cursor import TokenCursor
from tutoring.grading.parsing.tokenizer import Token, tokenize

__all__ = ["Node", "Unparsable", "parse"]

# Binding powers; the gaps let a prefix bind just below its operator.
_SUM, _PRODUCT, _POWER, _POSTFIX = 10, 20, 30, 40
_BINARY = {"+": _SUM, "-": _SUM, "±": _SUM, "*": _PRODUCT, "/": _PRODUCT, ":": _PRODUCT, "^": _POWER}
_SIGNS = frozenset("=≈≠<≤>≥")
_JOINERS = frozenset({",", ";", "and", "or", "∪", "&"})
_CLOSINGS = {"(": (")", "]"), "[": ("]", ")"), "{": ("}",), "⦃": ("⦄", "}")}
_ROOTS = frozenset("√∛∜")
_FUNCTIONS = {"√": "sqrt", "∛": "cbrt", "∜": "fourth_root", "cosec": "csc"}
_OF_ANGLES = frozenset({"sin", "cos", "tan", "sec", "csc", "cot"})
_MATRICES = frozenset({"matrix", "bmatrix", "pmatrix", "vmatrix", "array"})


def parse(text: str, *, thousands: bool = True, mixed_and: bool = True) -> Node:
    """Return the syntax tree of an answer.

    At most 400 characters, 60 levels and exponents up to 64 are parsed. Raises Unparsable with a reason code. With
    `thousands=False` the comma of 1,000 separates two numbers; with `mixed_and=False` "1 and 1/2" is two numbers
    instead of one and a half.
    """
    plain = without_preface(normalize_answer(answer_part(text)))
    if not plain:
        raise Unparsable("empty")
    return _parsed(plain, thousands=thousands, mixed_and=mixed_and)


@lru_cache(maxsize=512)
def _parsed(plain: str, *, thousands: bool, mixed_and: bool) -> Node:
    """Return the tree of a plain text. Cached, since an answer is parsed for its verdict, its form and each mistake."""
    return _AnswerParser(tokenize(plain, thousands=thousands), mixed_and=mixed_and).answer()


class _AnswerParser(TokenCursor):
    """A recursive-descent parser; every method returns a node and leaves the cursor behind it."""

    def __init__(self, tokens: list[Token], *, mixed_and: bool) -> None:
        super().__init__(tokens)
        self.mixed_and = mixed_and
        self.depth = 0
        self.open_bars = 0

    def answer(self) -> Node:
        if self.token.kind == "name" and self.peek().text == "∈":
            self.position += 2
        if self.at("="):
            self.take()
        node = self.listing()
        if self.token.kind != "end":
            raise Unparsable("brackets" if self.at(")", "]", "}", "⦄") else "unexpected")
        return node

    def listing(self) -> Node:
        items, joiners = [self.item()], set()
        while self.at(*_JOINERS):
            joiners.add(self.take().text)
            if self.at("and", "or"):  # "1, 2, and 3"
                joiners.add(self.take().text)
            if self.token.kind == "end":
                break
            items.append(self.item())
        if len(items) == 1:
            return items[0]
        if len(items) == 2 and not joiners - {",", ";", "and"}:
            within = combine_inequalities(*items, joined_by_and="and" in joiners)
            if within is not None:
                return within
        bracket = "or" if joiners - {",", ";"} else ""
        return Sequence(items=tuple(items), opening=bracket, closing=bracket, depth=depth_over(*items))

    def item(self) -> Node:
        if self.token.kind == "word":
            return self.label() or self.phrase()
        node = self.relation()
        unit = self.unit()
        if unit and not any(isinstance(inner, Number) for inner in walk(node)):
            raise Unparsable("words")
        return _with_unit(node, unit) if unit else node

    def label(self) -> Node | None:
        """Return a labelled value such as "girls = 40"; None if the words are no label."""
        start, words = self.position, []
        while self.token.kind == "word":
            words.append(self.take().text)
        if not self.at("=") or not DOUBTS.isdisjoint(words):
            self.position = start
            return None
        self.take()
        side = self.item()
        name = Name(name=" ".join(words))
        if isinstance(side, Relation):
            return Relation(sides=(name, *side.sides), signs=("=", *side.signs), depth=side.depth)
        return Relation(sides=(name, side), signs=("=",), depth=depth_over(side))

    def phrase(self) -> Node:
        words = [self.take().text]
        while self.token.kind in ("word", "name"):
            words.append(self.take().text)
        if self.token.kind != "end" and not self.at(*_JOINERS):
            raise Unparsable("words")
        return Phrase(words=" ".join(words))

    def unit(self) -> str:
        """Take the unit after a number, such as "miles per hour", "cm^2", "m/s"; empty for none."""
        words: list[str] = []
        while self.token.kind == "word" or (words and self.token.kind == "name") or (words and self.at("/", "^")):
            words.append(self.take().text)
            if words[-1] == "^":
                words.append(self.subscript())
        says_of_it = words[:1] in (["is"], ["was"], ["are"]) and ANSWERS.isdisjoint(words)
        if says_of_it or not DOUBTS.isdisjoint(words):
            raise Unparsable("words")
        return " ".join(words)

    def relation(self) -> Node:
        sides, signs = [self.expression(0)], []
        while self.at(*_SIGNS):
            signs.append(self.take().text)
            sides.append(self.expression(0))
        if not signs:
            return sides[0]
        return Relation(sides=tuple(sides), signs=tuple(signs), depth=depth_over(*sides))

    def expression(self, binding: int) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("too_deep")
        left = self.prefix()
        while (following := self.infix(left, binding)) is not None:
            left = following
        self.depth -= 1
        return left

    def infix(self, left: Node, binding: int) -> Node | None:
        """Return the node that continues `left`, or None if the next operator binds less than `binding`."""
        token = self.token
        if (self.at("!") and binding < _POSTFIX) or (self.at("%") and binding < _PRODUCT):  # 1/2 % is half a percent.
            self.take()
            return operation(token.text, left)
        if token.kind == "operator" and (power := _BINARY.get(token.text)):
            return self.binary(left, power) if power > binding else None
        if self.starts_factor() and binding < _PRODUCT:
            if token.kind == "number" and isinstance(left, Number):
                raise Unparsable("two_numbers")
            return operation("*", left, self.expression(_PRODUCT))
        return None

    def binary(self, left: Node, power: int) -> Node:
        match self.take().text:
            case "^":
                return operation("^", left, self.exponent())
            case "-":
                return operation("+", left, operation("neg", self.expression(power)))
            case ":":
                return operation("/", left, self.expression(power))
            case sign:
                return operation(sign, left, self.expression(power))

    def exponent(self) -> Node:
        return self.expression(_POWER - 1) if not self.at("-", "+") else self.prefix()

    def starts_factor(self) -> bool:
        token = self.token
        if token.kind in ("number", "name", "function"):
            return True
        opens = token.kind == "operator" and token.text in ("(", "{", "[", "frac")
        return opens or (self.at("|") and not self.open_bars)

    def prefix(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return self.number(token)
            case "fraction_word":
                return operation("/", Number(value=Fraction(1)), Number(value=1 / (token.value or Fraction(1))))
            case "name":
                return self.name(token)
            case "function":
                return self.call(token.text)
            case "operator":
                return self.sign(token.text)
            case "word":
                raise Unparsable("words")
            case _:
                raise Unparsable("unfinished")

    def sign(self, text: str) -> Node:
        match text:
            case "-":
                return operation("neg", self.expression(_PRODUCT - 1))
            case "+":
                return self.expression(_PRODUCT - 1)
            case "±":
                return operation("±", Number(value=Fraction(0)), self.expression(_PRODUCT - 1))
            case "(" | "[" | "{" | "⦃":
                return self.bracket(text)
            case "frac":
                return operation("/", self.argument(), self.argument())
            case "|":
                return self.bars()
            case "begin":
                return self.matrix()
            case _:
                raise Unparsable("unexpected")

    def number(self, token: Token) -> Node:
        value = token.value or Fraction(0)
        written_with_point = bool(token.places) or "." in token.text.rstrip(".")
        spelling: Literal["whole", "decimal"] = "decimal" if written_with_point else "whole"
        literal = Number(value=value, spelling=spelling, places=token.places)
        if spelling == "decimal" or value.denominator != 1:
            return literal
        if self.token.kind == "fraction_word":
            return operation("/", literal, Number(value=1 / (self.take().value or Fraction(1))))
        return self.mixed(literal)

    def mixed(self, whole: Number) -> Node:
        """Return a mixed number such as 1 1/2, 1\\frac{1}{2}, 1 and a half, or just the whole number."""
        start = self.position
        before = self.tokens[start - 2].text if start > 1 else ""
        if before in ("/", "^", "*", ":"):
            return whole
        joined = self.mixed_and and self.at("and")
        if joined:
            self.take()
        if self.token.text == "a" and self.peek().kind == "fraction_word":
            self.take()
        if (parts := self.proper_fraction(spaced=joined)) is not None:
            return operation("mixed", whole, *parts)
        self.position = start
        return whole

    def proper_fraction(self, *, spaced: bool) -> tuple[Number, Number] | None:
        first, second, third = self.token, self.peek(), self.peek(2)
        if first.kind == "fraction_word":
            self.take()
            return Number(value=Fraction(1)), Number(value=1 / (first.value or Fraction(1)))
        if first.kind == "number" and (spaced or first.spaced) and _is_whole(first):
            if second.kind == "fraction_word":
                self.position += 2
                return _literal(first), Number(value=1 / (second.value or Fraction(1)))
            if (
                second.text == "/"
                and third.kind == "number"
                and _is_whole(third)
                and self.peek(3).text not in ("^", "!")
            ):
                self.position += 3
                return _literal(first), _literal(third)
        if self.at("frac"):
            self.take()
            top, bottom = self.argument(), self.argument()
            if isinstance(top, Number) and isinstance(bottom, Number) and not self.at("^"):
                return top, bottom
        return None

    def name(self, token: Token) -> Node:
        if token.text == "a" and self.token.kind == "fraction_word":
            return self.prefix()
        text = token.text
        if self.at("_"):
            self.take()
            text += "_" + self.subscript()
        while self.at("'"):
            text += self.take().text
        return Name(name=text)

    def subscript(self) -> str:
        if not self.at("{"):
            return self.take().text
        self.take()
        parts = []
        while not self.at("}"):
            if self.token.kind == "end":
                raise Unparsable("brackets")
            parts.append(self.take().text)
        self.take()
        return "".join(parts)

    def call(self, function: str) -> Node:
        typed_root, function = function in _ROOTS, _FUNCTIONS.get(function, function.replace("arc", "a"))
        base = degree = power = None
        if self.at("_"):
            self.take()
            base = self.argument()
        if self.at("^"):
            self.take()
            power = self.argument()
        if function == "sqrt" and self.at("["):
            self.take()
            degree = self.expression(0)
            self.expect("]")
        value = self.root_argument() if typed_root else self.call_argument(function)
        if function in _OF_ANGLES:
            value = self.in_radians(value)
        if function in ("sin", "cos", "tan") and power == operation("neg", Number(value=Fraction(1))):
            function, power = "a" + function, None
        if function == "fourth_root":
            degree = Number(value=Fraction(4))
        node: Node = operation("root", value, degree) if degree else operation(function, value)
        if base:
            node = operation("/", operation("ln", value), operation("ln", base))
        return operation("^", node, power) if power else node

    def call_argument(self, function: str) -> Node:
        if self.at("(", "{", "["):
            return self.bracket(self.take().text)
        if function in ("sqrt", "cbrt"):
            return self.argument()
        value = self.expression(_PRODUCT)
        while self.starts_factor() and self.token.kind != "function":
            value = operation("*", value, self.expression(_PRODUCT))
        return value

    def root_argument(self) -> Node:
        """Return the argument of a typed root sign: a group, a number, or a letter."""
        if self.at("("):
            return self.bracket(self.take().text)
        if self.at("-"):
            self.take()
            return operation("neg", self.root_argument())
        return _literal(self.take()) if self.token.kind == "number" else self.argument()

    def in_radians(self, angle: Node) -> Node:
        """Return an angle in degrees as radians; one without a unit is in radians already."""
        degrees = isinstance(angle, Quantity) and angle.unit in DEGREES
        if self.token.kind == "word" and self.token.text in DEGREES:
            self.take()
            degrees = True
        return in_radians(angle) if degrees else angle

    def argument(self) -> Node:
        """Return a LaTeX argument: a group, or a single sign, so that \\frac34 is three quarters."""
        token = self.take()
        if token.kind == "number":
            return self.first_digit(token) if len(token.text) > 1 and token.text.isdigit() else _literal(token)
        if token.kind == "name":
            return self.name(token)
        if token.kind == "operator" and token.text == "-":
            return operation("neg", self.argument())
        if token.kind == "operator" and token.text in ("{", "(", "[", "|", "frac"):
            return self.sign(token.text)
        if token.kind == "function":
            return self.call(token.text)
        raise Unparsable("unfinished")

    def first_digit(self, token: Token) -> Node:
        """Return the first digit of a number, and leave the others to be read next."""
        rest = token.text[1:]
        self.position -= 1
        self.tokens[self.position] = Token("number", rest, False, Fraction(int(rest)))
        return Number(value=Fraction(int(token.text[0])))

    def bracket(self, opening: str) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("too_deep")
        bars, self.open_bars = self.open_bars, 0
        closings = _CLOSINGS[opening]
        if self.at(*closings) and opening in ("⦃", "{"):
            self.take()
            return Sequence(items=(), opening="{", closing="}")
        inner = self.listing()
        closing = self.expect(*closings)
        self.depth -= 1
        self.open_bars = bars
        return _bracketed(inner, opening=opening, closing=closing)

    def bars(self) -> Node:
        self.open_bars += 1
        inner = self.expression(0)
        self.expect("|")
        self.open_bars -= 1
        return operation("abs", inner)

    def matrix(self) -> Node:
        """Return rows of entries; `\\begin` is already taken."""
        kind = self.environment()
        if kind not in _MATRICES:
            raise Unparsable("unexpected")
        if kind == "array" and self.at("{"):  # How the columns are set: {cc}, {c|c}.
            self.environment()
        rows: list[Node] = []
        entries = [self.expression(0)]
        while not self.at("end"):
            separator = self.expect("&", "row")
            if separator == "row":
                rows.append(Sequence(items=tuple(entries), opening="[", closing="]", depth=depth_over(*entries)))
                entries = []
                if self.at("end"):
                    break
            entries.append(self.expression(0))
        if entries:
            rows.append(Sequence(items=tuple(entries), opening="[", closing="]", depth=depth_over(*entries)))
        self.take()
        self.environment()
        return Sequence(items=tuple(rows), opening="[", closing="]", depth=depth_over(*rows))

    def environment(self) -> str:
        self.expect("{")
        word = ""
        while not self.at("}"):
            if self.token.kind == "end":
                raise Unparsable("brackets")
            word += self.take().text
        self.take()
        return word


def _is_whole(token: Token) -> bool:
    return token.value is not None and token.value.denominator == 1 and not token.places


def _with_unit(node: Node, unit: str) -> Node:
    """Return a node with its unit; in x = 5 m it belongs to the last side."""
    if not isinstance(node, Relation):
        return Quantity(value=node, unit=unit, depth=depth_over(node))
    last = _with_unit(node.sides[-1], unit)
    return Relation(sides=(*node.sides[:-1], last), signs=node.signs, depth=depth_over(*node.sides, last))


def _literal(token: Token) -> Number:
    value = token.value or Fraction(0)
    return Number(value=value, spelling="decimal" if token.places else "whole", places=token.places)


def _bracketed(inner: Node, *, opening: str, closing: str) -> Node:
    curly = opening in ("{", "⦃")
    listed = isinstance(inner, Sequence) and inner.opening in ("", "or")
    if listed and isinstance(inner, Sequence):
        if opening == "{" and inner.opening == "or":
            return inner
        mark = ("{", "}") if curly else (opening, closing)
        return Sequence(items=inner.items, opening=mark[0], closing=mark[1], depth=inner.depth)
    if opening == "⦃" or (opening == "[" and isinstance(inner, Sequence)):
        return Sequence(
            items=(inner,), opening="{" if curly else "[", closing="}" if curly else "]", depth=depth_over(inner)
        )
    if (opening, closing) in (("(", "]"), ("[", ")")):
        raise Unparsable("brackets")
    if isinstance(inner, Operation | Number | Name | Sequence | Relation | Quantity | Phrase):
        return inner
    raise Unparsable("brackets")
