"""The nightly refit: a course's answers as a history, the fitted parameters, and those in force."""

from collections.abc import Collection, Iterator
from dataclasses import asdict
from functools import cache

from django.db import transaction
from django.db.models import Count, Max, Sum
from django.db.models.fields.json import KeyTextTransform

from tutoring.mastery.knowledge_tracing import difficulty_offset
from tutoring.mastery.parameter_fitting import refit_decision
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.refit_decision import ANSWERS_NEEDED, LEARNERS_NEEDED, Refit
from tutoring.mastery.records.evidence import weighed_kind
from tutoring.models import Course, Mastery, MasteryChange, Parameters, Question

# Bounds the memory of the worker. Chosen by hand.
ANSWERS_AT_MOST = 500_000
"""Answers of a course that are used, of the learners who answered last."""
# Two percent more answers hardly move a fit.
GROWTH_NEEDED = 1.02
"""Growth of the number of answers from which a course is refitted."""
_AT_ONCE = 2_000


class RefitNotAccepted(Exception):
    """Only accepted refits may be put in force."""


def refit_courses() -> None:
    """Refit the estimator of every course with enough new answers."""
    for course in Course.objects.defer("content").order_by("pk"):
        refit_course(course)


def refit_course(course: Course) -> Parameters | None:
    """Store a refit, and put it in force if it is accepted; None if there is nothing to fit."""
    if not _is_worth_it(course):
        return None
    found = refit_of(course)
    return store(course, found) if found else None


def refit_of(course: Course) -> Refit | None:
    """Return a refit without storing it; None if there are too few answers."""
    return refit_decision.refit(list(answer_history(course)), course.skills())


def answer_history(course: Course) -> Iterator[WeighedAnswer]:
    """Yield the learners' answers in a course in order, and right retries as opportunities to learn."""
    learners = _latest_learners(course)

    @cache
    def choices(template: str) -> int:
        asked = Question.objects.filter(concept__course=course, template=template, kind="choice").only("public").first()
        return len(asked.public["choices"]) if asked else 0

    rows = MasteryChange.objects.filter(mastery__concept__course=course, left_out=False)
    rows = rows.order_by("attempt__created_at", "pk")
    for learner, concept, template, kind, difficulty, gave_up, correct, predicted, placed in rows.values_list(
        "mastery__learner_id", "mastery__concept__slug", "attempt__question__template", "attempt__question__kind",
        KeyTextTransform("difficulty", "attempt__question__key"), "attempt__gave_up", "attempt__correct", "predicted",
        "mastery__placed",
    ).iterator(_AT_ONCE):  # fmt: skip
        if learner in learners:
            among = choices(template) if kind == "choice" else 0
            yield WeighedAnswer(
                learner=learner,
                concept=concept,
                item=template,
                kind=weighed_kind(kind, choices=among, gave_up=gave_up),
                offset=difficulty_offset(difficulty),
                correct=None if predicted is None else correct,
                placed=placed,
            )


@transaction.atomic
def store(course: Course, found: Refit) -> Parameters:
    """Store a refit as the course's next version; put it in force if accepted, unless an admin chose another."""
    held = Course.objects.select_for_update().defer("content").get(pk=course.pk)
    row = Parameters.objects.create(
        course=held,
        version=(held.refits.aggregate(last=Max("version"))["last"] or 0) + 1,
        values={concept: asdict(skill) for concept, skill in found.parameters.items()},
        answers=found.answers,
        learners=found.learners,
        loss_before=found.loss_before,
        loss_after=found.loss_after,
        worst_calibration=found.worst_calibration,
        accepted=found.is_accepted,
    )
    # What it was compared with may have gone out of force meanwhile.
    if row.accepted and not held.parameters_chosen and held.parameters_id == course.parameters_id:
        held.parameters = row
        held.save(update_fields=["parameters"])
    return row


def put_in_force(parameters: Parameters) -> None:
    """Put an accepted refit in force until the choice is left to the refits again. Raises RefitNotAccepted."""
    if not parameters.accepted:
        raise RefitNotAccepted(str(parameters))
    Course.objects.filter(pk=parameters.course_id).update(parameters=parameters, parameters_chosen=True)


def use_priors(courses: Collection[int]) -> None:
    """Put the priors in force in the courses until the choice is left to the refits again."""
    Course.objects.filter(pk__in=courses).update(parameters=None, parameters_chosen=True)


def leave_to_refits(courses: Collection[int]) -> None:
    """Let accepted refits come into force automatically again."""
    Course.objects.filter(pk__in=courses).update(parameters_chosen=False)


def _is_worth_it(course: Course) -> bool:
    """Tell whether a concept may have enough answers, and there are enough new ones; two small queries."""
    answered = Mastery.objects.filter(concept__course=course, unassisted__gt=0).values("concept")
    counts = list(answered.annotate(answers=Sum("unassisted"), learners=Count("pk")).values_list("answers", "learners"))
    if not any(answers >= ANSWERS_NEEDED and learners >= LEARNERS_NEEDED for answers, learners in counts):
        return False
    last = course.refits.order_by("-version").values_list("answers", flat=True).first() or 0
    total: int = sum(answers for answers, _ in counts)
    return total >= last * GROWTH_NEEDED


def _latest_learners(course: Course) -> set[int]:
    """Return the learners who answered last, up to ANSWERS_AT_MOST answers."""
    rows = Mastery.objects.filter(concept__course=course).values("learner")
    latest = rows.annotate(total=Sum("answers"), last=Max("last_at")).order_by("-last", "learner")
    found, room = set[int](), ANSWERS_AT_MOST
    for learner, total in latest.values_list("learner", "total").iterator(_AT_ONCE):
        room -= total
        if room < 0:
            break
        found.add(learner)
    return found
