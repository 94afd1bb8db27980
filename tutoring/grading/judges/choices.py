"""Grades choices, given by letter or by text."""

import re

from tutoring.grading.algebra.comparison import compare
from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.keys import ChoiceKey, MultiKey, Options
from tutoring.grading.parsing.interpretations import parse_key, without_blanks
from tutoring.grading.parsing.normalization import MAX_LENGTH, normalize_answer
from tutoring.grading.parsing.parser import parse
from tutoring.grading.verdicts import Judgement, Verdict, judged

_LETTERS = re.compile(r"[^\w]+")


def judge_choice(key: ChoiceKey, answer: str) -> Judgement:
    """Return the judgement of one option."""
    chosen = letter_of(answer, key.options, right=key.right)
    if chosen is None:
        return judged("unparsable", "no_such_choice")
    by_letter = key.options or is_letter(key.right)
    same = chosen.casefold() == key.right.strip().casefold() if by_letter else chosen == key.right
    verdict: Verdict = "correct" if same else "wrong"
    return Judgement(verdict=verdict, score=float(verdict == "correct"), chosen=(chosen,))


def is_letter(right: str) -> bool:
    """Tell whether a key names its option by a letter or a digit."""
    return len(right.strip()) == 1 and right.strip().isalnum()


def letter_of(answer: str, options: Options, *, right: str) -> str | None:
    """Return the letter that an answer means: the letter itself, "option B", "(b)", or the choice's own text."""
    if not options and not is_letter(right):  # The key names its option by the text.
        return right if without_blanks(answer) == without_blanks(right) else without_blanks(answer) or None
    letters = {letter.casefold(): letter for letter, _ in options} or {right.casefold(): right}
    said = normalize_answer(answer[:MAX_LENGTH]).strip().casefold()
    bare = _LETTERS.sub(" ", re.sub(r"^(?:the\s+)?(?:option|choice|answer|letter)\b\s*(?:is\b)?", "", said)).strip()
    if bare in letters:
        return letters[bare]
    for same in (without_blanks, lambda text: without_blanks(text).casefold()):
        if (letter := {same(text): letter for letter, text in options}.get(same(answer))) is not None:
            return letter
    if not options:
        return bare if len(bare) == 1 and bare.isalpha() else None
    meant = [letter for letter, text in options if said and _means(text, answer)]
    return meant[0] if len(meant) == 1 else None  # Lists of the same numbers in another order are equal as sets.


def _means(text: str, answer: str) -> bool:
    try:
        right = parse_key(text)
        return right is not None and compare(right, parse(answer)).verdict == "correct"
    except Unparsable:
        return False


def judge_multi(key: MultiKey, answer: str) -> Judgement:
    """Return the judgement of several options; a part of them is partly right."""
    chosen = _letters_of(answer, key)
    if not chosen:
        return judged("unparsable", "no_such_choice")
    right = {letter.casefold() for letter in key.right}
    said = {letter.casefold() for letter in chosen}
    # Jaccard: ticking everything does not pay.
    score = len(right & said) / len(right | said)
    verdict: Verdict = "correct" if score == 1 else "partial" if score else "wrong"
    return Judgement(verdict=verdict, score=score, chosen=tuple(sorted(chosen)))


def _letters_of(answer: str, key: MultiKey) -> set[str]:
    letters = {letter.casefold(): letter for letter, _ in key.options} or {
        letter.casefold(): letter for letter in key.right
    }
    said = [
        piece for piece in _LETTERS.split(normalize_answer(answer[:MAX_LENGTH]).casefold()) if piece and piece != "and"
    ]
    if len(said) == 1 and said[0] not in letters and set(said[0]) <= set(letters):
        said = list(said[0])  # "acd"
    if key.options and not all(piece in letters for piece in said):
        return set()
    return {letters.get(piece, piece) for piece in said}
