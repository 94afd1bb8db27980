"""Courses, lessons, progress and evidence."""

import pytest
from django.contrib.messages.storage.fallback import FallbackStorage
from django.test import RequestFactory
from django.urls import reverse

from conversations.models import Turn
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.small_course import ask, make_course, numeric
from tutoring.dialogue import lesson_start as lessons
from tutoring.mastery.records.progress import begin_lesson, note_utterance, record_attempt
from tutoring.models import Concept, Lesson
from tutoring.pages.cards.question_context import mastery_of
from tutoring.pages.contexts import overviews
from tutoring.pages.contexts.course_map import course_map_context
from tutoring.pages.contexts.evidence import evidence_context
from tutoring.pages.views.lesson_start import concept_core

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

PAGES = ["/learn/", "/learn/fractions/", "/learn/fractions/path/", "/progress/", "/progress/fractions/one_half/"]


def practise(person, answers):
    """Answer one question on one half for each answer."""
    for number, answer in enumerate(answers):
        question = ask(person, numeric(f"t{number}"))
        begin_lesson(person, question.concept, question.session)
        record_attempt(question, learner=person, answer=answer, idempotency_key="k")


def open_concept(person):
    request = RequestFactory().get("/")
    request.user, request.session = person, {}
    request._messages = FallbackStorage(request)
    return concept_core(request, "fractions", "one_half")


class TestEveryPage:
    @pytest.mark.parametrize("address", PAGES)
    def test_opens_for_a_newcomer_and_for_one_who_practised(self, client, ada, ben, address):
        make_course()
        practise(ben, ["1/2", "1/3", "1/2", "2"])
        for person in (ada, ben):
            client.force_login(person)
            assert client.get(address).status_code == 200

    @pytest.mark.parametrize("address", [*PAGES, "/learn/fractions/one_half/"])
    def test_asks_a_stranger_to_sign_in(self, client, db, address):
        make_course()
        response = client.get(address)
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("accounts:sign-in"))

    @pytest.mark.parametrize(
        "address", ["/learn/nothing/", "/learn/fractions/nothing/", "/progress/fractions/nothing/"]
    )
    def test_what_is_not_there_is_404(self, client, ada, address):
        make_course()
        client.force_login(ada)
        assert client.get(address).status_code == 404

    @pytest.mark.parametrize("address", PAGES)
    def test_takes_few_queries(self, client, ada, address, django_assert_max_num_queries):
        practise(ada, ["1/2", "1/3", "1/2", "2", "1/2", "1/2"])
        client.force_login(ada)
        client.get(address)
        with django_assert_max_num_queries(17):
            client.get(address)

    def test_shows_nothing_of_another_learner(self, ada, eve):
        practise(ada, ["1/2", "1/2", "1/2"])
        assert overviews.progress_context(eve)["courses"] == []
        shown = evidence_context(eve, Concept.objects.select_related("course").get(slug="one_half"))
        assert shown["answers"] == []
        assert shown["mastery"].answers == 0


class TestCourse:
    def test_concepts_stand_in_order_with_what_they_build_on(self, ada):
        concepts = course_map_context(ada, make_course())["concepts"]
        assert [(one.title, one.state, [each.title for each in one.requires]) for one in concepts] == [
            ("Equal parts", "ready", []),
            ("One half", "locked_hint", ["Equal parts"]),
        ]
        assert [one.concept.is_goal for one in concepts] == [False, True]

    def test_map_says_where_to_start_and_what_helps_first(self, client, ada):
        course = make_course()
        context = course_map_context(ada, course)
        assert [one.is_next for one in context["concepts"]] == [True, False]
        assert [one.title for one in context["concepts"][1].first] == ["Equal parts"]
        assert [(one["title"], one["reached"]) for one in context["goals"]] == [("One half", False)]
        client.force_login(ada)
        page = client.get(course.get_absolute_url()).content.decode()
        assert "Start here" in page
        # What is easier later is not forbidden now.
        assert f'class="cover" href="{context["concepts"][1].url}"' in page

    def test_map_leads_to_where_one_is_at_work(self, ada):
        practise(ada, ["1/2"])
        course = Concept.objects.get(slug="one_half").course
        assert [one.is_next for one in course_map_context(ada, course)["concepts"]] == [False, True]

    def test_concept_is_started_then_mastered(self, ada):
        practise(ada, ["1/2"])
        course = Concept.objects.get(slug="one_half").course
        assert course_map_context(ada, course)["concepts"][1].state == "started"
        practise(ada, ["1/2"] * 5)
        assert course_map_context(ada, course)["concepts"][1].state == "mastered"
        assert overviews.course_list(ada, [course])[0]["concepts_mastered"] == 1


class TestConcept:
    def test_first_visit_begins_a_lesson_and_the_next_resumes_it(self, ada):
        make_course()
        first, accepted = open_concept(ada)
        turn, lesson = Turn.objects.get(), Lesson.objects.get()
        assert (turn.pk, turn.kind, turn.session.title) == (accepted.turn.pk, "open", "One half")
        assert first["Location"] == "/c/fractions-one_half/"
        assert lesson.session == turn.session
        again, nothing = open_concept(ada)
        assert (again["Location"], nothing) == (first["Location"], None)

    def test_two_visits_at_once_begin_one_lesson(self, ada):
        course = make_course()
        concept = course.concepts.get(slug="one_half")
        first = lessons.start_lesson(ada, concept)
        Lesson.objects.all().delete()
        assert lessons.start_lesson(ada, concept).turn == first.turn

    def test_lesson_put_away_makes_room_for_a_new_one(self, ada):
        make_course()
        open_concept(ada)
        Turn.objects.update(status="done")
        Lesson.objects.get().session.__class__.objects.update(archived=True)
        response, _ = open_concept(ada)
        assert response["Location"] == "/c/fractions-one_half-2/"

    def test_conversation_that_moved_on_to_another_topic_makes_room_for_a_new_one(self, ada):
        course = make_course()
        open_concept(ada)
        Turn.objects.update(status="done")
        Lesson.objects.update(concept=course.concepts.exclude(slug="one_half")[0])
        response, _ = open_concept(ada)
        assert response["Location"] == "/c/fractions-one_half-2/"

    def test_lessons_of_two_learners_are_apart(self, ada, ben):
        make_course()
        open_concept(ada)
        open_concept(ben)
        assert {lesson.session.owner for lesson in Lesson.objects.all()} == {ada, ben}


class TestMastery:
    def test_number_needs_three_answers(self, ada):
        practise(ada, ["1/2", "1/2"])
        concept = Concept.objects.select_related("course").get(slug="one_half")
        early = mastery_of(ada, concept)
        assert (early.score, early.enough, early.level, early.last_change) == (None, False, "none", None)
        practise(ada, ["1/3"])
        view = mastery_of(ada, concept)
        assert view.enough
        assert view.last_change.after < view.last_change.before
        went_down = f"from {view.last_change.before:.0%} to {view.last_change.after:.0%}."
        assert view.last_change.words == f"The last answer wasn’t right. The score went down {went_down}"

    def test_evidence_explains_each_answer_by_four_numbers(self, ada):
        practise(ada, ["1/2", "2"])
        concept = Concept.objects.select_related("course").get(slug="one_half")
        latest, first = evidence_context(ada, concept)["answers"]
        assert (first["verdict"], latest["verdict"]) == ("correct", "wrong")
        assert first["before"] == 0.49
        assert first["after"] == latest["before"]
        assert (first["surprise"], latest["surprise"]) == ("a small surprise", "a surprise")
        assert first["difficulty"] == "medium"

    def test_watched_misconception_quotes_the_learner(self, ada):
        question = ask(ada)
        record_attempt(question, learner=ada, answer="2", idempotency_key="k")
        note_utterance(ada, question.concept.course, ["counts_shaded"], "two are dark", question.turn)
        watched = overviews.progress_context(ada)["misconceptions"]
        assert [(one["says"], one["status"]) for one in watched] == [("counts_shaded says", "active")]
        assert [piece["quote"] for piece in watched[0]["evidence"]] == ["two are dark", "2"]
