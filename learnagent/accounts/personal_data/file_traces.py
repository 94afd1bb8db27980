"""What a person leaves in files beside the database: lines of the log, and mail that was written instead of sent."""

import re
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

from django.conf import settings

from learnagent.accounts.mail import PERSON_HEADER
from learnagent.accounts.models import Person


def identifying_words(person: Person) -> list[str]:
    """Return the words that stand for the person where no row does."""
    return sorted({person.username, person.display_name, person.email} - {""}, key=len, reverse=True)


def find_log_files() -> list[Path]:
    """Return the log's file, and those it was before it grew too large."""
    path: Path | None = settings.LOG_FILE
    return sorted(path.parent.glob(f"{path.name}*")) if path else []


def blank_in_logs(words: Sequence[str]) -> None:
    """Write stars over the words, where they stand as words of their own. No byte moves: others write on at the end."""
    if not words:
        return
    pattern = re.compile(b"|".join(rb"(?<!\w)" + re.escape(word.encode()) + rb"(?!\w)" for word in words))
    for path in find_log_files():
        with path.open("r+b") as file:
            while line := file.readline():
                if pattern.search(line):
                    after = file.tell()
                    file.seek(after - len(line))
                    file.write(pattern.sub(lambda found: b"*" * len(found[0]), line))
                    file.seek(after)


def remove_mails(subject: int) -> None:
    """Delete the mail to a person that lies in the folder in which it is kept instead of being sent."""
    if settings.MAIL_FOLDER is None:
        return
    for path in Path(settings.MAIL_FOLDER).glob("*.log"):
        if message_from_bytes(path.read_bytes())[PERSON_HEADER] == str(subject):
            path.unlink()
