"""Reads a document's passages as sections with sentences, each with the passage it stands in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Final, Literal

type Layout = Literal["blocks", "lines", "markdown"]
"""How line breaks are meant: between rows only, at the end of every line on the page, or as in Markdown."""

SEPARATOR: Final = " › "
_SKIPPED: Final = re.compile(
    r"\b(exercises?|practice|homework|quiz|problems?|questions|objectives?|outcomes|goals|bibliography|references"
    r"|further reading|credits?|attributions?|acknowledge?ments?|preface|foreword|about|contents|copyright|index"
    r"|answers?|answer key|solutions?|self[- ]check|try it|errata|appendix|contributors?|authors?|reviewers|dedication"
    r"|media|license|customization|resources|be careful|be prepared|everyday math|writing exercises|wrap-up)\b",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(r"\b(key concepts|summary|highlights|review)\b", re.IGNORECASE)
_ITEM: Final = re.compile(r"(?:[-*+•▪–]|\(?\d{1,2}[.)]|[a-h][.)])\s+")
_NUMBERED: Final = re.compile(r"\(?(\d{1,2})[.)]\s+")
_HEADING_MARK: Final = re.compile(r"#{1,6}\s")
_DESCRIBES: Final = re.compile(
    r"(?i)(?:description|meaning|definition|purpose|what it (?:does|means)|explanation|use|role)s?"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|No|Fig|Figs|Eq|Sec|Ch|Vol|approx|ca|Jr|Sr|Inc|Ltd|al)|\b[A-Z])\.$"
)
_END: Final = re.compile(r"[.?!][\"'”’)]*(?=\s+[\"'“‘(]?(?:[A-Z0-9_]|[a-z_]+\()|\s*$)")
_FENCE: Final = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS: Final = re.compile(r"(\*\*|__|\*|`|(?<!\w)_)(\S(?:[^*`\n]*?\S)?)\1(?!\w)")
_HYPHENATED: Final = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePassage:
    """A stored passage of the document; joined in order, those of a page are its text."""

    number: int
    page: int
    heading: str
    text: str
    is_glossary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    text: str
    passage: int
    """The number of the passage in which it begins."""
    paragraph: int
    """The number of its paragraph in its section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedList:
    """A list that the text numbers itself, and the sentence that introduces it."""

    lead: str
    entries: tuple[str, ...]
    passage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """The first two cells of a row: a term and its description."""

    term: str
    said: str
    passage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribingTable:
    """A table whose second column describes the first."""

    rows: tuple[TableRow, ...]
    number: int
    """Its number in its section; a table that begins anew below a second heading is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSection:
    """A page or section of the document."""

    path: tuple[str, ...]
    """Its headings, outermost first; empty if there are none."""
    page: int
    sentences: tuple[Sentence, ...]
    lists: tuple[NumberedList, ...] = ()
    tables: tuple[DescribingTable, ...] = ()
    glossary: tuple[Sentence, ...] = ()
    """Lines of a list of terms, as `term: meaning`."""

    @property
    def teaches(self) -> bool:
        """Whether questions may rest on it: it is no exercise, preface or list of references."""
        return not any(_SKIPPED.search(name) for name in self.path)

    @property
    def is_summary(self) -> bool:
        return any(_SUMMARY.search(name) for name in self.path)


def read_sections(passages: Iterable[SourcePassage], *, layout: Layout) -> list[SourceSection]:
    """Return the sections in order; passages of one page and heading belong together."""
    groups: dict[tuple[int, str, bool], list[SourcePassage]] = {}
    for passage in passages:
        groups.setdefault((passage.page, passage.heading, passage.is_glossary), []).append(passage)
    return [_section(group, layout=layout) for group in groups.values()]


def _section(passages: Sequence[SourcePassage], *, layout: Layout) -> SourceSection:
    text = "".join(passage.text for passage in passages)
    starts, at = [], 0
    for passage in passages:
        starts.append((at, passage.number))
        at += len(passage.text)
    path = tuple(name.strip() for name in passages[0].heading.split(SEPARATOR) if name.strip())
    is_glossary = passages[0].is_glossary or bool(path and re.fullmatch(r"(?i)glossary|key terms|vocabulary", path[-1]))
    blocks = list(_blocks(text, layout=layout))
    if is_glossary:
        lines = [(begin, line) for begin, block in blocks for line in block.split("\n")]
        glossary = tuple(
            Sentence(text=_tidy(line), passage=_passage_at(starts, begin), paragraph=0) for begin, line in lines
        )
        return SourceSection(path=path, page=passages[0].page, sentences=(), glossary=glossary)
    return SourceSection(
        path=path,
        page=passages[0].page,
        sentences=tuple(_sentences(blocks, starts)),
        lists=tuple(_numbered_lists(blocks, starts)),
        tables=tuple(_describing_tables(blocks, starts)),
    )


def _passage_at(starts: Sequence[tuple[int, int]], at: int) -> int:
    return next((number for begin, number in reversed(starts) if begin <= at), starts[0][1])


def _blocks(text: str, *, layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield the blocks of a text with their places; a paragraph that was wrapped is put on one line."""
    if layout == "markdown":
        text = _FENCE.sub(lambda found: " " * len(found[0]), text)
    for found in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", text, re.DOTALL):
        block = found[0].strip("\n")
        if layout == "blocks":
            yield found.start(), block
        else:
            yield from ((found.start() + at, _plain(one, layout)) for at, one in _unwrapped(block, layout))


def _unwrapped(block: str, layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield paragraphs and lists; a line begins a new paragraph after a short line that ends a sentence."""
    lines = block.split("\n")
    longest = max(map(len, lines))
    taken: list[str] = []
    begin = at = 0
    for line in lines:
        bare = line.strip()
        before = taken[-1] if taken else ""
        is_row = bool(_ITEM.match(bare) or _HEADING_MARK.match(bare))
        ended = before.rstrip().endswith((".", "?", "!", ":")) and len(before) < 0.8 * longest
        title = layout == "lines" and len(before) < 0.6 * longest and not before.rstrip().endswith((",", ";", "-"))
        if (
            taken and not is_row and bare and (ended or (title and bare[:1].isupper() and not _ITEM.match(taken[0])))
        ) or (taken and is_row and not _ITEM.match(taken[0].strip())):
            yield begin, _joined(taken)
            taken, begin = [], at
        taken.append(line if not (is_row and taken) else "\0" + line)
        at += len(line) + 1
    if taken:
        yield begin, _joined(taken)


def _joined(lines: Sequence[str]) -> str:
    text = _HYPHENATED.sub("", "\n".join(line.strip() if line[:1] != "\0" else line for line in lines))
    return re.sub(r"\n(?!\0)", " ", text).replace("\0", "")


def _plain(block: str, layout: Layout) -> str:
    if layout != "markdown":
        return block
    block = _LINK.sub(r"\1", re.sub(r"^(?:#{1,6}|>)\s+", "", block))
    for _round in range(2):
        block = _EMPHASIS.sub(r"\2", block)
    return block


def _sentences(blocks: Sequence[tuple[int, str]], starts: Sequence[tuple[int, int]]) -> Iterator[Sentence]:
    for number, (begin, block) in enumerate(blocks):
        for place, line in _prose_in(block):
            for at, text in split_sentences(line):
                yield Sentence(text=text, passage=_passage_at(starts, begin + place + at), paragraph=number)


def _prose_in(block: str) -> Iterator[tuple[int, str]]:
    """Yield a paragraph, or the bullets of a list that are whole sentences."""
    if is_prose(block):
        yield 0, block
        return
    place = 0
    for line in block.split("\n"):
        mark = re.match(r"\s*[-*•▪–]\s+", line)
        if mark and is_prose(line[mark.end() :]) and line.rstrip().endswith("."):
            yield place + mark.end(), line[mark.end() :]
        place += len(line) + 1


def is_prose(block: str) -> bool:
    """Return whether a block is a paragraph: one line of text, no list, table, code, caption or heading."""
    line = block.strip()
    if "\n" in line or " | " in line or line.startswith("(") or _ITEM.match(line) or _HEADING_MARK.match(line):
        return False
    if re.match(
        r"(?i)(figure|fig\.|table|image|photo|source|credit|listing|box|example|tip|note|ex|hint)\b[\s.:\d]", line
    ):
        return False
    letters = sum(character.isalpha() or character == " " for character in line)
    return letters > 0.75 * len(line) and bool(re.search(r"[.?!:][\"'”’)]*$", line))


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence with its place in the text, spaces made single."""
    begin = 0
    for found in _END.finditer(text):
        piece = text[begin : found.end()]
        if _ABBREVIATION.search(piece) and found.end() < len(text.rstrip()):
            continue
        if tidy := _tidy(piece):
            yield begin + len(piece) - len(piece.lstrip()), tidy
        begin = found.end()
    if tidy := _tidy(text[begin:]):
        yield begin, tidy


def _numbered_lists(blocks: Sequence[tuple[int, str]], starts: Sequence[tuple[int, int]]) -> Iterator[NumberedList]:
    """Yield lists numbered from 1 on, with the sentence before them."""
    for (_begin, lead), (begin, block) in pairwise(blocks):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        numbers = [int(found[1]) if found else 0 for found in map(_NUMBERED.match, lines)]
        if len(lines) > 2 and numbers == list(range(1, len(lines) + 1)) and "\n" not in lead.strip():
            said = [text for _at, text in split_sentences(lead)]
            entries = tuple(_tidy(_NUMBERED.sub("", line, count=1)) for line in lines)
            yield NumberedList(lead=said[-1] if said else "", entries=entries, passage=_passage_at(starts, begin))


def _describing_tables(
    blocks: Sequence[tuple[int, str]], starts: Sequence[tuple[int, int]]
) -> Iterator[DescribingTable]:
    number = count(1)
    for begin, block in blocks:
        width = 0  # Of the table below the last heading.
        same: list[TableRow] = []
        for at, cells in _table_rows(block):
            if _DESCRIBES.fullmatch(cells[1]):
                if len(same) > 2:
                    yield DescribingTable(rows=tuple(same), number=next(number))
                width, same = len(cells), []
            elif len(cells) == width:
                same.append(TableRow(term=cells[0], said=_tidy(cells[1]), passage=_passage_at(starts, begin + at)))
        if len(same) > 2:
            yield DescribingTable(rows=tuple(same), number=next(number))


def _table_rows(block: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table with their places in the block, without lines that only draw borders."""
    at = 0
    for line in block.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) > 1 and not all(set(cell) <= set("-: ") for cell in cells):
            yield at, cells
        at += len(line) + 1


def _tidy(text: str) -> str:
    return " ".join(text.split())
