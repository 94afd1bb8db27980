"""A draft in the words of its forms, so that two versions can be compared without reading files."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _

from tutoring.course_writing import concepts, exercises, lessons, misconceptions
from tutoring.course_writing.draft_files import DIALOGUE, ITEMS, LESSON, STEPS, Files, UnreadableFile
from tutoring.course_writing.exercise_values import values_of
from tutoring.course_writing.exercises import Place
from tutoring.course_writing.versions import FileDiff, compare_files, compare_texts
from tutoring.pages.contexts.draft_parts import name_of
from tutoring.pages.forms.course_fields import (
    about_groups,
    about_values,
    concept_groups,
    idea_options,
    misconception_groups,
    piece_groups,
)
from tutoring.pages.forms.exercise_fields import exercise_groups
from tutoring.pages.forms.written_fields import FieldGroup, WrittenField

_IN_FORMS: Final = ("course.yaml", "graph.yaml", "misconceptions.yaml", LESSON, DIALOGUE, ITEMS, STEPS)

type Parts = dict[tuple[str, ...], tuple[str, str]]
"""The title and the text of each part of a draft."""


def compare_drafts(old: Files, new: Files) -> list[FileDiff]:
    """Return the differences of each part that differs, and of files that no form shows.

    A draft whose files cannot be read is compared by its files.
    """
    try:
        before, after = _parts(old), _parts(new)
    except UnreadableFile:
        return compare_files(old, new)
    diffs = []
    for key in dict.fromkeys((*after, *before)):
        title, text = after.get(key, ("", ""))
        old_title, old_text = before.get(key, ("", ""))
        if text != old_text:
            diffs.append(FileDiff(path=title or old_title, lines=compare_texts(old_text, text)))
    return [*diffs, *compare_files(_without_forms(old), _without_forms(new))]


def _without_forms(files: Files) -> Files:
    return {path: text for path, text in files.items() if path.rpartition("/")[2] not in _IN_FORMS}


def _parts(files: Files) -> Parts:
    ideas = misconceptions.draft_misconceptions(files)
    parts: Parts = {}
    if files:
        parts["about",] = (_("About the course"), _words(about_groups(about_values(files))))
    listed = concepts.draft_concepts(files) if files else []
    titles = {each.id: each.title or each.id for each in listed}
    for concept in listed:
        parts |= _concept_parts(files, concept, titles, idea_options(ideas))
    for idea in ideas:
        title = _("Misconception: %(idea)s") % {"idea": idea.get("says")}
        parts["idea", str(idea.get("id"))] = (
            title,
            _words(misconception_groups(misconceptions.misconception_values(idea))),
        )
    return parts


def _concept_parts(
    files: Files, concept: concepts.DraftConcept, titles: Mapping[str, str], ideas: list[tuple[str, str]]
) -> Parts:
    title = {"title": titles[concept.id]}
    entry = concepts.concept_entry(files, concept.id) or {}
    values = {name: str(entry.get(name) or "") for name in ("title", "summary", "can")}
    needs = [f"{_('Needs first')}: {titles.get(name, name)}" for name in concept.requires]
    about = "\n".join(filter(None, (_words(concept_groups(values)), *needs)))
    parts: Parts = {("topic", concept.id): (_("Topic: %(title)s") % title, about)}
    for piece in lessons.draft_pieces(files, concept.id):
        parts["piece", concept.id, piece.id] = (_("Lesson: %(title)s") % title, _words(piece_groups(piece)))
    places: tuple[Place, ...] = ("exercise", "step")
    for place in places:
        for each in exercises.draft_exercises(files, concept.id, place=place):
            text = _words(exercise_groups(values_of(each), ideas, is_step=place == "step"))
            name = _("Exercise of %(title)s: %(question)s") % {**title, "question": name_of(each)}
            parts[place, concept.id, str(each.get("id") or each.get("piece"))] = (name, text)
    return parts


def _words(groups: Iterable[FieldGroup]) -> str:
    """Return what is filled in, one field a line."""
    return "\n".join(line for group in groups for field in group.fields for line in _field_words(field))


def _field_words(field: WrittenField) -> Iterator[str]:
    if field.kind == "hidden" or not field.value:
        return
    if field.kind in ("check", "radio"):
        yield field.label
    else:
        yield f"{field.label}: {dict(field.options).get(field.value, field.value)}"
