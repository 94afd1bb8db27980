"""Analyze what learners say and answer, given as JSON lines on stdin; one JSON line each on stdout."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutoring.side_agents.analyse_command import concepts, emotion, milestone, misconception

KINDS = ("misconception", "emotion", "milestone", "concepts")

type Analyse = Callable[[dict[str, Any]], dict[str, Any]]
"""Kind → function from a line to its result. Raises ValueError for a line that it cannot read."""


class Command(BaseCommand):
    help = (
        "Reads JSON lines on stdin and writes one result per line, with ms; writes {error} for a line it cannot read, and"
        " then exits 1. misconception: {topic?, question, answer, answer_key?} or {utterance, topic?} →"
        " misconception_detected, misconception_type, confidence, evidence, intervention_suggestion,"
        " corrective_concept, top3 as [[id, confidence], …]; confidence refers to misconception_type, or to there being"
        " none if that is null; an answer that is right by answer_key shows none. emotion: {turns: [{text, latency_s?, correct?}]} →"
        " current_state, engagement_level, frustration_level, confusion_level, boredom_level, confusion_indicators,"
        " trend, recommendation, confidence, after the last turn. milestone: {milestone (an entry as in milestones.yaml, or"
        " the id of a loaded one), turns: [{role, text}], answers: [{correct, assisted}]} → milestone_id,"
        " mastery_achieved, confidence, evidence, recommendation, missing. concepts: {text} → entities, concepts, themes,"
        " relationships, sentiment, confidence, as in a v2 answer."
    )

    requires_system_checks: list[str] = []  # A library file needs no database, and pages are not used.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
        parser.add_argument(
            "--library",
            metavar="FILE",
            help="misconception: JSON lines {id, topic, description, examples: [{question, answer}]} instead of the"
            " loaded courses'",
        )

    def handle(self, *args: Any, kind: str, library: str | None, **options: Any) -> None:
        analyse = _analysis_of(kind, Path(library) if library else None)
        failed = 0
        for row in analyse_lines(stdin_lines(), analyse):
            failed += "error" in row
            self.stdout.write(json.dumps(row, ensure_ascii=False))
            self.stdout.flush()  # A caller that writes one line and waits for its answer gets it.
        if failed:
            raise CommandError(f"{failed} line{'s' if failed > 1 else ''} could not be read.")


def _analysis_of(kind: str, library: Path | None) -> Analyse:
    match kind:
        case "misconception":
            try:
                classifier = misconception.classifier_of(library)
            except misconception.UnreadableLibrary as error:
                raise CommandError(str(error)) from None
            return lambda row: misconception.analysis(row, classifier)
        case "emotion":
            return emotion.analysis
        case "milestone":
            courses = milestone.loaded_courses()
            return lambda row: milestone.analysis(row, courses)
        case _:
            return concepts.analysis


def stdin_lines() -> Iterator[str]:
    """Yield the lines of stdin; bytes that are not UTF-8 only break their own line."""
    raw = getattr(sys.stdin, "buffer", None)
    return (line.decode(errors="replace") for line in raw) if raw is not None else iter(sys.stdin)


def analyse_lines(lines: Iterable[str], analyse: Analyse) -> Iterator[dict[str, Any]]:
    """Yield a row for each line that is not blank; an unreadable one has only `error`."""
    for line in lines:
        if line.strip():
            started = time.perf_counter()
            try:
                row = analyse(_object(line))
            except (ValueError, RecursionError) as error:
                yield {"error": str(error)}
                continue
            yield row | {"ms": round((time.perf_counter() - started) * 1000, 3)}


def _object(line: str) -> dict[str, Any]:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("a line must be an object")
    return row
