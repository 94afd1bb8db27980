"""The pages: from the document to the course, changing and deleting questions, and the way into a class."""

import pytest
from django.test import Client

from conversations.models import Document
from tests.people import make_person
from tests.tutoring.document_courses.document_helpers import document_of, drafted, stored_course
from tutoring.document_courses import jobs
from tutoring.models import Course, DocumentCourse

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def signed_in(person):
    client = Client()
    client.force_login(person)
    return client


def fields(made, **given):
    """Return the fields of the draft as its page sends them."""
    draft = made.value()
    sent = {"title": draft.title}
    for concept in draft.concepts:
        sent[f"title-{concept.id}"] = concept.title
        sent |= {f"keep-{concept.id}-{at}": "on" for at in range(len(concept.questions))}
    return sent | given


def test_a_document_offers_to_learn_from_it(ada):
    document = document_of(ada)
    assert "Learn from this" in signed_in(ada).get(document.get_absolute_url()).content.decode()


def test_the_button_orders_one_draft_and_opens_it_again(ada):
    document = document_of(ada)
    for _again in range(2):
        response = signed_in(ada).post(f"/library/{document.pk}/learn/")
        assert response["Location"] == DocumentCourse.objects.get().get_absolute_url()


def test_while_it_is_made_the_page_shows_progress_and_can_cancel(ada):
    made = jobs.order_draft(document_of(ada))
    page = signed_in(ada).get(made.get_absolute_url()).content.decode()
    assert "Your course is being made" in page
    signed_in(ada).post(f"/my-courses/{made.pk}/delete/")
    assert not DocumentCourse.objects.exists()


def test_a_document_in_another_language_says_what_works(ada):
    made = drafted(ada, "Das Gedächtnis ist ein Speicher, der Wissen für lange Zeit hält. " * 20)
    assert "does not seem to be in English" in signed_in(ada).get(made.get_absolute_url()).content.decode()


def test_the_preview_shows_each_question_with_its_passage(ada):
    made = drafted(ada)
    page = signed_in(ada).get(made.get_absolute_url()).content.decode()
    assert "A group of items that memory treats as one item" in page
    assert f"/my-courses/{made.pk}/passages/" in page


def test_start_makes_the_course_and_opens_it(ada):
    made = drafted(ada)
    response = signed_in(ada).post(made.get_absolute_url(), fields(made, action="start"))
    course = Course.objects.get()
    assert response["Location"] == course.get_absolute_url()
    page = signed_in(ada).get(course.get_absolute_url()).content.decode()
    assert "Only you can see this course." in page
    assert made.title in signed_in(ada).get("/").content.decode()


@pytest.mark.parametrize("kind", ["files", "gift", "qti", "anki"])
def test_the_owner_can_export_the_course_and_nobody_else(ada, kind):
    made = drafted(ada)
    url = f"/my-courses/{made.pk}/export/{kind}/"
    assert signed_in(ada).get(url).status_code == 404
    signed_in(ada).post(made.get_absolute_url(), fields(made, action="start"))
    assert url in signed_in(ada).get(made.get_absolute_url()).content.decode()
    assert "attachment" in signed_in(ada).get(url)["Content-Disposition"]
    assert signed_in(make_person("eve-3")).get(url).status_code == 404


def test_learn_leads_to_the_library(ada):
    assert "Learn from your own document" in signed_in(ada).get("/learn/").content.decode()


def test_unticked_questions_are_left_out(ada):
    made = drafted(ada)
    sent = fields(made, action="start")
    concept = made.value().concepts[0]
    del sent[f"keep-{concept.id}-0"]
    signed_in(ada).post(made.get_absolute_url(), sent)
    templates = Course.objects.get().catalogue().concept(concept.id).templates
    assert len(templates) == len(concept.questions) - 1


def test_leaving_everything_out_is_refused(ada):
    made = drafted(ada)
    sent = {name: value for name, value in fields(made, action="start").items() if not name.startswith("keep")}
    response = signed_in(ada).post(made.get_absolute_url(), sent)
    assert response.status_code == 422
    assert "Keep at least one topic" in response.content.decode()


def test_a_question_can_be_changed_and_deleted(ada):
    made = drafted(ada)
    concept = made.value().concepts[0]
    at = next(at for at, question in enumerate(concept.questions) if question.kind == "choice")
    url = f"/my-courses/{made.pk}/questions/{concept.id}/{at}/"
    options = {f"option-{place}": text for place, text in enumerate(concept.questions[at].options)}
    assert signed_in(ada).get(url).status_code == 200
    saved = signed_in(ada).post(url, {"stem": "Which one is meant?", **options})
    assert saved["Location"].endswith(f"?topic={concept.id}#question-{concept.id}-{at}")
    made.refresh_from_db()
    changed = made.value().concepts[0].questions[at]
    assert (changed.stem, changed.source) == ("Which one is meant?", "person")
    asked = signed_in(ada).post(url, {"action": "delete"}).content.decode()
    assert "Delete this question?" in asked
    made.refresh_from_db()
    assert not made.value().concepts[0].questions[at].is_deleted
    deleted = signed_in(ada).post(url, {"action": "delete", "confirmed": "1"})
    assert deleted["Location"].endswith(f"#topic-{concept.id}")
    made.refresh_from_db()
    assert made.value().concepts[0].questions[at].is_deleted
    assert signed_in(ada).get(url).status_code == 404


def test_two_equal_answers_are_refused(ada):
    made = drafted(ada)
    concept = made.value().concepts[0]
    at = next(at for at, question in enumerate(concept.questions) if question.kind == "choice")
    options = {f"option-{place}": "same" for place in range(len(concept.questions[at].options))}
    response = signed_in(ada).post(f"/my-courses/{made.pk}/questions/{concept.id}/{at}/", {"stem": "Which?", **options})
    assert response.status_code == 422
    assert "Two of the answers are the same." in response.content.decode()


def test_a_passage_opens_in_the_document(ada):
    made = drafted(ada)
    response = signed_in(ada).get(f"/my-courses/{made.pk}/passages/1/")
    assert response["Location"].startswith(f"/library/{made.document_id}/?at=1")


def test_without_the_document_the_passage_shows_what_the_course_quotes(ada):
    made = drafted(ada)
    number = made.value().concepts[0].questions[0].passage
    signed_in(ada).post(f"/library/{made.document_id}/delete/")
    page = signed_in(ada).get(f"/my-courses/{made.pk}/passages/{number}/").content.decode()
    assert "was deleted" in page
    assert made.value().concepts[0].questions[0].quote in page


def test_deleting_the_document_tells_of_the_course_and_can_take_it_along(ada):
    made = drafted(ada)
    url = f"/library/{made.document_id}/delete/"
    assert "A course was made from this document" in signed_in(ada).get(url).content.decode()
    signed_in(ada).post(url, {"derived": "on"})
    assert not Document.objects.exists()
    assert not DocumentCourse.objects.exists()


def test_the_list_without_courses_leads_to_the_library(ada):
    assert "No courses of your own yet" in signed_in(ada).get("/my-courses/").content.decode()


def test_a_teacher_sees_an_offer_and_accepts_it(ada, teacher, classroom):
    made = stored_course(ada)
    url = made.get_absolute_url()
    assert signed_in(teacher).get(url).status_code == 404
    signed_in(ada).post(f"{url}offer/", {"class": classroom.pk})
    assert "Memory" in signed_in(teacher).get("/teach/courses/").content.decode()
    assert "Accept for the class" in signed_in(teacher).get(url).content.decode()
    signed_in(teacher).post(f"{url}decision/", {"action": "accept"})
    made.refresh_from_db()
    assert (made.accepted_for, made.offered_to) == (classroom, None)


def test_a_declined_course_stays_its_owners_own(ada, teacher, classroom):
    made = stored_course(ada, offered_to=classroom)
    signed_in(teacher).post(f"{made.get_absolute_url()}decision/", {"action": "decline"})
    made.refresh_from_db()
    assert (made.accepted_for, made.offered_to, made.course.is_personal) == (None, None, True)


def test_a_course_cannot_be_offered_to_a_class_of_others(ada, teacher, classroom):
    eve = make_person("eve-2")
    made = stored_course(eve)
    signed_in(eve).post(f"{made.get_absolute_url()}offer/", {"class": classroom.pk})
    made.refresh_from_db()
    assert made.offered_to is None


def test_a_teachers_own_course_is_for_their_classes_only_once_they_say_so(teacher, classroom):
    made = stored_course(teacher)
    assert made.course not in Course.objects.listed_in(classroom)
    signed_in(teacher).post(f"{made.get_absolute_url()}offer/", {"action": "use"})
    assert made.course in Course.objects.listed_in(classroom)
