"""The terms that the analysis knows: those of the shipped list, and those of the courses."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import yaml

from conversations.panel.facts import KnownTerm
from conversations.search.word_stems import stem, words_of

TERMS: Final = Path(__file__).parent / "terms.yaml"

type Stems = tuple[str, ...]


@lru_cache(maxsize=1)
def shipped_terms() -> tuple[KnownTerm, ...]:
    """Return the terms of the shipped list, each with its category."""
    by_category = yaml.safe_load(TERMS.read_text(encoding="utf-8"))
    return tuple(
        KnownTerm(name=" ".join(name.split()), category=category)
        for category, names in by_category.items()
        for name in names.split(",")
    )


def term_stems(name: str) -> Stems:
    return tuple(stem(word.removesuffix("'s")) for word in words_of(name))


@lru_cache(maxsize=8)
def terms_by_stems(own: tuple[KnownTerm, ...] = ()) -> Mapping[Stems, KnownTerm]:
    """Return each term by the stems of its words; terms of a course come before the shipped ones."""
    return _by_stems((*shipped_terms(), *own))


def _by_stems(terms: Iterable[KnownTerm]) -> dict[Stems, KnownTerm]:
    return {stems: term for term in terms if (stems := term_stems(term.name))}
