"""What a teacher may see: their classes, the learners in them, conversations by the class's policy."""

from django.db import models
from django.http import Http404

from agents.people import Person
from conversations.models import Session, Turn
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import Attempt, AuthoredCourse, Classroom, Course, CourseImport, Membership


def classes_for(person: Person) -> models.QuerySet[Classroom]:
    """Return the classes a person may open: a teacher's own, an admin's all. Raise Http404 for anybody else."""
    classrooms = Classroom.objects.select_related("policy")
    if person.role == "admin":
        return classrooms
    if person.role == "teacher":
        return classrooms.filter(memberships__person_id=person.pk, memberships__role=Membership.Role.TEACHER)
    raise Http404(not_found_text())


def class_for(person: Person, code: str) -> Classroom:
    """Return the class, with its policy, for a person who may open it."""
    classroom = classes_for(person).filter(code=code).first()
    if classroom is None:
        raise Http404(not_found_text())
    return classroom


def require_teacher(person: Person) -> None:
    """Raise Http404 for a person who is neither a teacher nor an admin."""
    classes_for(person)


def taught_course_for(person: Person, slug: str) -> Course:
    """Return a course that a teacher can give to a class, without its content."""
    require_teacher(person)
    course = Course.objects.taught_by(person).defer("content").filter(slug=slug).first()
    if course is None:
        raise Http404(not_found_text())
    return course


def import_for(person: Person, pk: int) -> CourseImport:
    """Return a teacher's own import of a course."""
    require_teacher(person)
    rows = CourseImport.objects.select_related("course").defer("course__content").filter(owner_id=person.pk)
    found = rows.filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def authored_for(person: Person, pk: int) -> AuthoredCourse:
    """Return the draft of a course for its owner or an admin."""
    require_teacher(person)
    rows = AuthoredCourse.objects.select_related("course__ownership").defer("course__content")
    own = rows if person.role == "admin" else rows.filter(owner_id=person.pk)
    found = own.filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def learner_in(classroom: Classroom, pk: int) -> Membership:
    """Return a learner's membership in the class, with the person. A learner who has left has none."""
    places = classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person")
    place = places.filter(person_id=pk).first() if pk < TOO_LARGE else None
    if place is None:
        raise Http404(not_found_text())
    place.classroom = classroom
    return place


def answer_in(place: Membership, pk: int) -> Attempt:
    """Return a learner's answer that the class's teachers may see, with question, concept and course.

    Raise Http404 for others: those in the learner's own words, which follow the rule for conversations, are among them.
    """
    policy, since = place.classroom.policy, place.classroom.policy.readable_since(place.joined_at)
    rows = Attempt.objects.filter(learner_id=place.person_id, question__concept__course__is_personal=False)
    rows = rows.select_related("question__concept__course")
    rows = rows.defer("question__concept__course__content")
    found = rows.filter(pk=pk).first() if policy.shows_answers and pk < TOO_LARGE else None
    if found is None or (found.is_in_words and (since is None or found.created_at < since)):
        raise Http404(not_found_text())
    return found


def place_of(person: Person, code: str) -> Membership:
    """Return the person's own membership as a learner of a class, with the class and its policy."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    place = places.select_related("classroom__policy").filter(classroom__code=code).first()
    if place is None:
        raise Http404(not_found_text())
    return place


def readable_sessions(place: Membership) -> models.QuerySet[Session]:
    """Return a learner's conversations that the class's teachers may read, the latest first.

    Raise Http404 if the class has agreed that they may not.
    """
    since = place.classroom.policy.readable_since(place.joined_at)
    if since is None:
        raise Http404(not_found_text())
    said_since = Turn.objects.filter(session=models.OuterRef("pk"), created_at__gte=since)
    return Session.objects.owned_by(place.person).filter(models.Exists(said_since)).order_by("-updated_at")


def readable_session(place: Membership, pk: int) -> Session:
    """Return one of those conversations."""
    session = readable_sessions(place).filter(pk=pk).first() if pk < TOO_LARGE else None
    if session is None:
        raise Http404(not_found_text())
    return session
