"""Rows → what a message is read in the light of, and what a decision is made from. Reads alone."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from conversations.library.attaching import KEY as ATTACHED
from conversations.models import Message, Turn
from tutoring.courses.pictures import Picture
from tutoring.dialogue import gathering, placing, planning
from tutoring.dialogue.situation import DialogueState, Kind, OpenQuestion
from tutoring.dialogue.state import WHOLE, LessonState, lesson_state
from tutoring.hub import gathering as hub
from tutoring.hub.facts import Seen
from tutoring.models import Attempt, Concept, Goal, Lesson, Question
from tutoring.records import suspicions
from tutoring.roles.placing import placement_of
from tutoring.rules.misconceptions import ACTIVE
from tutoring.understanding.context import Context, Exchange, Prompt
from tutoring.understanding.values import MessageAnalysis

LEFT = 3
"""Prompts that were left, the latest first, with which a message is compared too."""
SHOWN = 8
"""Messages before, latest first, that a message is read beside."""
TAIL = 300
"""Characters of the last reply, from its end."""
JUDGED = 4
"""Answers, latest first, that tell how it goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The rows of a turn that is about to be read."""

    turn: Turn
    text: str
    lesson: Lesson | None = None
    concept: Concept | None = None
    """What is taught now."""
    held: LessonState = field(default_factory=LessonState)
    question: Question | None = None
    seen: Seen | None = None


def scene_of(turn: Turn) -> Scene:
    """Return the rows that a turn is read from; three queries in a lesson."""
    said = Message.objects.filter(turn=turn, author=Message.Author.LEARNER).values_list("text", flat=True).first()
    lesson, held = gathering.lesson_of(turn.session), lesson_state(turn.session.state)
    if lesson is None:
        return Scene(turn=turn, text=said or "", seen=hub.seen_with(turn))
    return Scene(
        turn=turn,
        text=said or "",
        lesson=lesson,
        concept=gathering.taught(lesson, held),
        held=held,
        question=gathering.open_question(turn.session),
        seen=hub.seen_with(turn),
    )


def context_of(scene: Scene) -> Context:
    """Return what the turn's message is read in the light of."""
    prompts, concept, seen = tuple(_prompts(scene)), scene.concept, scene.seen
    history = tuple(_history(scene.turn))
    return Context(
        course=concept.course.catalogue() if concept is not None else None,
        concept=concept.value() if concept is not None else None,
        courses=gathering.courses(),
        prompts=prompts,
        waits=bool(prompts) and prompts[0].id not in _left(scene),
        last_said=next((each.text[-TAIL:] for each in reversed(history) if each.author == "team"), ""),
        history=history,
        active=_active(scene),
        equal_parts_drawn=seen is not None and seen.shows_equal_parts,
        drawn_words=seen.text if seen is not None else "",
        in_quiz=scene.held.cycle.state == "quiz_active",
        is_placing=placement_of(scene.turn.session.state).under_way,
        is_over=scene.held.cycle.is_over and not scene.held.explaining,
    )


def situation_of(scene: Scene, analysis: MessageAnalysis | None) -> DialogueState:
    """Return where the conversation stands; what the message names is looked up."""
    turn, state, held = scene.turn, scene.turn.session.state, scene.held
    attached = bool(turn.payload.get(ATTACHED))
    worth = _worth_placing(turn, analysis)
    if scene.lesson is None or scene.concept is None:
        aims = Goal.objects.open().filter(learner_id=turn.owner_id).exists() if analysis is not None else False
        return DialogueState(
            kind=cast("Kind", turn.kind),
            has_goal=aims,
            worth_placing=worth,
            attached=attached,
            last_agent=state.get("last_routed_to", ""),
        )
    placement, concept = placement_of(state), scene.concept
    stopped = placing.stopped_short_of(turn, scene.lesson) if held == LessonState() else None
    return DialogueState(
        place="placement" if placement.under_way else "lesson",
        kind=cast("Kind", turn.kind),
        lesson=held,
        course=concept.course.slug,
        concept=concept.slug,
        own_concept=scene.lesson.concept.slug,
        detour_is_gone=bool(held.cycle.detour) and concept.slug != held.cycle.detour,
        placement=placement,
        question=_open(scene.question),
        waits_for=next((each.id for each in _in_words(scene)), ""),
        misconceptions_here=frozenset(
            each.id for each in concept.course.catalogue().misconceptions.values() if concept.slug in each.concepts
        ),
        last_agent=state.get("last_routed_to", ""),
        next_concept=state.get("next_topic", ""),
        path_is_due=held == LessonState() and bool(placement.ended) and planning.FOLLOWING not in state,
        has_goal=bool(state.get("goals")),
        stopped_placement=stopped.slug if stopped is not None else "",
        worth_placing=worth,
        attached=attached,
        has_drawing=scene.seen is not None,
        drawing_is_new=scene.seen is not None and scene.seen.is_new,
    )


# --- What was asked ---


def _prompts(scene: Scene) -> Iterator[Prompt]:
    """Yield what was asked: the case or the idea that waits, the open card, the piece; then pieces that were left."""
    if scene.lesson is None or scene.concept is None:
        return
    if placement_of(scene.turn.session.state).under_way:
        yield from _card(scene.question)
        return
    words = list(_in_words(scene))
    yield from (each for each in words if each.kind != "piece")
    yield from _card(scene.question)
    yield from (each for each in words if each.kind == "piece")
    for piece in reversed(scene.held.explained[-LEFT - 1 :]):
        if piece != scene.held.piece and piece not in scene.held.replied:
            yield from _piece(scene.concept, piece)


def _left(scene: Scene) -> frozenset[str]:
    """Return the ids of pieces whose question waits no more."""
    return frozenset(scene.held.explained) - {scene.held.piece}


def _in_words(scene: Scene) -> Iterator[Prompt]:
    """Yield what waits for a reply in words: one of the case, the milestone, the piece."""
    held, concept = scene.held, scene.concept
    assert concept is not None
    contrast = concept.course.catalogue().misconceptions.get(held.contrast)
    milestone = next((each for each in concept.value().milestones if each.id == held.explaining), None)
    if contrast is not None:
        yield Prompt(
            id=contrast.id,
            kind="contrast",
            text=_whole(contrast.contrast.blocks),
            picture=_pictured(contrast.contrast.blocks),
        )
    elif milestone is not None:
        yield Prompt(id=milestone.id, kind="milestone", text=milestone.ask or milestone.title)
    elif held.explaining == WHOLE:
        yield Prompt(id=WHOLE, kind="summary", text="")
    elif held.piece and scene.question is None:
        yield from _piece(concept, held.piece)


def _card(question: Question | None) -> Iterator[Prompt]:
    if question is not None:
        instance = question.instance()
        picture = instance.picture.alt if instance.picture is not None else ""
        yield Prompt(id=str(question.pk), kind="question", text=instance.stem, instance=instance, picture=picture)


def _piece(concept: Concept, piece_id: str) -> Iterator[Prompt]:
    piece = gathering.piece_of(concept.value(), piece_id)
    if piece is not None:
        yield Prompt(id=piece.id, kind="piece", text=_whole(piece.blocks), picture=_pictured(piece.blocks))


def _whole(blocks: tuple[str | Picture, ...]) -> str:
    """Return the words of what was asked: the numbers that the question is about may stand before it."""
    return " ".join(block for block in blocks if isinstance(block, str))


def _pictured(blocks: tuple[str | Picture, ...]) -> str:
    return " ".join(block.alt for block in blocks if isinstance(block, Picture))


def _open(question: Question | None) -> OpenQuestion | None:
    if question is None:
        return None
    return OpenQuestion(id=str(question.pk), kind=question.kind, hints_used=question.hints_used)


# --- What was before ---


def _history(turn: Turn) -> Iterator[Exchange]:
    """Yield the last messages, oldest first, and how the last answers went; two queries."""
    rows = Message.objects.filter(session=turn.session_id, turn__replaced_by=None, turn__number__lt=turn.number)
    said = list(rows.order_by("-turn__number", "-pk").values_list("author", "text")[:SHOWN])[::-1]
    yield from (Exchange(author="learner" if author == "learner" else "team", text=text) for author, text in said)
    judged = Attempt.objects.filter(question__session=turn.session_id).order_by("-pk")
    yield from (
        Exchange(author="learner", text="", correct=correct)
        for correct in list(judged.values_list("correct", flat=True)[:JUDGED])[::-1]
    )


def _active(scene: Scene) -> frozenset[str]:
    if scene.lesson is None or scene.concept is None:
        return frozenset()
    held = suspicions.suspicions_of(scene.lesson.learner_id, scene.concept.course)
    return frozenset(each.id for each in held.values() if each.confidence >= ACTIVE and each.status != "resolved")


def _worth_placing(turn: Turn, analysis: MessageAnalysis | None) -> frozenset[str]:
    named = [each for each in analysis.names if each.concept] if analysis is not None else []
    rows = Concept.objects.select_related("course").filter(slug__in=[each.concept for each in named]) if named else ()
    return frozenset(
        f"{row.course.slug}/{row.slug}"
        for row in rows
        if placing.is_worth_placing(turn.owner_id, row) or placing.rests_on_gap(turn.owner_id, row)
    )
