"""What pages of a draft show of its parts: the map, previews as learners see them, and links to faults."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language
from pydantic import TypeAdapter

from conversations.web.markup import to_html
from tutoring.course_writing.concepts import DraftConcept
from tutoring.course_writing.draft_drawings import draft_drawings
from tutoring.course_writing.draft_faults import DraftFault, find_draft_faults
from tutoring.course_writing.draft_files import Entry, Files, UnreadableFile, concept_file, read_mapping
from tutoring.course_writing.exercises import draft_exercise
from tutoring.course_writing.misconceptions import draft_misconceptions
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.files.markdown_blocks import split_blocks
from tutoring.courses.files.picture_builder import build_picture_plan
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.files.sources import sources_of
from tutoring.models import AuthoredCourse, Concept, Course, Question
from tutoring.pages.cards.arrangements import arrangement_context
from tutoring.pages.cards.contest_context import right_answer
from tutoring.pages.cards.question_context import Context, block_html, question_context
from tutoring.pages.contexts.course_map import LINE_HEIGHT, LINE_LENGTH
from tutoring.pages.contexts.map_layout import HEIGHT, WIDTH, lay_out

WIDE = LINE_LENGTH + 4
"""Letters of a title in a line: there is no sign beside it."""
MAX_NAME = 50
"""Letters of an exercise's question by which it is named in a list."""
KEPT = 64
"""States of drafts whose faults are kept in a process."""

_found: dict[tuple[str, int, str], tuple[DraftFault, ...]] = {}


def draft_faults(draft: AuthoredCourse, *, seeds: int = 0) -> tuple[DraftFault, ...]:
    """Return the faults of a draft, which are found once per process and state of its files."""
    key = (sources_of(draft.files).hash, seeds, get_language() or "")
    if key not in _found:
        while len(_found) >= KEPT:
            _found.pop(next(iter(_found)))
        _found[key] = find_draft_faults(draft.files, seeds=seeds)
    return _found[key]


def fault_url(draft: AuthoredCourse, fault: DraftFault) -> str:
    """Return where the fault can be corrected: its field, or the line of its file."""
    field = f"#field-{fault.field}" if fault.field else ""
    match fault.kind:
        case "course":
            return (
                reverse("write-course", args=[draft.pk]) if fault.field == "concepts" else _url("about", draft) + field
            )
        case "concept":
            return _url("concept", draft, fault.concept) + field
        case "piece":
            return _url("piece", draft, fault.concept, fault.name) + field
        case "exercise" | "step":
            return _url(fault.kind, draft, fault.concept, fault.name) + field
        case "misconception":
            return _url("misconception", draft, fault.name) + field
        case _:
            return _url("file", draft, fault.file) + f"#line-{fault.line}"


def _url(page: str, draft: AuthoredCourse, *names: str) -> str:
    return reverse(f"write-{page}", args=[draft.pk, *names])


def fault_rows(draft: AuthoredCourse, faults: Iterable[DraftFault], concepts: Sequence[DraftConcept]) -> list[Context]:
    """Return each fault with its address and the title of the part that has it, in course order."""
    titles = {concept.id: concept.title for concept in concepts}
    places = {name: at for at, name in enumerate(titles)}
    ordered = sorted(faults, key=lambda each: (each.kind != "course", places.get(each.concept, len(places)), each))
    return [
        {
            "url": fault_url(draft, each),
            "reason": each.reason,
            "title": ": ".join(filter(None, (titles.get(each.concept, ""), _name(draft.files, each)))),
            "fault": each,
        }
        for each in ordered
    ]


def name_of(exercise: Entry) -> str:
    """Return the beginning of an exercise's question, by which people know it."""
    return textwrap.shorten(str(exercise.get("stem") or ""), MAX_NAME, placeholder="…")


def _name(files: Files, fault: DraftFault) -> str:
    """Return by what people know an exercise or a misconception: the beginning of its text; empty for other parts."""
    try:
        match fault.kind:
            case "exercise":
                entry = draft_exercise(files, fault.concept, fault.name, place="exercise")
                return name_of(entry or {})
            case "misconception":
                text = next(
                    (each.get("says") for each in draft_misconceptions(files) if each.get("id") == fault.name), ""
                )
            case _:
                text = ""
    except UnreadableFile:
        text = ""
    return textwrap.shorten(str(text or ""), MAX_NAME, placeholder="…")


def draft_map(draft: AuthoredCourse, concepts: Sequence[DraftConcept]) -> Context | None:
    """Return the drawing of the concepts and what they need first; None if they need each other in a circle."""
    try:
        layout = lay_out({concept.id: concept.requires for concept in concepts})
    except ValueError:
        return None
    nodes = []
    for concept in concepts:
        left, top = layout.places[concept.id]
        lines = textwrap.wrap(concept.title or concept.id, WIDE, max_lines=3, placeholder="…")
        first = top + HEIGHT / 2 - (len(lines) - 1) * LINE_HEIGHT / 2
        shown = [{"text": line, "at": f"{first + at * LINE_HEIGHT:.1f}"} for at, line in enumerate(lines)]
        url = _url("concept", draft, concept.id)
        nodes.append({"concept": concept, "left": left, "top": top, "text_at": left + 14, "title": shown, "url": url})
    size = {"width": layout.width, "height": layout.height, "node_width": WIDTH, "node_height": HEIGHT}
    return size | {"lines": [line.path for line in layout.lines], "nodes": nodes}


def piece_blocks(files: Files, concept: str, written: str) -> list[Any]:
    """Return a piece of a lesson as learners see it; a picture that cannot be drawn is left out."""
    try:
        pictures = read_mapping(files, concept_file(concept, "pictures.yaml"))
    except UnreadableFile:
        pictures = {}
    drawings = draft_drawings(files)
    blocks: list[Any] = []
    for block in split_blocks(written):
        if isinstance(block, str):
            blocks.append(to_html(block, stacks=True))
        elif block.name in pictures:
            try:
                plan = build_picture_plan(TypeAdapter(PictureEntry).validate_python(pictures[block.name]), drawings)
                blocks.append(block_html(draw_plan(plan, {}, alt=block.alt)))
            except ValueError:
                continue
    return blocks


def example_context(exercise: Exercise) -> Context:
    """Return an exercise of a draft as learners see it, with the right answer, the hints and the solution."""
    concept = Concept(course=Course(slug="draft", title=""), slug="draft", title="")
    question = Question(
        concept=concept, purpose=Question.Purpose.QUIZ, status=Question.Status.ANSWERED,
        **serialization.exercise_to_json(exercise),
    )  # fmt: skip
    shown, right = question_context(question, []), right_answer(question)
    # Pieces and rows as they are before an answer.
    question.status = Question.Status.OPEN
    return {
        "question": shown | arrangement_context(question, "", None),
        "right_answer": right,
        "hints": [to_html(hint, stacks=True) for hint in exercise.hints],
    }
