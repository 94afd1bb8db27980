"""Import reading material for a course."""

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.readers import ReadDocument, Unreadable, media_type_of, read
from tutoring.course_imports.questions import ImportRefused
from tutoring.course_imports.readings import add_reading
from tutoring.models import Course


class Command(BaseCommand):
    help = (
        "Adds CNXML, Markdown, PDF and DOCX files to a course as reading material, attached to the concepts that they "
        "mention, with their license and source. A second import of the same file changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("course", help="the course's id")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--license", required=True, help="the license, such as CC BY 4.0")
        parser.add_argument("--attribution", default="", help="who wrote it, and where it was published")
        parser.add_argument("--title", default="", help="the title; by default from the file")

    def handle(self, *args: Any, course: str, files: list[Path], **options: Any) -> None:
        found = Course.objects.filter(slug=course).first()
        if found is None:
            raise CommandError(f"there is no course {course!r}")
        # Everything is read before anything is stored.
        for path, document in [(path, _read(path)) for path in files]:
            try:
                reading, is_new = add_reading(
                    found, document.pages, title=options["title"] or document.title or path.stem,
                    license=options["license"], attribution=options["attribution"],
                    digest=hashlib.sha256(path.read_bytes()).hexdigest(),
                )  # fmt: skip
            except ImportRefused as refused:
                raise CommandError(f"{path.name}: {refused}") from None
            state = f"imported, attached to {len(reading.concepts)} concepts" if is_new else "unchanged"
            self.stdout.write(f"{path.name}: {state}")


def _read(path: Path) -> ReadDocument:
    try:
        document = read(path, media_type=media_type_of(path))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except Unreadable as error:
        raise CommandError(f"{path.name}: {error.problem.sentence}") from None
    if document.problem is not None:
        raise CommandError(f"{path.name}: {document.problem.sentence}")
    return document
