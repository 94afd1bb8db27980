"""Writes the draft of an imported course as the files of the course format."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from django.utils.translation import gettext as _

from tutoring.course_imports.exercises import Entry
from tutoring.course_imports.topics import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseHead:
    """What is said about a course as a whole."""

    id: str
    title: str
    summary: str
    language: str
    license: str
    attribution: str = ""


_PLAIN = re.compile(r"[A-Za-z]{3,}(?:[_-][A-Za-z]+)*")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # the C version is optional
    def ignore_aliases(self, data: object) -> bool:
        return True


def _quoted(dumper: Any, text: str) -> yaml.ScalarNode:
    """Quote every text that is more than a word, since the course format reads more texts as numbers than YAML 1.1."""
    node: yaml.ScalarNode = dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="" if _PLAIN.fullmatch(text) else '"'
    )
    return node


_Dumper.add_representer(str, _quoted)


def course_files(head: CourseHead, topics: Sequence[Topic], exercises: dict[str, list[Entry]]) -> dict[str, str]:
    """Return the text of each file by its path; `exercises` are by topic."""
    required = {name for topic in topics for name in topic.requires}
    graph = {"concepts": [_concept(topic, is_goal=topic.id not in required) for topic in topics]}
    files = {"course.yaml": yaml_text(_course(head)), "graph.yaml": yaml_text(graph), "misconceptions.yaml": "[]\n"}
    for topic in topics:
        files[f"concepts/{topic.id}/lesson.md"] = _lesson(topic)
        files[f"concepts/{topic.id}/items.yaml"] = yaml_text(exercises[topic.id])
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


def yaml_text(data: object) -> str:
    """Return data as YAML that the course format reads."""
    text: str = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)
    return text


def attribution_of(sources: Iterable[str], licenses: Iterable[str]) -> str:
    """Return the sources and licenses of imported files in one line."""
    return " · ".join(dict.fromkeys([*sources, *licenses]))[:3_000]
