"""Milestones that a learner has reached, by stored records."""

from collections.abc import Collection, Iterable, Mapping

from tutoring.mastery import milestone_verification
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.turn_evidence import MilestoneUse
from tutoring.models import Attempt, Concept, Mastery


def milestones_reached(
    learner_id: int,
    concept: Concept,
    *,
    said: Collection[str],
    suspicions: Mapping[str, Suspicion],
    uses: tuple[MilestoneUse, ...] | None = None,
    mastery: Mastery | None = None,
) -> list[bool]:
    """Return for each of the concept's milestones, in order, whether it is reached; two queries, none with `uses`.

    `said` are the ids of those stated in the learner's own words; `uses` comes with the `mastery`, if there is one.
    """
    every = concept.value().milestones
    if not said:
        return [False for _milestone in every]  # Nobody asks what the answers were worth.
    if uses is None:
        uses, known = uses_of(learner_id, concept), _mastery(learner_id, concept)
    else:
        known = mastery.probability if mastery is not None else None
    held = {each.id: each.confidence for each in suspicions.values()}
    return [
        milestone_verification.verify_milestone(
            each,
            words=milestone_verification.Articulation(is_said=each.id in said),
            use=milestone_verification.assess_application(each, uses, mastery=known),
            suspicions=held,
            misconceptions=concept.course.catalogue().misconceptions,
        ).mastery_achieved
        for each in every
    ]


def uses_of(learner_id: int, concept: Concept) -> tuple[MilestoneUse, ...]:
    """Return the learner's answers on a concept, oldest first; one query."""
    rows = Attempt.objects.filter(learner_id=learner_id, question__concept=concept).order_by("pk")
    return tuple(
        MilestoneUse(template=template, correct=correct, assisted=assisted)
        for template, correct, assisted in rows.values_list("question__template", "correct", "assisted")
    )


def uses_in(answers: Iterable[Attempt], concept: Concept) -> tuple[MilestoneUse, ...]:
    """Return the answers on the concept, in order."""
    return tuple(
        MilestoneUse(template=each.question.template, correct=each.correct, assisted=each.assisted)
        for each in answers
        if each.question.concept_id == concept.pk
    )


def _mastery(learner_id: int, concept: Concept) -> float | None:
    rows = Mastery.objects.filter(learner_id=learner_id, concept=concept)
    return rows.values_list("probability", flat=True).first()
