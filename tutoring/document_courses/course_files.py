"""Writes a draft as the files of the course format: questions as exercises, quoted passages as lessons."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from tutoring.course_imports.exercises import Entry, exercise_entry
from tutoring.course_imports.questions import ImportedQuestion, Option, QuestionRefused
from tutoring.courses.files.yaml_writer import write_yaml
from tutoring.document_courses.concepts import DraftedConcept
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.drafts import DocumentDraft, kept_questions

PIECES: Final = 5
"""Most pieces of an explanation: about ten minutes."""
ADVANCED_PIECES: Final = 2
_MARKUP: Final = re.compile(r"[\\`*_\[<>#$|~&]")
# With a backslash before it a bracket begins a formula.
_ENTITIES: Final = {"\\": "&#92;", "[": "&#91;"}
PASSAGE_LINK: Final = re.compile(r"\((/[^()\s]*/passages/\d+/)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseNames:
    """What the files say about the course as a whole; `key` is the key of its row, for links to passages."""

    id: str
    key: int
    document: str
    license: str


def document_course_files(draft: DocumentDraft, names: CourseNames) -> dict[str, str]:
    """Return the text of each file by its path; concepts without kept questions are left out."""
    concepts = [concept for concept in draft.concepts if kept_questions(concept)]
    required = {name for concept in concepts for name in concept.requires}
    course = {
        "id": names.id, "title": draft.title, "language": "en", "license": names.license, "version": "1",
        "summary": _("Made from the document “%(name)s”.") % {"name": names.document},
        "attribution": ", ".join(dict.fromkeys(filter(None, (draft.attribution, names.document)))), "question_bank": True, "quotes": True,
    }  # fmt: skip
    graph = {"concepts": [_concept(each, is_goal=each.id not in required) for each in concepts]}
    files = {"course.yaml": write_yaml(course), "graph.yaml": write_yaml(graph), "misconceptions.yaml": "[]\n"}
    for concept in concepts:
        writer = _ConceptWriter(draft=draft, concept=concept, key=names.key)
        files[f"concepts/{concept.id}/items.yaml"] = write_yaml(writer.items())
        lesson, steps = writer.lesson()
        files[f"concepts/{concept.id}/lesson.md"] = lesson
        files[f"concepts/{concept.id}/steps.yaml"] = write_yaml(steps)
    return files


def _concept(concept: DraftedConcept, *, is_goal: bool) -> dict[str, Any]:
    said: dict[str, Any] = {"id": concept.id, "title": concept.title, "summary": concept.summary}
    return (
        said | ({"requires": list(concept.requires)} if concept.requires else {}) | ({"goal": True} if is_goal else {})
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ConceptWriter:
    draft: DocumentDraft
    concept: DraftedConcept
    key: int

    def items(self) -> list[Entry]:
        return [self.entry(question, f"q{number}") for number, question in self.numbered()]

    def numbered(self) -> list[tuple[int, DraftedQuestion]]:
        """Return the kept questions with their numbers in the draft, which stay the same when others are left out."""
        return [(at + 1, question) for at, question in enumerate(self.concept.questions) if question.is_kept]

    def entry(self, question: DraftedQuestion, name: str) -> Entry:
        """Return a question as an exercise, with its passage in a hint and in the solution. Raises QuestionRefused."""
        link = f"[{_('Open the passage')}]({reverse('document-course-passage', args=[self.key, question.passage])})"
        imported = ImportedQuestion(
            name=name,
            kind=question.kind,
            stem=as_markdown(question.stem),
            options=tuple(
                Option(text=as_markdown(text), is_right=question.kind == "choice" and at == 0)
                for at, text in enumerate(question.options)
            ),
            accepted=tuple(text.replace("*", r"\*") for text in question.accepted),
            pairs=tuple((as_markdown(row), as_markdown(partner)) for row, partner in question.pairs),
            hints=(_("Read the passage again, then come back. %(link)s") % {"link": link},),
            explanation=f"{_('The text says:')} “{as_markdown(question.quote)}” {link}",
        )
        return exercise_entry(imported, exercise=f"{self.concept.id[:50]}-{name}", concept=self.concept.id)

    def lesson(self) -> tuple[str, list[Entry]]:
        """Return lesson.md and the steps: quoted passages, each with a question; later levels ask before they show."""
        chosen = [each for each in self.numbered() if each[1].kind == "choice"] or self.numbered()
        quoted = list(_one_per_quote(chosen))
        last = [each for each in self.numbered() if each[1].kind in ("match", "order", "text")] or quoted[-1:]
        sections = [
            ("explain.beginner", "b", quoted[:PIECES], True),
            ("explain.intermediate", "i", quoted[: PIECES - 1], False),
            ("explain.advanced", "a", last[-ADVANCED_PIECES:], False),
            ("example", "e", last[:1], True),
        ]
        lines, steps = [f"---\nconcept: {self.concept.id}\n---"], []
        for section, mark, questions, shows in sections:
            lines.append(f"## {section}")
            for number, question in questions:
                piece = f"{mark}{number}"
                lines.append(f"### {piece}\n\n{self.text(question, shows=shows)}")
                steps.append(self.entry(question, f"{mark}{number}") | {"piece": piece})
        return "\n\n".join(lines) + "\n", steps

    def text(self, question: DraftedQuestion, *, shows: bool) -> str:
        """Return what is read before a question: the passage, or only where it stands."""
        url = reverse("document-course-passage", args=[self.key, question.passage])
        if not shows:
            return _("Answer from memory first. Then [open the passage](%(url)s) to check.") % {"url": url}
        context = as_markdown(self.draft.contexts.get(question.quote, question.quote))
        return f"> {context}\n\n[{_('Open the passage')}]({url})"


def _one_per_quote(questions: Sequence[tuple[int, DraftedQuestion]]) -> Iterator[tuple[int, DraftedQuestion]]:
    seen: set[str] = set()
    for number, question in questions:
        if question.quote not in seen:
            seen.add(question.quote)
            yield number, question


def as_markdown(text: str) -> str:
    """Return a plain text so that Markdown shows it as it is."""
    return _MARKUP.sub(lambda sign: _ENTITIES.get(sign[0], f"\\{sign[0]}"), text)


def is_gradable(question: DraftedQuestion) -> bool:
    """Return whether the program grades the question's own answer as right, and no other one."""
    draft = DocumentDraft(title="draft", concepts=(), contexts={})
    concept = DraftedConcept(id="concept", title="concept", summary="concept", first=0, last=0, questions=())
    try:
        _ConceptWriter(draft=draft, concept=concept, key=1).entry(question, "q1")
    except QuestionRefused:
        return False
    return True
