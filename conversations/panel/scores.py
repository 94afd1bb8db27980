"""The panel's scores, each from what was counted. A model's own number is never one of them; unknown is None."""

from collections.abc import Iterable, Sequence
from math import prod

from conversations.search.word_stems import words_of

# (right + 1) / (found + 2) on tests/conversations/panel/dev.jsonl, 2026-11-27: 48 of 52 terms, 19 of 19 names, 3 of 3
# acronyms, 14 of 15 things asked about. A test computes them again.
RELIABILITY = {"term": 0.907, "name": 0.952, "acronym": 0.8, "focus": 0.882}
"""How often each method of finding an entity is right."""


def agreement(methods: Iterable[str]) -> float | None:
    """Return the probability that at least one of the methods is right, if each errs on its own; None without any."""
    errors = [1 - RELIABILITY[each] for each in set(methods)]
    return round(1 - prod(errors), 3) if errors else None


def importance(mentions: int, *, most: int, in_focus: bool) -> float:
    """Return how much a message is about a concept: its share of the most frequent one's mentions, halved outside the
    question itself.
    """
    share = mentions / max(most, 1)
    return round(share if in_focus else share / 2, 3)


def link_strength(together: int, *, one: int, other: int) -> float | None:
    """Return the share of the sentences with either concept that have both (Jaccard); None if neither occurs."""
    either = one + other - together
    return round(together / either, 3) if either else None


def coverage(found: int, *, of: int) -> float | None:
    """Return a share; None if there was nothing to find."""
    return round(found / of, 3) if of else None


def fact_confidence(credibility: float | None, *, agreeing: Sequence[float | None] = ()) -> float | None:
    """Return how sure a quoted fact is: its source's credibility, raised by other rated sources that agree.

    None if no source is rated: nobody has reviewed what a person uploads.
    """
    rated = [each for each in (credibility, *agreeing) if each is not None]
    return round(1 - prod(1 - each for each in rated), 3) if rated else None


def text_agreement(read: str, told: str) -> float | None:
    """Return the share of the words read in a picture that a model has read too; None if nothing was read."""
    words = set(words_of(read))
    return coverage(len(words & set(words_of(told))), of=len(words))


def weighted_mean(values: Iterable[tuple[float | None, float | None]]) -> float | None:
    """Return the mean of values by weight, such as confidences by relevance; None without a known pair."""
    known = [(value, weight) for value, weight in values if value is not None and weight]
    if not known:
        return None
    # Shares of the largest weight: the product with a tiny one would be 0.
    largest = max(weight for _value, weight in known)
    shares = [(value, weight / largest) for value, weight in known]
    return round(sum(value * share for value, share in shares) / sum(share for _value, share in shares), 3)
