"""{topic?, question, answer, answer_key?} or {utterance, topic?} → the misconception behind it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from tutoring.courses.catalogue import ConceptContent, CourseContent, Misconception
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.mastery.diagnosis import likelihoods
from tutoring.mastery.diagnosis.classifier import KnownMisconception, MisconceptionClassifier, discount_right_answer
from tutoring.models import Course as CourseRow
from tutoring.side_agents.analyse_command.answer_matching import is_right
from tutoring.side_agents.analyse_command.field_parsing import parse_text
from tutoring.side_agents.misconception import output_of
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context


class UnreadableLibrary(ValueError):
    """A library file cannot be read; says where."""


def classifier_of(library: Path | None) -> "MisconceptionClassifier | LoadedCourses":
    """Return a classifier of a library file's misconceptions, or of the loaded courses'. Raise LibraryUnreadable."""
    if library:
        return MisconceptionClassifier(_known_in(library))
    return LoadedCourses([row.catalogue() for row in CourseRow.objects.order_by("position", "title")])


class LoadedCourses:
    """The loaded courses, judged as the side agent judges; misconceptions with the same id are named with their course."""

    def __init__(self, courses: Sequence[CourseContent]) -> None:
        self._courses = courses
        self._known: dict[str, Misconception] = {}
        self._names: dict[tuple[str, str], str] = {}
        for course in courses:
            for each in course.misconceptions.values():
                name = each.id if each.id not in self._known else f"{course.id}/{each.id}"
                self._known[name] = each
                self._names[course.id, each.id] = name

    def of_answer(self, question: str, answer: str, *, topic: str = "", is_right: bool = False) -> dict[str, Any]:
        found: dict[str, float] = {}
        for course, concept in self._places(topic):
            logits = likelihoods.answer_log_odds(question, answer, course=course, concept=concept.id if concept else "")
            found |= {self._names[course.id, idea]: logit for idea, logit in logits.items()}
        chances = likelihoods.chances(found)
        evidence = _("Answered “%(words)s” to: %(question)s") % {"words": answer, "question": question}
        chances = dict(discount_right_answer(chances.items())) if is_right else chances
        return self._diagnosis(chances, dict.fromkeys(chances, evidence))

    def of_utterance(self, text: str, *, topic: str = "") -> dict[str, Any]:
        chances: dict[str, float] = {}
        evidence = {}
        for course, concept in self._places(topic):
            for each in analyse(text, Context(course=course, concept=concept)).misconceptions:
                name = self._names[course.id, each.id]
                if each.probability > chances.get(name, 0.0):
                    chances[name] = each.probability
                    evidence[name] = _("Said: “%(words)s”") % {"words": each.quote}
        return self._diagnosis(chances, evidence)

    def _places(self, topic: str) -> list[tuple[CourseContent, ConceptContent | None]]:
        """Return what a topic names: a concept, or a whole course; all courses if it names nothing."""
        wanted = " ".join(topic.casefold().split())
        every = [(course, one, one or course) for course in self._courses for one in (None, *course.concepts)]
        found = [(course, one) for course, one, it in every if wanted in (it.id.casefold(), it.title.casefold())]
        return found or [(course, None) for course in self._courses]

    def _diagnosis(self, chances: Mapping[str, float], evidence: Mapping[str, str]) -> dict[str, Any]:
        return output_of(chances, known=self._known, evidence=evidence).model_dump(mode="json")


def analysis(row: Mapping[str, Any], classifier: MisconceptionClassifier | LoadedCourses) -> dict[str, Any]:
    """Return the fields of the API and `top3`. Raise ValueError for a line without a required field."""
    topic = parse_text(row, "topic", needed=False)
    if "utterance" in row:
        return classifier.of_utterance(parse_text(row, "utterance"), topic=topic)
    question, answer = parse_text(row, "question"), parse_text(row, "answer")
    key = parse_text(row, "answer_key", needed=False)
    right = bool(key.strip()) and is_right(answer, key=key, question=question)
    return classifier.of_answer(question, answer, topic=topic, is_right=right)


def _known_in(path: Path) -> list[KnownMisconception]:
    """Return the misconceptions of a library file; raise LibraryUnreadable that names the faulty line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableLibrary(f"{path} cannot be read: {error}") from None
    found: dict[str, KnownMisconception] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                known = _known(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise UnreadableLibrary(f"{path}, line {number}: {error}") from None
            if known.id in found:
                raise UnreadableLibrary(f"{path}, line {number}: the id {known.id!r} appears twice")
            found[known.id] = known
    return list(found.values())


def _known(row: object) -> KnownMisconception:
    if not isinstance(row, dict):
        raise ValueError("a line must be an object")
    examples = row.get("examples")
    if not isinstance(examples, list) or not all(isinstance(each, dict) for each in examples):
        raise ValueError("examples must be a list of {question, answer}")
    topic = parse_text(row, "topic", needed=False)
    return KnownMisconception(
        id=parse_text(row, "id"),
        description=parse_text(row, "description", needed=False),
        topics=(topic,) if topic else (),
        examples=tuple(
            WrongAnswer(question=parse_text(each, "question", needed=False), answer=parse_text(each, "answer"))
            for each in examples
        ),
    )
