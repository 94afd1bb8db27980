"""Splits a normalized answer into numbers, names, functions, operators and words."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.language.vocabulary import (
    FRACTION_WORDS,
    NUMBER_WORDS,
    OPERATOR_WORDS,
    PLAIN_WORDS,
    UNIT_WORDS,
    word_set,
)

type Kind = Literal["number", "name", "function", "operator", "word", "fraction_word", "end"]

FUNCTIONS = word_set(
    "sqrt cbrt sin cos tan sec csc cosec cot asin acos atan arcsin arccos arctan sinh cosh tanh ln log exp abs floor ceil"
)
_COMMANDS = {
    "frac": "frac", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "times": "*", "cdot": "*", "ast": "*",
    "div": "/", "pm": "±", "mp": "±", "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥",
    "lt": "<", "gt": ">", "ne": "≠", "neq": "≠", "approx": "≈", "simeq": "≈", "equiv": "=", "cup": "∪", "in": "∈", "lvert": "|",
    "rvert": "|", "vert": "|", "mid": "|", "lbrace": "⦃", "rbrace": "⦄", "lbrack": "[", "rbrack": "]", "colon": ":",
    "begin": "begin", "end": "end", "cap": "∩", "land": "and", "lor": "or", "wedge": "and", "vee": "or",
}  # fmt: skip
_NAMED = {"infty": "∞", "infinity": "∞", "inf": "∞", "oo": "∞", "pi": "π", "imath": "i"}
_GREEK = word_set(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau "
    "upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"
)
_PHRASES = {"emptyset": "no solution", "varnothing": "no solution"}
# "2e5" is scientific notation; "2ex" and "2e" are products with the constant e.
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,6}(?![A-Za-z0-9.]))?"
# "1,000" is one number; "1,00" is not.
_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?"
_REST = (
    r"|(?P<set>\\[{}])|(?P<row>⏎)|\\(?P<command>[A-Za-z]+)|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)"
    r"|(?P<operator>=/=|=!=|\*\*|<=|>=|=<|=>|!=|<>|==|\+/-|\+-|[-+*/^%!=<>≤≥≠≈(){}\[\],;|_:&∪∩∈±√∛∜∞'])|(?P<space>\s+)|(?P<other>.)"
)
_WITH_THOUSANDS = re.compile(rf"(?P<number>{_THOUSANDS}|{_NUMBER}){_REST}")
_WITHOUT_THOUSANDS = re.compile(rf"(?P<number>{_NUMBER}){_REST}")
_SPELLED = {
    "**": "^",
    "<=": "≤",
    "=<": "≤",
    ">=": "≥",
    "=>": "≥",
    "!=": "≠",
    "=/=": "≠",
    "=!=": "≠",
    "<>": "≠",
    "==": "=",
    "+/-": "±",
    "+-": "±",
}
# As MAX_EXPONENT: larger numbers are refused, not computed.
_MAX_POWER_OF_TEN = 64
# In LaTeX \sqrt45 is √4·5; as typed, sqrt 45 is √45.
_TYPED_ROOTS = {"sqrt": "√", "cbrt": "∛"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `spaced` means that a blank precedes it, `value` and `places` belong to numbers."""

    kind: Kind
    text: str
    spaced: bool = False
    value: Fraction | None = None
    places: int = 0


def tokenize(text: str, *, thousands: bool = True) -> list[Token]:
    """Return the tokens of a normalized answer, with an end token. Raises Unparsable for an unknown sign."""
    tokens: list[Token] = []
    spaced = False
    for match in (_WITH_THOUSANDS if thousands else _WITHOUT_THOUSANDS).finditer(text):
        if match.lastgroup == "space":
            spaced = True
            continue
        tokens.extend(_cut(match.lastgroup or "other", match.group(match.lastgroup or "other"), spaced=spaced))
        spaced = False
    tokens.append(Token("end", "", spaced))
    return _with_unions(tokens)


def _cut(group: str, text: str, *, spaced: bool) -> list[Token]:
    match group:
        case "number":
            return [_number(text, spaced=spaced)]
        case "command":
            return _command(text, spaced=spaced)
        case "word":
            return _word(text, spaced=spaced)
        case "operator":
            if text in "√∛∜":
                return [Token("function", text, spaced)]
            if text == "∞":
                return [Token("name", "∞", spaced)]
            return [Token("operator", _SPELLED.get(text, text), spaced)]
        case "set":
            return [Token("operator", "⦃" if text == "\\{" else "⦄", spaced)]
        case "row":
            return [Token("operator", "row", spaced)]
        case _:
            raise Unparsable("unexpected")


def _number(text: str, *, spaced: bool) -> Token:
    digits, _, power = text.replace(",", "").lower().partition("e")
    if power and abs(int(power)) > _MAX_POWER_OF_TEN:
        raise Unparsable("too_big")
    whole, point, decimals = digits.partition(".")
    value = Fraction(int((whole + decimals) or "0"), 10 ** len(decimals)) * Fraction(10) ** int(power or "0")
    places = max(len(decimals) - int(power or "0"), 0) if point else 0
    return Token("number", text, spaced, value, places if decimals else 0)


def _command(text: str, *, spaced: bool) -> list[Token]:
    if text in _COMMANDS:
        return [Token("operator", _COMMANDS[text], spaced)]
    if text in _NAMED:
        return [Token("name", _NAMED[text], spaced)]
    if text in FUNCTIONS:
        return [Token("function", text, spaced)]
    if text in _GREEK:
        return [Token("name", text.removeprefix("var"), spaced)]
    if text in _PHRASES:
        return [Token("word", _PHRASES[text], spaced)]
    raise Unparsable("unexpected")


def _word(text: str, *, spaced: bool) -> list[Token]:
    lower = text.lower()
    if lower in NUMBER_WORDS:
        return [Token("number", lower, spaced, Fraction(NUMBER_WORDS[lower]))]
    if lower in FRACTION_WORDS:
        return [Token("fraction_word", lower, spaced, Fraction(1, FRACTION_WORDS[lower]))]
    if lower in OPERATOR_WORDS:
        return [Token("operator", OPERATOR_WORDS[lower], spaced)]
    if text in _GREEK or text in ("π", "Π"):
        return [Token("name", "π" if text in ("π", "Π") else text, spaced)]
    if lower in _NAMED:
        return [Token("name", _NAMED[lower], spaced)]
    if lower in FUNCTIONS:
        return [Token("function", _TYPED_ROOTS.get(lower, lower), spaced)]
    if lower in UNIT_WORDS or lower in PLAIN_WORDS or "'" in text:
        return [Token("word", lower, spaced)]
    return _letters(text, spaced=spaced)


def _letters(text: str, *, spaced: bool) -> list[Token]:
    """Split "xy" into x·y and "sinx" into sin(x); longer unknown words stay words."""
    # At most two letters behind a function's name, so that "single" stays a word ("since" does not, chosen by hand).
    for function in ("sqrt", "sin", "cos", "tan", "log", "ln"):
        rest = text[len(function) :]
        if text.lower().startswith(function) and len(rest) <= 2:
            return [Token("function", _TYPED_ROOTS.get(function, function), spaced), *_letters(rest, spaced=False)]
    if text.startswith("pi") and len(text) <= 4:
        return [Token("name", "π", spaced), *_letters(text[2:], spaced=False)]
    if len(text) <= 3:
        return [Token("name", letter, spaced and index == 0) for index, letter in enumerate(text)]
    return [Token("word", text.lower(), spaced)]


def _with_unions(tokens: list[Token]) -> list[Token]:
    """Return the tokens with a U between brackets as ∪ (as learners type it), and a final "5 sec" as seconds."""
    for index in range(1, len(tokens) - 1):
        if tokens[index].text == "sec" and tokens[index - 1].kind == "number" and tokens[index + 1].kind == "end":
            tokens[index] = Token("word", "sec", tokens[index].spaced)
        if tokens[index].text in ("U", "u", "V") and tokens[index].kind == "name":
            before, after = tokens[index - 1].text, tokens[index + 1].text
            if before in (")", "]", "⦄", "}") and after in ("(", "[", "⦃", "{"):
                tokens[index] = Token("operator", "∪", tokens[index].spaced)
    return tokens
