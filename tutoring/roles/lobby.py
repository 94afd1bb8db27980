"""The tutor in a conversation without a topic: invites to a lesson."""

import uuid
from functools import partial

from django.utils.translation import gettext as _

from agents.events import Card
from agents.roles import Plan, Request, Said, Wording
from tutoring.courses.catalogue import Concept, Course
from tutoring.roles import answering, background, conversation
from tutoring.roles.facts import LobbyFacts
from tutoring.roles.speech import replies, speech
from tutoring.roles.turns import TutorTurn
from tutoring.rules.manners import problem_in

NAMED = 6
"""Lessons that the invitation names, and shows as cards."""


def plan(request: Request) -> Plan:
    """Offer the concepts there are, or those that the message may mean; the learner names one, here or by its card."""
    facts: LobbyFacts = request.facts
    turn_id = facts.turn_id
    offers = facts.offered or [(course, concept) for course in facts.courses for concept in course.concepts]
    parts: tuple[Said, ...]
    chooses = facts.offered or (facts.wants_quiz and offers[:NAMED])
    if chooses:
        parts = _chosen_from([concept for _course, concept in chooses], facts)
    elif not offers:
        parts = (_("There is no course here yet. An admin can load one."),)
    else:
        shown = () if facts.off_topic or facts.unsure else offers[:NAMED]
        cards = [concept_card(course, concept, turn_id=turn_id) for course, concept in shown]
        parts = (_opening(facts), _invitation([concept for _course, concept in offers]), *cards)
    if not chooses and facts.served.act in conversation.TALKS:
        parts = (*conversation.reply(facts), *parts[1:]) if len(parts) > 1 else conversation.reply(facts)
    elif not chooses and facts.text and facts.served.act != "greeting":
        parts = answering.answered(
            answering.Asked(text=facts.text, turn_id=turn_id, otherwise=parts, attached=facts.attached)
        )
    said = speech(*parts, turn_id=turn_id)
    return Plan(say=said, background=background.of_lobby(facts), result=TutorTurn(move="welcome"), waits=True)


def _chosen_from(concepts: list[Concept], facts: LobbyFacts) -> tuple[Said, ...]:
    """Return the question which of a few is meant, or the way on from an answer."""
    wish = _("Quiz me on: %(title)s") if facts.wants_quiz else _("I want to learn: %(title)s")
    wants = [wish % {"title": each.title} for each in concepts]
    if facts.answer:
        follow = _("There is a whole lesson on this, with pictures and questions: *%(title)s*. Shall we?")
        return (facts.answer, follow % {"title": concepts[0].title}, replies(wants, turn_id=facts.turn_id))
    ask = (
        _("Gladly. What shall the questions be on?")
        if facts.wants_quiz
        else _("Gladly. Where would you like to get to?")
    )
    return (ask, replies(wants, turn_id=facts.turn_id))


def _opening(facts: LobbyFacts) -> str | Wording:
    """Return what comes before the invitation: a greeting, or an answer where a model is there to give one."""
    if facts.off_topic:
        return _("That is outside of what I can help with here: I teach.")
    if not facts.text or facts.served.act == "greeting":
        words, task = _("Hello, good to see you."), "Greet the learner in one sentence. Ask nothing."
    elif facts.unsure:
        words = _("I am not sure what you would like to do.")
        task = "Say in one sentence that you are not sure what the learner would like to do. Ask nothing."
    else:
        words = _("I have no good answer to that. Here is what I can teach you.")
        task = "Answer the learner in at most three sentences; say so where you are not sure. Ask nothing."
    return Wording(words=words, task=task, guard=partial(problem_in, questions=0), may_use_tools=True)


def _invitation(concepts: list[Concept]) -> str:
    titles = ", ".join(f"*{concept.title}*" for concept in concepts[:NAMED])
    text = _(
        "We can look at %(titles)s: pictures first, then questions, at your own pace. Or say what you would like to be able "
        "to do, and I find the place to begin."
    )
    return text % {"titles": titles}


def concept_card(course: Course, concept: Concept, *, turn_id: str) -> Card:
    """Return a way into a concept's lesson."""
    card_id = uuid.uuid5(uuid.UUID(turn_id), f"concept-{concept.id}")
    content = {"title": concept.title, "summary": concept.summary, "url": f"/learn/{course.id}/{concept.id}/"}
    return Card(kind="concept", id=str(card_id), content=content)
