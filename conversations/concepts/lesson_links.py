"""Registry of lesson links: which concepts have a lesson, as the app that teaches knows it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conversations.panel.terms import Stems


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonLink:
    """A lesson on a concept."""

    title: str
    url: str


type LessonFinder = Callable[[], Mapping[Stems, LessonLink]]
"""Returns the lessons by the key of each name of their concept, see `names.concept_key`."""

_finders: list[LessonFinder] = []


def register_lesson_finder(finder: LessonFinder) -> None:
    """Register the one finder of lessons."""
    _finders[:] = [finder]


def lesson_links() -> Mapping[Stems, LessonLink]:
    """Return the lessons by the key of each name of their concept; none if nobody teaches."""
    return _finders[0]() if _finders else {}
