"""Checks one exercise of a draft by itself, so that its form can say what is wrong while it is written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import TypeAdapter, ValidationError

from tutoring.course_writing.draft_drawings import draft_drawings
from tutoring.course_writing.draft_files import Entry, Files, UnreadableFile, concept_file, read_mapping
from tutoring.course_writing.exercise_values import KEPT
from tutoring.course_writing.exercises import Place
from tutoring.course_writing.fault_fields import exercise_field, field_of_trial
from tutoring.course_writing.fault_words import in_plain_words
from tutoring.course_writing.misconceptions import draft_misconceptions
from tutoring.courses.catalogue import ConceptContent, CourseContent, Misconception, Template
from tutoring.courses.checks.exercise_trials import check_templates
from tutoring.courses.exercises.drafts import PROGRAM_KINDS
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.course_builder import build_malrule
from tutoring.courses.files.default_texts import plain_contrast
from tutoring.courses.files.exercise_schema import StepEntry, TemplateEntry
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.files.reader import fault_words
from tutoring.courses.files.schema import MalruleEntry
from tutoring.courses.files.source_locations import SourceLocations
from tutoring.courses.files.template_builder import TemplateBuilder

TRIALS, PROGRAM_TRIALS = 30, 3
"""Exercises that are tried while one writes; those with programs are slow."""
EXAMPLES = 3
"""Exercises that the preview shows."""
MOST_SEEDS = 40
_OPENING = re.compile(r"^[\w-]+: (?:seed \d+: )?")
_BLANKS: Entry = {"stem": "–", "solution": ["–"], "difficulty": "easy"}
"""What stands for texts that are not written yet, so that the rest can be checked."""
_PLACE: dict[Place, type[TemplateEntry]] = {"exercise": TemplateEntry, "step": StepEntry}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseCheck:
    """What was found: examples as learners see them, and faults as pairs of a field and a reason."""

    faults: tuple[tuple[str, str], ...] = ()
    examples: tuple[Exercise, ...] = ()


def check_exercise(files: Files, concept: str, entry: Entry, *, place: Place) -> ExerciseCheck:
    """Return what is wrong with an exercise, and examples of it."""
    course = _course(files)
    unread: tuple[tuple[str, str], ...] = ()
    own = entry if place == "step" and "concept" in entry else {**entry, "concept": concept}
    try:
        read = _PLACE[place].model_validate(own)
    except ValidationError as error:
        unread = tuple(_told(own, each["loc"], each["type"], each["msg"]) for each in error.errors())
        # What is wrong with the answer is told at once, not after the texts beside it are written.
        try:
            read = _PLACE[place].model_validate(
                own | {name: text for name, text in _BLANKS.items() if not own.get(name)}
            )
        except ValidationError:
            return ExerciseCheck(faults=unread)
    builder = TemplateBuilder(
        entry=read,
        pictures=_pictures(files, concept),
        misconceptions=course.misconceptions,
        drawings=draft_drawings(files),
        is_small=True,
    )
    if problems := tuple(
        (exercise_field((0, *path), reason), in_plain_words(reason)) for path, reason in builder.problems()
    ):
        return ExerciseCheck(faults=unread + problems)
    template = builder.built()
    faults = unread or tuple(_trial_faults(course, template))
    return ExerciseCheck(faults=faults, examples=_examples(course, template) if own.get("stem") else ())


def _told(entry: Entry, where: tuple[int | str, ...], kind: str, message: str) -> tuple[str, str]:
    """Return the field of a fault of the form and its reason; names of members of unions are left out."""
    path, value = [], entry
    for part in where:
        known: object = value
        if (isinstance(known, dict) and part in known) or (isinstance(known, list) and isinstance(part, int)):
            path.append(part)
            value = known[part]  # type: ignore[index]
    reason = fault_words(kind) or message.removeprefix("Value error, ")
    last = str(where[-1]) if where else ""
    if kind == "missing":
        path.append(last)
    field = exercise_field((0, *path), reason)
    told = in_plain_words(reason)
    return (field if field != "rest" or not set(path) & set(KEPT) else "", told if field else f"{last}: {told}")


def _trial_faults(course: CourseContent, template: Template) -> list[tuple[str, str]]:
    places = SourceLocations()
    places.put_line(("template", template.id), file="", line=1)
    holder = ConceptContent(
        id=template.concept, title="", summary="", level=1, minutes=1, pieces={}, templates=(template,)
    )
    alone = CourseContent(
        id=course.id, title="", summary="", language="en", license="", version="", threshold=course.threshold,
        concepts=(holder,), misconceptions=course.misconceptions, small=True,
    )  # fmt: skip
    seeds = PROGRAM_TRIALS if template.kind in PROGRAM_KINDS else TRIALS
    reasons = (_OPENING.sub("", fault.reason) for fault in check_templates(alone, places, seeds=seeds))
    return [(field_of_trial(reason), in_plain_words(reason)) for reason in dict.fromkeys(reasons)]


def _examples(course: CourseContent, template: Template) -> tuple[Exercise, ...]:
    """Return up to three exercises with different questions, their options in the order of the form."""
    template = replace(template, shuffle=False)
    found: dict[str, Exercise] = {}
    for seed in range(MOST_SEEDS if template.params else 1):
        try:
            made = make_exercise(template, seed=seed, course=course)
        except ValueError:
            continue
        found.setdefault(made.stem, made)
        if len(found) == EXAMPLES:
            break
    return tuple(found.values())


def _course(files: Files) -> CourseContent:
    """Return a course with nothing but the draft's misconceptions, as far as they can be read."""
    try:
        entries = draft_misconceptions(files)
    except UnreadableFile:
        entries = []
    found = {each.id: each for each in map(_misconception, entries) if each is not None}
    return CourseContent(
        id="draft", title="", summary="", language="en", license="", version="", threshold=0.85, concepts=(),
        misconceptions=found, small=True,
    )  # fmt: skip


def _misconception(entry: Entry) -> Misconception | None:
    name, rule = entry.get("id"), entry.get("malrule")
    if not isinstance(name, str):
        return None
    try:
        malrule = build_malrule(MalruleEntry.model_validate(rule)) if rule else None
    except ValidationError:
        malrule = None
    utterances = entry.get("utterances")
    return Misconception(
        id=name, kind="conceptual", says=str(entry.get("says", "")), description="", correct_idea="",
        contrast=plain_contrast(says="", correct_idea=""), malrule=malrule,
        utterances=tuple(map(str, utterances)) if isinstance(utterances, list) else (),
    )  # fmt: skip


def _pictures(files: Files, concept: str) -> Mapping[str, PictureEntry]:
    try:
        data = read_mapping(files, concept_file(concept, "pictures.yaml"))
        return TypeAdapter(dict[str, PictureEntry]).validate_python(data)
    except (UnreadableFile, ValidationError):
        return {}
