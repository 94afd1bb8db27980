"""xAPI statements: who did what with which topic, under a code instead of a name, and never a learner's words."""

import hashlib
import hmac
import uuid
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

from tutoring.models import Attempt, Concept, Cycle, Lesson, Mastery

VERBS: Final = "http://adlnet.gov/expapi/verbs/"
ACTIVITIES: Final = "http://adlnet.gov/expapi/activities/"


def answered(attempt: Attempt) -> dict[str, Any]:
    """Return the statement about an answer: whether it was right, not what it said."""
    question = attempt.question
    result: dict[str, Any] = {"success": attempt.correct, "score": {"scaled": round(attempt.score, 4)}}
    if attempt.time_taken_s is not None:
        result["duration"] = f"PT{attempt.time_taken_s:.2f}S"
    asked = {
        "objectType": "Activity",
        "id": f"{_address_of(question.concept)}#{question.template}",
        "definition": {"type": f"{ACTIVITIES}question"},
    }
    grouping = {"parent": [_activity(question.concept)]}
    said = _statement("answered", attempt.learner_id, asked, question.concept, at=attempt.created_at, key=attempt.pk)
    said["context"]["contextActivities"] |= grouping
    return said | {"result": result}


def mastered(mastery: Mastery) -> dict[str, Any]:
    """Return the statement about a topic that a learner has mastered."""
    said = _about(mastery.concept, "mastered", mastery.learner_id, at=mastery.mastered_at, key=mastery.pk)
    score = mastery.score
    return said | {"result": {"success": True} | ({"score": {"scaled": round(score, 4)}} if score is not None else {})}


def completed(cycle: Cycle) -> dict[str, Any]:
    """Return the statement about a round of a lesson that has ended."""
    said = _about(cycle.concept, "completed", cycle.learner_id, at=cycle.completed_at, key=cycle.pk)
    score = {} if cycle.quiz_score is None else {"score": {"scaled": round(cycle.quiz_score, 4)}}
    return said | {"result": {"completion": True} | score}


def experienced(lesson: Lesson) -> dict[str, Any]:
    """Return the statement about a lesson that has begun."""
    return _about(lesson.concept, "experienced", lesson.learner_id, at=lesson.created_at, key=lesson.pk)


def pseudonym_of(person_pk: int) -> str:
    """Return the code that stands for a person in the record store. Only this site can tell whose it is."""
    key = f"xapi:{settings.SECRET_KEY}".encode()
    return hmac.new(key, str(person_pk).encode(), hashlib.sha256).hexdigest()[:40]


def _about(concept: Concept, verb: str, person_pk: int, *, at: datetime | None, key: int) -> dict[str, Any]:
    assert at is not None
    return _statement(verb, person_pk, _activity(concept), concept, at=at, key=key)


def _statement(
    verb: str, person_pk: int, activity: dict[str, Any], concept: Concept, *, at: datetime, key: int
) -> dict[str, Any]:
    course = concept.course
    named = {
        "objectType": "Activity",
        "id": f"{settings.PUBLIC_URL}{reverse('course', args=[course.slug])}",
        "definition": {"type": f"{ACTIVITIES}course", "name": {_language(concept): course.title}},
    }
    return {
        # Made from the event, so that an event is one statement however often it is noticed.
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{settings.PUBLIC_URL}/{verb}/{key}/{at.isoformat()}")),
        "actor": {
            "objectType": "Agent",
            "account": {"homePage": settings.PUBLIC_URL, "name": pseudonym_of(person_pk)},
        },
        "verb": {"id": f"{VERBS}{verb}", "display": {"en-US": verb}},
        "object": activity,
        "context": {
            "platform": "learnagent",
            "language": _language(concept),
            "contextActivities": {"grouping": [named]},
        },
        "timestamp": at.isoformat(timespec="milliseconds"),
    }


def _activity(concept: Concept) -> dict[str, Any]:
    return {
        "objectType": "Activity",
        "id": _address_of(concept),
        "definition": {"type": f"{ACTIVITIES}lesson", "name": {_language(concept): concept.title}},
    }


def _address_of(concept: Concept) -> str:
    return f"{settings.PUBLIC_URL}{concept.get_absolute_url()}"


def _language(concept: Concept) -> str:
    return concept.course.catalogue().language
