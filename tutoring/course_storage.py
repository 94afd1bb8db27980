"""Stores courses in the database, and knows the folder in which each course's files are."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

from anyascii import anyascii
from django.conf import settings
from django.db import models, transaction
from django.db.models import ProtectedError
from django.utils.text import slugify

from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.serialization import course_to_json, wordings_to_json
from tutoring.models import Concept, Course, CourseWordings, Cycle

RESERVED_SLUGS = frozenset({"import", "write"})


@transaction.atomic
def store_course(built: BuiltCourse, *, position: int) -> Course:
    """Write the course and its concepts. Raises CourseFaults when a concept with learners' work would vanish."""
    value = built.course
    course, _ = Course.objects.update_or_create(
        slug=value.id,
        defaults={
            "title": value.title,
            "summary": value.summary,
            "version": value.version,
            "source_hash": built.hash,
            "content": course_to_json(value),
            "position": position,
        },
    )
    CourseWordings.objects.update_or_create(course=course, defaults={"content": wordings_to_json(value)})
    for number, concept in enumerate(value.concepts):
        defaults = {"title": concept.title, "position": number, "is_goal": concept.goal}
        Concept.objects.update_or_create(course=course, slug=concept.id, defaults=defaults)
    _remove_others(course, {concept.id for concept in value.concepts})
    return course


def _remove_others(course: Course, kept: set[str]) -> None:
    for concept in course.concepts.exclude(slug__in=kept):
        # A round without a question is no work: only its explanation was started.
        Cycle.objects.filter(concept=concept, questions=None).delete()
        try:
            concept.delete()
        except ProtectedError:
            reason = f"the concept {concept.slug!r} is missing, but learners have worked on it: keep it in the course"
            raise CourseFaults([Fault(file="graph.yaml", line=1, reason=reason)]) from None


def imports_folder() -> Path:
    """Return the folder of imported courses, each in a folder named as its id."""
    return Path(settings.DATA_DIR) / "courses"


def imported_folders() -> Iterator[Path]:
    """Yield the folder of each imported, written or personal course that the database has."""
    own = Course.objects.exclude(imports=None, document_course=None, ownership=None, authored=None)
    for slug in own.order_by("pk").values_list("slug", flat=True).distinct():
        if (folder := imports_folder() / slug / "course.yaml").is_file():
            yield folder.parent


def folder_of(course: Course) -> Path | None:
    """Return the folder with the course's files; None if it was loaded from elsewhere."""
    for folder in (imports_folder(), Path(settings.BASE_DIR) / "courses"):
        if (folder / course.slug / "course.yaml").is_file():
            return folder / course.slug
    return None


def delete_personal_course(course: Course) -> None:
    """Delete a course that its owner made for themselves, with what they have worked on in it, and its files.

    Raises ProtectedError once a teacher has accepted it and others have worked on it.
    """
    with transaction.atomic():
        if course.is_personal:
            for relation in Concept._meta.related_objects:
                if relation.on_delete is models.PROTECT:
                    rows = relation.related_model._default_manager
                    rows.filter(**{f"{relation.field.name}__course": course}).delete()
        course.delete()
    shutil.rmtree(imports_folder() / course.slug, ignore_errors=True)


@contextmanager
def written_folder(files: Mapping[str, str]) -> Iterator[Path]:
    """Write a course's files to a new folder beside the imported courses, which is deleted unless it is moved."""
    imports_folder().mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".new-", dir=imports_folder()))
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_folder(course: str, new: Path) -> None:
    """Put the new folder in the place of the course's; a crash in between leaves one of them whole."""
    new.chmod(0o755)
    old = imports_folder() / course
    aside = old.with_name(f".old-{old.name}")
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    shutil.rmtree(aside, ignore_errors=True)


def free_slugs(title: str) -> Iterator[str]:
    """Yield ids for a course of this title, the shortest first; none is a word of an address of courses."""
    base = slugify(anyascii(title))[:48].strip("-_") or "course"
    for number in count(1):
        slug = base if number == 1 else f"{base}-{number}"
        if slug not in RESERVED_SLUGS:
            yield slug


def delete_imported_course(course: Course) -> None:
    """Delete the course, its imports and its files. Raises ProtectedError if learners have worked on it."""
    with transaction.atomic():
        course.imports.all().delete()
        course.delete()
    shutil.rmtree(imports_folder() / course.slug, ignore_errors=True)
