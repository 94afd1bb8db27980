"""Several rankings of the same things → one. Numbers of no database."""

from collections.abc import Hashable, Sequence

DAMPING = 10
"""How much being first is worth above being tenth: twice as much."""


def fuse_rankings[T: Hashable](rankings: Sequence[Sequence[T]]) -> list[tuple[T, float]]:
    """Return everything ranked, the best first, each with its share of the score of one that is first everywhere, 0–1.

    Reciprocal rank fusion: a thing counts by its places alone, since scores of different makes do not compare. Of two
    with the same score, the one that was seen first in the order of the rankings comes first.
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for place, thing in enumerate(ranking):
            scores[thing] = scores.get(thing, 0.0) + 1 / (DAMPING + place)
    best = len(rankings) / DAMPING
    return [(thing, score / best) for thing, score in sorted(scores.items(), key=lambda item: -item[1])]
