"""Rows → the facts that a lesson's roles decide by."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Count

from conversations.library.attaching import KEY as ATTACHED
from conversations.models import Message, Session, Turn
from tutoring.courses.catalogue import Concept as ConceptValue
from tutoring.courses.catalogue import Course as CourseValue
from tutoring.courses.catalogue import LessonPiece, Level
from tutoring.dialogue import looking_back, planning
from tutoring.dialogue.decisions import AS_USUAL, Served
from tutoring.dialogue.state import LessonState, lesson_state
from tutoring.dialogue.undoing import PUT_AWAY
from tutoring.hub import gathering as hub
from tutoring.models import (
    Attempt,
    Concept,
    Course,
    CourseWordings,
    ItemOffset,
    Lesson,
    Mastery,
    Question,
    WrittenQuestion,
)
from tutoring.records import goals, milestones, sittings, suspicions
from tutoring.records.wishes import threshold_for
from tutoring.roles.facts import Answered, Asked, LessonFacts, LobbyFacts
from tutoring.rules import mastery
from tutoring.rules.cycle import LearningCycle
from tutoring.rules.mastery import DEFAULT_SKILL, Belief, SkillParameters, first_belief
from tutoring.rules.misconceptions import Suspicion
from tutoring.rules.placement import Level as PlacedLevel
from tutoring.rules.placement import learner_level
from tutoring.rules.prerequisites import ancestors
from tutoring.rules.sittings import NOTHING_ANSWERED
from tutoring.safety.noting import CARE
from tutoring.writing import orders

TOLD = 120
"""Messages, latest first, that a turn is prepared from; more than a model is ever shown."""
OWN_ANSWERS = 60
"""Answers, latest first, within which the learner may have said something already."""
RUNNING = 10
"""Questions, latest first, that are looked at for what came in a row."""

UNSAID = frozenset({"unjudged", "wrong", "idea_partly", "other", "does_not_know", "answer_demand", "hint_request"})
"""Acts after which a right answer to what waits may be shown."""
PRIOR_CONCEPTS = 2
PRIOR_BELIEFS: Mapping[Level, float] = {"beginner": 0.2, "intermediate": 0.55, "advanced": 0.85}
"""What the level that somebody names says of a concept, as a probability (0–1): the middle of the level's range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was said last in a conversation, oldest first."""

    rows: Sequence[tuple[str, str, uuid.UUID]]
    """Author, text and turn of each message."""

    @property
    def by_learner(self) -> list[str]:
        return [text for author, text, _turn in self.rows if author == Message.Author.LEARNER]

    def in_turn(self, turn: Turn) -> str:
        """Return the learner's message of the turn; empty for one without."""
        own = (text for author, text, of in self.rows if of == turn.pk and author == Message.Author.LEARNER)
        return next(own, "")


def told(session: Session) -> Told:
    """Return what was said last in a conversation, but for what came before the lesson: no role and no model reads that."""
    said = Message.objects.filter(session=session, turn__replaced_by=None).exclude(turn__payload__has_key=CARE)
    rows = said.order_by("-turn__number", "-pk")
    return Told(rows=list(rows.values_list("author", "text", "turn_id")[:TOLD])[::-1])


def lesson_of(session: Session) -> Lesson | None:
    """Return what the conversation is a lesson on; None for one without a topic."""
    lessons = Lesson.objects.select_related("concept__course").defer("concept__course__content")
    return lessons.filter(session=session).first()


def taught(lesson: Lesson, standing: LessonState) -> Concept:
    """Return what is taught now: the lesson's concept, or the one of its detour; one that is gone counts as none."""
    detour = standing.cycle.detour
    found = lesson.concept.course.concepts.filter(slug=detour).first() if detour else None
    return found or lesson.concept


def lobby_facts(turn: Turn, said: Told) -> LobbyFacts:
    """Gather what there is to learn, for a conversation without a topic."""
    return LobbyFacts(
        turn_id=str(turn.pk), courses=courses(), text=said.in_turn(turn), attached=bool(turn.payload.get(ATTACHED))
    )


def courses() -> tuple[CourseValue, ...]:
    """Return every course as a value, in the order they are offered."""
    return tuple(row.catalogue() for row in Course.objects.listed())


def concept_row(course: CourseValue, concept: ConceptValue) -> Concept:
    """Return a concept's row, with its course."""
    rows = Concept.objects.select_related("course").defer("course__content")
    return rows.get(course__slug=course.id, slug=concept.id)


def seed_of(turn: Turn) -> int:
    """Return the turn's own number for everything that varies: the same turn, run again, does the same."""
    return turn.pk.int & 0x7FFF_FFFF


def open_question(session: Session) -> Question | None:
    """Return the question that waits for an answer in this conversation; None without one."""
    return session.questions.open().with_course().latest_first().first()


def lesson_facts(turn: Turn, lesson: Lesson, said: Told, served: Served = AS_USUAL) -> LessonFacts:
    """Gather a turn's facts; about a dozen queries, whatever the history."""
    session, standing = turn.session, lesson_state(turn.session.state)
    row = taught(lesson, standing)
    text, attempt = said.in_turn(turn), attempt_of(turn)
    question = attempt.question if attempt else open_question(session)
    masteries = planning.masteries_in(lesson.learner_id, row.course)
    found = hub.findings_in(session)
    seen = hub.seen_with(turn)
    noticed, known = _noticed(found, lesson), _known(lesson.learner_id, row, masteries, state=session.state)
    level = _level(lesson, row, masteries, known["ability"])
    return LessonFacts(
        turn_id=str(turn.pk),
        seed=seed_of(turn),
        kind="answer" if attempt else cast("Any", turn.kind),
        course=row.course.catalogue(),
        concept=row.value(),
        detour_from=lesson.concept.value() if standing.cycle.detour else None,
        returned=bool(turn.payload.get("returned")),
        level=cast("Level", lesson.level if level == "unknown" else level),
        learner_level=level,
        lesson=standing,
        text=text,
        served=served,
        model_sentence=_model_sentence(row, standing) if served.act in UNSAID else "",
        said_before=(*said.by_learner, *_own_answers(session)),
        asked=asked_of(question, attempt),
        answered=answered_of(attempt) if attempt else None,
        hint=turn.payload.get("hint", ""),
        put_away=bool(turn.payload.get(PUT_AWAY)),
        on_card=turn.kind == Turn.Kind.ANSWER,
        unreadable=turn.payload.get("unreadable", ""),
        attached=bool(turn.payload.get(ATTACHED)),
        examples_shown=frozenset(
            row.examples_shown.filter(learner_id=lesson.learner_id).values_list("example", flat=True)
        ),
        notes=hub.notes_of(
            turn,
            found,
            lesson=lesson,
            course=row.course.catalogue(),
            concept=row.value(),
            reached=milestones.reached(lesson.learner_id, row, said=standing.said, suspicions=noticed["suspicions"]),
            suspicions=noticed["suspicions"],
            tested=standing.tested,
            seen=seen,
        ),
        **_asked_so_far(session, row),
        reached_goal=known["mastered"] and goals.reached_since(lesson.learner_id, row, session.created_at),
        **noticed,
        **known,
        **_quizzed(session, row, standing.cycle, suspicions=noticed["suspicions"], ability=known["ability"]),
    )


def _level(lesson: Lesson, row: Concept, masteries: Mapping[str, Mastery], ability: mastery.Ability) -> PlacedLevel:
    """Return the learner's level: their own choice, else what is believed of what the concept rests on.

    The level they began with is the prior, and stands for what is missing of two concepts on record: one concept known
    makes nobody advanced.
    """
    if lesson.own_level:
        return cast("PlacedLevel", lesson.own_level)
    below = ancestors(row.course.catalogue().requires, [row.slug])
    beliefs = [
        masteries[each].probability if each in masteries else first_belief(ability, row.course.skill(each)).probability
        for each in below
    ]
    met = sum(each in masteries for each in below)
    prior = [PRIOR_BELIEFS[cast("Level", lesson.level)]] * (PRIOR_CONCEPTS - met)
    return learner_level([*beliefs, *prior], answers=met)


def _asked_so_far(session: Session, row: Concept) -> dict[str, Any]:
    """Return which exercises the learner met."""
    asked = Question.objects.filter(learner_id=session.owner_id, concept__course=row.course)
    here = session.questions.filter(purpose="quiz").latest_first().values_list("template", flat=True)
    times = dict(asked.values_list("template").annotate(Count("pk")))
    concept = row.value()
    on = WrittenQuestion.objects.filter(concept__course=row.course, concept__slug__in=(concept.id, *concept.requires))
    return {
        "times_answered": times,
        "written": orders.exercises(orders.unseen(on, met=times)),
        "recent_templates": tuple(here[:RUNNING])[::-1],
    }


def _quizzed(
    session: Session,
    row: Concept,
    cycle: LearningCycle,
    *,
    suspicions: Mapping[str, Suspicion],
    ability: mastery.Ability,
) -> dict[str, Any]:
    """Return how this quiz went, and what lies behind its mistakes."""
    quiz = looking_back.quiz_so_far(session, cycle)
    kinds = {each.id: each.kind for each in row.course.catalogue().misconceptions.values()}
    return {
        "quiz_marks": quiz.marks,
        "missed_questions": quiz.missed,
        "mistakes": looking_back.mistakes_in(quiz.attempts, kinds=kinds, suspicions=suspicions, ability=ability),
        "round_before": looking_back.round_before(session, row, cycle),
    }


def _noticed(findings: Sequence[Mapping[str, Any]], lesson: Lesson) -> dict[str, Any]:
    """Return what is suspected of the learner, and what of it was said in this conversation."""
    names = [(each["name"], each["resolved_turn_id"]) for each in findings]
    return {
        "suspicions": suspicions.suspicions_of(lesson.learner_id, lesson.concept.course),
        "noticed": frozenset(name for name, resolved in names if resolved is None),
        "put_right": tuple(name for name, resolved in names if resolved is not None),
    }


def _known(
    learner_id: int, row: Concept, masteries: Mapping[str, Mastery], *, state: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is believed of the learner's knowledge, and where it leads."""
    course, concept = row.course.catalogue(), row.value()
    own = masteries.get(concept.id)
    ability = planning.ability_of(learner_id)
    aims = planning.goals_of(learner_id, row.course)
    path = (
        planning.planned_path(learner_id, row.course, masteries=masteries, goals=aims, ability=ability)
        if aims
        else None
    )
    earlier = planning.earlier_concepts(learner_id, row, masteries=masteries, ability=ability)
    needed = {concept.id, *ancestors(course.requires, [concept.id]), *earlier}
    return {
        "earlier": earlier,
        "sitting": sittings.sitting(learner_id) if earlier else NOTHING_ANSWERED,
        "path": path,
        "beliefs": _beliefs(masteries, needed, ability, skills=row.course.skills()),
        "skills": row.course.skills(),
        "ability": ability,
        "offsets": {row.template: row.value() for row in ItemOffset.objects.filter(course=row.course)},
        "mastered": own is not None and own.is_mastered,
        "threshold": threshold_for(own, state, default=course.threshold),
        "next_concept": _next_concept(course, concept, masteries),
    }


def _model_sentence(row: Concept, standing: LessonState) -> str:
    """Return a right reply to what waits, of the course's own wordings: the longest of them; empty without one."""
    waits_for = standing.contrast or standing.explaining or standing.piece
    kept = (
        CourseWordings.objects.filter(course=row.course)
        .values_list("content__concepts__" + row.slug, flat=True)
        .first()
        or {}
    )
    replies = kept.get("replies", {}).get(waits_for) or kept.get("contrasts", {}).get(waits_for) or {}
    said = replies.get("right") or kept.get("milestones", {}).get(waits_for, {}).get("sayings") or ()
    return max(said, key=lambda each: (each[:1].isupper(), len(each)), default="")


def piece_of(concept: ConceptValue, piece_id: str) -> LessonPiece | None:
    """Return a piece of a concept's lesson, or one of its examples, by its id."""
    every = (*(piece for level in concept.pieces.values() for piece in level), *concept.examples)
    return next((piece for piece in every if piece.id == piece_id), None)


def attempt_of(turn: Turn) -> Attempt | None:
    """Return the answer that came with the turn, if one did."""
    if (pk := turn.payload.get("attempt")) is None:
        return None
    rows = Attempt.objects.select_related("question__concept__course", "change")
    return rows.defer("question__concept__course__content").get(pk=pk, learner_id=turn.owner_id)


def asked_of(question: Question | None, attempt: Attempt | None) -> Asked | None:
    if question is None:
        return None
    return Asked(
        id=str(question.pk),
        instance=question.instance(),
        number=question.number,
        total=question.public.get("total"),
        attempts=attempt.number if attempt else question.attempts.count(),
        hints_used=question.hints_used,
        is_open=question.is_open,
        source=question.source_context,
    )


def answered_of(attempt: Attempt) -> Answered:
    change = getattr(attempt, "change", None)
    return Answered(
        answer=attempt.question.shown(attempt.answer),
        verdict=attempt.verdict,
        correct=attempt.correct,
        gave_up=attempt.gave_up,
        number=attempt.number,
        seconds=attempt.time_taken_s,
        chosen=attempt.as_judgement().chosen,
        matched=tuple(attempt.misconceptions),
        before=change.before if change else None,
        after=change.after if change else None,
        reason=attempt.as_judgement().reason,
    )


def _beliefs(
    masteries: Mapping[str, Mastery],
    concepts: Iterable[str],
    ability: mastery.Ability,
    *,
    skills: Mapping[str, SkillParameters],
) -> dict[str, Belief]:
    """Return the belief about each of the concepts; what was never answered has its first belief."""
    return {
        each: masteries[each].belief() if each in masteries else first_belief(ability, skills.get(each, DEFAULT_SKILL))
        for each in concepts
    }


def _own_answers(session: Session) -> tuple[str, ...]:
    answers = Attempt.objects.filter(question__session=session).order_by("-pk")
    return tuple(answers.values_list("answer", flat=True)[:OWN_ANSWERS])


def _next_concept(course: CourseValue, concept: ConceptValue, masteries: Mapping[str, Mastery]) -> ConceptValue | None:
    """Return what could come after the concept: what builds on it first, then whatever of the course is open.

    Whoever has come this far is not sent back to what it rests on.
    """
    below = ancestors(course.requires, [concept.id])
    done = {each for each, row in masteries.items() if row.is_mastered} | below | {concept.id}
    ready = [each for each in course.concepts if each.id not in done and set(each.requires) <= done]
    return next((each for each in ready if concept.id in each.requires), ready[0] if ready else None)
