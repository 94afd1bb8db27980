"""Builds the context for analyzing a message, and the situation for deciding, from rows. Reads only."""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from agents.people import zone_named
from conversations.library.attached_documents import KEY as ATTACHED
from conversations.turns.begin import UNSEEN_KEY
from tutoring.courses.catalogue import ConceptContent
from tutoring.courses.exercises.construction_texts import seen_text
from tutoring.courses.pictures import Picture
from tutoring.dialogue import placement_turns
from tutoring.dialogue.queries import lesson_facts
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.dialogue.situation import DialogueState, Kind, OpenCard
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import WHOLE_CONCEPT, LessonState
from tutoring.mastery.misconception_evidence import ACTIVE
from tutoring.mastery.records import path_planning
from tutoring.mastery.records.known_starts import is_taken_as_known
from tutoring.mastery.records.withheld_sums import withholding_reason
from tutoring.models import Concept, Course, Mastery, Question
from tutoring.planner.conversation_state import companion_context
from tutoring.understanding.context import Context, PastMessage, Prompt
from tutoring.understanding.message_analysis import Intent, MessageAnalysis
from tutoring.understanding.replies.offered_buttons import may_mean_button

LEFT_PIECES_AT_MOST = 3
"""How many earlier prompts, latest first, a message is also compared with."""
SHOWN = 8
"""How many earlier messages, latest first, are context for a message."""
TAIL = 300
"""Characters of the last reply, from its end."""
ONWARD_INTENTS: Final[tuple[Intent, ...]] = ("go_on", "resume", "plan")
"""Intents of messages that may leave it to the team where to start."""
OFFERED_WITHIN = 2
"""The tutor's last messages, one of which must have named a lesson that "go on" begins. Chosen by hand."""
JUDGED = 4
"""How many answers, latest first, show how it is going."""


def load_context(rows: TurnRows) -> Context:
    """Return the context for analyzing the turn's message; five queries in a lesson, one more for buttons that may be meant."""
    prompts, concept, seen = tuple(_prompts(rows)), rows.taught, rows.seen
    held, history = rows.held, tuple(_history(rows))
    return Context(
        course=concept.course.catalogue() if concept is not None else None,
        concept=concept.value() if concept is not None else None,
        courses=rows.courses,
        prompts=prompts,
        waits=bool(prompts) and prompts[0].id not in _left(rows),
        last_said=next((each.text[-TAIL:] for each in reversed(history) if each.author == "team"), ""),
        offered=rows.offered if may_mean_button(rows.text) else (),
        history=history,
        active=_active(rows),
        equal_parts_drawn=seen is not None and seen.shows_equal_parts,
        drawn_words=seen.text if seen is not None else "",
        in_quiz=held.cycle.state == "quiz_active",
        is_placing=placement_of(rows.turn.session.state).under_way,
        is_over=held.cycle.is_over and not held.explaining,
        companion=companion_context(
            rows.turn.session.state,
            turn=rows.turn.number,
            now=rows.turn.created_at.astimezone(zone_named(rows.turn.owner.zone)),
            only_clear=concept is not None or placement_of(rows.turn.session.state).under_way,
        ),
    )


def load_dialogue_state(rows: TurnRows, analysis: MessageAnalysis | None) -> DialogueState:
    """Return the state of the conversation; concepts named in the message are looked up."""
    turn, state, held = rows.turn, rows.turn.session.state, rows.held
    lesson, concept = rows.lesson, rows.taught
    attached = bool(turn.payload.get(ATTACHED))
    worth = _worth_placing(rows, analysis)
    withheld = withholding_reason(analysis.sum, turn.owner_id) if analysis is not None and analysis.sum else ""
    if lesson is None or concept is None:
        return DialogueState(
            kind=cast("Kind", turn.kind),
            has_goal=analysis is not None and rows.has_goal,
            worth_placing=worth,
            withheld=withheld,
            attached=attached,
            last_agent=state.get("last_routed_to", ""),
            suggested=_suggested(rows) if analysis is not None and _goes_on(analysis) else "",
        )
    placement = placement_of(state)
    stopped = placement_turns.stopped_topic(turn, lesson) if held == LessonState() else None
    return DialogueState(
        place="placement" if placement.under_way else "lesson",
        kind=cast("Kind", turn.kind),
        lesson=held,
        course=concept.course.slug,
        concept=concept.slug,
        own_concept=lesson.concept.slug,
        detour_is_gone=bool(held.cycle.detour) and concept.slug != held.cycle.detour,
        placement=placement,
        question=_open(rows),
        waits_for=next((each.id for each in _in_words(rows)), ""),
        misconceptions_here=frozenset(
            each.id for each in concept.course.catalogue().misconceptions.values() if concept.slug in each.concepts
        ),
        last_agent=state.get("last_routed_to", ""),
        next_concept=state.get("next_topic", ""),
        path_is_due=held == LessonState() and bool(placement.ended) and path_planning.NEXT_TOPIC_KEY not in state,
        has_goal=bool(state.get("goals")),
        taken_as_known=frozenset(slug for slug, row in rows.masteries.items() if is_taken_as_known(row)),
        stopped_placement=stopped.slug if stopped is not None else "",
        worth_placing=worth,
        withheld=withheld,
        attached=attached,
        has_drawing=rows.seen is not None,
        drawing_is_new=rows.seen is not None and rows.seen.is_new,
    )


def _goes_on(analysis: MessageAnalysis) -> bool:
    return analysis.wants(*ONWARD_INTENTS) or analysis.agrees


def _suggested(rows: TurnRows) -> str:
    """Return the first lesson that the tutor has named just now and that is not mastered; empty for none.

    "Continue" after an answer of the panel, or "ok" after a sum, begins no lesson.
    """
    if rows.turn.session.state.get("last_routed_to") != "tutor":
        return ""
    lessons = [(course, concept) for course in rows.courses for concept in course.taught]
    told = next(
        (said for said in reversed(rows.told[-OFFERED_WITHIN:]) if any(_is_named(each, said) for _, each in lessons)),
        "",
    )
    named = sorted(
        (told.index(f"*{each.title}*"), course.id, each.id) for course, each in lessons if _is_named(each, told)
    )
    mastered = Mastery.objects.filter(learner_id=rows.turn.owner_id, mastered_at__isnull=False)
    known = set(mastered.values_list("concept__course__slug", "concept__slug")) if named else set()
    return next((f"{course}/{concept}" for _at, course, concept in named if (course, concept) not in known), "")


def _is_named(concept: ConceptContent, said: str) -> bool:
    return f"*{concept.title}*" in said


# --- What was asked ---


def _prompts(rows: TurnRows) -> Iterator[Prompt]:
    """Yield what was asked: the open case or idea, the open card, the piece; then earlier pieces."""
    concept, held = rows.taught, rows.held
    if concept is None or (rows.question is not None and _is_unseen(rows.question, rows)):
        return
    if placement_of(rows.turn.session.state).under_way:
        yield from _card(rows)
        return
    words = list(_in_words(rows))
    yield from (each for each in words if each.kind != "piece")
    yield from _card(rows)
    yield from (each for each in words if each.kind == "piece")
    for piece in reversed(held.explained[-LEFT_PIECES_AT_MOST - 1 :]):
        if piece != held.piece and piece not in held.replied:
            yield from _piece(concept, piece)


def _left(rows: TurnRows) -> frozenset[str]:
    """Return the ids of pieces whose question no longer waits."""
    held = rows.held
    return frozenset(held.explained) - {held.piece}


def _in_words(rows: TurnRows) -> Iterator[Prompt]:
    """Yield the open prompt for a reply in words: the case, the milestone, or the piece."""
    held, concept = rows.held, rows.taught
    assert concept is not None
    contrast = concept.course.catalogue().misconceptions.get(held.contrast)
    milestone = next((each for each in concept.value().milestones if each.id == held.explaining), None)
    if contrast is not None:
        yield Prompt(
            id=contrast.id,
            kind="contrast",
            text=_whole(contrast.contrast.blocks),
            picture=_pictured(contrast.contrast.blocks),
            options={contrast.contrast.right: True, **dict.fromkeys(contrast.contrast.wrong, False)}
            if contrast.contrast.right
            else {},
        )
    elif milestone is not None:
        yield Prompt(id=milestone.id, kind="milestone", text=milestone.ask or milestone.title)
    elif held.explaining == WHOLE_CONCEPT:
        yield Prompt(id=WHOLE_CONCEPT, kind="summary", text="")
    elif held.piece and (rows.question is None or rows.question.public.get("lead")):
        yield from _piece(concept, held.piece)


def _card(rows: TurnRows) -> Iterator[Prompt]:
    question = rows.question
    if question is not None:
        instance = question.instance()
        seen = seen_text(instance)
        last = next((each for each in reversed(rows.answers_here) if each.question_id == question.pk), None)
        given = last.answer if last is not None and last.verdict == "partial" else ""
        yield Prompt(
            id=str(question.pk), kind="question", text=instance.stem, instance=instance, picture=seen, given=given
        )


def _piece(concept: Concept, piece_id: str) -> Iterator[Prompt]:
    piece = lesson_facts.find_piece(concept.value(), piece_id)
    if piece is not None:
        text = _whole(piece.blocks) if piece.step is None else f"{_whole(piece.blocks)} {piece.question}"
        yield Prompt(id=piece.id, kind="piece", text=text, picture=_pictured(piece.blocks))


def _whole(blocks: tuple[str | Picture, ...]) -> str:
    """Return the text of what was asked; the numbers that a question is about may be before it."""
    return " ".join(block for block in blocks if isinstance(block, str))


def _pictured(blocks: tuple[str | Picture, ...]) -> str:
    return " ".join(block.alt for block in blocks if isinstance(block, Picture))


def _open(rows: TurnRows) -> OpenCard | None:
    question = rows.question
    if question is None:
        return None
    return OpenCard(
        id=str(question.pk),
        kind=question.kind,
        hints_used=question.hints_used,
        is_step=question.purpose == Question.Purpose.PRACTICE and bool(question.public.get("lead")),
        own_words=question.public.get("own_words", False),
        is_unseen=_is_unseen(question, rows),
    )


def _is_unseen(question: Question, rows: TurnRows) -> bool:
    """Tell whether the message was written before the page showed the question: it is about the one before."""
    return bool(rows.turn.payload.get(UNSEEN_KEY) == str(question.pk))


# --- What was before ---


def _history(rows: TurnRows) -> Iterator[PastMessage]:
    """Yield the last messages, oldest first, and how the last answers went."""
    said = [(author, text) for author, text, turn in rows.said.rows if turn != rows.turn.pk]
    yield from (
        PastMessage(author="learner" if author == "learner" else "team", text=text) for author, text in said[-SHOWN:]
    )
    yield from (PastMessage(author="learner", text="", correct=each.correct) for each in rows.answers_here[-JUDGED:])


def _active(rows: TurnRows) -> frozenset[str]:
    if rows.lesson is None:
        return frozenset()
    return frozenset(
        each.id for each in rows.suspicions.values() if each.confidence >= ACTIVE and each.status != "resolved"
    )


def _worth_placing(rows: TurnRows, analysis: MessageAnalysis | None) -> frozenset[str]:
    """Return the named concepts with too many unknown prerequisites; a query if one is of another course."""
    named = {(each.course, each.concept) for each in analysis.names if each.concept} if analysis is not None else set()
    if not named:
        return frozenset()
    course = rows.lesson.concept.course if rows.lesson is not None else None
    here = {concept for slug, concept in named if course is not None and slug == course.slug}
    found = (
        {f"{course.slug}/{each}" for each in here if _is_placement_worthwhile(course, each, rows.masteries)}
        if course
        else set()
    )
    if course is None or len(here) < len(named):
        others = Concept.objects.select_related("course").defer("course__content").exclude(course=course)
        for each in others.filter(slug__in=[concept for _course, concept in named]):
            if _is_placement_worthwhile(
                each.course, each.slug, path_planning.masteries_in(rows.turn.owner_id, each.course)
            ):
                found.add(f"{each.course.slug}/{each.slug}")
    return frozenset(found)


def _is_placement_worthwhile(course: Course, topic: str, masteries: Mapping[str, Mastery]) -> bool:
    return placement_turns.has_unknown_foundation(course, topic, masteries) or placement_turns.has_recorded_gap(
        course, topic, masteries
    )
