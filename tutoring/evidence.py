"""What an answer changes in a learner's mastery, ability, and in how hard its exercise is held to be."""

from tutoring import mastery
from tutoring.models import (
    Ability,
    Attempt,
    ItemOffset,
    Mastery,
    MasteryChange,
    Question,
)


def change_mastery(attempt: Attempt, *, question: Question) -> MasteryChange | None:
    """Weigh an attempt: seven queries, none for an attempt that says nothing about the learner.

    The first unassisted attempt is evidence; a later right one is one more opportunity to have learned. A text's verdict
    never lowers a mastery, and when right it counts as an explanation, not as a measurement (pedagogy 1.2, 4.2).
    """
    formative = attempt.assisted or question.kind == "text" or attempt.verdict == "equivalent_not_in_form"
    if formative and not attempt.correct:
        return None
    # Taken first and held: this row is the lock that puts one learner's answers in a row.
    ability, _ = Ability.objects.select_for_update().get_or_create(learner_id=attempt.learner_id)
    item, _ = ItemOffset.objects.select_for_update().get_or_create(
        course_id=question.concept.course_id,
        template=question.template,
        defaults={"offset": mastery.offset_of(question.key["difficulty"])},
    )
    row = _mastery_of(attempt, question=question, ability=ability)
    difficulty = item.offset
    update = mastery.observe(
        row.belief(),
        ability=ability.value(),
        item=item.value(),
        correct=attempt.correct,
        kind=kind_as_answered(question, gave_up=attempt.gave_up),
        template=question.template,
        assisted=formative,
    )
    row.take(update.belief, at=attempt.created_at)
    row.save()
    if not formative:
        ability.take(update.ability)
        ability.save()
        item.take(update.item)
        item.save()
    return MasteryChange.objects.create(
        mastery=row,
        attempt=attempt,
        before=update.before,
        difficulty=difficulty,
        surprise=update.surprise,
        after=update.after,
        predicted=update.predicted,
    )


def kind_as_answered(question: Question, *, gave_up: bool = False) -> str:
    """Return the kind of answer as the chances of guessing see it. Whoever says "I don't know" did not guess."""
    if question.kind == "choice" and not gave_up:
        return f"choice{len(question.public['choices'])}"
    return "constructed" if gave_up else question.kind


def _mastery_of(attempt: Attempt, *, question: Question, ability: Ability) -> Mastery:
    """Return the learner's mastery of the concept, not stored yet if this is the first answer on it."""
    row = Mastery.objects.filter(learner_id=attempt.learner_id, concept_id=question.concept_id).first()
    if row is not None:
        return row
    belief = mastery.first_belief(ability.value())
    return Mastery(
        learner_id=attempt.learner_id,
        concept_id=question.concept_id,
        probability=belief.probability,
        threshold=question.concept.course.catalogue().threshold,
    )
