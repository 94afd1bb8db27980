"""Features of a reply to an open question besides its embedding: form, numbers, ideas covered."""

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from tutoring.grading.judges.texts import COVERED, plain_coverage
from tutoring.understanding.classifiers.features import piece_vector
from tutoring.understanding.parsing.assertions import NEGATION, plain_text
from tutoring.understanding.parsing.written_numbers import numbers_to_digits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.grading.keys import Idea

    type Vector = NDArray[np.float32]

# What sets a reply apart from the others to its question counts a little less than its whole meaning. Chosen by hand
# with the verdict heads (2026-11-23), no sweep on record; a change needs `fit_understanding`.
APART: Final = 0.7
"""Length of the centered embedding in the vector shared by all questions."""
_NUMBER = re.compile(r"\d+(?:/\d+)?")
# "no" and "yes" at the start answer the question; later in the reply they do not.
_NO = re.compile(r"\W*(?:no|nope|nah)\b")
_YES = re.compile(r"\W*(?:yes|yeah|yep|yup)\b")
_REASON = re.compile(r"\b(?:because|cause|cuz|cos|bc|since|so)\b")


def reply_signs(
    words: str, *, ideas: "Sequence[Idea]", question: str, right: Collection[str], wrong: Collection[str]
) -> list[float]:
    """Return the features of a reply in plain words, each 0–1; `right` and `wrong` are numbers in labelled replies."""
    count = len(words.split())
    share = plain_coverage(ideas, text=words)[0]
    said = numbers_in_reply(words)
    unknown = said - frozenset(right) - frozenset(wrong) - numbers_in_reply(plain_text(question))
    known, mistaken = said & frozenset(right), (said & frozenset(wrong)) - frozenset(right)
    found = (
        # Word counts of a bare choice, a phrase and an explanation; chosen by hand.
        _NO.match(words), _YES.match(words), count <= 2, count <= 4, count > 8, _REASON.search(words),
        NEGATION.search(words), share, share >= COVERED,
        known, mistaken, unknown, known and not mistaken and not unknown, not said,
    )  # fmt: skip
    # Halved, since fourteen binary features would otherwise outweigh the embedding. By hand.
    return [0.5 * (each if isinstance(each, float) else float(bool(each))) for each in found]


def numbers_in_reply(words: str) -> frozenset[str]:
    """Return the numbers of a plain text, number words as digits."""
    return frozenset(_NUMBER.findall(numbers_to_digits(words)))


def distinctive_meaning(centre: "Vector", mean: "Vector") -> "Vector":
    """Return a reply's embedding minus the mean of its question's replies, of length 1."""
    import numpy as np

    moved: Vector = mean - centre
    length = float(np.linalg.norm(moved))
    return moved / np.float32(length) if length > 1e-6 else moved


def reply_vector(mean: "Vector", words: str, shown: Sequence[float], apart: "Vector") -> "Vector":
    """Return the input of the shared verdict head: embedding, n-grams, features, centered embedding."""
    import numpy as np

    vector: Vector = np.hstack([mean, piece_vector(words), np.array(shown, dtype=np.float32), APART * apart])
    return vector
