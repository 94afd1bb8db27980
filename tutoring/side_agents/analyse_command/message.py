"""A message of `manage.py understand`: its context from what was asked, its analysis as a row."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tutoring.courses.catalogue import ConceptContent, CourseContent, LessonPiece
from tutoring.courses.exercises.generator import make_exercise
from tutoring.grading import numbers_in
from tutoring.models import Course as CourseRow
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, PastMessage, Prompt, PromptKind
from tutoring.understanding.message_analysis import MessageAnalysis

LONGEST = 10_000
"""Characters of a message."""
SHORT = 15
"""Longest text that can be a lesson's question."""
_WORD = re.compile(r"[\w/]+")
SAFETY = {"danger_now": "danger", "harm_to_self": "harm_to_self", "harm_by_others": "harm_by_others"}


def analysis_of(row: Mapping[str, Any]) -> tuple[MessageAnalysis, Context]:
    """Return the analysis of a line, and its context. Raises ValueError, in words, for an invalid line."""
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError("the line must be an object with a text")
    if len(row["text"]) > LONGEST:
        raise ValueError(f"the text is longer than {LONGEST} characters")
    context = context_of(row)
    return analyse(row["text"], context), context


def context_of(row: Mapping[str, Any]) -> Context:
    """Return the context of a line."""
    courses = tuple(each.catalogue() for each in CourseRow.objects.listed())
    course = next((each for each in courses if each.id == row.get("course")), None)
    if row.get("course") and course is None:
        raise ValueError(f"there is no course {row['course']!r}")
    concept = next((each for each in course.concepts if each.id == row.get("concept")), None) if course else None
    if row.get("concept") and concept is None:
        raise ValueError(f"there is no concept {row['concept']!r}")
    asked, history = row.get("asked") or {}, tuple(_history(row.get("history") or ()))
    prompts = tuple(_prompts(asked, course, concept))
    said = next((each.text for each in reversed(history) if each.author == "team"), "")
    return Context(
        course=course,
        concept=concept,
        courses=courses,
        prompts=prompts,
        waits=bool(prompts),
        last_said=said,
        history=history,
    )


def _prompts(
    asked: Mapping[str, Any], course: CourseContent | None, concept: ConceptContent | None
) -> Sequence[Prompt]:
    if not isinstance(asked, dict):
        raise ValueError("asked must be an object")
    text, known = str(asked.get("text") or ""), str(asked.get("answer") or "").strip()
    pieces = {each.id: each for one in (course.concepts if course else ()) for each in _pieces(one)}
    if piece := pieces.get(str(asked.get("piece"))) or _piece_asking(text, concept):
        whole = " ".join(each for each in piece.blocks if isinstance(each, str))
        return (Prompt(id=piece.id, kind="piece", text=text or whole, known=known),)
    if course is not None and asked.get("template") in {each.id for one in course.concepts for each in one.templates}:
        drawn = make_exercise(course.template(asked["template"]), seed=0, course=course)
        # Another text was asked with other numbers than these: its own known answer decides.
        if not numbers_in(known) and text in ("", drawn.stem):
            return (Prompt(id="asked", kind="question", text=drawn.stem, instance=drawn),)
    if not text:
        return ()
    kind: PromptKind = "question" if numbers_in(known) else "piece"
    return (Prompt(id="asked", kind=kind, text=text, known=known),)


def _piece_asking(text: str, concept: ConceptContent | None) -> LessonPiece | None:
    """Return the piece of the concept's lesson whose question the text is; None if it is none."""
    asked = _bare(text)
    for each in _pieces(concept) if concept and len(asked) > SHORT else ():
        question = _bare(each.question)
        if question in asked or asked in question:
            return each
    return None


def _bare(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _pieces(concept: ConceptContent) -> list[LessonPiece]:
    return [piece for level in (*concept.pieces.values(), concept.examples) for piece in level]


def _history(rows: Sequence[Mapping[str, Any]]) -> Sequence[PastMessage]:
    if not all(isinstance(each, dict) and isinstance(each.get("text"), str) for each in rows):
        raise ValueError("history must be a list of {author, text}")
    return [
        PastMessage(
            author="learner" if each.get("author") == "learner" else "team",
            text=each["text"],
            correct=each.get("correct"),
        )
        for each in rows
    ]


def analysis_to_row(analysis: MessageAnalysis, context: Context) -> dict[str, Any]:
    """Return an analysis as the command writes it."""
    given = analysis.answers[0] if analysis.answers else None
    verdict: str = given.verdict if given is not None else "none"
    if given is None and analysis.claims and analysis.intent in ("answer", "idea", "disagree"):
        holds = all(each.holds for each in analysis.claims)
        # A true step is not yet the known answer.
        verdict = "wrong" if not holds else "none" if context.prompts and context.prompts[0].known else "right"
    concern = analysis.concern
    return {
        "intent": analysis.intent,
        "intents": [[name, round(chance, 4)] for name, chance in analysis.intents],
        "verdict": verdict,
        "value": given.value if given is not None else "",
        "claims": [{"text": each.text, "holds": each.holds} for each in analysis.claims],
        "misconceptions": [[each.id, round(each.probability, 4)] for each in analysis.misconceptions],
        "milestones": [[each.id, round(each.probability, 4)] for each in analysis.milestones],
        "safety": SAFETY.get(concern.kind) if concern is not None else None,
        "mood": analysis.mood,
    }
