"""A quiz taken together: its steps, answers in time and too late, late joiners, and what the projector shows."""

import pytest

from tests.people import make_person
from tests.tutoring.assignments.helpers import assign, class_of, right, send, wrong
from tests.tutoring.class_helpers import agree
from tutoring.assignments.live_quizzes import end_live, move_on, start_live
from tutoring.assignments.quiz_work import ask_item, start_work
from tutoring.classes import membership
from tutoring.models import AssignmentWork, Attempt, LiveQuiz, Mastery, Question

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom(grace, ada, ben):
    return class_of(grace, ada, ben)


@pytest.fixture
def quiz(classroom):
    return assign(classroom, "quiz", "adding", is_live=True)


@pytest.fixture
def learning(client, ada):
    client.force_login(ada)
    return client


@pytest.fixture
def projector(client, grace, quiz):
    """The teacher's page, as a function of what to press."""

    def press(action="", **fields):
        client.force_login(grace)
        address = f"{quiz.teacher_url}live/"
        response = client.post(address, {"action": action, **fields}, follow=True) if action else client.get(address)
        return response.content.decode()

    return press


def ask(quiz, number):
    """Let the quiz be at this question, open for answers."""
    live = start_live(quiz)
    while (live.phase, live.number) != (LiveQuiz.Phase.ASKING, number):
        assert move_on(live, seen=live.mark)
        live.refresh_from_db()
    return live


def question(quiz, person, number=1):
    return ask_item(start_work(quiz, person), quiz.items.get(number=number), quiz)


def mine(client, quiz, **extra):
    return client.get(f"/assignments/{quiz.pk}/", **extra)


def test_steps_ask_show_and_end(quiz):
    live, marks = start_live(quiz), []
    while live.phase != LiveQuiz.Phase.OVER:
        assert move_on(live, seen=live.mark)
        live.refresh_from_db()
        marks.append(live.mark)
    assert marks == ["asking-1", "shown-1", "asking-2", "shown-2", "over-2"]
    assert not move_on(live, seen=live.mark)


def test_two_teachers_who_move_on_at_once_take_one_step(quiz, projector):
    live = ask(quiz, 1)
    assert move_on(live, seen="asking-1")
    assert "already moved on" in projector("next", seen="asking-1")
    live.refresh_from_db()
    assert live.mark == "shown-1"


def test_pupil_waits_joins_answers_and_sees_what_was_right(quiz, learning, ada):
    assert "has not started" in mine(learning, quiz).content.decode()
    live = start_live(quiz)
    assert ">Join<" in mine(learning, quiz).content.decode()
    learning.post(f"/assignments/{quiz.pk}/", {"action": "start"})
    assert "You have joined" in mine(learning, quiz).content.decode()
    move_on(live, seen=live.mark)
    assert "Your turn" in mine(learning, quiz).content.decode()
    send(learning, quiz, 1, wrong(question(quiz, ada)))
    answered = mine(learning, quiz).content.decode()
    assert "Your answer is in" in answered
    assert "Not quite" not in answered
    move_on(live, seen="asking-1")
    assert "Not quite." in mine(learning, quiz).content.decode()
    end_live(live)
    assert "0 of 2 right" in mine(learning, quiz).content.decode()
    assert Mastery.objects.get(learner=ada).answers == 1


def test_own_answers_show_no_solution_while_the_question_is_open(quiz, learning, ada):
    live = ask(quiz, 1)
    send(learning, quiz, 1, wrong(question(quiz, ada)))
    evidence = "/progress/tiny/adding/"
    assert learning.get(evidence).context["answers"] == []
    move_on(live, seen="asking-1")
    assert len(learning.get(evidence).context["answers"]) == 1


def test_page_that_polls_gets_nothing_until_the_quiz_moves_on(quiz, learning, ada):
    live = ask(quiz, 1)
    start_work(quiz, ada)
    poll = {"headers": {"HX-Request": "true"}}
    address = f"/assignments/{quiz.pk}/?seen="
    assert learning.get(f"{address}asking-1", **poll).status_code == 204
    move_on(live, seen="asking-1")
    moved = learning.get(f"{address}asking-1", **poll)
    assert moved.status_code == 200
    assert "<html" not in moved.content.decode()
    assert "This question is closed" in moved.content.decode()


def test_answer_after_the_question_closed_is_not_counted_and_shown_again(quiz, learning, ada):
    live = ask(quiz, 1)
    late = right(question(quiz, ada))
    move_on(live, seen="asking-1")
    text = learning.post(
        f"/assignments/{quiz.pk}/questions/1/", {"answer": late, "idempotency_key": "k"}, follow=True
    ).content.decode()
    assert "closed now, so your answer was not counted" in text
    assert f"You wrote: {late}" in text
    assert not Attempt.objects.exists()


def test_second_answer_is_refused_and_the_same_one_again_is_one(quiz, learning, ada):
    ask(quiz, 1)
    good = right(question(quiz, ada))
    send(learning, quiz, 1, good)
    assert send(learning, quiz, 1, good)["Location"] == f"/assignments/{quiz.pk}/"
    send(learning, quiz, 1, "7", key="other")
    assert [each.answer for each in Attempt.objects.all()] == [good]


def test_question_that_comes_later_is_not_shown_before(quiz, learning, ada):
    ask(quiz, 1)
    start_work(quiz, ada)
    assert send(learning, quiz, 2, "1").status_code == 404
    assert not Question.objects.filter(number=2).exists()


def test_pupil_who_comes_late_starts_with_the_question_that_is_asked(quiz, learning, ada, ben):
    live = ask(quiz, 1)
    question(quiz, ben)
    ask(quiz, 2)
    learning.post(f"/assignments/{quiz.pk}/", {"action": "start"})
    assert "Question 2 of 2" in mine(learning, quiz).content.decode()
    send(learning, quiz, 2, right(question(quiz, ada, 2)))
    end_live(live)
    done = AssignmentWork.objects.exclude(handed_in_at=None)
    assert list(done.values_list("learner", flat=True)) == [ada.pk]
    assert not Question.objects.open().exists()


class TestProjector:
    def answered(self, quiz, client, *people):
        """Let the people give the same known wrong answer to the first question, which is then closed."""
        live = ask(quiz, 1)
        known = next(iter(quiz.items.get(number=1).exercise().wrong))
        for person in people:
            start_work(quiz, person)
            client.force_login(person)
            send(client, quiz, 1, known)
        move_on(live, seen="asking-1")
        return known

    def test_counts_who_joined_and_answered_without_names(self, quiz, client, projector, ada, ben):
        projector("start")
        assert "0 of 2 joined" in projector()
        ask(quiz, 1)
        start_work(quiz, ben)
        start_work(quiz, ada)
        client.force_login(ada)
        send(client, quiz, 1, "1")
        text = projector()
        assert "1 of 2 answered" in text
        assert "Ada" not in text

    def test_shows_the_wrong_answers_with_the_idea_behind_them_once_closed(self, quiz, client, projector, ada, ben):
        known = self.answered(quiz, client, ada, ben)
        text = projector()
        assert "0 of 2 right" in text
        assert '<span class="number">2×</span>' in text
        assert known in text

    @pytest.mark.parametrize(("agreed", "right_shown"), [("levels", True), ("nothing", False)])
    def test_shows_no_answers_where_the_class_has_not_agreed_to_it(
        self, quiz, client, projector, classroom, ada, agreed, right_shown
    ):
        agree(classroom, mastery=agreed)
        self.answered(quiz, client, ada)
        text = projector()
        assert ("0 of 1 right" in text) is right_shown
        assert "×</span>" not in text
        projector("end")
        assert "×</span>" not in projector()

    def test_number_of_queries_does_not_grow_with_the_pupils(
        self, quiz, client, projector, ada, django_assert_max_num_queries
    ):
        self.answered(quiz, client, ada)
        with django_assert_max_num_queries(60) as few:
            projector()
        for number in range(3):
            person = make_person(f"p{number}")
            membership.join_class(person, "4b")
            work = start_work(quiz, person)
            asked = ask_item(work, quiz.items.get(number=1), quiz)
            Attempt.objects.create(
                question=asked, learner=person, answer="5", verdict="wrong", score=0, correct=False, assisted=False,
                number=1, idempotency_key="k",
            )  # fmt: skip
        with django_assert_max_num_queries(len(few)):
            projector()


def test_quiz_alone_has_no_projector_page(classroom, client, grace):
    alone = assign(classroom)
    client.force_login(grace)
    assert client.get(f"{alone.teacher_url}live/")["Location"] == alone.teacher_url
