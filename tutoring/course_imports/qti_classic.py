"""Reads QTI 1.2 as Canvas exports it."""

from typing import Any
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from tutoring.course_imports.html_text import literal, markdown_of_html, plain_text
from tutoring.course_imports.numbers import decimal_of, number_between, number_text, number_with_tolerance
from tutoring.course_imports.questions import (
    ImportedQuestion,
    Option,
    QuestionRefused,
    ReadFile,
    Skipped,
    check_amount,
    check_parts,
)

_KINDS = {
    "multiple_choice_question": "choice", "true_false_question": "choice", "multiple_answers_question": "multi",
    "short_answer_question": "text", "fill_in_the_blank_question": "text", "numerical_question": "numeric",
    "matching_question": "match",
}  # fmt: skip

_PARTS = frozenset({"response_label", "respcondition", "varequal", "itemfeedback"})


def read_qti_classic(root: Element, *, name: str = "") -> ReadFile:
    """Return the questions of a `<questestinterop>`; its assessment's title is the topic of its items."""
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    assessment = root.find("assessment")
    topic = (assessment.get("title", "") if assessment is not None else "").strip()
    for number, item in enumerate(root.iter("item"), start=1):
        check_amount(len(questions) + len(skipped) + 1, name=name)
        place = item.get("title") or item.get("ident") or _("question %(number)d") % {"number": number}
        if place == "Question":
            place = f"{topic or name} {number}".strip()
        try:
            questions.append(_question(item, place[:120], topic))
        except QuestionRefused as refused:
            skipped.append(Skipped(name=place[:120], reason=str(refused)))
    return ReadFile(questions=tuple(questions), skipped=tuple(skipped), title=topic)


def _question(item: Element, place: str, topic: str) -> ImportedQuestion:
    check_parts(sum(element.tag in _PARTS for element in item.iter()))
    kind = _field(item, "question_type")
    stem = _material(item.find("presentation/material"))
    given: dict[str, Any] = {
        "name": place,
        "stem": stem,
        "topic": topic,
        "explanation": _feedback(item, "general_fb"),
    }
    if not stem:
        raise QuestionRefused(_("It has no question text."))
    match _KINDS.get(kind) or _guessed_kind(item):
        case "choice":
            return ImportedQuestion(kind="choice", options=_options(item), **given)
        case "multi":
            return ImportedQuestion(kind="multi", options=_options(item), **given)
        case "text":
            return _text(item, given)
        case "numeric":
            return _numeric(item, given)
        case "match":
            return _match(item, given)
        case _ if kind == "essay_question":
            raise QuestionRefused(_("It is an essay: no rule can grade it."))
        case _:
            raise QuestionRefused(_("Questions of the type “%(kind)s” are not supported.") % {"kind": kind[:60] or "?"})


def _guessed_kind(item: Element) -> str:
    """Return the kind of an item of another program, which does not name it."""
    lids = list(item.iter("response_lid"))
    if _field(item, "question_type") or len(lids) != 1:
        return ""
    return "multi" if lids[0].get("rcardinality") == "Multiple" else "choice"


def _field(item: Element, label: str) -> str:
    for field in item.iter("qtimetadatafield"):
        if (field.findtext("fieldlabel") or "").strip() == label:
            return (field.findtext("fieldentry") or "").strip()
    return ""


def _material(element: Element | None) -> str:
    texts = [] if element is None else list(element.iter("mattext"))
    if element is not None and any(True for name in ("matimage", "mataudio", "matvideo") for _e in element.iter(name)):
        raise QuestionRefused(_("It shows a picture, a sound or another object, which a course cannot hold."))
    return "\n\n".join(
        markdown_of_html(text.text or "") if text.get("texttype") == "text/html" else literal((text.text or "").strip())
        for text in texts
    ).strip()


def _feedback(item: Element, ident: str) -> str:
    for feedback in item.findall("itemfeedback"):
        if feedback.get("ident") == ident:
            return _material(feedback)
    return ""


def _right_conditions(item: Element) -> list[Element]:
    """Return the conditions under which the score becomes 100, or the highest that any sets."""
    scored = [(_score(condition), condition) for condition in item.iter("respcondition")]
    best = max((score for score, _c in scored), default=0)
    if best <= 0:
        raise QuestionRefused(_("It has no right answer."))
    return [condition for score, condition in scored if score == best]


def _score(condition: Element) -> float:
    number = decimal_of(condition.findtext("setvar") or "0")
    return float(number) if number is not None else 0.0


def _options(item: Element) -> tuple[Option, ...]:
    condition = _right_conditions(item)[0]
    excluded = {(each.text or "").strip() for no in condition.iter("not") for each in no.iter("varequal")}
    right = {(each.text or "").strip() for each in condition.iter("varequal")} - excluded
    return tuple(
        Option(
            text=_material(label),
            is_right=label.get("ident", "") in right,
            feedback=_feedback(item, f"{label.get('ident', '')}_fb"),
        )
        for label in item.iter("response_label")
    )


def _text(item: Element, given: dict[str, Any]) -> ImportedQuestion:
    values = [plain_text(each.text or "") for one in _right_conditions(item) for each in one.iter("varequal")]
    return ImportedQuestion(kind="text", accepted=tuple(dict.fromkeys(filter(None, values))), **given)


def _numeric(item: Element, given: dict[str, Any]) -> ImportedQuestion:
    condition = _right_conditions(item)[0]
    equal = condition.find(".//varequal")
    low = condition.find(".//vargte") if condition.find(".//vargte") is not None else condition.find(".//vargt")
    high = condition.find(".//varlte") if condition.find(".//varlte") is not None else condition.find(".//varlt")
    if low is not None and high is not None:
        value, tolerance = number_between(low.text or "", high.text or "")
        exact = decimal_of(equal.text or "") if equal is not None else None
        if exact is not None and number_text(exact) != value:
            raise QuestionRefused(_("Its tolerance is larger on one side."))
    else:
        value, tolerance = number_with_tolerance((equal.text or "") if equal is not None else "")
    return ImportedQuestion(kind="numeric", accepted=(value,), tolerance=tolerance, **given)


def _match(item: Element, given: dict[str, Any]) -> ImportedQuestion:
    right = {
        each.get("respident", ""): (each.text or "").strip()
        for condition in item.iter("respcondition")
        if _score(condition) > 0
        for each in condition.iter("varequal")
    }
    pairs: list[tuple[str, str]] = []
    partners: dict[str, str] = {}
    for row in item.iter("response_lid"):
        partners |= {label.get("ident", ""): _material(label) for label in row.iter("response_label")}
        pairs.append((_material(row.find("material")), partners.get(right.get(row.get("ident", ""), ""), "")))
    if not all(left and partner for left, partner in pairs):
        raise QuestionRefused(_("Some rows have several partners, or none."))
    taken = {partner for _left, partner in pairs}
    spare = tuple(dict.fromkeys(text for text in partners.values() if text not in taken))
    return ImportedQuestion(kind="match", pairs=tuple(pairs), spare=spare, **given)
