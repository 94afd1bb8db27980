"""Notes of a class's teachers about a pupil."""

from django.http import Http404

from agents.people import Person
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import Membership, PupilNote


def notes_about(place: Membership) -> list[PupilNote]:
    """Return the class's notes about the pupil, the latest first, each with its author."""
    rows = PupilNote.objects.filter(classroom=place.classroom, learner_id=place.person_id).select_related("author")
    return list(rows.order_by("-created_at", "-pk"))


def add_note(place: Membership, *, by: Person, text: str) -> PupilNote:
    """Store a note, and return it."""
    return PupilNote.objects.create(classroom=place.classroom, learner_id=place.person_id, author_id=by.pk, text=text)


def delete_note(place: Membership, pk: int) -> None:
    """Delete one of the class's notes about the pupil; every teacher of the class may. Raises Http404 for any other."""
    rows = PupilNote.objects.filter(classroom=place.classroom, learner_id=place.person_id)
    if not (pk < TOO_LARGE and rows.filter(pk=pk).delete()[0]):
        raise Http404(not_found_text())
