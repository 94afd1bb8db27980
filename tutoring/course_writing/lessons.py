"""The lesson of a concept in a draft: its pieces in lesson.md, and the replies to them in dialogue.yaml."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from tutoring.course_writing.draft_files import (
    DIALOGUE,
    LESSON,
    MAX_ID,
    STEPS,
    Entry,
    Files,
    UnreadableFile,
    concept_file,
    read_list,
    read_mapping,
    with_data,
    with_file,
)
from tutoring.course_writing.word_lists import ideas_of, words_of
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.lesson_markdown import SECTIONS, read_pieces

FIRST_SECTION: Final = SECTIONS[0]
_GAPS: Final = re.compile(r"\n{3,}")
_HEADING: Final = re.compile(r"^(\\*)(#{2,3}[ \t])", re.MULTILINE)
_GAP: Final = "\n\n\n"
"""What stands before a question without a question mark, which could not be told from the text otherwise."""
_ESCAPED: Final = re.compile(r"^\\(\\*#{2,3}[ \t])", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPiece:
    """A piece of a lesson: the text, the question at its end, and the replies to what the learner says."""

    id: str
    section: str
    text: str = ""
    question: str = ""
    words: str = ""
    """The ideas of a good reply, one a line; empty if every reply will do."""
    heard: str = ""
    not_yet: str = ""
    keeps_ideas: bool = False
    """Whether the ideas are written in a form that `words` cannot show; they are kept."""


def draft_pieces(files: Files, concept: str) -> list[DraftPiece]:
    """Return the pieces in order. Raises UnreadableFile."""
    replies = _replies(files, concept)
    return [_piece(section, name, text, replies.get(name)) for section, name, text in _texts(files, concept)]


def draft_piece(files: Files, concept: str, name: str) -> DraftPiece | None:
    return next((piece for piece in draft_pieces(files, concept) if piece.id == name), None)


def _texts(files: Files, concept: str) -> list[tuple[str, str, str]]:
    path = concept_file(concept, LESSON)
    try:
        sections = read_pieces(files.get(path, ""), file=path)
    except CourseFaults as found:
        raise UnreadableFile(path, str(found.faults[0])) from None
    return [(section, piece.id, piece.text.strip()) for section in SECTIONS for piece in sections.get(section, ())]


def _replies(files: Files, concept: str) -> dict[str, Entry]:
    pieces = read_mapping(files, concept_file(concept, DIALOGUE)).get("pieces")
    return {name: each for name, each in pieces.items() if isinstance(each, dict)} if isinstance(pieces, dict) else {}


def _piece(section: str, name: str, written: str, reply: Entry | None) -> DraftPiece:
    text, question = split_question(_ESCAPED.sub(r"\1", written))
    said = reply or {}
    words = words_of(said.get("ideas", []))
    return DraftPiece(
        id=name,
        section=section,
        text=text,
        question=question,
        words=words or "",
        keeps_ideas=words is None,
        heard=str(said.get("heard") or ""),
        not_yet=str(said.get("not_yet") or ""),
    )


def split_question(written: str) -> tuple[str, str]:
    """Return the text before the last paragraph and that paragraph, if it is a question; else all as the text."""
    text, _gap, last = written.rpartition("\n\n")
    is_question = "?" in last or text.endswith("\n")
    if is_question and "\n" not in last and not last.startswith("!["):
        return text.rstrip("\n"), last
    return written, ""


def _written(piece: DraftPiece) -> str:
    """Return the text and the question as they stand in the file, from which `split_question` reads them."""
    text, question = _GAPS.sub("\n\n", piece.text.strip()), " ".join(piece.question.split())
    return ("\n\n" if "?" in question else _GAP).join(filter(None, (text, question)))


def put_piece(files: Files, concept: str, piece: DraftPiece) -> Files:
    """Return the files with a piece changed, or added at the end of its section."""
    others = _texts(files, concept)
    own = (piece.section, piece.id, _HEADING.sub(r"\\\1\2", _written(piece)))
    at = next((at for at, (_section, name, _text) in enumerate(others) if name == piece.id), None)
    if at is not None and others[at][0] == piece.section:
        others[at] = own
    else:
        others = [*(each for each in others if each[1] != piece.id), own]
    return _with_reply(_with_texts(files, concept, others), concept, piece)


def move_piece(files: Files, concept: str, name: str, *, by: int) -> Files:
    """Return the files with a piece moved up (-1) or down (1) within its section."""
    texts = _texts(files, concept)
    at = next((at for at, each in enumerate(texts) if each[1] == name), None)
    if at is None or not 0 <= at + by < len(texts) or texts[at + by][0] != texts[at][0]:
        return files
    texts.insert(at + by, texts.pop(at))
    return _with_texts(files, concept, texts)


def remove_piece(files: Files, concept: str, name: str) -> Files:
    """Return the files without a piece, its replies and its exercise."""
    files = _with_texts(files, concept, [each for each in _texts(files, concept) if each[1] != name])
    files = _with_replies(files, concept, {key: each for key, each in _replies(files, concept).items() if key != name})
    steps = read_list(files, concept_file(concept, STEPS))
    kept = [each for each in steps if each.get("piece") != name]
    return with_data(files, concept_file(concept, STEPS), kept) if len(kept) < len(steps) else files


def new_piece(files: Files, concept: str, section: str) -> DraftPiece:
    """Return an empty piece. No piece of the course has its id, since replies are judged by it alone."""
    taken = "\n".join(text for path, text in files.items() if path.endswith(LESSON))
    names = (f"{concept[: MAX_ID - 5]}-p{number}" for number in count(1))
    name = next(name for name in names if not re.search(rf"^###[ \t]+{re.escape(name)}[ \t]*$", taken, re.MULTILINE))
    return DraftPiece(id=name, section=section if section in SECTIONS else FIRST_SECTION)


def _with_texts(files: Files, concept: str, texts: Iterable[tuple[str, str, str]]) -> Files:
    path = concept_file(concept, LESSON)
    rows = list(texts)
    if path in files and rows == _texts(files, concept):
        return files
    lines = [_front(files.get(path, ""), concept)]
    for section in SECTIONS:
        if own := [(name, text) for place, name, text in rows if place == section]:
            lines.append(f"## {section}")
            lines += [f"### {name}\n\n{text}".rstrip() for name, text in own]
    return with_file(files, path, "\n\n".join(lines) + "\n")


def _front(written: str, concept: str) -> str:
    """Return the front matter, or that of a new lesson."""
    lines = written.split("\n")
    if lines and lines[0].rstrip() == "---":
        end = next((at for at, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), None)
        if end is not None:
            return "\n".join(lines[: end + 1])
    return f"---\nconcept: {concept}\n---"


def _with_reply(files: Files, concept: str, piece: DraftPiece) -> Files:
    replies = _replies(files, concept)
    kept = {
        key: value
        for key, value in replies.get(piece.id, {}).items()
        if key not in ("heard", "not_yet", *(() if piece.keeps_ideas else ("ideas",)))
    }
    ideas = [] if piece.keeps_ideas else ideas_of(piece.words)
    said = {"ideas": ideas, "heard": piece.heard.strip(), "not_yet": piece.not_yet.strip()}
    own = kept | {key: value for key, value in said.items() if value}
    changed = (
        {key: value for key, value in replies.items() if key != piece.id} if not own else replies | {piece.id: own}
    )
    return _with_replies(files, concept, changed)


def _with_replies(files: Files, concept: str, replies: dict[str, Entry]) -> Files:
    path = concept_file(concept, DIALOGUE)
    dialogue = read_mapping(files, path)
    if dialogue.get("pieces", {}) == replies:
        return files
    rest = {key: value for key, value in dialogue.items() if key != "pieces"}
    data = ({"pieces": replies} if replies else {}) | rest
    return with_data(files, path, data) if data else with_file(files, path, None)


def cleaned(piece: DraftPiece) -> DraftPiece:
    """Return the piece as it is read again after it is written."""
    text, question = split_question(_written(piece))
    return replace(
        piece,
        text=text,
        question=question,
        words=words_of(ideas_of(piece.words)) or "",
        heard=piece.heard.strip(),
        not_yet=piece.not_yet.strip(),
    )
