"""One learner as the teachers of a class see them, and what was said in a conversation they may read."""

from collections.abc import Sequence
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.markup import to_html
from conversations.models import Message, Session, Turn
from tutoring.access import readable_sessions
from tutoring.models import Concept, Course, Membership, MisconceptionState
from tutoring.presentation import overviews
from tutoring.presentation.contexts import Context
from tutoring.presentation.needs import needs, showing
from tutoring.presentation.sight import traces

CONVERSATIONS_SHOWN = 50
MESSAGES_SHOWN = 400
QUOTES_SHOWN = 3


def pupil(place: Membership) -> Context:
    """Return what a learner's page shows, as far as the class's policy goes. The place comes with class and person."""
    policy = place.classroom.policy
    met = overviews.courses_met(place.person) if policy.shows_levels else {}
    return {
        "courses": [
            {
                "title": course.title,
                "rows": [row | {"answers_url": _answers_url(row["concept"], place)} for row in rows],
            }
            for course, rows in met.items()
        ],
        "reasons": _reasons(place, list(met)) if policy.shows_levels else [],
        "misconceptions": _misconceptions(place),
        "conversations": _conversations(place) if policy.shows_conversations else [],
        "readable_since": policy.readable_since(place.joined_at),
    }


def evidence(place: Membership, concept: Concept) -> Context:
    """Return a learner's answers on a concept; only for a class that shows them."""
    shown = overviews.evidence(place.person, concept)
    return {key: shown[key] for key in ("concept_title", "course_title", "mastery", "answers")}


def transcript(session: Session, *, since: datetime, with_answers: bool) -> Context:
    """Return what was said in a conversation from `since` on, the latest part of it, oldest first.

    Without `with_answers` the turns that take up an answer are left out: what is said of it would tell it.
    """
    messages = Message.objects.filter(
        session=session, turn__created_at__gte=since, turn__replaced_by=None
    ).select_related("turn")
    if not with_answers:
        messages = messages.exclude(turn__kind=Turn.Kind.ANSWER)
    latest = list(messages.order_by("-turn__number", "-pk")[:MESSAGES_SHOWN])[::-1]
    return {
        "title": session.title or _("A conversation"),
        "said": [_said(message) for message in latest if message.text or message.cards],
        "shortened": len(latest) == MESSAGES_SHOWN,
        "with_answers": with_answers,
    }


def _said(message: Message) -> Context:
    by_learner = message.author == Message.Author.LEARNER
    return {
        "by_learner": by_learner,
        "text": message.text,
        "html": "" if by_learner else to_html(message.text),
        "asked": any(card["kind"] == "question" for card in message.cards),
        "when": message.created_at,
    }


def _answers_url(concept: Concept, place: Membership) -> str:
    """Return where a learner's answers on a concept are read; empty where the class does not show them."""
    if not place.classroom.policy.shows_answers:
        return ""
    where = [place.classroom.code, place.person_id, concept.course.slug, concept.slug]
    return reverse("class-evidence", args=where)


def _reasons(place: Membership, courses: Sequence[Course]) -> list[str]:
    """Return why the learner needs help, over the courses they have met."""
    now, found = timezone.now(), dict[str, None]()
    for course in courses or Course.objects.listed()[:1]:
        titles = dict(course.concepts.values_list("slug", "title"))
        shown = showing([place], course, now=now)
        need = needs([place], course, shown=shown, titles=titles, now=now)[place.person_id]
        found |= dict.fromkeys(need.words)
    return list(found)


def _misconceptions(place: Membership) -> list[Context]:
    """Return what shows, or once showed, in what a teacher may see of the learner, the latest first."""
    states = MisconceptionState.objects.filter(learner_id=place.person_id).exclude(
        status=MisconceptionState.Status.NONE
    )
    found: list[Context] = []
    for state in states.select_related("course").defer("course__content").order_by("-updated_at"):
        known = state.course.catalogue().misconceptions.get(state.misconception)
        seen = traces(state, place)
        if known is not None and seen:
            found.append({"says": known.says, "status": state.status, "evidence": seen[:QUOTES_SHOWN]})
    return found


def _conversations(place: Membership) -> list[Context]:
    return [
        {
            "title": session.title or _("A conversation"),
            "when": session.updated_at,
            "url": reverse("class-conversation", args=[place.classroom.code, place.person_id, session.pk]),
        }
        for session in readable_sessions(place)[:CONVERSATIONS_SHOWN]
    ]
