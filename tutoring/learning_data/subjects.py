"""Whose learning data a question is about: the person's own, or that of classes, within what each class has agreed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.http import Http404
from django.utils.translation import gettext as _

from agents.people import Person
from agents.tools import ToolFailed
from tutoring.classes.mastery_board import learners_of
from tutoring.classes.teacher_access import classes_for
from tutoring.learning_data.queries import ALL_CLASSES, LearningQuery, Subject
from tutoring.models import Classroom, Membership

# What the agreement calls levels: how far along a learner is, but not what they answered.
LEVEL_SUBJECTS: frozenset[Subject] = frozenset({"mastery", "reviews"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects:
    """The people whose data is read."""

    names: Mapping[int, str]
    """The names of the learners by their keys, each different."""
    places: Mapping[int, Membership] = field(default_factory=dict)
    """Each learner's place, with class and policy; empty for the person's own data."""
    title: str = ""
    """The class or classes; empty for the person's own data."""
    notes: tuple[str, ...] = ()
    """What is left out, and why, in sentences."""

    @property
    def is_class(self) -> bool:
        return bool(self.title)

    @property
    def people(self) -> Sequence[int]:
        return list(self.names)


def subjects_of(person: Person, query: LearningQuery) -> Subjects:
    """Return whose data the query may read. Raises ToolFailed for a class or a learner that the person has no access to."""
    if not query.class_name:
        if query.learner and query.learner.casefold() not in (str(person).casefold(), person.username.casefold()):
            raise ToolFailed(_("If you don’t name a class, only your own learning data can be read."))
        return Subjects(names={person.pk: _("You")})
    classes = named_classes(person, query.class_name)
    return _within_agreements(classes, query)


def taught_classes(person: Person) -> Sequence[Classroom]:
    """Return the classes that the person may open, with their policies; none for a learner."""
    try:
        return list(classes_for(person).order_by("name", "pk"))
    except Http404:
        return []


def named_classes(person: Person, name: str) -> Sequence[Classroom]:
    """Return the person's classes of that name or code. Raises ToolFailed; a stranger's class is as if there were none."""
    classes, wanted = taught_classes(person), name.strip().casefold()
    found = [each for each in classes if wanted in (each.name.casefold(), each.code.casefold())]
    if not found and wanted == ALL_CLASSES:
        found = list(classes)
    if not found:
        raise ToolFailed(_("You do not teach a class named “%(name)s”.") % {"name": name})
    return found


def _within_agreements(classes: Sequence[Classroom], query: LearningQuery) -> Subjects:
    """Return the learners of the classes whose agreement lets teachers see what is asked."""
    shown = [each for each in classes if _may_show(each, query.what)]
    places: dict[int, Membership] = {}
    for classroom in shown:
        for place in learners_of(classroom):
            places.setdefault(place.person_id, place)
    names = _distinct_names(places.values())
    if query.learner and shown:
        names = _named(query.learner, names, places)
    return Subjects(
        names=names,
        places=places,
        title=classes[0].name if len(classes) == 1 else _("your classes"),
        notes=tuple(_withheld_words(each, query.what) for each in classes if each not in shown),
    )


def _may_show(classroom: Classroom, what: Subject) -> bool:
    return classroom.policy.shows_levels if what in LEVEL_SUBJECTS else classroom.policy.shows_answers


def _withheld_words(classroom: Classroom, what: Subject) -> str:
    if what in LEVEL_SUBJECTS:
        words = _("Under the agreement for %(name)s, teachers can’t see progress.")
    else:
        words = _("Under the agreement for %(name)s, teachers can’t see answers.")
    return words % {"name": classroom.name}


def _distinct_names(places: Iterable[Membership]) -> dict[int, str]:
    """Return the learners' names, in order; of several with the same name, each with the username."""
    people = [place.person for place in places]
    counts = Counter(str(each) for each in people)
    named = {each.pk: str(each) if counts[str(each)] == 1 else f"{each} ({each.get_username()})" for each in people}
    return dict(sorted(named.items(), key=lambda item: (item[1].casefold(), item[0])))


def _named(learner: str, names: Mapping[int, str], places: Mapping[int, Membership]) -> dict[int, str]:
    wanted = learner.strip().casefold()
    found = {
        pk: name
        for pk, name in names.items()
        if wanted in (name.casefold(), str(places[pk].person).casefold(), places[pk].person.get_username().casefold())
    }
    if not found:
        raise ToolFailed(_("There is no learner named “%(name)s” in the class.") % {"name": learner})
    return found
