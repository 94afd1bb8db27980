"""Moodle XML, QTI of both generations and Canvas's QTI 1.2: each kind of question, and hostile files."""

import io
import zipfile

import pytest

from tutoring.course_imports.files import MAX_BYTES, read_file
from tutoring.course_imports.questions import ImportedQuestion, ImportRefused

MOODLE = """<?xml version="1.0" encoding="UTF-8"?><quiz>
<question type="category"><category><text>$course$/top/Plants</text></category></question>
<question type="multichoice"><name><text>Root</text></name><questiontext format="html"><text><![CDATA[<p>Which <b>part</b>?</p>]]></text></questiontext>
 <generalfeedback format="html"><text>Roots first.</text></generalfeedback><single>true</single>
 <answer fraction="100" format="html"><text>Root</text><feedback><text>Yes.</text></feedback></answer><answer fraction="0"><text>Leaf</text></answer>
 <hint format="html"><text>Think of water.</text></hint></question>
<question type="numerical"><name><text>Days</text></name><questiontext><text>How many days?</text></questiontext><answer fraction="100"><text>10</text><tolerance>2</tolerance></answer></question>
<question type="shortanswer"><name><text>Word</text></name><questiontext><text>Say it.</text></questiontext><answer fraction="100"><text>heat</text></answer><answer fraction="50"><text>sun</text></answer></question>
<question type="matching"><name><text>Match</text></name><questiontext><text>Match.</text></questiontext>
 <subquestion><text>cat</text><answer><text>meow</text></answer></subquestion><subquestion><text>dog</text><answer><text>woof</text></answer></subquestion><subquestion><text>cow</text><answer><text>moo</text></answer></subquestion></question>
<question type="cloze"><name><text>Gaps</text></name><questiontext><text>{1:SA:=x}</text></questiontext></question>
</quiz>"""
QTI = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Root">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>A</value></correctResponse></responseDeclaration>
<itemBody><p>Plants grow.</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1" shuffle="false"><prompt>Which part?</prompt>
<simpleChoice identifier="A">Root<feedbackInline outcomeIdentifier="F" identifier="A">Yes.</feedbackInline></simpleChoice><simpleChoice identifier="B">Leaf</simpleChoice></choiceInteraction></itemBody></assessmentItem>"""
QTI_3 = """<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i" title="Days">
<qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="float"><qti-correct-response><qti-value>10</qti-value></qti-correct-response></qti-response-declaration>
<qti-item-body><p>How many days? <qti-text-entry-interaction response-identifier="RESPONSE"/></p></qti-item-body>
<qti-response-processing><qti-response-condition><qti-response-if><qti-equal tolerance-mode="absolute" tolerance="2 2"><qti-variable identifier="RESPONSE"/><qti-correct identifier="RESPONSE"/></qti-equal></qti-response-if></qti-response-condition></qti-response-processing></qti-assessment-item>"""
CANVAS = """<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment title="Plants"><section>
<item ident="a" title="Seeds"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>multiple_answers_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext texttype="text/html">&lt;p&gt;Which are seeds?&lt;/p&gt;</mattext></material><response_lid ident="r" rcardinality="Multiple"><render_choice>
<response_label ident="1"><material><mattext>pea</mattext></material></response_label><response_label ident="2"><material><mattext>pebble</mattext></material></response_label><response_label ident="3"><material><mattext>bean</mattext></material></response_label></render_choice></response_lid></presentation>
<resprocessing><respcondition><conditionvar><and><varequal respident="r">1</varequal><not><varequal respident="r">2</varequal></not><varequal respident="r">3</varequal></and></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item>
<item ident="b" title="Days"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>numerical_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext>How many days?</mattext></material><response_str ident="r"/></presentation>
<resprocessing><respcondition><conditionvar><or><varequal respident="r">10</varequal><and><vargte respident="r">8</vargte><varlte respident="r">12</varlte></and></or></conditionvar><setvar>100</setvar></respcondition></resprocessing></item>
</section></assessment></questestinterop>"""


def questions(text: str, name: str = "a.xml") -> dict[str, ImportedQuestion]:
    return {each.name: each for each in read_file(name, text.encode()).questions}


def test_moodle_xml_keeps_topics_hints_feedback_and_tolerance() -> None:
    read = questions(MOODLE)

    assert {name: each.kind for name, each in read.items()} == {
        "Root": "choice", "Days": "numeric", "Word": "text", "Match": "match",
    }  # fmt: skip
    assert read["Root"].stem == "Which **part**?"
    assert read["Root"].hints == ("Think of water.",)
    assert read["Root"].explanation == "Roots first."
    assert read["Root"].options[0].feedback == "Yes."
    assert (read["Days"].accepted, read["Days"].tolerance) == (("10",), "2")
    assert read["Word"].accepted == ("heat",)
    assert {each.topic for each in read.values()} == {"Plants"}


def test_a_kind_that_nothing_here_grades_is_listed() -> None:
    (skipped,) = read_file("a.xml", MOODLE.encode()).skipped

    assert skipped.name == "a.xml, Gaps"
    assert "cloze" in skipped.reason


def test_a_choice_of_qti_2_has_its_prompt_and_feedback() -> None:
    root = questions(QTI)["Root"]

    assert root.stem == "Plants grow.\n\nWhich part?"
    assert [(each.text, each.is_right, each.feedback) for each in root.options] == [
        ("Root", True, "Yes."),
        ("Leaf", False, ""),
    ]
    assert not root.shuffle


def test_an_entry_of_qti_3_has_its_tolerance() -> None:
    days = questions(QTI_3)["Days"]

    assert (days.kind, days.stem, days.accepted, days.tolerance) == ("numeric", "How many days?", ("10",), "2")


def test_a_canvas_quiz_has_its_right_options_and_ranges() -> None:
    read = questions(CANVAS)

    assert [each.is_right for each in read["Seeds"].options] == [True, False, True]
    assert (read["Days"].accepted, read["Days"].tolerance) == (("10",), "2")
    assert read["Seeds"].topic == "Plants"


def test_utf_16_is_read_as_well() -> None:
    data = QTI.replace("<assessmentItem", '<?xml version="1.0" encoding="UTF-16"?><assessmentItem').encode("utf-16")

    assert len(read_file("a.xml", data).questions) == 1


def packed(entries: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return target.getvalue()


def test_a_package_gives_its_items_the_titles_of_their_sections() -> None:
    test = '<assessmentTest title="T"><testPart><assessmentSection title="Seeds"><assessmentItemRef href="items/a.xml"/></assessmentSection></testPart></assessmentTest>'

    read = read_file("a.zip", packed({"test.xml": test, "items/a.xml": QTI}))

    assert [each.topic for each in read.questions] == ["Seeds"]
    assert read.title == "T"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.xml", b'<!DOCTYPE q [<!ENTITY a "x">]><quiz>&a;</quiz>', "entities"),
        ("a.xml", b'<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/passwd">]><quiz>&a;</quiz>', "entities"),
        ("a.xml", b"<quiz><question></quiz>", "line 1"),
        ("a.xml", b"<a>" * 5000 + b"</a>" * 5000, "too deep"),
        ("a.zip", packed({"../../evil.xml": QTI}), "lead out"),
        ("a.zip", packed({"bomb.xml": "0" * 200_000_000}), "too large"),
        ("a.zip", b"PK\x03\x04 broken", "damaged"),
        ("a.gift", b"\x00\x01\x02" * 50, "not a text file"),
        ("a.bin", b"nothing that is known", "none of the formats"),
        ("a.gift", b"Q1 {T}\n\nQ2\0 {T}", "line 3 has a character that no text has"),
        ("a.json", b"{" * 50, "line 1, character 2: this is not valid JSON"),
        ("a.jsonl", b'{"id": "one"}\n{"id": two}', "line 2, character 8: this is not valid JSON"),
        ("a.json", b"[" * 100_000, "JSON in a.json is nested too deeply"),
        ("a.gift", b"x" * (MAX_BYTES + 1), "larger than 10 MB"),
    ],
)
def test_a_hostile_file_is_refused_with_its_name_and_reason(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(ImportRefused, match=reason) as refused:
        read_file(name, data)

    assert name.partition(".")[0] in str(refused.value) or "bomb" in str(refused.value)
