"""Moving pupils from one class of a teacher to another."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from tutoring.classes.pupils import is_managed
from tutoring.models import Classroom, Membership, Policy, RosterAccount

CONVERSATIONS = tuple(Policy.Conversations.values)
PROGRESS = tuple(Policy.Progress.values)
CONCERNS = tuple(Policy.Concerns.values)
GUARDIANS = tuple(Policy.Guardians.values)
"""What teachers and guardians see, from least to most."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Who was moved, and who must join the other class on their own because it shows its teachers more."""

    moved: tuple[Membership, ...]
    staying: tuple[Membership, ...]


def shows_no_more(other: Policy, agreed: Policy) -> bool:
    """Tell whether teachers and guardians see no more under the other policy than under the one that was agreed to."""
    return (
        CONVERSATIONS.index(other.conversations) <= CONVERSATIONS.index(agreed.conversations)
        and PROGRESS.index(other.mastery) <= PROGRESS.index(agreed.mastery)
        and CONCERNS.index(other.concerns) <= CONCERNS.index(agreed.concerns)
        and GUARDIANS.index(other.guardians) <= GUARDIANS.index(agreed.guardians)
    )


@transaction.atomic
def move_pupils(places: Sequence[Membership], target: Classroom) -> Moved:
    """Move pupils of one class to another. Both come with their policies.

    Whoever created their own account agreed to what their class shows: they are moved only where nothing more is shown.
    """
    can_move = [place for place in places if is_managed(place) or shows_no_more(target.policy, place.classroom.policy)]
    people = [place.person_id for place in can_move]
    RosterAccount.objects.filter(person_id__in=people, classroom__in={place.classroom for place in can_move}).update(
        classroom=target
    )
    Membership.objects.filter(pk__in=[place.pk for place in can_move]).delete()
    # A new place: what was said before they came is not for the teachers of this class.
    Membership.objects.bulk_create(
        [Membership(classroom=target, person_id=person) for person in people], ignore_conflicts=True
    )
    return Moved(tuple(can_move), tuple(place for place in places if place not in can_move))
