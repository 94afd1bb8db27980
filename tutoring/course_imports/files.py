"""Recognizes files of questions, unpacks archives, and reads what is in them."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from conversations.readers.archives import ArchiveEntry, zip_entries
from conversations.readers.document import Unreadable
from tutoring.course_imports.gift import read_gift
from tutoring.course_imports.moodle_xml import read_moodle_xml
from tutoring.course_imports.oatutor import read_oatutor
from tutoring.course_imports.qti import read_qti_item
from tutoring.course_imports.qti_classic import read_qti_classic
from tutoring.course_imports.questions import ImportRefused, QuestionRefused, ReadFile, Skipped, check_amount, joined
from tutoring.course_imports.xml_trees import parse_xml, text_at

MAX_BYTES = 10 * 1024 * 1024
"""Of one file."""
# A sentence in French has up to a third; in another alphabet nearly all letters look accented. Chosen by hand.
ACCENTED_AT_MOST: Final = 0.5
"""Share of the letters of a text in Windows-1252 that have accents."""


def read_file(name: str, data: bytes) -> ReadFile:
    """Return the questions of a file, or of the files in a ZIP. Raises ImportRefused."""
    if len(data) > MAX_BYTES:
        raise ImportRefused(_("%(file)s is larger than %(limit)d MB.") % {"file": name, "limit": MAX_BYTES // 2**20})
    read = _read_archive(name, data) if data.startswith(b"PK") else _read_one(name, data)
    if not read.questions and not read.skipped:
        return ReadFile(skipped=(Skipped(name=name, reason=_("This file has no questions.")),))
    return read


def _read_archive(name: str, data: bytes) -> ReadFile:
    try:
        entries = [entry for entry in zip_entries(BytesIO(data)) if _is_readable(entry)]
        contents = {entry.name: entry.content() for entry in entries if entry.size <= MAX_BYTES}
    except Unreadable as error:
        raise ImportRefused(f"{name}: {_(error.problem.sentence)}") from None
    topics = _topics_of_items(contents, archive=name)
    read: list[ReadFile] = []
    for entry, content in contents.items():
        read.append(_read_one(f"{name}/{entry}", content, topic=topics.get(entry, "")))
        check_amount(sum(len(each.questions) + len(each.skipped) for each in read), name=name)
    return joined(read)


def _is_readable(entry: ArchiveEntry) -> bool:
    path = PurePosixPath(entry.name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not hidden and path.suffix.lower() in (".xml", ".qti", ".txt", ".gift", ".json", ".jsonl")


def _read_one(name: str, data: bytes, *, topic: str = "") -> ReadFile:
    text = decoded(data, name=name)
    start = text.lstrip()[:1]
    if start == "<":
        return _placed(_read_xml(name, _as_utf8(text), topic=topic), name)
    if name.lower().endswith((".json", ".jsonl")) or (start in ("[", "{") and _is_json(text)):
        return _placed(read_oatutor(text, name=name), name)
    if name.lower().endswith((".gift", ".txt")) or "{" in text:
        return read_gift(text, name=name)
    raise ImportRefused(
        _("%(file)s is none of the formats that can be imported: GIFT, Moodle XML, QTI, OATutor JSON.") % {"file": name}
    )


def _placed(read: ReadFile, file: str) -> ReadFile:
    """Return what was read, with the file in the place of each question."""
    return replace(
        read,
        questions=tuple(replace(each, place=f"{file}, {each.name}") for each in read.questions),
        skipped=tuple(replace(each, name=f"{file}, {each.name}") for each in read.skipped),
    )


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(('{"', '[{"', "{\n", "[\n", "[ ", "{ "))


def decoded(data: bytes, *, name: str) -> str:
    """Return the text in UTF-8, UTF-16 or Windows-1252. Raises ImportRefused for binary files and other encodings."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text and not (encoding == "cp1252" and _is_garbled(text)):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    if b"\0" in data and not _is_utf_16(data):
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        said = _(
            "%(file)s is not a text file: line %(line)d has a character that no text has. Choose a file of questions, or export it again."
        )
        raise ImportRefused(said % {"file": name, "line": line})
    raise ImportRefused(
        _("%(file)s is not a text file in UTF-8. Save it as UTF-8 and choose it again.") % {"file": name}
    )


def _is_utf_16(data: bytes) -> bool:
    """Tell whether a file seems to be text in UTF-16: every other byte is zero."""
    return max(data[::2].count(0), data[1::2].count(0)) > len(data) // 4


def _is_garbled(text: str) -> bool:
    """Tell whether a text was in an alphabet that Windows-1252 does not have: then most of its letters are accented."""
    letters = [each for each in text if each.isalpha()]
    return sum(not each.isascii() for each in letters) > ACCENTED_AT_MOST * len(letters)


def _as_utf8(text: str) -> bytes:
    """Return XML without its declaration, whose encoding no longer applies."""
    stripped = text.lstrip()
    if stripped.startswith("<?xml"):
        stripped = stripped.partition("?>")[2]
    return stripped.encode("utf-8", "replace")


def _read_xml(name: str, data: bytes, *, topic: str) -> ReadFile:
    root = parse_xml(data, name=name)
    match root.tag:
        case "quiz":
            return read_moodle_xml(root, name=name)
        case "questestinterop":
            return read_qti_classic(root, name=name)
        case "assessmentItem":
            return _read_items([root], name=name, topic=topic)
        case "manifest" | "assessmentTest" | "assessmentSection" | "assessment":
            # What a package says about its items is read with the package.
            return _rights(root)
        case _ if any(True for _item in root.iter("assessmentItem")):
            return _read_items(root.iter("assessmentItem"), name=name, topic=topic)
        case _:
            return ReadFile()


def _read_items(items: "Iterator[Element] | list[Element]", *, name: str, topic: str) -> ReadFile:
    read: list[ReadFile] = []
    for number, item in enumerate(items, start=1):
        check_amount(number, name=name)
        place = (item.get("title") or item.get("identifier") or name)[:120]
        try:
            read.append(ReadFile(questions=(read_qti_item(item, place=place, topic=topic),)))
        except QuestionRefused as refused:
            read.append(ReadFile(skipped=(Skipped(name=place, reason=str(refused)),)))
    return joined(read)


def _rights(root: Element) -> ReadFile:
    """Return the licence and title of a manifest or test."""
    licenses = [
        text for each in root.iter("rights") if (text := text_at(each, ".") or "".join(each.itertext()).strip())
    ]
    title = root.get("title", "") if root.tag == "assessmentTest" else ""
    for each in root.iter("title"):
        title = title or "".join(each.itertext()).strip()
    return ReadFile(title=title[:200], licenses=tuple(dict.fromkeys(licenses)))


def _topics_of_items(contents: dict[str, bytes], *, archive: str) -> dict[str, str]:
    """Return the section of each item in a package, by the item's path."""
    topics: dict[str, str] = {}
    for name, data in contents.items():
        if b"assessmentSection" not in data and b"assessment-section" not in data:
            continue
        place = f"{archive}/{name}"
        root = parse_xml(_as_utf8(decoded(data, name=place)), name=place)
        for section in root.iter("assessmentSection"):
            for reference in section.findall("assessmentItemRef"):
                path = PurePosixPath(name).parent / reference.get("href", "")
                topics[path.as_posix()] = section.get("title", "")
    return topics
