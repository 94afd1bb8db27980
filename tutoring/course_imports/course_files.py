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
_PIECES: Final = {
    "start": "explain.beginner", "recall": "explain.intermediate", "expect": "explain.advanced", "method": "example",
}  # fmt: skip
"""The section of each piece of a lesson."""
_YES: Final = r"\b(y|yes|yeah|yep|yup|ok|okay|sure|ready|begin|start|go|next|s[ií]|list[oa]|vale|claro|empe[cz]\w+)\b"


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
        files[f"concepts/{topic.id}/dialogue.yaml"] = write_yaml(_dialogue())
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
    opening = _(
        "This topic is about: %(title)s.\n\nThe questions come from your teacher’s collection. Are you ready for the first one?"
    )
    method = _(
        "Read each question twice. Decide what is asked, then answer before you look at the options. Shall we begin?"
    )
    texts = [
        f"## {section}\n\n### {name}\n\n{method if name == 'method' else opening % {'title': topic.title}}"
        for name, section in _PIECES.items()
    ]
    return "\n\n".join([f"---\nconcept: {topic.id}\n---", *texts]) + "\n"


def _dialogue() -> dict[str, Any]:
    """Return how a reply to the questions of the lesson is answered."""
    piece = {
        "ideas": [{"name": "ready", "any": [_YES]}],
        "heard": _("Then let us begin."),
        "not_yet": _("Take your time. Say “yes” when you want to begin."),
    }
    return {"pieces": dict.fromkeys(_PIECES, piece)}


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
