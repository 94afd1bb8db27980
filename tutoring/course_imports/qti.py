"""Reads items of QTI 2.1, 2.2 and 3.0. Names of QTI 3 were changed to those of QTI 2 when parsing."""

from typing import Any
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from tutoring.course_imports.html_text import markdown_of_html, plain_text
from tutoring.course_imports.numbers import number_with_tolerance
from tutoring.course_imports.questions import ImportedQuestion, Option, QuestionRefused, check_parts
from tutoring.course_imports.xml_trees import inner_html

_INTERACTIONS = {
    "choiceInteraction", "inlineChoiceInteraction", "textEntryInteraction", "extendedTextInteraction",
    "orderInteraction", "matchInteraction", "associateInteraction", "gapMatchInteraction", "hotspotInteraction",
    "hottextInteraction", "graphicGapMatchInteraction", "uploadInteraction", "sliderInteraction", "drawingInteraction",
    "mediaInteraction", "customInteraction", "portableCustomInteraction", "positionObjectInteraction",
    "selectPointInteraction", "graphicOrderInteraction", "graphicAssociateInteraction", "endAttemptInteraction",
}  # fmt: skip
_PARTS = frozenset({"simpleChoice", "inlineChoice", "simpleAssociableChoice", "value", "mapEntry", "modalFeedback"})
_HIDDEN = frozenset({"feedbackInline", "feedbackBlock", "rubricBlock", "prompt", "catalogInfo", *_INTERACTIONS})


def read_qti_item(root: Element, *, place: str, topic: str = "") -> ImportedQuestion:
    """Return the question of an `<assessmentItem>`. Raises QuestionRefused."""
    check_parts(sum(element.tag in _PARTS for element in root.iter()))
    body = root.find("itemBody")
    found = [element for element in root.iter() if element.tag in _INTERACTIONS]
    if body is None or not found:
        raise QuestionRefused(_("It has no answers: it is a description."))
    if len(found) > 1:
        raise QuestionRefused(_("It asks several questions at once."))
    interaction = found[0]
    declared = _declaration(root, interaction.get("responseIdentifier", ""))
    given: dict[str, Any] = {
        "name": place,
        "stem": _stem(body, interaction),
        "topic": topic,
        "explanation": _explanation(root),
        "hints": _hints(root),
    }
    if not given["stem"]:
        raise QuestionRefused(_("It has no question text."))
    match interaction.tag:
        case "choiceInteraction" | "inlineChoiceInteraction":
            return _choice(interaction, declared, given)
        case "textEntryInteraction":
            return _entry(root, declared, given)
        case "orderInteraction":
            return _order(interaction, declared, given)
        case "matchInteraction":
            return _match(interaction, declared, given)
        case "extendedTextInteraction":
            raise QuestionRefused(_("It is an essay: no rule can grade it."))
        case kind:
            raise QuestionRefused(_("Questions of the type “%(kind)s” are not supported.") % {"kind": str(kind)})


def _declaration(root: Element, name: str) -> Element:
    for declared in root.findall("responseDeclaration"):
        if declared.get("identifier") == name:
            return declared
    raise QuestionRefused(_("It has no right answer."))


def _right(declared: Element) -> list[str]:
    values = ["".join(value.itertext()).strip() for value in declared.findall("correctResponse/value")]
    if not values:
        raise QuestionRefused(_("It has no right answer."))
    return values


def _stem(body: Element, interaction: Element) -> str:
    """Return the text around the interaction with a blank where the answer is typed, and its prompt."""
    if interaction.tag in ("textEntryInteraction", "inlineChoiceInteraction"):
        shown = inner_html(_with_blank(body, interaction), without=_HIDDEN)
    else:
        shown = inner_html(body, without=_HIDDEN)
    prompt = markdown_of_html(inner_html(interaction.find("prompt")))
    return "\n\n".join(filter(None, [markdown_of_html(shown), prompt]))


def _with_blank(body: Element, interaction: Element) -> Element:
    """Return the body with "_____" for the interaction if text follows it."""
    parent = next(each for each in body.iter() if interaction in list(each))
    if (interaction.tail or "").strip(" \n.:"):
        blank = Element("span")
        blank.text, blank.tail = "_____", interaction.tail
        parent[list(parent).index(interaction)] = blank
    return body


def _explanation(root: Element) -> str:
    return "\n\n".join(
        filter(
            None, (markdown_of_html(inner_html(each)) for each in root.findall("modalFeedback") if _is_general(each))
        )
    )


def _is_general(feedback: Element) -> bool:
    return feedback.get("identifier", "").lower() in ("solution", "general", "general_feedback", "explanation")


def _hints(root: Element) -> tuple[str, ...]:
    hints = [each for each in root.findall("modalFeedback") if each.get("identifier", "").lower().startswith("hint")]
    return tuple(markdown_of_html(inner_html(each)) for each in hints)


def _choice(interaction: Element, declared: Element, given: dict[str, Any]) -> ImportedQuestion:
    right = set(_right(declared))
    name = "inlineChoice" if interaction.tag == "inlineChoiceInteraction" else "simpleChoice"
    options = tuple(
        Option(
            text=markdown_of_html(inner_html(choice, without=frozenset({"feedbackInline"}))),
            is_right=choice.get("identifier") in right,
            feedback=" ".join(markdown_of_html(inner_html(each)) for each in choice.iter("feedbackInline")),
        )
        for choice in interaction.iter(name)
    )
    several = declared.get("cardinality") == "multiple" or sum(option.is_right for option in options) > 1
    is_multi = several and interaction.get("maxChoices", "0") != "1"
    shuffled = interaction.get("shuffle", "true") == "true"
    return ImportedQuestion(kind="multi" if is_multi else "choice", options=options, shuffle=shuffled, **given)


def _entry(root: Element, declared: Element, given: dict[str, Any]) -> ImportedQuestion:
    if declared.get("baseType") in ("integer", "float"):
        value, tolerance = number_with_tolerance(_right(declared)[0], _tolerance(root))
        return ImportedQuestion(kind="numeric", accepted=(value,), tolerance=tolerance, **given)
    entries = declared.findall("mapping/mapEntry")
    if any(entry.get("caseSensitive") == "true" and (entry.get("mapKey") or "").isupper() for entry in entries):
        raise QuestionRefused(_("It tells capital letters from small ones, which grading does not."))
    best = max((_number(entry.get("mappedValue")) for entry in entries), default=0)
    mapped = [entry.get("mapKey", "") for entry in entries if _number(entry.get("mappedValue")) >= best > 0]
    if entries and not mapped:
        raise QuestionRefused(_("None of its answers is fully right."))
    accepted = tuple(dict.fromkeys(filter(None, (plain_text(each) for each in mapped or _right(declared)))))
    return ImportedQuestion(kind="text", accepted=accepted, **given)


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def _tolerance(root: Element) -> str:
    """Return the absolute tolerance of an `<equal>`; "0" for exact. Raises QuestionRefused for a relative one."""
    for equal in root.iter("equal"):
        mode, around = equal.get("toleranceMode", "exact"), equal.get("tolerance", "0").split()
        if mode == "relative":
            raise QuestionRefused(_("Its tolerance is a percentage, which cannot be taken over."))
        if mode == "absolute" and len(set(around)) > 1:
            raise QuestionRefused(_("Its tolerance is larger on one side."))
        return around[0] if mode == "absolute" and around else "0"
    return "0"


def _order(interaction: Element, declared: Element, given: dict[str, Any]) -> ImportedQuestion:
    texts = {
        each.get("identifier", ""): markdown_of_html(inner_html(each)) for each in interaction.iter("simpleChoice")
    }
    right = _right(declared)
    if sorted(right) != sorted(texts):
        raise QuestionRefused(_("Only some of its entries have a place in the order."))
    options = tuple(Option(text=texts[name], is_right=True) for name in right)
    return ImportedQuestion(kind="order", options=options, **given)


def _match(interaction: Element, declared: Element, given: dict[str, Any]) -> ImportedQuestion:
    sets = interaction.findall("simpleMatchSet")
    if len(sets) != 2:
        raise QuestionRefused(_("Its rows and partners cannot be read."))
    rows, partners = (
        {each.get("identifier", ""): markdown_of_html(inner_html(each)) for each in one.iter("simpleAssociableChoice")}
        for one in sets
    )
    partner_of: dict[str, str] = {}
    for pair in _right(declared):
        row, _space, partner = pair.partition(" ")
        if row in partner_of or row not in rows or partner not in partners:
            raise QuestionRefused(_("Some rows have several partners, or none."))
        partner_of[row] = partner
    if partner_of.keys() != rows.keys():
        raise QuestionRefused(_("Some rows have several partners, or none."))
    return ImportedQuestion(
        kind="match",
        pairs=tuple((text, partners[partner_of[row]]) for row, text in rows.items()),
        spare=tuple(text for name, text in partners.items() if name not in partner_of.values()),
        **given,
    )
