"""Validate course files and load them into the database."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agents.errors import EmbeddingModelMissing
from tutoring.course_storage import imported_folders, store_course
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.checks.exercise_trials import SEEDS
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.sources import read_sources
from tutoring.models import Course
from tutoring.understanding.training.confusions import Confusion, confusions_in


class Command(BaseCommand):
    help = (
        "Validates course folders and loads them. Reports every fault with file, line and reason. A course with "
        "a fault is not loaded; an unchanged course is left as it is."
    )

    requires_system_checks: list[str] = []  # Pages are not used, and authors run this often.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH", help="a course folder, or a folder of course folders"
        )
        parser.add_argument("--check", action="store_true", help="only validate; load nothing")
        parser.add_argument("--trials", type=int, default=SEEDS, metavar="N", help="exercises generated per template")

    def handle(self, *args: Any, paths: list[Path], check: bool, trials: int, **options: Any) -> None:
        faulty = 0
        for folder in course_folders(paths or _every_folder(check=check)):
            try:
                done = check_course(folder, trials=trials) if check else load_course(folder, trials=trials)
                self.stdout.write(done)
            except CourseFaults as found:
                faulty += 1
                for fault in found.faults:
                    self.stderr.write(f"{folder}/{fault}")
        if faulty:
            raise CommandError(f"not loaded because of faults: {faulty} {'course' if faulty == 1 else 'courses'}")


def _every_folder(*, check: bool) -> list[Path]:
    """Return the folder of the site's courses, and those of imported ones; checking needs no database."""
    return [Path(settings.BASE_DIR) / "courses", *(() if check else imported_folders())]


def course_folders(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders that hold a course.yaml: each path itself, or those directly in it."""
    for path in paths:
        if not path.is_dir():
            raise CommandError(f"{path}: there is no such folder")
        inside = [folder for folder in sorted(path.iterdir()) if (folder / "course.yaml").is_file()]
        if not inside or (path / "course.yaml").exists():
            inside = [path]
        yield from inside


def check_course(folder: Path, *, trials: int) -> str:
    course = load_checked_course(folder, seeds=trials).course
    return "\n".join([f"{folder}: valid, {_summary(course)}", *map("  {}".format, find_confusions(course))])


def find_confusions(course: CourseValue) -> list[Confusion]:
    """Return which ideas of a course are confused with another's: not a fault, but worth fixing. Empty without the encoder."""
    try:
        return confusions_in(course)
    except EmbeddingModelMissing:
        return []


def load_course(folder: Path, *, trials: int) -> str:
    """Load one course completely or not at all, and report it. Raises CourseFaults."""
    if Course.objects.filter(source_hash=read_sources(folder).hash).exists():
        return f"{folder}: unchanged"
    built = load_checked_course(folder, seeds=trials)
    store_course(built, position=built.course.position)
    return f"{folder}: loaded, {_summary(built.course)}"


def _summary(course: CourseValue) -> str:
    templates = sum(len(concept.templates) for concept in course.concepts)
    return f"{len(course.concepts)} concepts, {templates} exercise templates"
