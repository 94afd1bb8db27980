"""Descriptions of a drawing and questions about it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext, gettext_lazy, ngettext

from conversations.drawing.schema import NumberLine

if TYPE_CHECKING:
    from django.utils.functional import Promise

    from conversations.drawing.regions import Doubt
    from conversations.drawing.results import SeenShape

OwnDoubt = Literal["equal", "many", "nothing"]
MOST_SHARES = 6
"""Maximum number of shares listed one by one."""
LONGEST = 600
"""Maximum length of a description in characters, short enough to be read aloud."""
_QUESTIONS: "Mapping[Doubt | OwnDoubt, Promise]" = {
    "reach": gettext_lazy("I can’t see your drawing clearly: is the line meant to reach the edge?"),
    "closed": gettext_lazy("I can’t see your drawing clearly: is the outline meant to go all the way around?"),
    "beyond": gettext_lazy("I can’t see your drawing clearly: is the line that sticks out part of the shape?"),
    "hatching": gettext_lazy("I can’t see your drawing clearly: do these lines divide the shape, or are they shading?"),
    "one_or_two": gettext_lazy("I can’t see your drawing clearly: are these parts of one shape, or separate shapes?"),
    "inside": gettext_lazy("I see one shape inside another. Which one should we look at?"),
    "equal": gettext_lazy("These are nearly the same size. Did you mean them to be equal?"),
    "many": gettext_lazy("There are many parts. How many did you mean to draw?"),
    "nothing": gettext_lazy("I can’t see your drawing clearly. Tell me in words: what did you draw?"),
}
SQUARISH, ROUND = {"rectangle", "square"}, {"circle", "ellipse"}


def question(doubt: "Doubt | OwnDoubt | None") -> str:
    return str(_QUESTIONS[doubt]) if doubt else ""


def description(
    shapes: Sequence["SeenShape"], *, equal: bool | None, sizes: Sequence[float], others: Sequence[str], text: bool
) -> str:
    """Return a description of the board, at most 600 characters."""
    told: list[str] = []
    if shapes and all(len(shape.shares) == 1 and not shape.shaded for shape in shapes):
        told.append(_whole_shapes([shape.kind for shape in shapes], equal=equal, sizes=sizes))
    else:
        told += [_one(shape) for shape in shapes[:MOST_SHARES]]
        if len(shapes) > MOST_SHARES:
            told.append(gettext("There are %(count)s shapes in all.") % {"count": len(shapes)})
    told += others
    if text:
        told.append(gettext("There is some writing."))
    whole = " ".join(told) or gettext("There are no closed shapes and no writing.")
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1].rstrip()}…"


def number_line(item: NumberLine) -> str:
    line = {"start": f"{item.start:g}", "end": f"{item.end:g}", "step": f"{item.step:g}"}
    if not item.marks:
        return gettext("A number line from %(start)s to %(end)s in steps of %(step)s.") % line
    line["marks"] = ", ".join(f"{mark:g}" for mark in item.marks)
    return gettext("A number line from %(start)s to %(end)s in steps of %(step)s, marked at %(marks)s.") % line


def _one(shape: "SeenShape") -> str:
    """Return a sentence about one shape and its parts."""
    count, name = len(shape.shares), _a(shape.kind)
    if count == 1:
        sentence = gettext("%(shape)s, completely shaded.") if shape.shaded else gettext("%(shape)s.")
        return sentence % {"shape": name}
    sentence = gettext("%(shape)s cut into %(count)s equal parts.")
    if not shape.equal:
        sentence = gettext("%(shape)s cut into %(count)s unequal parts.")
        if count <= MOST_SHARES:
            sentence = gettext("%(shape)s cut into %(count)s unequal parts (about %(shares)s).")
    shares = ", ".join(f"{100 * share:.0f}%" for share in shape.shares)
    sentence %= {"shape": name, "count": count, "shares": shares}
    if not shape.shaded:
        return sentence
    shaded = ngettext("%(shaded)s part is shaded.", "%(shaded)s parts are shaded.", shape.shaded)
    return f"{sentence} {shaded % {'shaded': shape.shaded}}"


def _whole_shapes(kinds: Sequence[str], *, equal: bool | None, sizes: Sequence[float]) -> str:
    """Return a sentence about undivided shapes."""
    if len(kinds) == 1:
        return f"{_a(kinds[0])}."
    alike = _alike(kinds)
    if not alike:
        return _separate_shapes(kinds)
    name = _several(alike, len(kinds))
    if equal:
        return gettext("%(shapes)s of the same size.") % {"shapes": name}
    if len(sizes) == 2:
        sentence = gettext(
            "%(shapes)s of different sizes: the larger is about %(times)s times as big as the smaller one."
        )
        return sentence % {"shapes": name, "times": f"{max(sizes) / min(sizes):.1f}"}
    return gettext("%(shapes)s of different sizes.") % {"shapes": name}


def _separate_shapes(kinds: Sequence[str]) -> str:
    names = [_several(kind, count) if count > 1 else _a(kind) for kind, count in Counter(kinds).items()]
    listed = ", ".join(name[0].lower() + name[1:] for name in names)
    return gettext("Separate shapes: %(names)s.") % {"names": listed}


def _alike(kinds: Sequence[str]) -> str:
    """Return the common name of the shapes; empty if they differ."""
    for family, name in ((SQUARISH, "rectangle"), (ROUND, "ellipse")):
        if set(kinds) <= family:
            return name if len(set(kinds)) > 1 else kinds[0]
    return kinds[0] if len(set(kinds)) == 1 else ""


def _a(kind: str) -> str:
    return {
        "rectangle": gettext("A rectangle"),
        "square": gettext("A square"),
        "circle": gettext("A circle"),
        "ellipse": gettext("An oval"),
        "triangle": gettext("A triangle"),
        "fraction_bar": gettext("A fraction bar"),
    }.get(kind, gettext("A shape"))


def _several(kind: str, count: int) -> str:
    names = {
        "rectangle": gettext("%(count)s rectangles"),
        "square": gettext("%(count)s squares"),
        "circle": gettext("%(count)s circles"),
        "ellipse": gettext("%(count)s ovals"),
        "triangle": gettext("%(count)s triangles"),
        "fraction_bar": gettext("%(count)s fraction bars"),
    }
    return names.get(kind, gettext("%(count)s shapes")) % {"count": count}
