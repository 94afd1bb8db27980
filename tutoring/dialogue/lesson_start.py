"""Finds or starts the conversation in which a person learns a concept."""

from itertools import count

from django.db import transaction

from agents.people import Person
from agents.storage.transactions import rerun_after_inference
from conversations.models import Turn
from conversations.turns.begin import AcceptedTurn, begin_turn
from tutoring.mastery.records.progress import begin_lesson
from tutoring.models import Concept, Lesson


def find_lesson(person: Person, concept: Concept) -> Lesson | None:
    """Return the person's latest lesson on the concept whose conversation is not archived; None without one."""
    kept = Lesson.objects.filter(session__archived=False, session__deleted_at=None)
    lessons = kept.filter(learner_id=person.pk, concept=concept)
    return lessons.select_related("session").order_by("-session__updated_at", "-pk").first()


@rerun_after_inference
@transaction.atomic
def start_lesson(person: Person, concept: Concept, *, claimed: bool = False) -> AcceptedTurn:
    """Start a conversation on the concept with the turn that opens it; `claimed` as in `begin_turn`.

    Two requests at once start one lesson: its key and the turn's name are counted, not random. Raises Rejection as
    `begin_turn` does.
    """
    lessons = Lesson.objects.filter(learner_id=person.pk)
    begun = lessons.filter(concept=concept).count() + 1
    # A conversation that moved on to another topic is no longer a lesson on this one, and keeps its key.
    elsewhere = lessons.exclude(concept=concept).filter(session__key__startswith=_session_key(concept, 1))
    taken = set(elsewhere.values_list("session__key", flat=True))
    number = next(each for each in count(begun) if _session_key(concept, each) not in taken)
    accepted = begin_turn(
        owner=person,
        session_key=_session_key(concept, number),
        text="",
        client_id=f"open-{concept.pk}-{number}",
        kind=Turn.Kind.OPEN,
        payload={"course": concept.course.slug, "concept": concept.slug},
        claimed=claimed,
    )
    session = accepted.turn.session
    begin_lesson(person, concept, session)
    if not session.title:
        session.title = concept.title
        session.save(update_fields=["title"])
    return accepted


def _session_key(concept: Concept, number: int) -> str:
    """Return the key of a learner's conversation on a concept, the first or a later one."""
    return "-".join([concept.course.slug, concept.slug, *([str(number)] if number > 1 else [])])
