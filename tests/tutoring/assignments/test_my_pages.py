"""A pupil's pages of assignments: the home, starting, a quiz question by question, reading, the planner."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tutoring.assignments.helpers import DAY, assign, class_of, question_of, right, send, wrong
from tests.tutoring.class_helpers import agree
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.review_helpers import master
from tutoring.models import Assignment, AssignmentWork, Attempt, Concern, Goal, Question
from tutoring.pages.contexts.my_assignments import home_assignments

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom(grace, ada):
    return class_of(grace, ada)


@pytest.fixture
def learning(client, ada):
    client.force_login(ada)
    return client


def page(client, address, **extra):
    response = client.get(address, follow=True, **extra)
    assert response.status_code == 200
    return response.content.decode()


def start(client, assignment):
    return client.post(f"/assignments/{assignment.pk}/", {"action": "start"})


def test_home_shows_what_is_to_do_and_until_when_and_not_what_is_done(classroom, learning, ada):
    assign(classroom, "concept", title="Halves by tomorrow")
    assign(classroom, "reading", title="Read", due_at=timezone.now() - timedelta(hours=1))
    assign(classroom, "path", title="Long ago", due_at=timezone.now() - timedelta(hours=23))
    Assignment.objects.filter(title="Long ago").update(
        starts_at=timezone.now() - 20 * DAY, due_at=timezone.now() - 15 * DAY
    )
    text = page(learning, "/")
    assert "Halves by tomorrow" in text
    assert "You can still do it." in text
    assert "Long ago" not in text
    master(ada)
    assert "Halves by tomorrow" not in page(learning, "/")


def test_number_of_queries_of_the_home_does_not_grow_with_what_is_to_do(classroom, ada):
    for kind in ("quiz", "concept", "reading"):
        assign(classroom, kind)
    with CaptureQueriesContext(connection) as few:
        home_assignments(ada, at=timezone.now())
    for kind in ("quiz", "concept", "reading") * 3:
        assign(classroom, kind)
    with CaptureQueriesContext(connection) as many:
        assert len(home_assignments(ada, at=timezone.now())) == 12
    assert len(many) == len(few)


def test_each_kind_leads_to_where_it_is_done(classroom, learning, ada):
    lesson = start(learning, assign(classroom, "concept", "halves", "adding"))
    assert lesson["Location"] == "/learn/tiny/halves/"
    master(ada)
    assert start(learning, Assignment.objects.get())["Location"] == "/learn/tiny/adding/"
    assert start(learning, assign(classroom, "path"))["Location"] == "/learn/tiny/path/"
    assert Goal.objects.get(learner=ada).concept.slug == "adding"
    article = assign(classroom, "reading", article="how-transformers-work")
    assert start(learning, article)["Location"] == "/library/articles/how-transformers-work/"


def test_reading_is_read_when_it_was_opened_and_the_pupil_says_so(classroom, learning):
    given = assign(classroom, "reading", article="how-transformers-work")
    address = f"/assignments/{given.pk}/"
    assert "Open it first" in learning.post(address, {"action": "read"}, follow=True).content.decode()
    assert not AssignmentWork.objects.filter(read_at__isnull=False).exists()
    start(learning, given)
    learning.post(address, {"action": "read"})
    assert "You are done with this." in page(learning, address)


def test_reading_is_read_when_the_end_of_the_text_is_reached(classroom, learning):
    given = assign(classroom, "reading", article="how-transformers-work")
    text = "/library/articles/how-transformers-work/"
    assert "intersect once" not in page(learning, text)
    start(learning, given)
    assert f'hx-post="/assignments/{given.pk}/"' in page(learning, text)
    said = learning.post(f"/assignments/{given.pk}/", {"action": "read"}, headers={"HX-Request": "true"})
    assert "“The reading” is done." in said.content.decode()
    assert AssignmentWork.objects.get().read_at is not None
    assert "intersect once" not in page(learning, text)


def test_reading_that_is_gone_says_so(classroom, learning):
    given = assign(classroom, "reading")
    assert "is not there any more" in page(learning, f"/assignments/{given.pk}/")
    assert (
        "Tell your teacher"
        in learning.post(f"/assignments/{given.pk}/", {"action": "start"}, follow=True).content.decode()
    )


class TestQuiz:
    def test_is_answered_once_without_hints_or_verdict_until_the_end(self, classroom, learning, ada):
        quiz = assign(classroom)
        first = page(learning, start(learning, quiz)["Location"])
        assert "Question 1 of 2" in first
        assert 'value="hint"' not in first
        missed = send(learning, quiz, 1, wrong(question_of(quiz, ada)))
        assert missed["Location"] == f"/assignments/{quiz.pk}/questions/2/"
        assert "Not quite" not in page(learning, f"/assignments/{quiz.pk}/questions/1/")
        result = send(learning, quiz, 2, right(question_of(quiz, ada, 2)))
        text = page(learning, result["Location"])
        assert "1 of 2 right" in text
        assert "Not quite." in text

    def test_says_at_once_what_was_right_and_gives_hints_where_the_teacher_allows_it(self, classroom, learning, ada):
        quiz = assign(classroom, explains_at_once=True, gives_hints=True, goal_number=80)
        start(learning, quiz)
        question = question_of(quiz, ada)
        assert question.key["hints"][0].split()[0] in send(learning, quiz, 1, action="hint").content.decode()
        after = page(learning, send(learning, quiz, 1, wrong(question))["Location"])
        assert "Not quite." in after
        assert f"/assignments/{quiz.pk}/questions/2/" in after
        send(learning, quiz, 2, right(question_of(quiz, ada, 2)))
        assert "The goal was 80%" in page(learning, f"/assignments/{quiz.pk}/")

    def test_hints_that_are_not_allowed_are_not_given_by_any_address(self, classroom, learning, ada):
        quiz = assign(classroom)
        start(learning, quiz)
        question = question_of(quiz, ada)
        assert send(learning, quiz, 1, action="hint").status_code == 422
        posted = {"action": "hint", "answer": "", "idempotency_key": "k"}
        assert learning.post(f"/learn/answers/{question.pk}", posted).status_code == 404
        assert learning.get(f"/progress/review/{question.pk}/").status_code == 404
        assert Question.objects.get(pk=question.pk).hints_used == 0

    def test_answers_show_no_solution_before_the_quiz_is_handed_in(self, classroom, learning, ada):
        quiz = assign(classroom)
        start(learning, quiz)
        send(learning, quiz, 1, wrong(question_of(quiz, ada)))
        attempt = Attempt.objects.get()
        held = learning.get("/progress/tiny/halves/")
        assert held.context["answers"] == []
        assert "once it is over" in held.content.decode()
        assert learning.post(f"/progress/answers/{attempt.pk}/contest/", {"action": "contest"}).status_code == 404
        send(learning, quiz, 2, right(question_of(quiz, ada, 2)))
        assert len(learning.get("/progress/tiny/halves/").context["answers"]) == 2

    def test_second_answer_is_refused_and_the_first_counts(self, classroom, learning, ada):
        quiz = assign(classroom)
        start(learning, quiz)
        good = right(question_of(quiz, ada))
        send(learning, quiz, 1, good)
        again = learning.post(
            f"/assignments/{quiz.pk}/questions/1/", {"answer": "77", "idempotency_key": "other"}, follow=True
        ).content.decode()
        assert "Your first answer counts. You wrote: 77" in again
        assert Attempt.objects.get().answer == good

    def test_unreadable_answer_stays_on_the_card_and_costs_nothing(self, classroom, learning):
        quiz = assign(classroom, "quiz", "adding")
        start(learning, quiz)
        refused = send(learning, quiz, 1, "dunno what")
        assert refused.status_code == 422
        assert 'value="dunno what"' in refused.content.decode()
        assert not Attempt.objects.exists()

    def test_cry_for_help_is_answered_and_not_graded(self, classroom, learning):
        quiz = assign(classroom, "quiz", "adding")
        start(learning, quiz)
        send(learning, quiz, 1, "i want to kill myself")
        assert Concern.objects.count() == 1
        assert not Attempt.objects.exists()

    def test_script_is_led_to_the_next_page(self, classroom, learning, ada):
        quiz = assign(classroom)
        start(learning, quiz)
        fields = {"answer": right(question_of(quiz, ada)), "idempotency_key": "k"}
        done = learning.post(f"/assignments/{quiz.pk}/questions/1/", fields, headers={"HX-Request": "true"})
        assert done["HX-Redirect"] == f"/assignments/{quiz.pk}/questions/2/"

    def test_question_that_the_quiz_does_not_have_is_not_found(self, classroom, learning):
        quiz = assign(classroom)
        start(learning, quiz)
        assert [learning.get(f"/assignments/{quiz.pk}/questions/{each}/").status_code for each in (3, 10**9)] == [
            404,
            404,
        ]


@pytest.mark.parametrize(
    ("agreed", "tells", "words"),
    [
        ("evidence", False, "how far you are, and your answers"),
        ("levels", False, "but not your answers"),
        ("nothing", True, "whether you are done, and nothing else"),
        ("nothing", False, "can’t see whether you have done this"),
    ],
)
def test_pupil_reads_what_the_teacher_sees_before_they_start(classroom, learning, agreed, tells, words):
    agree(classroom, mastery=agreed)
    assert words in page(learning, f"/assignments/{assign(classroom, tells_done=tells).pk}/")


def test_planner_shows_what_is_due_and_strikes_out_what_is_done(classroom, learning, ada):
    given = assign(classroom, "reading", title="Read this", due_at=timezone.now() + timedelta(minutes=1))
    text = page(learning, "/planner/")
    assert f'href="/assignments/{given.pk}/"' in text
    assert "is-done" not in text
    AssignmentWork.objects.create(assignment=given, learner=ada, read_at=timezone.now())
    assert "is-done" in page(learning, "/planner/")
