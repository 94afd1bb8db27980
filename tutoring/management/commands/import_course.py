"""Import questions of other programs as a course."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from tutoring.course_imports.drafts import CourseDraft, draft_course
from tutoring.course_imports.files import MAX_BYTES
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_imports.questions import ImportRefused


class Command(BaseCommand):
    help = (
        "Imports GIFT, Moodle XML, QTI (1.2, 2.1, 2.2, 3.0) and OATutor files as one course, with its topics and their "
        "order as proposed. Lists every question that it leaves out, and why. A second import of the same files changes "
        "nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--title", default="", help="the course's title; by default from the files")
        parser.add_argument("--language", default="en", help="the language of the questions, such as es")
        parser.add_argument("--license", default="", help="the license, if the files name none")
        parser.add_argument(
            "--owner", default="", metavar="USERNAME", help="a teacher; without one it is for everybody"
        )
        parser.add_argument("--check", action="store_true", help="only report; import nothing")

    def handle(self, *args: Any, files: list[Path], check: bool, owner: str, **options: Any) -> None:
        person = get_user_model().objects.filter(username=owner).first() if owner else None
        if owner and person is None:
            raise CommandError(f"there is no account {owner!r}")
        if person is not None and person.role not in ("teacher", "admin"):
            raise CommandError(f"{owner!r} is no teacher; only teachers and admins can own a course")
        try:
            draft = draft_course(map(_read, files), title=options["title"], language=options["language"])
            self._report(draft)
            if not check:
                course, changed = publish_draft(_licensed(draft, options["license"]), owner=person)
                self.stdout.write(f"{course.slug}: {'imported' if changed else 'unchanged'}")
        except ImportRefused as refused:
            raise CommandError(str(refused)) from None

    def _report(self, draft: CourseDraft) -> None:
        for left in draft.skipped:
            self.stdout.write(f"left out: {left.name}: {left.reason}")
        for topic in draft.topics:
            after = f", after {', '.join(topic.requires)}" if topic.requires else ""
            self.stdout.write(f"topic: {topic.title}: {len(topic.questions)} questions{after}")
        total = draft.questions + len(draft.skipped)
        topics, hints = len(draft.topics), draft.hints
        self.stdout.write(f"{draft.title}: {draft.questions} of {total} questions, {topics} topics, {hints} hints")


def _licensed(draft: CourseDraft, license: str) -> CourseDraft:
    return replace(draft, license=draft.license or license)


def _read(path: Path) -> tuple[str, bytes]:
    try:
        with path.open("rb") as file:
            return path.name, file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
