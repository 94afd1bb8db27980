"""Looking again at what is mastered: home, progress, and the questions' own page."""

import re
import uuid
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from tests.tutoring.class_helpers import make_class
from tests.tutoring.review_helpers import concept_of, load_tiny, master
from tests.tutoring.small_course import ask, numeric
from tutoring.classes import contested, mastery_board
from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
from tutoring.mastery.knowledge_tracing import mastery_score
from tutoring.models import Attempt, Course, Mastery, Question, Review
from tutoring.pages.cards.question_context import mastery_of
from tutoring.pages.contexts.home import home_context
from tutoring.pages.contexts.reviews import day_words

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
REVIEW = "/progress/review/"


@pytest.fixture
def course():
    return load_tiny()


@pytest.fixture
def reader(client, course, ada):
    """Ada's browser. Four days ago she mastered halves, which is due."""
    master(ada, at=timezone.now() - 4 * DAY)
    client.force_login(ada)
    return client


def shown(response):
    assert response.status_code == 200
    return response.content.decode()


def begin(browser):
    """Press "Review"; return the question that is asked."""
    response = browser.post(REVIEW)
    question = Question.objects.get(purpose="review", status="open")
    assert response["Location"] == f"{REVIEW}{question.pk}/"
    return question


def press(browser, question, *, right=True, htmx=True, **fields):
    """Press a button of a question's card."""
    asked = question.instance()
    typed = right_answers(asked)[0] if right else wrong_answer(asked)
    data = {"action": "check", "answer": typed, "idempotency_key": f"k{question.attempts.count()}", **fields}
    headers = {"HX-Request": "true"} if htmx else {}
    return browser.post(reverse("answer", args=[question.pk]), data, headers=headers)


class TestWhatIsDue:
    def test_home_offers_what_is_due_with_count_and_minutes(self, reader, ada):
        master(ada, at=timezone.now() - 3 * DAY, slug="adding")
        page = shown(reader.get("/"))
        assert "Refresh your memory" in page
        assert "Halves, Adding parts. About 3 minutes." in page

    def test_home_says_nothing_where_nothing_is_due(self, client, course, ben):
        master(ben)
        client.force_login(ben)
        assert "Start review" not in shown(client.get("/"))

    def test_progress_lists_when_each_comes_back(self, reader, ada):
        later = master(ada, slug="adding")
        page = shown(reader.get("/progress/"))
        section = page[page.index('id="planned-title"') :]
        days = re.findall(r'class="tiny">([^<]+)</span></li>', section)
        assert days == ["now", day_words(later.due_at.date(), today=timezone.localdate())]

    def test_page_without_anything_due_says_what_comes_next(self, client, course, ben):
        client.force_login(ben)
        assert "it comes back here for review a few days later" in shown(client.get(REVIEW))
        master(ben)
        assert "Halves comes up for review on " in shown(client.get(REVIEW))
        assert client.post(REVIEW)["Location"] == REVIEW

    @pytest.mark.parametrize("address", ["/progress/", REVIEW, "/progress/tiny/halves/"])
    def test_pages_take_few_queries(self, reader, ada, address, django_assert_max_num_queries):
        master(ada, at=timezone.now() - 3 * DAY, slug="adding")
        reader.get(address)
        with django_assert_max_num_queries(16):
            reader.get(address)

    @pytest.mark.parametrize(
        ("days", "words"),
        [(-3, "today"), (0, "today"), (1, "tomorrow"), (2, "on Friday"), (6, "on Tuesday"), (7, "on 9 December")],
    )
    def test_day_is_named_as_one_says_it(self, days, words):
        today = date(2026, 12, 2)
        assert day_words(today + days * DAY, today=today) == words
        assert day_words(date(2027, 2, 3), today=today) == "on 3 February 2027"


class TestEffectiveMastery:
    def test_mastery_is_shown_as_it_is_today_and_explained_when_opened(self, reader, ada):
        view, row = mastery_of(ada, concept_of()), Mastery.objects.get(learner=ada)
        assert (view.level, view.fading.due) == ("mastered", True)
        assert view.score == view.fading.today == pytest.approx(mastery_score(row.probability * view.fading.recall))
        assert view.score < row.score == view.fading.before
        page = shown(reader.get("/progress/tiny/halves/"))
        assert "Due for review" in page
        assert f"your score was {row.score:.0%}. People forget over time, so today it is {view.score:.0%}." in page
        # No third number: what the last answer did to the score, before any forgetting.
        summary = page.partition('class="card summary"')[2].partition("</section>")[0]
        assert set(re.findall(r"\d+%", summary)) == {f"{row.score:.0%}", f"{view.score:.0%}"}

    def test_contested_number_is_the_one_that_was_seen(self, reader, ada, grace):
        classroom = make_class(grace, ada)
        view, row = mastery_of(ada, concept_of()), Mastery.objects.get(learner=ada)
        reader.post("/progress/tiny/halves/contest/", {"action": "contest", "reason": "I know it still"})
        (told,) = contested.open_contests([classroom])
        assert (told.score, told.unfaded) == (pytest.approx(view.score), row.score)
        text = render_to_string("tutoring/_contested.html", {"contested": [told], "names": True})
        assert f"Score: {view.score:.0%}. It was {row.score:.0%}, but it has gone down because they haven’t" in text

    def test_progress_course_and_home_say_the_same(self, reader, ada):
        score = f"{mastery_of(ada, concept_of()).score:.0%}"
        for address in ("/progress/", "/learn/tiny/"):
            page = shown(reader.get(address))
            assert f'{score} <span class="tiny">' in page
            assert "Due for review" in page

    def test_what_is_not_mastered_does_not_fade(self, reader, ada):
        Mastery.objects.update(probability=0.7)
        view = mastery_of(ada, concept_of())
        assert (view.fading, view.score) == (None, pytest.approx(mastery_score(0.7)))

    def test_teacher_sees_the_same_number(self, course, ada, grace):
        master(ada, at=timezone.now() - 30 * DAY)
        board = mastery_board.class_board(make_class(grace, ada), Course.objects.get())
        cell = next(cell for cell in board.rows[0].cells if cell.score is not None)
        assert cell.score == round(mastery_of(ada, concept_of()).score, 2)
        assert "mastered, now fading" in cell.html(url="")


class TestReviewing:
    def test_right_answer_says_when_the_next_one_comes_back(self, reader):
        question = begin(reader)
        page = shown(press(reader, question))
        assert 'data-state="answered"' in page
        assert "1 topic reviewed." in page
        assert "Your next topic to review comes up on " in page
        assert Review.objects.get().due_at > timezone.now() + 2 * DAY
        assert "to review" not in shown(reader.get("/"))

    def test_without_javascript_one_stays_on_the_questions_page(self, reader):
        question = begin(reader)
        address = f"{REVIEW}{question.pk}/"
        wrong = press(reader, question, right=False, htmx=False)
        assert wrong["Location"] == f"{address}#question-{question.pk}"
        assert 'data-state="open"' in shown(reader.get(address))
        press(reader, question, htmx=False)
        assert "One more like this" in shown(reader.get(address))

    def test_hint_and_giving_up_work_as_elsewhere(self, reader):
        question = begin(reader)
        assert "Write down your first idea" in shown(press(reader, question, action="hint"))
        press(reader, question, right=False)
        assert 'class="hints"' in shown(press(reader, question, action="hint"))
        page = shown(press(reader, question, action="give_up"))
        assert "That’s okay. Here is one way to do it." in page
        assert "One more like this" in page

    def test_first_wrong_answer_gets_the_idea_behind_it_and_what_holds(self, reader):
        question = begin(reader)
        typed, (idea, *_others) = next(iter(question.instance().wrong.items()))
        Question.objects.filter(pk=question.pk).update(key=question.key | {"wrong": {typed: [idea]}})
        page = unescape(shown(press(reader, question, answer=typed)))
        known = question.concept.course.catalogue().misconceptions[idea]
        assert (known.noticed or known.says) in page
        assert 'class="hints"' not in page
        assert 'class="hints"' in shown(press(reader, question, answer=typed))

    def test_wrong_answer_that_nothing_explains_gets_the_hint_it_has_earned(self, reader):
        question = begin(reader)
        Question.objects.filter(pk=question.pk).update(key=question.key | {"wrong": {}})
        assert 'class="hints"' in shown(press(reader, question, right=False))

    def test_unreadable_answer_is_told_on_the_questions_page(self, reader):
        response = press(reader, begin(reader), answer="hello", htmx=False)
        assert response.status_code == 422
        assert "<h1>Halves</h1>" in response.content.decode()

    def test_missed_review_ends_with_the_way_to_practise(self, reader):
        press(reader, begin(reader), action="give_up")
        page = shown(press(reader, begin(reader), action="give_up"))
        assert 'href="/learn/tiny/halves/"' in page
        assert "1 topic reviewed." in page

    def test_next_asks_about_the_next_idea(self, reader, ada):
        master(ada, at=timezone.now() - 3 * DAY, slug="adding")
        page = shown(press(reader, begin(reader)))
        assert "1 more topic to review" in page
        assert begin(reader).concept.slug == "adding"

    def test_coming_back_leads_to_the_question_that_is_open(self, reader):
        question = begin(reader)
        assert reader.get(REVIEW)["Location"] == f"{REVIEW}{question.pk}/"

    def test_question_left_after_a_wrong_try_is_offered_on_home_still(self, reader):
        press(reader, begin(reader), right=False)
        assert Mastery.objects.get().probability < 0.9
        assert "Halves. About 2 minutes." in shown(reader.get("/"))

    def test_pressing_twice_and_two_windows_ask_one_question(self, reader):
        """G15"""
        assert reader.post(REVIEW)["Location"] == reader.post(REVIEW)["Location"]
        assert Question.objects.filter(purpose="review").count() == 1

    def test_same_answer_sent_twice_counts_once(self, reader):
        """G15"""
        question = begin(reader)
        for _ in range(2):
            assert 'data-state="answered"' in shown(press(reader, question, idempotency_key="same"))
        assert Attempt.objects.filter(question=question).count() == 1
        assert Review.objects.get().times == 1

    def test_other_window_is_told_and_can_go_on(self, reader):
        """B4, B6"""
        question = begin(reader)
        press(reader, question)
        response = press(reader, question, right=False, idempotency_key="other")
        assert response.status_code == 422
        assert "Done for today" in response.content.decode()
        assert Attempt.objects.filter(question=question).count() == 1

    def test_question_can_be_answered_after_its_course_lost_the_concept(self, reader, monkeypatch):
        question = begin(reader)
        monkeypatch.setattr("tutoring.mastery.records.reviews.askable_concept", lambda concept: None)
        assert "Done for today" in shown(press(reader, question))
        assert shown(reader.get(f"{REVIEW}{question.pk}/"))

    def test_question_page_takes_few_queries(self, reader, django_assert_max_num_queries):
        question = begin(reader)
        address = f"{REVIEW}{question.pk}/"
        for _ in range(2):
            with django_assert_max_num_queries(15):
                shown(reader.get(address))
            press(reader, question)


class TestStrangers:
    def test_strangers_question_is_404_like_a_missing_one(self, reader, client, eve):
        """B5"""
        question = begin(reader)
        client.force_login(eve)
        for pk in (question.pk, uuid.uuid4(), str(question.pk).upper(), "0"):
            assert client.get(f"{REVIEW}{pk}/").status_code == 404

    def test_question_of_a_conversation_has_no_page_here(self, client, ada):
        question = ask(ada, numeric())
        client.force_login(ada)
        assert client.get(f"{REVIEW}{question.pk}/").status_code == 404

    def test_signed_out_reader_is_asked_to_sign_in(self, client, db):
        for response in (client.get(REVIEW), client.post(REVIEW), client.get(f"{REVIEW}{uuid.uuid4()}/")):
            assert response["Location"].startswith("/accounts/sign-in/")

    def test_review_of_another_learner_changes_nothing_of_ones_own(self, reader, ada, ben):
        mine = master(ben, at=timezone.now() - 4 * DAY)
        press(reader, begin(reader))
        before = mine.due_at
        mine.refresh_from_db()
        assert mine.due_at == before
        assert home_context(ben)["reviews"]["count"] == 1


def test_day_of_return_is_the_learners_own(client, course, ada):
    """What comes back on a Tuesday does so when it is Tuesday where the learner is."""
    ada.zone = "Pacific/Auckland"
    ada.save()
    card = master(ada, at=datetime(2026, 3, 2, 20, 0, tzinfo=UTC))
    # The third of March there; two days on it is the fifth, which begins on the fourth at 11:00 UTC.
    assert card.due_at == datetime(2026, 3, 4, 11, 0, tzinfo=UTC)
