"""Rows → the facts that a lesson's roles decide by."""

import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from conversations.models import Message, Session, Turn
from tutoring import mastery, suspicions
from tutoring.courses.catalogue import Concept as ConceptValue
from tutoring.courses.catalogue import Course as CourseValue
from tutoring.courses.catalogue import Level
from tutoring.cycle import cycle_from_json
from tutoring.facts import Answered, Asked, LessonFacts, LobbyFacts
from tutoring.listening import Heard, hear
from tutoring.mastery import Belief, first_belief
from tutoring.models import Ability, Attempt, Course, ItemOffset, Lesson, Mastery, Question

OWN_WORDS = 60
"""Messages and answers, latest first, within which the learner may have said something already."""


def lesson_of(session: Session) -> Lesson | None:
    """Return what the conversation is a lesson on; None for one without a topic."""
    lessons = Lesson.objects.select_related("concept__course").defer("concept__course__content")
    return lessons.filter(session=session).first()


def lobby_facts(turn: Turn) -> LobbyFacts:
    """Gather what there is to learn, for a conversation without a topic."""
    return LobbyFacts(turn_id=str(turn.pk), courses=tuple(row.catalogue() for row in Course.objects.listed()))


def seed_of(turn: Turn) -> int:
    """Return the turn's own number for everything that varies: the same turn, run again, does the same."""
    return turn.pk.int & 0x7FFF_FFFF


def open_question(session: Session) -> Question | None:
    """Return the question that waits for an answer in this conversation; None without one."""
    return session.questions.open().with_course().order_by("-opened_at").first()


def listen(text: str, *, lesson: Lesson, state: Mapping[str, Any], question: Question | None) -> Heard:
    """Return what a message does, in the light of what the tutor said last."""
    course, concept = lesson.concept.course.catalogue(), lesson.concept.value()
    return hear(
        text,
        course=course,
        concept=concept,
        piece=_piece(concept, state.get("piece", "")),
        contrast=course.misconceptions.get(state.get("contrast", "")),
        question=question.instance() if question else None,
    )


def lesson_facts(turn: Turn, lesson: Lesson) -> LessonFacts:
    """Gather a turn's facts; about a dozen queries, whatever the history."""
    session, state = turn.session, turn.session.state
    course, concept = lesson.concept.course.catalogue(), lesson.concept.value()
    text = turn.messages.filter(author=Message.Author.LEARNER).values_list("text", flat=True).first() or ""
    attempt = _attempt(turn)
    question = attempt.question if attempt else open_question(session)
    masteries = _masteries(lesson, course, concept)
    own = masteries.get(concept.id)
    ability = Ability.objects.filter(learner_id=lesson.learner_id).first()
    cycle = cycle_from_json(state.get("cycle", {}))
    firsts = _first_attempts(session, cycle.number)
    asked = Counter(Question.objects.filter(learner_id=lesson.learner_id).values_list("template", flat=True))
    return LessonFacts(
        turn_id=str(turn.pk),
        seed=seed_of(turn),
        kind="answer" if attempt else cast("Any", turn.kind),
        course=course,
        concept=concept,
        level=cast("Level", lesson.level),
        cycle=cycle,
        text=text,
        heard=listen(text, lesson=lesson, state=state, question=question) if text and not attempt else None,
        said_before=_own_words(session),
        asked=_asked(question),
        answered=_answered(attempt, lesson) if attempt else None,
        hint=turn.payload.get("hint", ""),
        unreadable=turn.payload.get("unreadable", ""),
        beliefs=_beliefs(masteries, course, concept, ability),
        ability=ability.value() if ability else mastery.Ability(),
        offsets={row.template: row.value() for row in ItemOffset.objects.filter(course=lesson.concept.course)},
        times_answered=asked,
        recent_templates=_recent_templates(session),
        suspicions=suspicions.suspicions_of(lesson.learner_id, lesson.concept.course),
        quiz_marks=tuple(correct for _id, correct in firsts),
        missed_questions=tuple(str(question_id) for question_id, correct in firsts if not correct),
        mastered=own is not None and own.is_mastered,
        next_concept=_next_concept(course, concept, masteries),
    )


def _piece(concept: ConceptValue, piece_id: str) -> Any:
    every = (*(piece for level in concept.pieces.values() for piece in level), *concept.examples)
    return next((piece for piece in every if piece.id == piece_id), None)


def _attempt(turn: Turn) -> Attempt | None:
    """Return the answer that came with the turn, if one did."""
    if (pk := turn.payload.get("attempt")) is None:
        return None
    rows = Attempt.objects.select_related("question__concept__course", "change")
    return rows.defer("question__concept__course__content").get(pk=pk, learner_id=turn.owner_id)


def _asked(question: Question | None) -> Asked | None:
    if question is None:
        return None
    return Asked(
        id=str(question.pk),
        instance=question.instance(),
        number=question.number,
        total=question.public.get("total"),
        attempts=question.attempts.count(),
        hints_used=question.hints_used,
        is_open=question.is_open,
    )


def _answered(attempt: Attempt, lesson: Lesson) -> Answered:
    change = getattr(attempt, "change", None)
    return Answered(
        answer=attempt.answer,
        verdict=attempt.verdict,
        correct=attempt.correct,
        gave_up=attempt.gave_up,
        matched=tuple(attempt.misconceptions),
        misses=_misses(lesson),
        before=change.before if change else None,
        after=change.after if change else None,
    )


def _misses(lesson: Lesson) -> int:
    """Return how many attempts on the lesson's concept were wrong since the last right one."""
    latest = Attempt.objects.filter(learner_id=lesson.learner_id, question__concept_id=lesson.concept_id)
    misses = 0
    for correct in latest.order_by("-pk").values_list("correct", flat=True)[:10]:
        if correct:
            break
        misses += 1
    return misses


def _first_attempts(session: Session, cycle: int) -> list[tuple[uuid.UUID, bool]]:
    """Return question and correctness of each first attempt in this cycle's quiz, in order."""
    firsts = Attempt.objects.filter(question__session=session, question__cycle__number=cycle, number=1)
    return list(firsts.order_by("question__number").values_list("question_id", "correct"))


def _masteries(lesson: Lesson, course: CourseValue, concept: ConceptValue) -> dict[str, Mastery]:
    rows = Mastery.objects.filter(learner_id=lesson.learner_id, concept__course=lesson.concept.course)
    return {row.concept.slug: row for row in rows.select_related("concept")}


def _beliefs(
    masteries: Mapping[str, Mastery], course: CourseValue, concept: ConceptValue, ability: Ability | None
) -> dict[str, Belief]:
    """Return the belief about the concept and its prerequisites; what was never answered has the first belief."""
    unknown = first_belief(ability.value() if ability else None)
    ids = (concept.id, *concept.requires)
    return {each: masteries[each].belief() if each in masteries else unknown for each in ids}


def _own_words(session: Session) -> tuple[str, ...]:
    said = Message.objects.filter(session=session, author=Message.Author.LEARNER).order_by("-pk")
    answers = Attempt.objects.filter(question__session=session).order_by("-pk")
    return (*said.values_list("text", flat=True)[:OWN_WORDS], *answers.values_list("answer", flat=True)[:OWN_WORDS])


def _recent_templates(session: Session) -> tuple[str, ...]:
    latest = session.questions.order_by("-opened_at").values_list("template", flat=True)[:10]
    return tuple(latest)[::-1]


def _next_concept(course: CourseValue, concept: ConceptValue, masteries: Mapping[str, Mastery]) -> ConceptValue | None:
    """Return the first concept of the course, in its order, that is not mastered and whose prerequisites are."""
    done = {each for each, row in masteries.items() if row.is_mastered} | {concept.id}
    ready = (each for each in course.concepts if each.id not in done and set(each.requires) <= done)
    return next(ready, None)
