"""Writes the draft of an imported course as the files of the course format."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.course_imports.exercises import Entry
from tutoring.course_imports.topics import Topic
from tutoring.courses.files.yaml_writer import write_yaml

MAX_ATTRIBUTION: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseHead:
    """What is said about a course as a whole."""

    id: str
    title: str
    summary: str
    language: str
    license: str
    attribution: str = ""


def course_files(head: CourseHead, topics: Sequence[Topic], exercises: dict[str, list[Entry]]) -> dict[str, str]:
    """Return the text of each file by its path; `exercises` are by topic."""
    required = {name for topic in topics for name in topic.requires}
    graph = {"concepts": [_concept(topic, is_goal=topic.id not in required) for topic in topics]}
    files = {"course.yaml": write_yaml(_course(head)), "graph.yaml": write_yaml(graph), "misconceptions.yaml": "[]\n"}
    for topic in topics:
        files[f"concepts/{topic.id}/lesson.md"] = _lesson(topic)
        files[f"concepts/{topic.id}/items.yaml"] = write_yaml(exercises[topic.id])
    return files


def _course(head: CourseHead) -> dict[str, Any]:
    said = {
        "id": head.id, "title": head.title, "summary": head.summary, "language": head.language,
        "license": head.license, "version": "1", "question_bank": True,
    }  # fmt: skip
    return said | ({"attribution": head.attribution} if head.attribution else {})


def _concept(topic: Topic, *, is_goal: bool) -> dict[str, Any]:
    summary = _("Questions on this topic: %(title)s.") % {"title": topic.title}
    said: dict[str, Any] = {"id": topic.id, "title": topic.title, "summary": summary}
    return said | ({"requires": list(topic.requires)} if topic.requires else {}) | ({"goal": True} if is_goal else {})


def _lesson(topic: Topic) -> str:
    """Return a lesson that only opens the topic: imported questions come without explanations."""
    pieces = [
        ("explain.beginner", "start", _("This topic is about: %(title)s.\n\nThe questions come from your teacher’s collection. What do you know about it so far?")),
        ("explain.intermediate", "recall", _("This topic is about: %(title)s.\n\nThink of an example before you begin. Which one comes to mind?")),
        ("explain.advanced", "expect", _("This topic is about: %(title)s.\n\nWhich part of it do you find hardest?")),
        ("example", "method", _("Read each question twice. Decide what is asked, then answer before you look at the options. How will you check your answer?")),
    ]  # fmt: skip
    texts = [
        f"## {section}\n\n### {name}\n\n{text % {'title': topic.title} if '%(' in text else text}"
        for section, name, text in pieces
    ]
    return "\n\n".join([f"---\nconcept: {topic.id}\n---", *texts]) + "\n"


def attribution_of(sources: Iterable[str]) -> str:
    """Return the sources of imported files in one line, each named once, within MAX_ATTRIBUTION characters."""
    named: dict[str, str] = {}
    for source in sources:
        named.setdefault(source.partition(" (http")[0].casefold(), source)
    said = list(named.values())
    for kept in range(len(said), -1, -1):
        more = len(said) - kept
        rest = ngettext("and %(count)d more source", "and %(count)d more sources", more) % {"count": more}
        line = " · ".join([*said[:kept], *([rest] if more else [])])
        if len(line) <= MAX_ATTRIBUTION:
            break
    return line
