"""What a reply to an open question shows besides its meaning: its words' manner, its numbers, the ideas it covers."""

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from tutoring.grading.judges.texts import COVERED, plain_coverage
from tutoring.grading.parsing import text_claims
from tutoring.understanding.classifiers.features import piece_vector
from tutoring.understanding.parsing.assertions import NEGATION, plain_text
from tutoring.understanding.parsing.written_numbers import numbers_to_digits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.grading.keys import Idea

    type Vector = NDArray[np.float32]

APART: Final = 0.7
"""How long a reply's meaning apart from the other replies to its question is, where all questions are read alike."""
_NUMBER = re.compile(r"\d+(?:/\d+)?")
_NO = re.compile(r"\W*(?:no|nope|nah)\b")
_YES = re.compile(r"\W*(?:yes|yeah|yep|yup)\b")
_REASON = re.compile(r"\b(?:because|cause|cuz|cos|bc|since|so)\b")


def reply_signs(
    words: str, *, ideas: "Sequence[Idea]", question: str, right: Collection[str], wrong: Collection[str]
) -> list[float]:
    """Return the signs of a reply in plain words, each from 0 to 1: `right` and `wrong` are the numbers of labelled replies."""
    count = len(words.split())
    share = plain_coverage(ideas, text=words)[0]
    said = numbers_in_reply(words)
    unknown = said - frozenset(right) - frozenset(wrong) - numbers_in_reply(plain_text(question))
    known, mistaken = said & frozenset(right), (said & frozenset(wrong)) - frozenset(right)
    found = (
        _NO.match(words), _YES.match(words), count <= 2, count <= 4, count > 8, _REASON.search(words),
        NEGATION.search(words), share, share >= COVERED,
        known, mistaken, unknown, known and not mistaken and not unknown, not said,
    )  # fmt: skip
    return [0.5 * (each if isinstance(each, float) else float(bool(each))) for each in found]


def numbers_in_reply(words: str) -> frozenset[str]:
    """Return the numbers of a plain text, words for them in digits."""
    return frozenset(_NUMBER.findall(numbers_to_digits(words)))


def makes_false_claim(text: str) -> bool:
    """Tell whether a text claims a calculation or a comparison of numbers that is false."""
    return any(text_claims.holds(claim.node) is False for claim in text_claims.claims_in(text))


def distinctive_meaning(centre: "Vector", mean: "Vector") -> "Vector":
    """Return what a reply means beside what all replies to its question mean, of length 1."""
    import numpy as np

    moved: Vector = mean - centre
    length = float(np.linalg.norm(moved))
    return moved / np.float32(length) if length > 1e-6 else moved


def reply_vector(mean: "Vector", words: str, shown: Sequence[float], apart: "Vector") -> "Vector":
    """Return a reply in plain words as the verdict that all questions share reads it: meaning, pieces, signs, meaning apart."""
    import numpy as np

    vector: Vector = np.hstack([mean, piece_vector(words), np.array(shown, dtype=np.float32), APART * apart])
    return vector
