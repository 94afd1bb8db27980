"""Builds the facts for a lesson's roles from rows."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from conversations.library.attached_documents import KEY as ATTACHED
from conversations.models import Turn
from conversations.summaries.records import short_summary
from tutoring.courses.catalogue import ConceptContent as ConceptValue
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.courses.catalogue import LessonPiece, Level
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.operands import Operands, board_operands, sums_in, text_operands
from tutoring.dialogue.queries import quiz_history
from tutoring.dialogue.queries.goal_record import answer_about_goal
from tutoring.dialogue.queries.lesson_length import answer_about_length
from tutoring.dialogue.queries.system_record import describe_record
from tutoring.dialogue.queries.turn_rows import (
    TurnRows,
    attempt_of,
    lesson_of,
    open_question,
    recent_messages,
    taught_concept,
)
from tutoring.dialogue.turn_undo import ABANDONED_QUESTIONS
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import AskedQuestion, JudgedAnswer, LessonFacts, LobbyFacts
from tutoring.lesson.notes import Notes
from tutoring.lesson.response_plan import DEFAULT_RESPONSE, ResponsePlan
from tutoring.lesson.state import LessonState
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, Belief, SkillParameters, initial_belief
from tutoring.mastery.learning_path import ConceptStanding, following_concept
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.placement import Level as PlacedLevel
from tutoring.mastery.placement import concept_level, learner_level
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.mastery.records import goals, milestones, path_planning, sittings
from tutoring.mastery.records.lesson_settings import threshold_for
from tutoring.mastery.records.withdrawals import askable_content
from tutoring.mastery.sittings import EMPTY_SITTING
from tutoring.models import Attempt, Concept, CourseWordings, Lesson, Mastery, Question, WrittenQuestion
from tutoring.question_writing import orders
from tutoring.side_agents import fact_queries as hub

__all__ = ["attempt_of", "lesson_of", "open_question", "recent_messages", "taught_concept"]

OWN_ANSWERS_AT_MOST = 60
"""Latest answers to check for what the learner may have said already."""

LAST_QUESTIONS = 2
"""Questions answered last whose numbers a quiz does not ask again at once."""

UNSAID = frozenset({"unjudged", "wrong", "idea_partly", "other", "does_not_know", "answer_demand", "hint_request"})
"""Acts after which a right answer to the open prompt may be shown."""
PRIOR_CONCEPTS = 2
PRIOR_BELIEFS: Mapping[Level, float] = {"beginner": 0.2, "intermediate": 0.55, "advanced": 0.85}
"""The probability (0–1) of knowing a concept at each stated level: the middle of the level's range."""


def gather_lobby_facts(rows: TurnRows, served: ResponsePlan = DEFAULT_RESPONSE) -> LobbyFacts:
    """Return what there is to learn, for a conversation without a topic."""
    turn = rows.turn
    return LobbyFacts(
        turn_id=str(turn.pk),
        courses=rows.courses,
        seed=turn_seed(turn),
        told=rows.told,
        text=rows.text,
        attached=bool(turn.payload.get(ATTACHED)),
        served=served,
        said_from_record=answer_about_goal(turn.owner, served.about),
        recap=_recap(turn, served),
    )


def _recap(turn: Turn, served: ResponsePlan) -> str:
    """Return what was done in the conversation; only for a goodbye."""
    return short_summary(turn.session) if served.act == "goodbye" else ""


def _asks_back(served: ResponsePlan) -> bool:
    """Tell whether a message is about the verdict on the last answer."""
    return served.act == "contest" or served.about == "verdict" or "why_asked" in served.commands


def find_concept_row(course: CourseValue, concept: ConceptValue) -> Concept:
    """Return a concept's row, with its course."""
    rows = Concept.objects.select_related("course").defer("course__content")
    return rows.get(course__slug=course.id, slug=concept.id)


def turn_seed(turn: Turn) -> int:
    """Return the turn's own seed for everything that varies: the same turn, run again, gives the same."""
    return turn.pk.int & 0x7FFF_FFFF


def gather_lesson_facts(rows: TurnRows, served: ResponsePlan = DEFAULT_RESPONSE) -> LessonFacts:
    """Gather a turn's facts; a handful of queries, whatever the history, and fewer if it was read in this process."""
    turn, standing, row = rows.turn, rows.held, rows.taught
    session, known_of, lesson = turn.session, rows.standing, rows.lesson
    assert row is not None
    assert known_of is not None
    assert lesson is not None
    attempt = rows.attempt
    question = attempt.question if attempt else rows.question
    content = askable_content(row.course, turn.owner_id)
    noticed, known = _noticed(rows), _known(rows, row)
    level = _level(lesson, row, rows.masteries, known["ability"])
    taught_at = cast("Level", lesson.level if level == "unknown" else level)
    return LessonFacts(
        turn_id=str(turn.pk),
        seed=turn_seed(turn),
        told=(*_told_on_cards(rows, row), *rows.told),
        kind="answer" if attempt else cast("Any", turn.kind),
        course=content,
        concept=content.concept(row.slug),
        detour_from=lesson.concept.value() if standing.cycle.detour else None,
        returned=bool(turn.payload.get("returned")),
        level=taught_at if lesson.own_level else _concept_level(rows, row, general=taught_at),
        learner_level=level,
        lesson=standing,
        text=rows.text,
        served=served,
        last_answer=quiz_history.last_answer(turn.session) if _asks_back(served) else None,
        record=describe_record(rows, served),
        said_from_record=answer_about_goal(turn.owner, served.about)
        or answer_about_length(session, row, standing, served.about),
        recap=_recap(turn, served),
        model_sentence=_model_sentence(row, standing) if served.act in UNSAID else "",
        steps_answered=frozenset(each.question.template for each in rows.answers_here if each.correct),
        said_before=(*rows.said.by_learner, *_own_answers(rows)),
        asked=asked_question(rows, question),
        answered=judged_answer(attempt) if attempt else None,
        hint=turn.payload.get("hint", ""),
        put_away=bool(turn.payload.get(ABANDONED_QUESTIONS)),
        on_card=turn.kind == Turn.Kind.ANSWER,
        unreadable=turn.payload.get("unreadable", ""),
        attached=bool(turn.payload.get(ATTACHED)),
        examples_shown=frozenset(example for concept, example in known_of.examples if concept == row.slug),
        notes=_notes(rows, row, suspicions=noticed["suspicions"]),
        **_asked_so_far(rows, row),
        reached_goal=known["mastered"] and goals.reached_since(lesson.learner_id, row, session.created_at),
        **noticed,
        **known,
        **_quizzed(rows, row, standing.cycle, suspicions=noticed["suspicions"], ability=known["ability"]),
    )


def _notes(rows: TurnRows, row: Concept, *, suspicions: Mapping[str, Suspicion]) -> Notes:
    """Return what side agents have noted about the lesson."""
    assert rows.standing is not None
    assert rows.lesson is not None
    return hub.gather_notes(
        rows.turn,
        rows.findings,
        lesson=rows.lesson,
        course=row.course.catalogue(),
        concept=row.value(),
        reached=milestones.milestones_reached(
            rows.lesson.learner_id,
            row,
            said=rows.held.said,
            suspicions=suspicions,
            uses=milestones.uses_in(rows.answers, row),
            mastery=rows.masteries.get(row.slug),
        ),
        suspicions=suspicions,
        tested=rows.held.tested,
        seen=rows.seen,
        answered=_answered(rows, row),
        agreed=rows.standing.classes_agree,
    )


def _level(
    lesson: Lesson, row: Concept, masteries: Mapping[str, Mastery], ability: knowledge_tracing.AbilityEstimate
) -> PlacedLevel:
    """Return the learner's level: their own choice, otherwise from their mastery of the prerequisites.

    The initial level is the prior and fills in for missing concepts up to two: one known concept makes nobody advanced.
    """
    if lesson.own_level:
        return cast("PlacedLevel", lesson.own_level)
    below = all_prerequisites(row.course.catalogue().requires, [row.slug])
    beliefs = [
        masteries[each].probability
        if each in masteries
        else initial_belief(ability, row.course.skill(each)).probability
        for each in below
    ]
    met = sum(each in masteries for each in below)
    prior = [PRIOR_BELIEFS[cast("Level", lesson.level)]] * (PRIOR_CONCEPTS - met)
    return learner_level([*beliefs, *prior], answers=met)


def _concept_level(rows: TurnRows, row: Concept, *, general: Level) -> Level:
    """Return the level at which to explain the concept taught, by the answers on it and what is believed of it."""
    known = rows.standing
    assert known is not None
    own = rows.masteries.get(row.slug)
    believed = own.belief() if own is not None else initial_belief(known.ability, row.course.skill(row.slug))
    counted = [each for each in rows.answers if _counts(each, row)]
    shown = counted[-1].correct and not counted[-1].assisted if counted else None
    young = getattr(rows.turn.owner, "age_band", "child") == "child"
    found = concept_level(general, shown=shown, probability=believed.probability, young=young)
    return cast("Level", found)


def _counts(answer: Attempt, concept: Concept) -> bool:
    """Tell whether an answer says what the learner knows of the concept: the first to one of its questions asked to find out."""
    question = answer.question
    asked_to_find_out = question.purpose in (Question.Purpose.PLACEMENT, Question.Purpose.QUIZ)
    return answer.number == 1 and asked_to_find_out and question.concept_id == concept.pk


def _asked_so_far(rows: TurnRows, row: Concept) -> dict[str, Any]:
    """Return which exercises the learner met."""
    known = rows.standing
    assert known is not None
    concept, written = row.value(), list[WrittenQuestion]()
    if known.has_written:
        needed = (concept.id, *concept.requires)
        on = WrittenQuestion.objects.filter(concept__course=row.course, concept__slug__in=needed)
        written = orders.unseen_questions(on, met=known.times)
    return {"times_answered": known.times, "written": orders.as_exercises(written), "recent_templates": known.recent}


def _quizzed(
    rows: TurnRows,
    row: Concept,
    cycle: LearningCycle,
    *,
    suspicions: Mapping[str, Suspicion],
    ability: knowledge_tracing.AbilityEstimate,
) -> dict[str, Any]:
    """Return how this quiz went, and the causes of its mistakes."""
    quiz = quiz_history.load_quiz_history(rows, cycle)
    kinds = {each.id: each.kind for each in row.course.catalogue().misconceptions.values()}
    return {
        "operands_met": _operands_met(rows, row),
        "quiz_marks": quiz.marks,
        "mistakes": quiz_history.find_mistakes(quiz.attempts, kinds=kinds, suspicions=suspicions, ability=ability),
        "round_before": quiz_history.previous_round_score(rows.turn.session, row, cycle),
    }


def _operands_met(rows: TurnRows, row: Concept) -> Operands:
    """Return the numbers worked with in the quiz under way, and in the two questions answered last."""
    course = row.course.catalogue()
    asked = [each["question_text"] for each in rows.turn.session.state.get("quiz_questions", ())]
    latest = list({each.question_id: each.question for each in rows.answers_here}.values())[-LAST_QUESTIONS:]
    met = frozenset[tuple[str, ...]]().union(*map(text_operands, asked))
    return met.union(*(_operands_of_question(each, course) for each in latest))


def _operands_of_question(question: Question, course: CourseValue) -> Operands:
    """Return a question's numbers; for a step of a lesson those of its piece too. The board is made anew, without a query."""
    found = text_operands(question.stem)
    pieces = (piece for concept in course.concepts for piece in concept.every_piece)
    piece = next((each for each in pieces if each.step is not None and each.step.id == question.template), None)
    if piece is None or piece.step is None:
        return found
    said = (sums_in(block) for block in piece.blocks if isinstance(block, str))
    board = make_exercise(piece.step, seed=question.seed, course=course).board if piece.step.kind == "combine" else None
    return found.union(board_operands(board), *said)


def _answered(rows: TurnRows, row: Concept) -> list[int]:
    """Return the numbers of turns up to this one in which the concept was answered on; "I don't know" does not count."""
    given = {each.pk for each in rows.answers if not each.gave_up and each.question.concept_id == row.pk}
    turns = {each.turn.pk: each.turn for each in rows.lines} | {rows.turn.pk: rows.turn}
    return [each.number for each in turns.values() if each.payload.get("attempt") in given]


def _told_on_cards(rows: TurnRows, row: Concept) -> tuple[str, ...]:
    """Return the reasons for wrong answers that stood on the cards of the last turns."""
    recent = {each.turn.payload.get("attempt") for each in rows.lines if rows.is_recent(each.turn)}
    behind = {known for each in rows.answers_here if each.pk in recent for known in each.misconceptions}
    known = row.course.catalogue().misconceptions
    return tuple(known[each].noticed for each in sorted(behind) if each in known and known[each].noticed)


def _noticed(rows: TurnRows) -> dict[str, Any]:
    """Return what is suspected of the learner, and what of it was noticed in this conversation."""
    names = [(each["name"], each["resolved_turn_id"]) for each in rows.findings]
    return {
        "suspicions": rows.suspicions,
        "noticed": frozenset(name for name, resolved in names if resolved is None),
        "put_right": tuple(name for name, resolved in names if resolved is not None),
    }


def _known(rows: TurnRows, row: Concept) -> dict[str, Any]:
    """Return the beliefs about the learner's knowledge, and the path that follows."""
    known, masteries, learner_id = rows.standing, rows.masteries, rows.turn.owner_id
    assert known is not None
    course, concept, ability = row.course.catalogue(), row.value(), known.ability
    own = masteries.get(concept.id)
    aims = [each for each in known.goals if each in course.requires]
    standings: Mapping[str, ConceptStanding] | None = None
    earlier: tuple[str, ...] = ()
    if aims or any(each.is_mastered for each in masteries.values()):
        standings = path_planning.standings_of(learner_id, row.course, masteries=masteries, placed={}, ability=ability)
        earlier = path_planning.earlier_concepts(
            row, masteries=masteries, standings=standings, aside=known.path.set_aside
        )
    so_far = sittings.current_sitting(learner_id) if earlier else None
    path = None
    if aims:
        path = path_planning.plan_path(
            learner_id, row.course, goals=aims, standings=standings, own=known.path, so_far=so_far
        )
    needed = {concept.id, *all_prerequisites(course.requires, [concept.id]), *earlier}
    return {
        "earlier": earlier,
        "sitting": so_far or EMPTY_SITTING,
        "path": path,
        "beliefs": _beliefs(masteries, needed, ability, skills=row.course.skills()),
        "skills": row.course.skills(),
        "ability": ability,
        "offsets": known.offsets,
        "mastered": own is not None and own.is_mastered,
        "threshold": threshold_for(own, rows.turn.session.state, default=course.threshold),
        "next_concept": next_concept(row, masteries),
    }


def _model_sentence(row: Concept, standing: LessonState) -> str:
    """Return a good reply to the open prompt: the model sentence, otherwise the longest right reply; "" without one."""
    waits_for = standing.contrast or standing.explaining or standing.piece
    kept = _wordings(row.course_id, row.course.source_hash, row.slug)
    replies = kept.get("replies", {}).get(waits_for) or kept.get("contrasts", {}).get(waits_for) or {}
    if replies.get("model"):
        return str(replies["model"])
    said = replies.get("right") or kept.get("milestones", {}).get(waits_for, {}).get("sayings") or ()
    return max(said, key=lambda each: (each[:1].isupper(), len(each)), default="")


@lru_cache(maxsize=200)
def _wordings(course_id: int, source_hash: str, slug: str) -> Mapping[str, Any]:
    """Return a concept's wordings, cached per process and course version."""
    rows = CourseWordings.objects.filter(course_id=course_id)
    return rows.values_list("content__concepts__" + slug, flat=True).first() or {}


def find_piece(concept: ConceptValue, piece_id: str) -> LessonPiece | None:
    """Return a piece of a concept's lesson, or one of its examples, by its id."""
    return next((piece for piece in concept.every_piece if piece.id == piece_id), None)


def asked_question(rows: TurnRows, question: Question | None) -> AskedQuestion | None:
    if question is None:
        return None
    return AskedQuestion(
        id=str(question.pk),
        instance=question.instance(),
        number=question.number,
        total=None if question.purpose == Question.Purpose.PLACEMENT else question.public.get("total"),
        attempts=rows.attempts_at(question),
        hints_used=question.hints_used,
        is_open=question.is_open,
        source=question.source_context,
    )


def judged_answer(attempt: Attempt) -> JudgedAnswer:
    change = getattr(attempt, "change", None)
    return JudgedAnswer(
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
    ability: knowledge_tracing.AbilityEstimate,
    *,
    skills: Mapping[str, SkillParameters],
) -> dict[str, Belief]:
    """Return the belief about each of the concepts; a concept without answers has its prior."""
    return {
        each: masteries[each].belief()
        if each in masteries
        else initial_belief(ability, skills.get(each, DEFAULT_SKILL))
        for each in concepts
    }


def _own_answers(rows: TurnRows) -> tuple[str, ...]:
    return tuple(each.answer for each in reversed(rows.answers_here[-OWN_ANSWERS_AT_MOST:]))


def next_concept(row: Concept, masteries: Mapping[str, Mastery]) -> ConceptValue | None:
    """Return what could come after a concept; None if everything else is mastered."""
    course = row.course.catalogue()
    mastered = [each for each, row in masteries.items() if row.is_mastered]
    following = following_concept(course.requires, row.slug, mastered=mastered)
    return course.concept(following) if following else None
