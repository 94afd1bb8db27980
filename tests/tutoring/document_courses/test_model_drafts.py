"""Questions that a model drafts: what the passage does not support is thrown away."""

import pytest

from agents.models import ModelCall
from tests.provider import Answer, Provider
from tests.tutoring.document_courses.document_helpers import TEXT, drafted
from tests.tutoring.question_writing.conftest import connect
from tutoring.document_courses.drafts import draft_from_json
from tutoring.document_courses.model_drafts import PassageQuestion, PassageQuestions, checked_questions
from tutoring.document_courses.source_text import Sentence

QUOTE = "Retrieval is the process of finding knowledge and bringing it to mind."
SENTENCES = [Sentence(text=QUOTE, passage=4, paragraph=0)]
GOOD = {
    "question": "What does retrieval find?",
    "answer": "knowledge",
    "wrong": ["numbers", "people", "books"],
    "quote": QUOTE,
}


def checked(**changes):
    written = PassageQuestions(questions=[PassageQuestion(**GOOD | changes)])
    return list(checked_questions(written, SENTENCES, section=2, known=()))


def test_a_question_that_the_passage_supports_is_kept_and_labeled():
    (question,) = checked()
    assert (question.options[0], question.passage, question.section, question.source) == ("knowledge", 4, 2, "model")


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "Retrieval is the art of finding knowledge."},
        {"answer": "wisdom"},
        {"wrong": ["numbers", "people", "mind"]},
        {"wrong": ["numbers", "people", "People"]},
        {"wrong": ["numbers", "people"]},
        {"question": "What knowledge does retrieval find?"},
        {"question": "What does it find according to the passage?"},
        {"question": "What does retrieval find"},
        {"question": "This finds what?"},
        {"question": "Which incomprehensibly multidimensional epistemological particularities characterize retrieval?"},
    ],
)
def test_a_question_that_does_not_hold_is_thrown_away(changes):
    assert checked(**changes) == []


def test_a_question_that_there_is_already_is_not_taken_again():
    (known,) = checked()
    written = PassageQuestions(questions=[PassageQuestion(**GOOD)])
    assert list(checked_questions(written, SENTENCES, section=2, known=[known])) == []


@pytest.fixture
def provider():
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.mark.django_db(transaction=True)
def test_a_connected_model_adds_questions_if_the_person_agreed(ben, settings, provider, tmp_path):
    settings.DATA_DIR = tmp_path
    connect(settings, provider, "openai")
    provider.script("You write up to four quiz questions", Answer(object={"questions": [GOOD]}))
    made = drafted(ben)
    questions = [each for concept in draft_from_json(made.draft).concepts for each in concept.questions]
    assert [each.stem for each in questions if each.source == "model"] == ["What does retrieval find?"]
    assert {call.person_id for call in ModelCall.objects.all()} == {ben.pk}


@pytest.mark.django_db(transaction=True)
def test_without_agreement_nothing_is_sent(ada, settings, provider, tmp_path):
    settings.DATA_DIR = tmp_path
    connect(settings, provider, "openai")
    assert drafted(ada, TEXT).status == "ready"
    assert not provider.requests
