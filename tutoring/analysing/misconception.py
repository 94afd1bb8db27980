"""{topic?, question, answer} or {utterance, topic?} → the misconception behind it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutoring.analysing.fields import text_in
from tutoring.courses.catalogue import Course, Misconception
from tutoring.models import Course as CourseRow
from tutoring.rules.diagnosing import Classifier, Known
from tutoring.rules.nearest import WrongAnswer


class LibraryUnreadable(ValueError):
    """A library file cannot be read; says where."""


def classifier_of(library: Path | None) -> Classifier:
    """Return a classifier of a library file's misconceptions, or of the loaded courses'. Raise LibraryUnreadable."""
    return Classifier(_known_in(library) if library else _known_in_courses())


def analysis(row: Mapping[str, Any], classifier: Classifier) -> dict[str, Any]:
    """Return the fields of document 004 and `top3`. Raise ValueError for a line without what is needed."""
    topic = text_in(row, "topic", needed=False)
    if "utterance" in row:
        return classifier.of_utterance(text_in(row, "utterance"), topic=topic)
    return classifier.of_answer(text_in(row, "question"), text_in(row, "answer"), topic=topic)


def _known_in(path: Path) -> list[Known]:
    """Return the misconceptions of a library file; raise LibraryUnreadable that names the line at fault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryUnreadable(f"{path} cannot be read: {error}") from None
    found: dict[str, Known] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                known = _known(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise LibraryUnreadable(f"{path}, line {number}: {error}") from None
            if known.id in found:
                raise LibraryUnreadable(f"{path}, line {number}: the id {known.id!r} is there twice")
            found[known.id] = known
    return list(found.values())


def _known(row: object) -> Known:
    if not isinstance(row, dict):
        raise ValueError("a line must be an object")
    examples = row.get("examples")
    if not isinstance(examples, list) or not all(isinstance(each, dict) for each in examples):
        raise ValueError("examples must be a list of {question, answer}")
    topic = text_in(row, "topic", needed=False)
    return Known(
        id=text_in(row, "id"),
        description=text_in(row, "description", needed=False),
        topics=(topic,) if topic else (),
        examples=tuple(
            WrongAnswer(question=text_in(each, "question", needed=False), answer=text_in(each, "answer"))
            for each in examples
        ),
    )


def _known_in_courses() -> list[Known]:
    """Return the misconceptions of the loaded courses; those of a second course are named with it where ids meet."""
    found: dict[str, Known] = {}
    for row in CourseRow.objects.order_by("position", "title"):
        course = row.catalogue()
        for each in course.misconceptions.values():
            name = each.id if each.id not in found else f"{course.id}/{each.id}"
            found[name] = _known_of(each, course, name)
    return list(found.values())


def _known_of(each: Misconception, course: Course, name: str) -> Known:
    titles = tuple(concept.title for concept in course.concepts if concept.id in each.concepts)
    return Known(
        id=name,
        description=each.says,
        examples=each.examples,
        topics=(*each.concepts, *titles, course.id, course.title),
        utterances=each.utterances,
        correct_idea=each.correct_idea,
        case=" ".join(" ".join(block.split()) for block in each.contrast.blocks if isinstance(block, str)),
        base_rate=each.base_rate,
    )
