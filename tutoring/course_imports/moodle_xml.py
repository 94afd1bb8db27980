"""Reads the XML in which Moodle exports questions."""

from typing import Any
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.course_imports.gift import topic_of_path
from tutoring.course_imports.html_text import literal, markdown_of_html, plain_text
from tutoring.course_imports.numbers import number_with_tolerance
from tutoring.course_imports.questions import (
    ImportedQuestion,
    Option,
    QuestionRefused,
    ReadFile,
    Skipped,
    check_amount,
    check_parts,
)
from tutoring.course_imports.xml_trees import text_at

_NOT_TAKEN = {
    "essay": gettext_lazy("It is an essay: no rule can grade it."),
    "description": gettext_lazy("It has no answers: it is a description."),
}


def read_moodle_xml(root: Element, *, name: str = "") -> ReadFile:
    """Return the questions of a `<quiz>`; what cannot be taken is listed with its reason."""
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    topic = ""
    for number, element in enumerate(root.iter("question"), start=1):
        kind = element.get("type", "")
        if kind == "category":
            topic = topic_of_path(text_at(element, "category/text"))
            continue
        check_amount(len(questions) + len(skipped) + 1, name=name)
        place = text_at(element, "name/text")[:120] or _("question %(number)d") % {"number": number}
        try:
            questions.append(_question(element, kind, place, topic))
        except QuestionRefused as refused:
            skipped.append(Skipped(name=place, reason=str(refused)))
    return ReadFile(questions=tuple(questions), skipped=tuple(skipped))


def _question(element: Element, kind: str, place: str, topic: str) -> ImportedQuestion:
    check_parts(len(element))
    if element.find(".//file") is not None:
        raise QuestionRefused(_("It shows a picture, a sound or another object, which a course cannot hold."))
    stem = _markdown(element.find("questiontext"))
    given: dict[str, Any] = {
        "name": place,
        "stem": stem,
        "topic": topic,
        "hints": tuple(filter(None, (_markdown(hint) for hint in element.findall("hint")))),
        "explanation": _markdown(element.find("generalfeedback")),
    }
    if kind in _NOT_TAKEN:
        raise QuestionRefused(_NOT_TAKEN[kind])
    if not stem:
        raise QuestionRefused(_("It has no question text."))
    match kind:
        case "multichoice" | "truefalse":
            return _choice(element, kind, given)
        case "shortanswer":
            return _short_answer(element, given)
        case "numerical":
            return _numerical(element, given)
        case "matching":
            return _matching(element, given)
        case "ordering":
            options = tuple(Option(text=_markdown(answer), is_right=True) for answer in element.findall("answer"))
            return ImportedQuestion(kind="order", options=options, **given)
        case _:
            raise QuestionRefused(_("Questions of the type “%(kind)s” are not supported.") % {"kind": kind[:40]})


def _choice(element: Element, kind: str, given: dict[str, Any]) -> ImportedQuestion:
    several = text_at(element, "single").lower() in ("false", "0")
    options = tuple(
        Option(
            text=_markdown(answer),
            is_right=_fraction(answer) > (0 if several else 99.9),
            feedback=_markdown(answer.find("feedback")),
        )
        for answer in element.findall("answer")
    )
    if kind == "truefalse":
        names = {"true": _("True"), "false": _("False")}
        options = tuple(
            Option(text=names.get(each.text.lower(), each.text), is_right=each.is_right, feedback=each.feedback)
            for each in options
        )
    is_multi = several or sum(option.is_right for option in options) > 1
    return ImportedQuestion(
        kind="multi" if is_multi else "choice", options=options, shuffle=kind != "truefalse", **given
    )


def _short_answer(element: Element, given: dict[str, Any]) -> ImportedQuestion:
    if text_at(element, "usecase") == "1":
        raise QuestionRefused(_("It tells capital letters from small ones, which grading does not."))
    right = [answer for answer in element.findall("answer") if _fraction(answer) >= 100]
    accepted = tuple(filter(None, (plain_text(text_at(answer, "text")) for answer in right)))
    if not accepted:
        raise QuestionRefused(_("None of its answers is fully right."))
    return ImportedQuestion(kind="text", accepted=accepted, **given)


def _numerical(element: Element, given: dict[str, Any]) -> ImportedQuestion:
    if element.find("units/unit") is not None:
        raise QuestionRefused(_("It asks for a unit, which cannot be taken over."))
    for answer in element.findall("answer"):
        if _fraction(answer) >= 100:
            value, tolerance = number_with_tolerance(text_at(answer, "text"), text_at(answer, "tolerance") or "0")
            return ImportedQuestion(kind="numeric", accepted=(value,), tolerance=tolerance, **given)
    raise QuestionRefused(_("None of its answers is fully right."))


def _matching(element: Element, given: dict[str, Any]) -> ImportedQuestion:
    pairs = [
        (_markdown(each), literal(plain_text(text_at(each, "answer/text")))) for each in element.findall("subquestion")
    ]
    return ImportedQuestion(
        kind="match",
        pairs=tuple(pair for pair in pairs if pair[0]),
        spare=tuple(right for left, right in pairs if not left),
        **given,
    )


def _fraction(answer: Element) -> float:
    try:
        return float(answer.get("fraction", "0"))
    except ValueError:
        return 0.0


def _markdown(element: Element | None) -> str:
    """Return an element's text as Markdown, by the format that it names; HTML if it names none."""
    if element is None:
        return ""
    text = text_at(element, "text")
    match element.get("format", "html"):
        case "markdown":
            return text
        case "plain_text":
            return literal(text)
        case _:
            return markdown_of_html(text)
