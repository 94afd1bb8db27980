"""Names of concepts: which of them mean the same."""

from collections import Counter
from collections.abc import Iterable

from conversations.panel.terms import Stems, term_stems


def concept_key(name: str) -> Stems:
    """Return what a name has in common with its other forms: singular and plural have the same key."""
    return term_stems(name) or (" ".join(name.casefold().split()),)


def usual_name(names: Iterable[str]) -> str:
    """Return the most frequent of several names, the first in the alphabet among equals, so that it seldom changes."""
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name))
