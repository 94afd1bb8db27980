"""Analyse what learners say and answer, given as JSON lines on stdin; one JSON line each on stdout."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutoring.courses.catalogue import Course, Misconception
from tutoring.models import Course as CourseRow
from tutoring.rules.diagnosing import Classifier, Known
from tutoring.rules.nearest import WrongAnswer

KINDS = ("misconception", "emotion", "milestone", "concepts")
MAX_TEXT = 10_000


class Command(BaseCommand):
    help = (
        "Reads JSON lines on stdin: {topic?, question, answer} or {utterance, topic?}. Writes for each what the"
        " misconception classifier finds: misconception_detected, misconception_type, confidence, evidence,"
        " intervention_suggestion, corrective_concept, top3 as [[id, confidence], …], ms; {error} for a line it cannot"
        " read, and then it ends with 1."
    )

    requires_system_checks: list[str] = []  # A library's file needs no database, the pages take no part.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
        parser.add_argument(
            "--library",
            metavar="FILE",
            help="JSON lines {id, topic, description, examples: [{question, answer}]} instead of the loaded courses'",
        )

    def handle(self, *args: Any, kind: str, library: str | None, **options: Any) -> None:
        if kind != "misconception":
            raise CommandError(f"There is no analysis of kind {kind} yet; misconception is the one there is.")
        classifier = Classifier(_known_in(Path(library)) if library else _known_in_courses())
        failed = 0
        for row in analysed(_stdin_lines(), classifier):
            failed += "error" in row
            self.stdout.write(json.dumps(row, ensure_ascii=False))
            self.stdout.flush()  # Who writes a line and waits for its answer gets it.
        if failed:
            raise CommandError(f"{failed} line{'s' if failed > 1 else ''} could not be read.")


def _stdin_lines() -> Iterator[str]:
    """Yield the lines of stdin; bytes that are no UTF-8 spoil their own line only."""
    raw = getattr(sys.stdin, "buffer", None)
    return (line.decode(errors="replace") for line in raw) if raw is not None else iter(sys.stdin)


def analysed(lines: Iterable[str], classifier: Classifier) -> Iterator[dict[str, Any]]:
    """Yield a row for each line that is not blank; one that cannot be read has `error` alone."""
    for line in lines:
        if line.strip():
            started = time.perf_counter()
            try:
                row = _analysis(json.loads(line), classifier)
            except (ValueError, RecursionError) as error:
                yield {"error": str(error)}
                continue
            yield row | {"ms": round((time.perf_counter() - started) * 1000, 3)}


def _analysis(row: object, classifier: Classifier) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise ValueError("a line must be an object")
    topic = _text(row, "topic", needed=False)
    if "utterance" in row:
        return classifier.of_utterance(_text(row, "utterance"), topic=topic)
    return classifier.of_answer(_text(row, "question"), _text(row, "answer"), topic=topic)


def _text(row: dict[str, Any], name: str, *, needed: bool = True) -> str:
    """Return a text, or a number as text; raise ValueError for anything else, and for what is missing but needed."""
    value = row.get(name)
    if value is None and not needed:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} must be a text")
    text = str(value)
    if len(text) > MAX_TEXT:
        raise ValueError(f"{name} has more than {MAX_TEXT} characters")
    return text


def _known_in(path: Path) -> list[Known]:
    """Return the misconceptions of a library file; raise CommandError that names the line at fault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    found: dict[str, Known] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                known = _known(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise CommandError(f"{path}, line {number}: {error}") from None
            if known.id in found:
                raise CommandError(f"{path}, line {number}: the id {known.id!r} is there twice")
            found[known.id] = known
    return list(found.values())


def _known(row: object) -> Known:
    if not isinstance(row, dict):
        raise ValueError("a line must be an object")
    examples = row.get("examples")
    if not isinstance(examples, list) or not all(isinstance(each, dict) for each in examples):
        raise ValueError("examples must be a list of {question, answer}")
    topic = _text(row, "topic", needed=False)
    return Known(
        id=_text(row, "id"),
        description=_text(row, "description", needed=False),
        topics=(topic,) if topic else (),
        examples=tuple(
            WrongAnswer(question=_text(each, "question", needed=False), answer=_text(each, "answer"))
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
