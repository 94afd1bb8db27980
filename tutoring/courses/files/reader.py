"""Reads a course's files into validated entries, and collects every fault."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from tutoring.courses.files.exercise_schema import StepEntry, TemplateEntry
from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.files.lesson_markdown import LessonText, read_lesson
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.files.schema import (
    ConceptWordingsEntry,
    CourseEntry,
    DialogueEntry,
    FrequentQuestionEntry,
    GraphEntry,
    LessonEntry,
    MilestoneEntry,
    MisconceptionEntry,
    Sentences,
)
from tutoring.courses.files.sources import Sources
from tutoring.courses.files.yaml_documents import NodePath, YamlDocument, read_yaml

_WORDING = {
    "missing": "is missing",
    "extra_forbidden": "is not a known key",
    "string_pattern_mismatch": "",
    "string_too_short": "is empty",
    "too_short": "has too few entries",
    "string_too_long": "is too long",
    "too_long": "has too many entries",
    "string_type": "must be text",
    **dict.fromkeys(("list_type", "tuple_type"), "must be a list"),
    **dict.fromkeys(("dataclass_type", "dict_type", "mapping_type", "model_type"), "must be fields with names"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "must be true or false"),
    **dict.fromkeys(("int_type", "int_parsing", "float_type", "float_parsing"), "must be a number"),
}
ASSETS = "assets/"
_DRAWING = re.compile(r"assets/[a-z0-9][a-z0-9_-]{0,63}\.svg")
_CONCEPT_FILES = frozenset(
    {
        "lesson.md", "steps.yaml", "items.yaml", "milestones.yaml", "dialogue.yaml", "pictures.yaml", "questions.yaml",
        "wordings.yaml",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFile[T]:
    """The entries of one YAML file, and the document that knows their lines."""

    value: T
    document: YamlDocument

    def fault(self, path: NodePath, reason: str) -> Fault:
        return self.document.fault(path, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptFiles:
    lesson: LessonText
    front: ParsedFile[LessonEntry]
    steps: ParsedFile[tuple[StepEntry, ...]]
    items: ParsedFile[tuple[TemplateEntry, ...]]
    milestones: ParsedFile[tuple[MilestoneEntry, ...]]
    dialogue: ParsedFile[DialogueEntry]
    pictures: ParsedFile[dict[str, PictureEntry]]
    questions: ParsedFile[tuple[FrequentQuestionEntry, ...]]
    wordings: ParsedFile[ConceptWordingsEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFiles:
    course: ParsedFile[CourseEntry]
    graph: ParsedFile[GraphEntry]
    misconceptions: ParsedFile[tuple[MisconceptionEntry, ...]]
    sayings: ParsedFile[dict[str, Sentences]]
    requests: ParsedFile[dict[str, Sentences]]
    concepts: Mapping[str, ConceptFiles]
    drawings: Mapping[str, str]
    """Texts of the drawings in `assets/` by name."""
    is_shipped: bool
    hash: str


def read_files(sources: Sources) -> CourseFiles:
    """Return the entries of every file. Raises CourseFaults with all that is wrong in them."""
    reader = _CourseReader(sources)
    course = reader.gathered(lambda: reader.yaml("course.yaml", CourseEntry))
    graph = reader.gathered(lambda: reader.yaml("graph.yaml", GraphEntry))
    misconceptions = reader.gathered(lambda: reader.yaml("misconceptions.yaml", tuple[MisconceptionEntry, ...]))
    sayings = reader.gathered(lambda: reader.optional("sayings.yaml", dict[str, Sentences], {}))
    requests = reader.gathered(lambda: reader.optional("requests.yaml", dict[str, Sentences], {}))
    reader.check_drawings()
    concepts: dict[str, ConceptFiles] = {}
    if graph is not None:
        reader.check_folders(graph)
        for concept in graph.value.concepts:
            is_small = course is not None and course.value.small
            if (files := reader.concept(concept.id, is_small=is_small)) is not None:
                concepts[concept.id] = files
    if reader.faults or not (course and graph and misconceptions and sayings and requests):
        raise CourseFaults(reader.faults)
    return CourseFiles(
        course=course,
        graph=graph,
        misconceptions=misconceptions,
        sayings=sayings,
        requests=requests,
        concepts=concepts,
        drawings=reader.drawings(),
        is_shipped=sources.is_shipped,
        hash=sources.hash,
    )


@dataclass(slots=True)
class _CourseReader:
    sources: Sources
    faults: list[Fault] = field(default_factory=list)

    def gathered[T](self, read: Callable[[], T]) -> T | None:
        """Return the result of `read`, or None after recording its faults."""
        try:
            return read()
        except CourseFaults as found:
            self.faults.extend(found.faults)
            return None

    def text(self, file: str) -> str:
        if file not in self.sources.texts:
            raise CourseFaults([Fault(file=file, line=1, reason="this file is missing")])
        return self.sources.texts[file]

    def yaml[T](self, file: str, shape: type[T]) -> ParsedFile[T]:
        return validate_document(read_yaml(self.text(file), file=file), shape)

    def optional[T](self, file: str, shape: type[T], empty: T) -> ParsedFile[T]:
        if file in self.sources.texts:
            return self.yaml(file, shape)
        return ParsedFile(value=empty, document=YamlDocument(file=file, data=None, lines={}))

    def concept(self, concept_id: str, *, is_small: bool) -> ConceptFiles | None:
        folder = f"concepts/{concept_id}"
        file = f"{folder}/lesson.md"
        lesson = self.gathered(lambda: read_lesson(self.text(file), file=file, is_small=is_small))
        front = self.gathered(lambda: validate_document(lesson.front, LessonEntry)) if lesson is not None else None
        steps = self.gathered(lambda: self.optional(f"{folder}/steps.yaml", tuple[StepEntry, ...], ()))
        items = self.gathered(lambda: self.yaml(f"{folder}/items.yaml", tuple[TemplateEntry, ...]))
        milestones = self.gathered(lambda: self.optional(f"{folder}/milestones.yaml", tuple[MilestoneEntry, ...], ()))
        dialogue = self.gathered(lambda: self.optional(f"{folder}/dialogue.yaml", DialogueEntry, DialogueEntry()))
        pictures = self.gathered(lambda: self.optional(f"{folder}/pictures.yaml", dict[str, PictureEntry], {}))
        questions = self.gathered(
            lambda: self.optional(f"{folder}/questions.yaml", tuple[FrequentQuestionEntry, ...], ())
        )
        wordings = self.gathered(
            lambda: self.optional(f"{folder}/wordings.yaml", ConceptWordingsEntry, ConceptWordingsEntry())
        )
        if not (
            lesson and front and steps and items and milestones and dialogue and pictures and questions and wordings
        ):
            return None
        return ConceptFiles(
            lesson=lesson,
            front=front,
            steps=steps,
            items=items,
            milestones=milestones,
            dialogue=dialogue,
            pictures=pictures,
            questions=questions,
            wordings=wordings,
        )

    def drawings(self) -> dict[str, str]:
        return {file.removeprefix(ASSETS): text for file, text in self.sources.texts.items() if file.startswith(ASSETS)}

    def check_drawings(self) -> None:
        """Record a fault for every drawing outside `assets/`, and for names that a picture cannot use."""
        for file in self.sources.texts:
            if file.endswith(".svg") and not _DRAWING.fullmatch(file):
                reason = "drawings belong in the folder assets, with names such as two-lines.svg"
                self.faults.append(Fault(file=file, line=1, reason=reason))

    def check_folders(self, graph: ParsedFile[GraphEntry]) -> None:
        """Record a fault for every unused file under concepts/, since a typing error would hide a lesson."""
        known = {concept.id for concept in graph.value.concepts}
        for file in self.sources.texts:
            folder, _, rest = file.removeprefix("concepts/").partition("/")
            if not file.startswith("concepts/"):
                continue
            if folder not in known:
                self.faults.append(Fault(file=file, line=1, reason=f"graph.yaml has no concept {folder!r}"))
            elif rest not in _CONCEPT_FILES:
                self.faults.append(Fault(file=file, line=1, reason="a concept's folder cannot contain this file"))


def validate_document[T](document: YamlDocument, shape: type[T]) -> ParsedFile[T]:
    """Return the document's data validated against a schema. Raises CourseFaults with every mismatch."""
    try:
        return ParsedFile(value=TypeAdapter(shape).validate_python(document.data), document=document)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        raise CourseFaults([_fault(document, details) for details in found]) from None


def fault_words(kind: str) -> str:
    """Return what is wrong in plain words; empty for a kind of error whose own message is clear."""
    return _WORDING.get(kind, "")


def _fault(document: YamlDocument, details: ErrorDetails) -> Fault:
    path: NodePath = ()
    for part in details["loc"]:
        # Pydantic also names the members of unions, which an author has never heard of.
        if (*path, part) in document.lines:
            path = (*path, part)
    last = details["loc"][-1] if details["loc"] else ""
    where = [str(part + 1) if isinstance(part, int) else part for part in path]
    if details["type"] == "missing":
        where.append(str(last))
    reason = _WORDING.get(details["type"]) or details["msg"].removeprefix("Value error, ")
    if details["type"] == "string_pattern_mismatch":
        reason = f"{details['input']!r} does not have the required form ({details['msg']})"
    return document.fault(path, f"{' › '.join(where)}: {reason}" if where else reason)
