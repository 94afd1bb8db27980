"""The files of a draft: read leniently, since a draft may be incomplete or wrong, and written as the course format."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.sources import MAX_FILE_BYTES, MAX_FILES, MAX_FOLDER_BYTES
from tutoring.courses.files.yaml_documents import Data, YamlDocument, read_yaml
from tutoring.courses.files.yaml_writer import write_yaml

type Files = Mapping[str, str]
"""The text of each file of a draft by its path."""
type Entry = dict[str, Any]

COURSE, GRAPH, MISCONCEPTIONS = "course.yaml", "graph.yaml", "misconceptions.yaml"
LESSON, ITEMS, STEPS, DIALOGUE = "lesson.md", "items.yaml", "steps.yaml", "dialogue.yaml"
MAX_ID: Final = 50
PATH: Final = re.compile(
    r"(?:course|graph|misconceptions|requests|sayings)\.yaml"
    r"|concepts/[a-z0-9][a-z0-9_-]{0,63}/"
    r"(?:lesson\.md|(?:items|steps|dialogue|pictures|milestones|questions|wordings)\.yaml)"
    r"|assets/[a-z0-9][a-z0-9_-]{0,63}\.svg"
)
"""The files that a course can have."""
_BREAKS: Final = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class DraftRefused(ValueError):
    """A change that cannot be stored; the text tells a person why."""


class UnreadableFile(ValueError):
    """A file that forms cannot change, since it is not YAML of the expected shape."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path


def clean_text(text: str) -> str:
    """Return typed text as it is stored: one kind of line break, and no characters that files cannot hold."""
    kept = _BREAKS.sub("\n", text)
    return "".join(each for each in kept if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cs"))


def concept_file(concept: str, name: str) -> str:
    return f"concepts/{concept}/{name}"


def read_document(files: Files, path: str) -> YamlDocument:
    """Return the file as plain data with its lines. Raises UnreadableFile."""
    try:
        return read_yaml(files.get(path, ""), file=path)
    except CourseFaults as found:
        raise UnreadableFile(path, str(found.faults[0])) from None


def read_mapping(files: Files, path: str) -> Entry:
    """Return the mapping in a file; empty for a missing file. Raises UnreadableFile."""
    data: Data = read_document(files, path).data
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise UnreadableFile(path, _("This file does not consist of fields with names."))
    return data


def read_list(files: Files, path: str) -> list[Entry]:
    """Return the entries of a list in a file; empty for a missing file. Raises UnreadableFile."""
    data: Data = read_document(files, path).data
    if data is None:
        return []
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        raise UnreadableFile(path, _("This file is not a list of entries."))
    return [each for each in data if isinstance(each, dict)]


def with_file(files: Files, path: str, text: str | None) -> Files:
    """Return the files with one changed; None deletes it."""
    kept = {name: each for name, each in files.items() if name != path}
    return kept if text is None else kept | {path: text}


def with_data(files: Files, path: str, data: object) -> Files:
    """Return the files with the data of one changed; a file that is the same data stays as it is written."""
    try:
        if path in files and read_document(files, path).data == data:
            return files
    except UnreadableFile:
        pass
    return with_file(files, path, write_yaml(data))


def check_size(files: Files) -> None:
    """Raise DraftRefused for files that a course cannot have, or that are too large or too many."""
    for path, text in files.items():
        if not PATH.fullmatch(path):
            raise DraftRefused(_("A course cannot contain the file %(path)s.") % {"path": path})
        if len(text.encode()) > MAX_FILE_BYTES:
            values = {"path": path, "limit": MAX_FILE_BYTES // 1024}
            raise DraftRefused(_("%(path)s would be larger than %(limit)d KB.") % values)
    if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_FOLDER_BYTES:
        raise DraftRefused(_("The course would be too large."))


def named_entry(entries: list[Entry], name: str) -> Entry | None:
    """Return the entry with the id."""
    return next((each for each in entries if each.get("id") == name), None)
