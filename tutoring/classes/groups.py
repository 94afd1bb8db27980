"""Groups of pupils in a class: make, find, fill."""

from collections.abc import Collection, Iterable

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.http import Http404

from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import ClassGroup, Classroom, Membership

MAX_GROUPS = 100
"""Groups in one class."""


class GroupNameTaken(ValueError):
    """The class has a group of this name, in capital or small letters."""


class TooManyGroups(ValueError):
    """The class would have more than MAX_GROUPS groups."""


def groups_of(classroom: Classroom) -> QuerySet[ClassGroup]:
    """Return the groups of the class by name, each with its number of members as `size`."""
    return classroom.groups.annotate(size=Count("members")).order_by("name")


def group_in(classroom: Classroom, pk: int) -> ClassGroup:
    """Return the group of the class. Raise Http404 if it has none of this number."""
    group = classroom.groups.filter(pk=pk).first() if pk < TOO_LARGE else None
    if group is None:
        raise Http404(not_found_text())
    return group


def make_group(classroom: Classroom, name: str) -> ClassGroup:
    """Create a group. Raises GroupNameTaken and TooManyGroups."""
    if not _is_free(classroom, name):
        raise GroupNameTaken(name)
    try:
        with transaction.atomic():
            return make_groups(classroom, [name])[name.casefold()]
    except IntegrityError as error:  # Somebody was faster.
        raise GroupNameTaken(name) from error


def make_groups(classroom: Classroom, names: Iterable[str]) -> dict[str, ClassGroup]:
    """Return the groups of these names by casefolded name, creating those that are missing. Raises TooManyGroups."""
    found = {group.name.casefold(): group for group in classroom.groups.all()}
    missing = {name.casefold(): name for name in names if name.casefold() not in found}
    if len(found) + len(missing) > MAX_GROUPS:
        raise TooManyGroups
    made = ClassGroup.objects.bulk_create([ClassGroup(classroom=classroom, name=name) for name in missing.values()])
    return found | {group.name.casefold(): group for group in made}


def rename_group(group: ClassGroup, name: str) -> None:
    """Give the group another name. Raises GroupNameTaken."""
    if not _is_free(group.classroom, name, but=group.pk):
        raise GroupNameTaken(name)
    group.name = name
    try:
        with transaction.atomic():
            group.save(update_fields=["name"])
    except IntegrityError as error:
        raise GroupNameTaken(name) from error


def add_members(pairs: Iterable[tuple[ClassGroup, int]]) -> None:
    """Put places (by key) in groups; those who are in already stay in. A few queries, however many pairs."""
    through = ClassGroup.members.through
    rows = [through(classgroup_id=group.pk, membership_id=place) for group, place in pairs]
    through.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def set_members(group: ClassGroup, chosen: Collection[int], *, among: Collection[Membership]) -> None:
    """Let exactly the chosen people (by key) among these places be in the group; who else is in it stays."""
    group.members.remove(*[place for place in among if place.person_id not in chosen])
    group.members.add(*[place for place in among if place.person_id in chosen])


def _is_free(classroom: Classroom, name: str, *, but: int = 0) -> bool:
    return all(group.name.casefold() != name.casefold() for group in classroom.groups.exclude(pk=but))
