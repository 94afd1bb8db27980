"""Judge an answer against its key: never raises, whatever was typed."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial

from .comparing import best_matches, compare, is_number
from .forms import fits, is_factored, surface_of
from .keys import AnswerKey, ChoiceKey, ExpressionKey, MultiKey, NumericKey, SetKey, TextKey
from .nodes import Name, Node, Operation, Phrase, Quantity, Relation, Sequence, Unparsable, names_of, walk
from .numbers import spans_of
from .parsing import parse
from .relations import answer_side
from .spelling import MAX_LENGTH, normalised, without_preface
from .texts import judge_text
from .values import Inexact, equal, exact
from .verdicts import Judgement, Verdict, judged
from .words import NEGATIONS

MAX_TEXT = 10_000

_RANK = ("unparsable", "wrong", "partial", "sign_error", "equivalent_not_in_form", "correct")
_DECIMAL_COMMA = re.compile(r"[-+]?\d{1,9},\d{1,9}")
_LETTERS = re.compile(r"[^\w]+")


def grade(key: AnswerKey, answer: str) -> Judgement:
    """Return the judgement of an answer.

    Bounded work for any input. An answer that cannot be read is "unparsable", a free retry. A choice is answered by its
    letter or its text, several choices by letters with commas or blanks between them.
    """
    try:
        match key:
            case NumericKey():
                return _judge_numeric(key, answer)
            case ExpressionKey():
                return _judge_expression(key, answer)
            case SetKey():
                return _judge_set(key, answer)
            case ChoiceKey():
                return _judge_choice(key, answer)
            case MultiKey():
                return _judge_multi(key, answer)
            case TextKey():
                return judge_text(key, answer[:MAX_TEXT])
    except Unparsable as reason:
        return judged("unparsable", reason.reason)
    except (RecursionError, ArithmeticError, ValueError, Inexact):
        return judged("unparsable", "unexpected")


@lru_cache(maxsize=2048)
def _key_node(value: str) -> Node | None:
    try:
        return parse(value)
    except Unparsable:
        return _last_side(value)


def _last_side(value: str) -> Node | None:
    """Return what stands after the last = of a key whose other side cannot be read."""
    _, sign, side = value.rstrip("$ ").rpartition("=")
    try:
        return parse(side) if sign else None
    except Unparsable:
        return None


def _readings(answer: str) -> Iterator[Node]:
    """Yield what an answer can mean, the likeliest first; raise Unparsable where it can mean nothing."""
    first: Node | None = None
    reason: Unparsable | None = None
    try:
        first = parse(answer)
        yield first
    except Unparsable as caught:
        reason = caught
    for text, options in _other_spellings(answer):
        try:
            if (node := parse(text, **options)) != first:
                yield node
        except Unparsable:
            continue
    if first is None and reason is not None:
        raise reason


def _other_spellings(answer: str) -> Iterator[tuple[str, dict[str, bool]]]:
    text = answer.strip()[: MAX_LENGTH + 1]
    if "," in text:
        if re.search(r"\d,\d{3}", text):
            yield text, {"thousands": False}
        if _DECIMAL_COMMA.fullmatch(text):
            yield text.replace(",", "."), {}
    if "and" in text:
        yield text, {"mixed_and": False}
    if text.endswith("!"):
        yield text.rstrip("!"), {}


def _best(answer: str, judge: Callable[[Node], Judgement]) -> Judgement:
    """Return the best judgement among the readings of an answer; raise Unparsable where no reading makes sense."""
    best: Judgement | None = None
    reason = Unparsable("words")
    for said in _readings(answer):
        try:
            judgement = judge(said)
        except Unparsable as caught:
            reason = caught
            continue
        if best is None or _RANK.index(judgement.verdict) > _RANK.index(best.verdict):
            best = judgement
        if best.verdict == "correct":
            break
    if best is None:
        raise reason
    return best


def _same_text(a: str, b: str) -> bool:
    return _squeezed(a) == _squeezed(b) != ""


def _squeezed(text: str) -> str:
    return re.sub(r"[\s$]+", "", text[: 4 * MAX_LENGTH]).rstrip(".")


def _judge_numeric(key: NumericKey, answer: str) -> Judgement:
    right = _key_node(key.value)
    if right is None or not is_number(right):
        return _judge_expression(ExpressionKey(value=key.value, form=key.form), answer)
    try:
        return _best(answer, partial(_judge_number, key, right))
    except Unparsable as unreadable:
        if unreadable.reason not in ("words", "unexpected", "two_numbers", "unfinished"):
            raise
        return _judge_number(key, right, _only_number_in(answer, unreadable))


def _only_number_in(answer: str, unreadable: Unparsable) -> Node:
    """Return the single number of a sentence such as "I added them and got 3/4"; raise where that would be a guess."""
    said = without_preface(normalised(answer[: 2 * MAX_LENGTH]))
    spans, words = spans_of(said), set(re.findall(r"[\w']+", said.casefold()))
    if len(spans) != 1 or words & NEGATIONS:
        raise unreadable
    return parse(spans[0])


def _judge_number(key: NumericKey, right: Node, said: Node) -> Judgement:
    if isinstance(said, Phrase) or (names_of(said) and not _has_number(said)):
        raise Unparsable("words")
    said = _one_of(said)
    judgement = compare(right, said)
    value, said = exact(right), _number_of(said)
    if key.form == "decimal" and _is_near(key, value, said):
        return judged("correct") if fits(said, "decimal", value=value) else judged("equivalent_not_in_form", "decimal")
    if judgement.verdict != "correct" or surface_of(right) == "other":
        return judgement
    if not fits(said, key.form, value=value):
        return judged("equivalent_not_in_form", key.form if surface_of(said) != "other" else "unevaluated")
    return judgement


def _one_of(said: Node) -> Node:
    """Return the one number said in "3/4 or 6/8"; different ones are a guess, and asked for again."""
    if not isinstance(said, Sequence) or said.opening not in ("", "or"):
        return said
    first, *others = said.items
    if any(isinstance(item, Sequence | Phrase) for item in said.items) or not all(
        equal(first, other) for other in others
    ):
        raise Unparsable("several")
    return first


def _has_number(node: Node) -> bool:
    return any(not isinstance(inner, Name | Phrase) and not hasattr(inner, "operands") for inner in walk(node))


def _number_of(node: Node) -> Node:
    """Return the number that was said, out of "x = 3/4" and "{3/4}" and "3/4 m"."""
    match node:
        case Relation():
            return _number_of(answer_side(node))
        case Sequence(items=(only,)):
            return _number_of(only)
        case Quantity(value=value):
            return _number_of(value)
        case Operation(operator="*" | "/", operands=(value, *others)) if others and all(
            isinstance(o, Name) for o in others
        ):
            return _number_of(value)
        case _:
            return node


def _is_near(key: NumericKey, value: Fraction, said: Node) -> bool:
    try:
        distance = abs(exact(said) - value)
    except Inexact:
        return False
    if key.tolerance is not None:
        return distance <= Fraction(key.tolerance)
    return key.places is not None and distance <= Fraction(1, 2 * 10**key.places)


def _judge_expression(key: ExpressionKey, answer: str) -> Judgement:
    if key.form in ("any", "exact") and _same_text(key.value, answer):
        return judged("correct")
    right = _key_node(key.value)
    if right is None:
        return judged("correct" if _squeezed(key.value).casefold() == _squeezed(answer).casefold() else "wrong")
    judgement = _best(answer, partial(_judge_reading, key, right))
    if judgement.verdict == "wrong" and re.search(r"\d,\d{3}", key.value):
        other = parse(key.value, thousands=False)
        return _best(answer, partial(_judge_reading, key, other))
    return judgement


def _judge_reading(key: ExpressionKey, right: Node, said: Node) -> Judgement:
    judgement = compare(right, said)
    if judgement.verdict != "correct":
        return judgement
    if key.form == "factored" and not is_factored(said):
        return judged("equivalent_not_in_form", "factored")
    if key.form in ("simplified", "fraction", "decimal", "whole") and is_number(right):
        number = _number_of(said)
        if not fits(number, key.form, value=exact(right)):
            return judged("equivalent_not_in_form", key.form)
    return judgement


def _judge_set(key: SetKey, answer: str) -> Judgement:
    wanted = tuple(node for value in key.values if (read := _key_node(value)) is not None for node in _members(read))
    return _best(answer, partial(_judge_values, wanted))


def _judge_values(wanted: tuple[Node, ...], said: Node) -> Judgement:
    wanted, items = tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(_members(said)))
    found = [judgement for judgement in best_matches(wanted, items) if judgement is not None]
    exactly = sum(judgement.verdict == "correct" for judgement in found)
    if len(found) == len(wanted) == len(items):
        return judged("correct") if exactly == len(wanted) else judged("equivalent_not_in_form")
    share = len(found) / (len(wanted) + len(items) - len(found))
    return judged("partial", score=share) if found else judged("wrong")


def _members(node: Node) -> tuple[Node, ...]:
    """Return what a list or set holds; an interval and a point are one thing."""
    return node.items if isinstance(node, Sequence) and node.opening in ("", "or", "{") else (node,)


def _judge_choice(key: ChoiceKey, answer: str) -> Judgement:
    chosen = _letter_of(answer, key.options, right=key.right)
    if chosen is None:
        return judged("unparsable", "no_such_choice")
    verdict: Verdict = "correct" if chosen.casefold() == key.right.strip().casefold() else "wrong"
    return Judgement(verdict=verdict, score=float(verdict == "correct"), chosen=(chosen,))


def _letter_of(answer: str, options: tuple[tuple[str, str], ...], *, right: str) -> str | None:
    """Return the letter that an answer means: the letter itself, "option B", "(b)", or the choice's own text."""
    letters = {letter.casefold(): letter for letter, _ in options} or {right.casefold(): right}
    said = normalised(answer[:MAX_LENGTH]).strip().casefold()
    bare = _LETTERS.sub(" ", re.sub(r"^(?:the\s+)?(?:option|choice|answer|letter)\b\s*(?:is\b)?", "", said)).strip()
    if bare in letters:
        return letters[bare]
    texts = {_squeezed(text).casefold(): letter for letter, text in options}
    if (letter := texts.get(_squeezed(answer).casefold())) is not None:
        return letter
    if not options:
        return bare if len(bare) == 1 and bare.isalpha() else None
    return next((letter for letter, text in options if said and _means(text, answer)), None)


def _means(text: str, answer: str) -> bool:
    try:
        right = _key_node(text)
        return right is not None and compare(right, parse(answer)).verdict == "correct"
    except Unparsable:
        return False


def _judge_multi(key: MultiKey, answer: str) -> Judgement:
    chosen = _letters_of(answer, key)
    if not chosen:
        return judged("unparsable", "no_such_choice")
    right = {letter.casefold() for letter in key.right}
    said = {letter.casefold() for letter in chosen}
    score = len(right & said) / len(right | said)
    verdict: Verdict = "correct" if score == 1 else "partial" if score else "wrong"
    return Judgement(verdict=verdict, score=score, chosen=tuple(sorted(chosen)))


def _letters_of(answer: str, key: MultiKey) -> set[str]:
    letters = {letter.casefold(): letter for letter, _ in key.options} or {
        letter.casefold(): letter for letter in key.right
    }
    said = [piece for piece in _LETTERS.split(normalised(answer[:MAX_LENGTH]).casefold()) if piece and piece != "and"]
    if len(said) == 1 and said[0] not in letters and set(said[0]) <= set(letters):
        said = list(said[0])  # "acd"
    if key.options and not all(piece in letters for piece in said):
        return set()
    return {letters.get(piece, piece) for piece in said}
