"""Reader for CNXML, the format of OpenStax books: one module, or a collection in the order of its contents."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException, ElementTree

from conversations.readers.archives import ArchiveEntry, tar_entries, zip_entries
from conversations.readers.cnxml_text import CNXML, blocks, text_of, title_of
from conversations.readers.document import Page, Problem, Progress, ReaderOutput, Title, Unreadable
from conversations.readers.headings import heading_path, number_sections

DOCUMENT = f"{CNXML}document"
COLLECTION = "{http://cnx.rice.edu/collxml}"
METADATA = "{http://cnx.rice.edu/mdml}"
GLOSSARY = "Glossary"
LICENSE = "License"
_MODULE = re.compile(r"(?:.*/)?([^/]+)/[^/]+\.cnxml")


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    """Yield a page for each section. Raises Unreadable: ENTITIES, DAMAGED, and those of archives."""
    start = file.read(2)
    file.seek(0)
    if start == b"\x1f\x8b":
        yield from number_sections(book(tar_entries(file)))
    elif start == b"PK":
        yield from number_sections(book(zip_entries(file)))
    else:
        document = parse_xml(file.read(), root=DOCUMENT)
        yield Title(title=title_of(document))
        yield from number_sections(chain(sections(document), license_page(document)))


def book(entries: Iterable[ArchiveEntry]) -> Iterator[ReaderOutput]:
    """Yield the available modules in the order of the table of contents; without one, by name."""
    modules, contents = _read_entries(entries)
    tables = [parse_xml(contents[name], root=f"{COLLECTION}collection") for name in sorted(contents)]
    for table in tables[:1]:
        yield Title(title=table.findtext(f".//{METADATA}title") or "")
    places = [place for table in tables for place in modules_in(table) if place.module in modules]
    places = places or [ModulePlace(module=name) for name in sorted(modules)]
    for number, place in enumerate(places, start=1):
        yield Progress(page=number, of=len(places))
        document = parse_xml(modules[place.module], root=DOCUMENT)
        yield from sections(document, above=(*place.above, title_of(document)))
    for table in tables[:1]:
        yield from license_page(table)


def _read_entries(entries: Iterable[ArchiveEntry]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the modules by their id, and the tables of contents by their file's name."""
    modules: dict[str, bytes] = {}
    contents: dict[str, bytes] = {}
    for entry in entries:
        if found := _MODULE.fullmatch(entry.name):
            modules[found[1]] = entry.content()
        elif entry.name.endswith("collection.xml"):
            contents[entry.name] = entry.content()
    return modules, contents


@dataclass(frozen=True, slots=True, kw_only=True)
class ModulePlace:
    """A module's place in a book."""

    module: str
    above: tuple[str, ...] = ()
    """Its chapters, outermost first."""


def modules_in(table: Element, *, above: tuple[str, ...] = ()) -> Iterator[ModulePlace]:
    """Yield the modules of a table of contents, in order."""
    for element in table.iterfind(f"{COLLECTION}content/*"):
        if element.tag == f"{COLLECTION}module":
            yield ModulePlace(module=element.get("document", ""), above=above)
        else:
            yield from modules_in(element, above=(*above, (element.findtext(f"{METADATA}title") or "").strip()))


def sections(element: Element, *, above: tuple[str, ...] = ()) -> Iterator[Page]:
    """Yield a page for the text before the first section, one for each section, and one for a glossary."""
    body = element.find(f"{CNXML}content")
    body = element if body is None else body
    yield Page(number=0, heading=heading_path(*above), text=text_of(body))
    for section in body.iterfind(f"{CNXML}section"):
        yield from sections(section, above=(*above, title_of(section)))
    for glossary in element.iterfind(f"{CNXML}glossary"):
        yield Page(number=0, heading=heading_path(*above, GLOSSARY), text="\n".join(blocks(glossary)), glossary=True)


def license_page(element: Element) -> Iterator[Page]:
    """Yield a page with the license that the metadata of a module or collection name."""
    for named in list(element.iter(f"{METADATA}license"))[:1]:
        said = [" ".join((named.text or "").split()), named.get("url", "").strip()]
        if any(said):
            yield Page(number=0, heading=LICENSE, text=" ".join(filter(None, said)))


def parse_xml(content: bytes, *, root: str) -> Element:
    try:
        element: Element = ElementTree.fromstring(content)
    except DefusedXmlException as error:
        raise Unreadable(Problem.ENTITIES) from error
    except ParseError as error:
        raise Unreadable(Problem.DAMAGED) from error
    if element.tag != root:
        raise Unreadable(Problem.UNSUPPORTED)
    return element
