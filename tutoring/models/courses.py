"""Courses and their concepts, as loaded from course files."""

from collections.abc import Mapping
from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from agents.people import Person
from tutoring.courses import catalogue as values
from tutoring.courses.serialization import course_from_json, with_wordings
from tutoring.mastery.diagnosis.similar_answers import LabelledMisconception, WrongAnswerLibrary
from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, SkillParameters
from tutoring.models.classes import Classroom, Membership
from tutoring.models.estimator_parameters import Parameters

SLUG_MAX_LENGTH = 80

_parsed: dict[int, tuple[str, values.CourseContent]] = {}
_skills: dict[int, tuple[UUID, Mapping[str, SkillParameters]]] = {}
_labelled: dict[int, tuple[str, WrongAnswerLibrary]] = {}


class CourseQuerySet(models.QuerySet["Course"]):
    def listed(self) -> "CourseQuerySet":
        """Courses for everybody, in the order they are offered, without their content, which is read once per process."""
        return self.filter(is_public=True, is_open=True).defer("content").order_by("position", "title")

    def listed_for(self, person: Person) -> "CourseQuerySet":
        """As `listed`, with those for this person: own ones, those of their classes' teachers, and those begun."""
        return self.visible_to(person).defer("content").order_by("position", "title")

    def listed_in(self, classroom: Classroom) -> "CourseQuerySet":
        """As `listed`, with those that the class's teachers own."""
        return self.taught_in(classroom).defer("content").order_by("position", "title")

    def taught_in(self, classroom: Classroom) -> "CourseQuerySet":
        """Courses that the class can be taught: those for everybody, and those that its teachers own."""
        teachers = Membership.objects.filter(role=Membership.Role.TEACHER, classroom=classroom).values("person_id")
        taught = models.Q(ownership__owner_id__in=teachers, is_personal=False)
        accepted = models.Q(document_course__accepted_for=classroom)
        return self.filter(models.Q(is_public=True) | taught | accepted, is_open=True)

    def taught_by(self, person: Person) -> "CourseQuerySet":
        """Courses that a teacher can give to a class: those for everybody, own ones and those of co-teachers."""
        if person.role == "admin":
            return self.all()
        classes = Membership.objects.filter(role=Membership.Role.TEACHER, person_id=person.pk).values("classroom_id")
        teachers = Membership.objects.filter(role=Membership.Role.TEACHER, classroom_id__in=classes).values("person_id")
        others = models.Q(is_public=True) | models.Q(ownership__owner_id__in=teachers, is_personal=False)
        own = models.Q(ownership__owner_id=person.pk, is_personal=False)
        accepted = models.Q(document_course__accepted_for_id__in=classes)
        return self.filter(own | ((others | accepted) & models.Q(is_open=True)))

    def visible_to(self, person: Person) -> "CourseQuerySet":
        """Courses that a person may open: an admin all, anybody else as in `listed_for`."""
        if person.role == "admin":
            return self.all()
        teachers = Membership.objects.filter(
            role=Membership.Role.TEACHER, classroom__memberships__person_id=person.pk
        ).values("person_id")
        classes = Membership.objects.filter(person_id=person.pk).values("classroom_id")
        begun = Concept.objects.filter(lessons__learner_id=person.pk).values("course_id")
        offered = (
            models.Q(is_public=True)
            | models.Q(ownership__owner_id__in=teachers, is_personal=False)
            | models.Q(document_course__accepted_for_id__in=classes)
        )
        own = models.Q(ownership__owner_id=person.pk) | models.Q(pk__in=begun)
        return self.filter(own | (offered & models.Q(is_open=True)))


class Course(models.Model):
    """A course, loaded from its files. `content` is the whole course, and `source_hash` identifies the files."""

    slug = models.SlugField(max_length=SLUG_MAX_LENGTH, unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    version = models.CharField(max_length=40)
    source_hash = models.CharField(max_length=64)
    content = models.JSONField()
    position = models.PositiveIntegerField(default=0)
    is_public = models.BooleanField(default=True)
    """Whether everybody may learn it; if not, only its owner and the classes that its owner teaches."""
    is_personal = models.BooleanField(default=False, editable=False)
    """Whether its owner made it only for themselves: it counts in no class until a teacher accepts it."""
    is_open = models.BooleanField(default=True)
    """Whether people may begin it. Those who have begun a withdrawn course, and its owner, still have it."""
    parameters = models.ForeignKey(
        Parameters, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    """The active estimator parameters; None for the priors."""
    parameters_chosen = models.BooleanField(default=False, editable=False)
    """Whether an admin chose the active parameters: then refits do not change them."""
    withdrawn = models.JSONField(default=list, blank=True, editable=False)
    """Templates that are not asked, each with the key of its class, or null for the whole site: `[[template, class]]`."""

    objects: ClassVar[models.Manager["Course"]] = CourseQuerySet.as_manager()

    class Meta:
        verbose_name = _("course")
        verbose_name_plural = _("courses")
        ordering = ["position", "title"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("course", args=[self.slug])

    @property
    def owner_id(self) -> int | None:
        """The key of the person who imported it; None for the courses of the site."""
        ownership = getattr(self, "ownership", None)
        return ownership.owner_id if ownership is not None else None

    def catalogue(self) -> values.CourseContent:
        """Return the course as a value, parsed once per process and version of its files."""
        known = _parsed.get(self.pk)
        if known is None or known[0] != self.source_hash:
            known = _parsed[self.pk] = (self.source_hash, course_from_json(self.content))
        return known[1]

    def catalogue_with_wordings(self) -> values.CourseContent:
        """Return the course with its labelled wordings, read and parsed each time: only for training."""
        kept = CourseWordings.objects.filter(course=self).first()
        return with_wordings(self.catalogue(), kept.content if kept else {})

    def skills(self) -> Mapping[str, SkillParameters]:
        """Return the active parameters by concept, cached per process and version; a missing concept has the priors."""
        if self.parameters_id is None:
            return {}
        known = _skills.get(self.pk)
        if known is None or known[0] != self.parameters_id:
            known = _skills[self.pk] = (self.parameters_id, Parameters.objects.get(pk=self.parameters_id).skills())
        return known[1]

    def skill(self, slug: str) -> SkillParameters:
        """Return the estimator parameters for a concept."""
        return self.skills().get(slug, DEFAULT_SKILL)

    def wrong_answers(self) -> WrongAnswerLibrary:
        """Return the wrong answers that the course labels, by concept, to compare others with; cached like the catalogue."""
        known = _labelled.get(self.pk)
        if known is None or known[0] != self.source_hash:
            entries = [
                LabelledMisconception(id=each.id, topics=each.concepts, examples=each.examples)
                for each in self.catalogue().misconceptions.values()
            ]
            known = _labelled[self.pk] = (self.source_hash, WrongAnswerLibrary(entries))
        return known[1]


class CourseOwner(models.Model):
    """Who imported a course. The courses of the site have no owner."""

    course = models.OneToOneField(Course, on_delete=models.CASCADE, related_name="ownership")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_courses")

    class Meta:
        verbose_name = _("course owner")
        verbose_name_plural = _("course owners")

    def __str__(self) -> str:
        return f"{self.owner} · {self.course_id}"


class CourseWordings(models.Model):
    """The labeled wordings of a course. They have their own table because they are large and turns do not need them."""

    course = models.OneToOneField(Course, on_delete=models.CASCADE, related_name="wordings")
    content = models.JSONField()

    class Meta:
        verbose_name = _("course wordings")
        verbose_name_plural = _("course wordings")

    def __str__(self) -> str:
        return f"wordings of {self.course_id}"


class Concept(models.Model):
    """A concept in a course. Progress, questions and lessons refer to it."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="concepts")
    slug = models.SlugField(max_length=SLUG_MAX_LENGTH)
    title = models.CharField(max_length=200)
    position = models.PositiveIntegerField(default=0)
    is_goal = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("concept")
        verbose_name_plural = _("concepts")
        ordering = ["course", "position"]
        constraints = [models.UniqueConstraint(fields=["course", "slug"], name="concept_slug_is_the_courses")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("concept", args=[self.course.slug, self.slug])

    def evidence_url(self, *, answer: int | None = None) -> str:
        """Return where its learner sees the answers behind the mastery; with an answer's key, that one opened."""
        url = reverse("evidence", args=[self.course.slug, self.slug])
        return f"{url}?from={answer}#answer-{answer}" if answer is not None else url

    def value(self) -> values.ConceptContent:
        """Return the concept as the course files describe it."""
        return self.course.catalogue().concept(self.slug)

    def skill(self) -> SkillParameters:
        """Return the estimator parameters for the concept."""
        return self.course.skill(self.slug)
