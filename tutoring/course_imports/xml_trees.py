"""Parses XML of unknown origin, without entities, and looks elements up by name in any namespace."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, tostring

import defusedxml
import defusedxml.ElementTree
from django.utils.html import escape
from django.utils.translation import gettext as _

from tutoring.course_imports.questions import ImportRefused

MAX_DEPTH = 200


def parse_xml(data: bytes, *, name: str) -> Element:
    """Return the root, with names in the form of QTI 2: `qti-choice-interaction` becomes `choiceInteraction`.

    Raises ImportRefused for XML that is broken, nested too deeply, or has entities of its own.
    """
    try:
        root: Element = defusedxml.ElementTree.fromstring(data, forbid_dtd=False)
    except ParseError as error:
        line = error.position[0]
        raise ImportRefused(
            _("%(file)s, line %(line)d: this is not well-formed XML. Correct it, or export the file again.")
            % {"file": name, "line": line}
        ) from None
    except (defusedxml.DefusedXmlException, ValueError):
        raise ImportRefused(
            _(
                "%(file)s defines XML entities (“<!ENTITY …>”), which is not allowed. Save it without them and try again."
            )
            % {"file": name}
        ) from None
    _rename(root, name)
    return root


def _rename(root: Element, name: str) -> None:
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise ImportRefused(_("The XML in %(file)s is nested too deeply.") % {"file": name})
        if isinstance(element.tag, str):
            element.tag = _plain_name(element.tag)
        element.attrib = {_plain_name(key): value for key, value in element.attrib.items()}
        waiting.extend((child, depth + 1) for child in element)


def _plain_name(name: str) -> str:
    bare = name.rpartition("}")[2]
    first, *rest = bare.removeprefix("qti-").split("-")
    return first + "".join(part.capitalize() for part in rest)


def inner_html(element: Element | None, *, without: frozenset[str] = frozenset()) -> str:
    """Return what an element contains as HTML, without the elements of these names."""
    if element is None:
        return ""
    pieces: list[str] = [escape(element.text or "")]
    for child in element:
        if child.tag in without:
            pieces.append(escape(child.tail or ""))
        else:
            copy = tostring(_stripped(child, without), encoding="unicode")
            pieces.append(copy)
    return "".join(pieces)


def _stripped(element: Element, without: frozenset[str]) -> Element:
    copy = Element(str(element.tag), element.attrib)
    copy.text, copy.tail = element.text, element.tail
    for child in element:
        if child.tag not in without:
            copy.append(_stripped(child, without))
        elif child.tail:
            if len(copy):
                copy[-1].tail = (copy[-1].tail or "") + child.tail
            else:
                copy.text = (copy.text or "") + child.tail
    return copy


def text_at(element: Element, path: str) -> str:
    """Return the text at a path, without surrounding space; empty if there is none."""
    found = element.find(path)
    return "".join(found.itertext()).strip() if found is not None else ""


def all_named(element: Element, name: str) -> Iterator[Element]:
    """Yield the elements of a name anywhere inside."""
    return element.iter(name)
