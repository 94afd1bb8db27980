"""Writes questions as a package of QTI 2.1."""

from collections.abc import Iterable
from io import BytesIO
from itertools import groupby
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.html import escape
from django.utils.translation import gettext as _

from tutoring.course_exports.xhtml import inline_xhtml_of, xhtml_of
from tutoring.course_imports.questions import ImportedQuestion, QuestionRefused, Skipped, lines_of

_NAMESPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_TEMPLATES = "http://www.imsglobal.org/question/qti_v2p1/rptemplates"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_qti(
    questions: Iterable[ImportedQuestion], left_out: Iterable[Skipped] = (), *, title: str, rights: str = ""
) -> tuple[bytes, tuple[Skipped, ...]]:
    """Return a ZIP with an item for each question and a test with a section for each topic, and what was left out.

    The file `left-out.md` in the ZIP names what was left out, and `left_out`.
    """
    items: list[tuple[str, str]] = []
    skipped = list(left_out)
    for question in questions:
        name = f"q{len(items) + 1}"
        try:
            items.append((question.topic, _item(question, name)))
        except QuestionRefused as refused:
            skipped.append(Skipped(name=question.name, reason=str(refused)))
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr("imsmanifest.xml", _manifest(len(items), title, rights))
        archive.writestr("test.xml", _test([topic for topic, _text in items], title))
        for number, (_topic, text) in enumerate(items, start=1):
            archive.writestr(f"items/q{number}.xml", text)
        if skipped:
            archive.writestr("left-out.md", "".join(f"- {line}\n" for line in lines_of(skipped)))
    return target.getvalue(), tuple(skipped)


def _manifest(count: int, title: str, rights: str) -> str:
    files = "".join(
        f'<resource identifier="r{number}" type="imsqti_item_xmlv2p1" href="items/q{number}.xml"><file href="items/q{number}.xml"/></resource>'
        for number in range(1, count + 1)
    )
    said = f"<rights><description><string>{escape(rights)}</string></description></rights>" if rights else ""
    return (
        f'{_DECLARATION}<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="package">'
        "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion>"
        f"<lom><general><title><string>{escape(title)}</string></title></general>{said}</lom></metadata><organizations/>"
        f'<resources><resource identifier="test" type="imsqti_test_xmlv2p1" href="test.xml"><file href="test.xml"/></resource>{files}</resources></manifest>'
    )


def _test(topics: list[str], title: str) -> str:
    sections, number = [], 0
    for at, (topic, members) in enumerate(groupby(topics), start=1):
        inner = ""
        for _member in members:
            number += 1
            inner += f'<assessmentItemRef identifier="i{number}" href="items/q{number}.xml"/>'
        sections.append(
            f'<assessmentSection identifier="s{at}" title="{escape(topic or title)}" visible="true">{inner}</assessmentSection>'
        )
    return (
        f'{_DECLARATION}<assessmentTest xmlns="{_NAMESPACE}" identifier="test" title="{escape(title)}">'
        f'<testPart identifier="part" navigationMode="nonlinear" submissionMode="individual">{"".join(sections)}</testPart></assessmentTest>'
    )


def _item(question: ImportedQuestion, name: str) -> str:
    declared, interaction, processing = _parts(question)
    feedback = "".join(_modal(f"HINT{number}", str(hint)) for number, hint in enumerate(question.hints, start=1))
    feedback += _modal("SOLUTION", question.explanation) if question.explanation else ""
    return (
        f'{_DECLARATION}<assessmentItem xmlns="{_NAMESPACE}" identifier="{name}" title="{escape(question.name)}" adaptive="false" timeDependent="false">'
        f'{declared}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>'
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>'
        f"<itemBody><div>{xhtml_of(question.stem)}</div>{interaction}</itemBody>{processing}{feedback}</assessmentItem>"
    )


def _modal(identifier: str, text: str) -> str:
    return f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{identifier}" showHide="show">{xhtml_of(text)}</modalFeedback>'


def _parts(question: ImportedQuestion) -> tuple[str, str, str]:
    """Return the declaration of the answer, the interaction, and how it is scored."""
    match question.kind:
        case "choice" | "multi":
            return _choice(question)
        case "numeric" | "text":
            return _entry(question)
        case "order":
            return _order(question)
        case "match":
            return _match(question)
        case _:
            raise QuestionRefused(_("QTI has no question of this kind."))


def _declared(values: Iterable[str], *, cardinality: str, base: str, more: str = "") -> str:
    right = "".join(f"<value>{escape(value)}</value>" for value in values)
    return f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" baseType="{base}"><correctResponse>{right}</correctResponse>{more}</responseDeclaration>'


def _standard(template: str) -> str:
    return f'<responseProcessing template="{_TEMPLATES}/{template}"/>'


def _choice(question: ImportedQuestion) -> tuple[str, str, str]:
    names = {f"c{number}": option for number, option in enumerate(question.options, start=1)}
    is_multi = question.kind == "multi"
    inner = "".join(
        f'<simpleChoice identifier="{name}">{inline_xhtml_of(option.text)}{_inline(name, option.feedback)}</simpleChoice>'
        for name, option in names.items()
    )
    shuffle = "true" if question.shuffle else "false"
    interaction = f'<choiceInteraction responseIdentifier="RESPONSE" shuffle="{shuffle}" maxChoices="{0 if is_multi else 1}">{inner}</choiceInteraction>'
    right = [name for name, option in names.items() if option.is_right]
    declared = _declared(right, cardinality="multiple" if is_multi else "single", base="identifier")
    return declared, interaction, _standard("match_correct")


def _inline(name: str, feedback: str) -> str:
    if not feedback:
        return ""
    return f'<feedbackInline outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">{inline_xhtml_of(feedback)}</feedbackInline>'


def _entry(question: ImportedQuestion) -> tuple[str, str, str]:
    interaction = '<p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="20"/></p>'
    if question.kind == "numeric":
        mode = f'absolute" tolerance="{question.tolerance} {question.tolerance}' if question.tolerance else "exact"
        equal = (
            f'<equal toleranceMode="{mode}"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
        )
        scored = '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue>'
        processing = f"<responseProcessing><responseCondition><responseIf>{equal}{scored}</responseIf></responseCondition></responseProcessing>"
        return _declared(question.accepted, cardinality="single", base="float"), interaction, processing
    entries = "".join(
        f'<mapEntry mapKey="{escape(text)}" mappedValue="1" caseSensitive="false"/>' for text in question.accepted
    )
    mapping = f'<mapping defaultValue="0">{entries}</mapping>'
    declared = _declared(question.accepted[:1], cardinality="single", base="string", more=mapping)
    return declared, interaction, _standard("map_response")


def _order(question: ImportedQuestion) -> tuple[str, str, str]:
    names = {f"c{number}": option.text for number, option in enumerate(question.options, start=1)}
    inner = "".join(
        f'<simpleChoice identifier="{name}">{inline_xhtml_of(text)}</simpleChoice>'
        for name, text in sorted(names.items(), key=lambda each: each[1])
    )
    interaction = f'<orderInteraction responseIdentifier="RESPONSE" shuffle="true">{inner}</orderInteraction>'
    return _declared(names, cardinality="ordered", base="identifier"), interaction, _standard("match_correct")


def _match(question: ImportedQuestion) -> tuple[str, str, str]:
    rows = {f"r{number}": row for number, (row, _partner) in enumerate(question.pairs, start=1)}
    offered = dict.fromkeys([*(partner for _row, partner in question.pairs), *question.spare])
    partners = {text: f"p{number}" for number, text in enumerate(offered, start=1)}
    sets = (
        "".join(_associable(name, text, most=1) for name, text in rows.items()),
        "".join(_associable(name, text, most=0) for text, name in partners.items()),
    )
    inner = "".join(f"<simpleMatchSet>{one}</simpleMatchSet>" for one in sets)
    interaction = f'<matchInteraction responseIdentifier="RESPONSE" shuffle="true" maxAssociations="{len(rows)}">{inner}</matchInteraction>'
    pairs = [f"r{number} {partners[partner]}" for number, (_row, partner) in enumerate(question.pairs, start=1)]
    return _declared(pairs, cardinality="multiple", base="directedPair"), interaction, _standard("match_correct")


def _associable(name: str, text: str, *, most: int) -> str:
    return f'<simpleAssociableChoice identifier="{name}" matchMax="{most}">{inline_xhtml_of(text)}</simpleAssociableChoice>'
