"""Answers about the length of a lesson, from the steps that are left."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import Session
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import LessonState
from tutoring.models import Concept
from tutoring.pages.contexts.lesson_way import lesson_way, minutes_left
from tutoring.pages.contexts.road import minutes_words

LENGTH_TOPICS: Final = frozenset({"duration", "questions_left"})
"""Topics of questions about the system that are about the length of the lesson."""


def answer_about_length(session: Session, concept: Concept, held: LessonState, about: str) -> str:
    """Return about how many steps and minutes are left; empty for any other topic, and while no lesson is under way."""
    if about not in LENGTH_TOPICS or held.cycle.is_over or placement_of(session.state).under_way:
        return ""
    way = lesson_way(session, concept, held)
    left = int(str(way["left"]))
    minutes = minutes_words(minutes_left(way, concept.value().minutes))
    steps = ngettext("About %(steps)d more step, so %(minutes)s.", "About %(steps)d more steps, so %(minutes)s.", left)
    said = steps % {"steps": left, "minutes": minutes}
    return f"{said} {_('A mistake may add a few. You can stop at any time, and your place is saved.')}"
