"""Updates of mastery, ability and item difficulty by an answer."""

from dataclasses import dataclass
from datetime import datetime

from tutoring.mastery import knowledge_tracing
from tutoring.mastery.records.lesson_settings import threshold_in
from tutoring.models import Ability, Attempt, ItemOffset, Mastery, MasteryChange, Question


def change_mastery(attempt: Attempt, *, question: Question) -> MasteryChange | None:
    """Store the effect of an attempt: seven queries, none if it is no evidence.

    The first unassisted attempt is evidence; a later right one is an opportunity to learn. A text's verdict never
    lowers a mastery, and a right one counts as an explanation, not as a measurement. Answers of a placement are weighed
    together at its end.
    """
    if question.purpose == Question.Purpose.PLACEMENT:
        return None
    formative = attempt.assisted or question.kind == "text" or attempt.verdict == "equivalent_not_in_form"
    if formative and not attempt.correct:
        return None
    rows = _rows_of(attempt, question=question)
    difficulty = rows.item.offset
    update = rows.observe(attempt, question=question, formative=formative)
    rows.take(update, at=attempt.created_at, formative=formative)
    return MasteryChange.objects.create(
        mastery=rows.mastery,
        attempt=attempt,
        before=update.before,
        difficulty=difficulty,
        surprise=update.surprise,
        after=update.after,
        predicted=update.predicted,
    )


def kind_as_answered(question: Question, *, gave_up: bool = False) -> str:
    """Return the kind of answer for the guess probability. "I don't know" is no guess."""
    return weighed_kind(question.kind, choices=len(question.public.get("choices", ())), gave_up=gave_up)


def weighed_kind(kind: str, *, choices: int, gave_up: bool) -> str:
    """Return the same of a question of this kind, with so many choices."""
    if gave_up:
        return "constructed"
    return f"choice{choices}" if kind == "choice" else kind


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerRows:
    """The three rows that an answer updates."""

    ability: Ability
    item: ItemOffset
    mastery: Mastery

    def observe(self, attempt: Attempt, *, question: Question, formative: bool) -> knowledge_tracing.BeliefUpdate:
        return knowledge_tracing.observe(
            self.mastery.belief(),
            ability=self.ability.value(),
            item=self.item.value(),
            correct=attempt.correct,
            kind=kind_as_answered(question, gave_up=attempt.gave_up),
            template=question.template,
            assisted=formative,
            skill=question.concept.skill(),
        )

    def take(self, update: knowledge_tracing.BeliefUpdate, *, at: datetime, formative: bool) -> None:
        """Store the update; a formative answer says nothing about ability and item."""
        self.mastery.take(update.belief, at=at)
        self.mastery.save()
        if not formative:
            self.ability.take(update.ability)
            self.ability.save()
            self.item.take(update.item)
            self.item.save()


def _rows_of(attempt: Attempt, *, question: Question) -> _AnswerRows:
    # The ability is taken first and held: it is the lock that puts one learner's answers in a row.
    ability, _ = Ability.objects.select_for_update().get_or_create(learner_id=attempt.learner_id)
    item, _ = ItemOffset.objects.select_for_update().get_or_create(
        course_id=question.concept.course_id,
        template=question.template,
        defaults={"offset": knowledge_tracing.difficulty_offset(question.key["difficulty"])},
    )
    known = Mastery.objects.filter(learner_id=attempt.learner_id, concept_id=question.concept_id).first()
    held = known or _first_mastery(question, ability=ability)
    if not held.answers:
        held.threshold = _threshold(question)
    held.concept = question.concept
    return _AnswerRows(ability=ability, item=item, mastery=held)


def _first_mastery(question: Question, *, ability: Ability) -> Mastery:
    """Return the unstored mastery of a concept that the learner answers for the first time."""
    return Mastery(
        learner_id=question.learner_id,
        concept_id=question.concept_id,
        probability=knowledge_tracing.initial_belief(ability.value(), question.concept.skill()).probability,
    )


def _threshold(question: Question) -> float:
    """Return the mastery threshold in force where the question was asked."""
    course = question.concept.course.catalogue()
    return threshold_in(question.session.state if question.session else {}, default=course.threshold)
