"""The labelled rows that the encoder is tuned on, of all tasks at once, for `tune_encoder.py`.

python -m tutoring.understanding.training.tuning_examples rows.jsonl
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from agents.routing.features import read_examples
from tutoring.courses.catalogue import CourseContent
from tutoring.courses.files.loader import parse_course
from tutoring.understanding.classifiers import encoder, general_heads
from tutoring.understanding.classifiers.labelled_sentences import labelled_questions, labelled_sentences
from tutoring.understanding.concerns import detector
from tutoring.understanding.training import general_heads_fitting

ROWS: Final = general_heads.DATA / "tuning"
"""Rows that only the encoder is tuned on, by other writers than the courses' wordings:

`questions.jsonl` questions with and without a known answer, what was replied, and its verdict; `danger.jsonl` messages in eight
languages with the danger they tell of; `replies.jsonl`, `misconceptions.jsonl` and `milestones.jsonl` more wordings of Fractions.
"""
SHIPPED: Final = Path(__file__).parents[3] / "courses"
# A few differ enough that the encoder does not learn one of them by heart. Chosen by hand.
GOOD: Final = 6
"""Right replies that are stored with a question."""
# All of them would outnumber the rows of danger by far. Chosen by hand.
CALM: Final = 6
"""Every so many-th intent row is used as a row without danger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningExample:
    """A text that replies to `asked`, with its label for each task."""

    said: str
    labels: dict[str, str]
    asked: str = ""
    good: Sequence[str] = ()
    """Right replies to the same question."""


def all_examples(courses: Sequence[CourseContent]) -> list[TuningExample]:
    """Return all labelled rows."""
    found = [*_general(), *_replies(), *_danger()]
    for course in courses:
        found += course_examples(course)
    return found


def course_examples(course: CourseContent) -> list[TuningExample]:
    """Return a course's sentences, and those of other writers for its questions, misconceptions and milestones."""
    return [*_own(course), *_more(course)]


def _general() -> Iterator[TuningExample]:
    for row in general_heads_fitting.intent_rows():
        yield TuningExample(said=row.text, asked=row.asked, labels={"intent": row.label})
    for row in general_heads_fitting.mood_rows():
        yield TuningExample(said=row.text, labels={"mood": row.label})


def _replies() -> Iterator[TuningExample]:
    for row in _lines(ROWS / "questions.jsonl"):
        good = (row["answer"],) if row["answer"] else ()
        yield TuningExample(said=row["text"], asked=row["asked"], good=good, labels={"verdict": row["verdict"]})


def _danger() -> Iterator[TuningExample]:
    for kind, texts in read_examples(detector.EXAMPLES).items():
        label = kind if kind in ("danger_now", "harm_to_self", "harm_by_others") else "none"
        yield from (TuningExample(said=text, labels={"danger": label}) for text in texts)
    calm = (row for row in general_heads_fitting.intent_rows() if row.label != "safety")
    yield from (TuningExample(said=row.text, labels={"danger": "none"}) for row in islice(calm, None, None, CALM))
    for row in _lines(ROWS / "danger.jsonl"):
        yield TuningExample(said=row["text"], labels={"danger": row["kind"]})


def _own(course: CourseContent) -> Iterator[TuningExample]:
    """Yield a course's sentences; a sentence has no label for a task if its class is unknown."""
    asked, rows = labelled_questions(course), labelled_sentences(course)
    good: dict[str, list[str]] = {}
    for row in rows:
        if row.label == "right" or (row.kind == "milestone" and row.milestone):
            good.setdefault(row.prompt, []).append(row.text)
    for row in rows:
        labels = {"misconception": row.misconception, "milestone": row.milestone}
        is_open_wrong = row.kind == "reply" and row.label == "wrong" and not row.misconception
        if is_open_wrong or (row.kind == "milestone" and not row.milestone):
            del labels["misconception"]
        if row.kind == "saying" or (row.kind == "reply" and row.label != "wrong"):
            del labels["milestone"]
        if row.kind == "reply":
            labels["verdict"] = row.label
        replies = row.kind in ("reply", "milestone")
        yield TuningExample(
            said=row.text,
            asked=asked[row.prompt].question if replies else "",
            good=good.get(row.prompt, ()) if replies else (),
            labels=labels,
        )


def _more(course: CourseContent) -> Iterator[TuningExample]:
    """Yield other writers' sentences for a course's questions, misconceptions and milestones."""
    asked = {key: each.question for key, each in labelled_questions(course).items()}
    for row in _lines(ROWS / "replies.jsonl"):
        if row["prompt"] in asked:
            labels = {"verdict": row["verdict"], "misconception": row["misconception"]}
            if row["verdict"] == "wrong" and not row["misconception"]:
                del labels["misconception"]
            yield TuningExample(said=row["text"], asked=asked[row["prompt"]], labels=labels)
    claims = list(_lines(ROWS / "misconceptions.jsonl"))
    if any(row["misconception"] in course.misconceptions for row in claims):
        for row in claims:
            yield TuningExample(
                said=row["text"], asked=row.get("asked", ""), labels={"misconception": row["misconception"]}
            )
    for row in _lines(ROWS / "milestones.jsonl"):
        if (question := asked.get(f"milestone:{row['milestone']}")) is not None:
            label = row["milestone"] if row["says"] else ""
            yield TuningExample(said=row["text"], asked=row.get("asked", question), labels={"milestone": label})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def write_examples(rows: Sequence[TuningExample], path: Path) -> None:
    """Write rows as JSON lines, truncated as the encoder truncates its input."""
    with path.open("w", encoding="utf-8") as lines:
        for row in rows:
            asked, good = (
                row.asked[-encoder.QUESTION_CHARACTERS :],
                [each[: encoder.REPLY_CHARACTERS] for each in row.good[:GOOD]],
            )
            line = {
                "said": row.said[: encoder.MESSAGE_CHARACTERS].strip(),
                "asked": asked,
                "good": good,
                "labels": row.labels,
            }
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    folders = sorted(path.parent for path in SHIPPED.glob("*/sayings.yaml"))
    write_examples(all_examples([parse_course(folder) for folder in folders]), Path(sys.argv[1]))
