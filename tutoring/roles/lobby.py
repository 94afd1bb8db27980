"""The tutor in a conversation without a topic: says what there is to learn."""

import uuid

from django.utils.translation import gettext as _

from agents.events import Card
from agents.roles import Plan, Request
from tutoring.courses.catalogue import Concept, Course
from tutoring.facts import LobbyFacts
from tutoring.roles.turns import TutorTurn
from tutoring.speech import speech


def plan(request: Request) -> Plan:
    """Offer the concepts there are; the learner names one, here or by its card."""
    facts: LobbyFacts = request.facts
    turn_id = facts.turn_id
    if not facts.courses:
        said = speech(_("There is no course here yet. An admin can load one."), turn_id=turn_id)
        return Plan(say=said, result=TutorTurn(move="welcome"), waits=True)
    titles = ", ".join(concept.title for course in facts.courses for concept in course.concepts)
    text = _("No language model is connected, so I teach from the lessons I have: %(titles)s. Which one shall it be?")
    cards = [concept_card(course, concept, turn_id=turn_id) for course in facts.courses for concept in course.concepts]
    return Plan(
        say=speech(text % {"titles": titles}, *cards, turn_id=turn_id), result=TutorTurn(move="welcome"), waits=True
    )


def concept_card(course: Course, concept: Concept, *, turn_id: str) -> Card:
    """Return a way into a concept's lesson."""
    card_id = uuid.uuid5(uuid.UUID(turn_id), f"concept-{concept.id}")
    content = {"title": concept.title, "summary": concept.summary, "url": f"/learn/{course.id}/{concept.id}/"}
    return Card(kind="concept", id=str(card_id), content=content)
