"""The tutor in a conversation without a topic: invites to a lesson."""

import uuid
from functools import partial

from django.utils.translation import gettext as _

from agents.events import Card
from agents.roles import Plan, Request, Wording
from tutoring.courses.catalogue import Concept, Course
from tutoring.roles import background
from tutoring.roles.facts import LobbyFacts
from tutoring.roles.speech import speech
from tutoring.roles.turns import TutorTurn
from tutoring.rules.listening import is_greeting
from tutoring.rules.manners import problem_in

NAMED = 6
"""Lessons that the invitation names; the cards below show all."""


def plan(request: Request) -> Plan:
    """Offer the concepts there are; the learner names one, here or by its card."""
    facts: LobbyFacts = request.facts
    turn_id = facts.turn_id
    offers = [(course, concept) for course in facts.courses for concept in course.concepts]
    if not offers:
        said = speech(_("There is no course here yet. An admin can load one."), turn_id=turn_id)
        return Plan(say=said, result=TutorTurn(move="welcome"), waits=True)
    cards = [concept_card(course, concept, turn_id=turn_id) for course, concept in offers]
    invitation = _invitation([concept for _course, concept in offers])
    said = speech(_opening(facts), invitation, *cards, turn_id=turn_id)
    return Plan(say=said, background=background.of_lobby(facts), result=TutorTurn(move="welcome"), waits=True)


def _opening(facts: LobbyFacts) -> Wording:
    """Return what comes before the invitation: a greeting, or an answer where a model is there to give one."""
    if not facts.text or is_greeting(facts.text):
        words, task = _("Hello. Good that you are here."), "Greet the learner in one sentence."
    else:
        words = _("No language model is at hand just now, so I keep to the lessons I know well.")
        task = "Answer the learner in at most three sentences; say so where you are not sure. Ask nothing."
    return Wording(words=words, task=task, guard=partial(problem_in, questions=0))


def _invitation(concepts: list[Concept]) -> str:
    titles = ", ".join(f"*{concept.title}*" for concept in concepts[:NAMED])
    text = _("We can look at %(titles)s: pictures first, then questions, at your own pace. Which one draws you?")
    return text % {"titles": titles}


def concept_card(course: Course, concept: Concept, *, turn_id: str) -> Card:
    """Return a way into a concept's lesson."""
    card_id = uuid.uuid5(uuid.UUID(turn_id), f"concept-{concept.id}")
    content = {"title": concept.title, "summary": concept.summary, "url": f"/learn/{course.id}/{concept.id}/"}
    return Card(kind="concept", id=str(card_id), content=content)
