"""Combines several rankings of the same items into one. Does not use the database."""

from collections.abc import Hashable, Sequence

DAMPING = 10
"""Rank damping: first place counts twice as much as tenth."""


def fuse_rankings[T: Hashable](rankings: Sequence[Sequence[T]]) -> list[tuple[T, float]]:
    """Return all ranked items, best first, each with its score relative to one that is first everywhere, 0–1.

    Reciprocal rank fusion: only ranks count, because scores of different methods cannot be compared. Of two items with
    the same score, the one seen first in the order of the rankings comes first.
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for place, thing in enumerate(ranking):
            scores[thing] = scores.get(thing, 0.0) + 1 / (DAMPING + place)
    best = len(rankings) / DAMPING
    return [(thing, score / best) for thing, score in sorted(scores.items(), key=lambda item: -item[1])]
