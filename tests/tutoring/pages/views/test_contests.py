"""The evidence page, and what a learner says is wrong on it and on a card."""

import pytest

from tests.tutoring.class_helpers import agree, make_class
from tests.tutoring.small_course import ask, choice, numeric
from tutoring.mastery.records.contests import contest_verdict, decide
from tutoring.mastery.records.progress import give_up, record_attempt, record_words, take_hint
from tutoring.models import Contest, Question
from tutoring.pages.cards.question_context import question_context
from tutoring.pages.contexts import evidence

pytestmark = pytest.mark.django_db
EVIDENCE = "/progress/fractions/one_half/"
CARD = {"HX-Request": "true"}


@pytest.fixture
def learning(client, ada):
    client.force_login(ada)
    return client


def answer(person, text, made=None, **fields):
    question = ask(person, made or numeric(), **fields)
    return record_attempt(question, learner=person, answer=text, idempotency_key="k").attempt


def page(client, address=EVIDENCE):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def post(client, attempt, action="contest", reason="", **kwargs):
    return client.post(f"/progress/answers/{attempt.pk}/contest/", {"action": action, "reason": reason}, **kwargs)


class TestEvidence:
    def test_answer_shows_its_question_with_picture_choices_and_both_answers(self, learning, ada):
        attempt = answer(ada, "A", choice())
        give_up(ask(ada), learner=ada, idempotency_key="k")
        text = page(learning)
        assert "<svg" in text
        assert f'id="answer-{attempt.pk}"' in text
        # The wrong choice leaves the question open: nothing says what is right.
        assert 'is-chosen"><span class="letter">A' in text
        assert "right answer</span>" not in text
        record_attempt(attempt.question, learner=ada, answer="B", idempotency_key="l")
        assert text.count("right answer</span>") < page(learning).count("right answer</span>")

    def test_written_answer_shows_the_right_one_once_it_is_closed(self, learning, ada):
        question = ask(ada)
        record_attempt(question, learner=ada, answer="2", idempotency_key="k")
        assert "Right answer" not in page(learning)
        give_up(question, learner=ada, idempotency_key="l")
        shown = page(learning)
        assert '<span class="small">Right answer</span> <bdi class="what">1/2</bdi>' in shown
        assert '<bdi class="what">2</bdi>' in shown

    def test_retry_and_hints_are_told_and_do_not_count(self, learning, ada):
        question = ask(ada)
        record_attempt(question, learner=ada, answer="2", idempotency_key="k")
        take_hint(question)
        record_attempt(question, learner=ada, answer="1/3", idempotency_key="l")
        text = page(learning)
        assert "try 2" in text
        assert "1 hint" in text
        assert "Only the first try counts" in text

    def test_numbers_are_percent_and_words(self, learning, ada):
        answer(ada, "1/2")
        text = page(learning).partition('<dl class="numbers">')[2].partition("</dl>")[0]
        assert "a small surprise" in text
        assert "medium" in text
        assert "49%" in text
        assert "0." not in text

    def test_own_words_instead_of_a_choice_mark_no_letter(self, learning, ada):
        question = ask(ada, choice())
        record_words(question, learner=ada, words="A piece must be equal", idempotency_key="k")
        text = page(learning)
        assert "A piece must be equal" in text
        assert "is-chosen" not in text

    def test_answers_are_listed_by_day_and_by_page(self, learning, ada, django_assert_max_num_queries):
        made = [answer(ada, "1/2", numeric(f"t{number}")) for number in range(evidence.QUESTIONS_SHOWN + 3)]
        text = page(learning)
        assert text.count('<h3 class="evidence-day">Today</h3>') == 1
        assert f'href="?from={made[2].pk}"' in text
        with django_assert_max_num_queries(15):
            older = page(learning, f"{EVIDENCE}?from={made[2].pk}")
        assert [f'id="answer-{each.pk}"' in older for each in made[:4]] == [True, True, True, False]
        assert f'id="answer-{made[2].pk}" open' in older
        assert f'id="answer-{made[-1].pk}"' in page(learning, f"{EVIDENCE}?from=x")

    def test_placement_gives_no_verdict(self, learning, ada):
        attempt = answer(ada, "2", purpose="placement")
        text = page(learning)
        assert "Noted" in text
        assert "Right answer" not in text
        post(learning, attempt)
        assert not Contest.objects.exists()


class TestContest:
    def test_learner_says_why_and_sees_who_can_see_it(self, learning, ada, grace):
        attempt = answer(ada, "2")
        response = post(learning, attempt, reason="I meant <b>1/2</b>")
        assert response["Location"] == f"{EVIDENCE}?from={attempt.pk}#answer-{attempt.pk}"
        text = page(learning)
        assert "No teacher can see your answers" in text
        assert "I meant &lt;b&gt;1/2" in text
        classroom = make_class(grace, ada)
        assert "A teacher can see it." in page(learning)
        agree(classroom, mastery="levels")
        assert "No teacher can see your answers" in page(learning)

    def test_card_swaps_the_piece_alone(self, learning, ada):
        attempt = answer(ada, "2")
        response = post(learning, attempt, headers=CARD)
        text = response.content.decode()
        assert text.startswith(f'<div class="contest" id="contest-answer-{attempt.pk}">')
        assert "I take that back" in text
        taken_back = post(learning, attempt, "take_back", headers=CARD).content.decode()
        assert "That’s not right" in taken_back
        assert not Contest.objects.exists()

    def test_answered_card_has_the_button_outside_of_its_form(self, ada):
        attempt = answer(ada, "2")
        contest = question_context(attempt.question)["contest"]
        assert (contest["state"], contest["url"]) == ("none", f"/progress/answers/{attempt.pk}/contest/")
        assert question_context(ask(ada))["contest"] == {}

    @pytest.mark.parametrize(("typed", "says"), [("x" * 501, "at most 500"), ("a\x00b", "can’t be stored")])
    def test_unfit_reason_is_told_and_kept_in_its_field(self, learning, ada, typed, says):
        attempt = answer(ada, "2")
        for headers in ({}, CARD):
            response = post(learning, attempt, reason=typed, headers=headers)
            text = response.content.decode()
            assert response.status_code == 422
            assert says in text
            assert typed.replace("\x00", "")[:1] in text.partition("<textarea")[2]
        assert not Contest.objects.exists()

    def test_decided_one_stays_when_it_is_taken_back(self, learning, ada, grace):
        attempt = answer(ada, "2")
        decide(contest_verdict(attempt, reason=""), "left_out", by=grace)
        post(learning, attempt, "take_back")
        assert Contest.objects.count() == 1
        text = page(learning)
        assert "A teacher agreed with you. This answer no longer counts." in text
        assert "I take that back" not in text

    def test_answer_of_somebody_else_is_not_there(self, learning, ben):
        assert post(learning, answer(ben, "2")).status_code == 404
        assert learning.post(f"/progress/answers/{2**70}/contest/").status_code == 404

    def test_number_is_contested_and_taken_back(self, learning, ada):
        for number in range(3):
            answer(ada, "1/2", numeric(f"t{number}"))
        address = f"{EVIDENCE}contest/"
        assert learning.post(address, {"action": "contest", "reason": "too high"})["Location"] == EVIDENCE
        assert "too high" in page(learning)
        learning.post(address, {"action": "take_back"})
        assert not Contest.objects.exists()
        assert learning.post(address, {"reason": "x" * 501}).status_code == 422

    def test_without_a_number_there_is_nothing_to_contest(self, learning, ada):
        answer(ada, "1/2")
        assert 'id="contest-number"' not in page(learning)
        learning.post(f"{EVIDENCE}contest/", {"action": "contest"})
        assert not Contest.objects.exists()


class TestTeacher:
    @pytest.fixture
    def teaching(self, client, ada, grace):
        self.classroom = make_class(grace, ada)
        client.force_login(grace)
        return client

    def own(self, ada):
        return f"/teach/4b/{ada.pk}/"

    def test_teacher_sees_the_question_with_its_solution_also_while_it_is_open(self, teaching, ada):
        attempt = answer(ada, "A", choice())
        text = page(teaching, f"{self.own(ada)}fractions/one_half/")
        assert "their answer" in text
        assert "right answer</span>" in text
        assert "That’s not right" not in text
        assert Question.objects.get(pk=attempt.question_id).is_open

    def test_teacher_agrees_on_the_learners_page_and_the_answer_no_longer_counts(self, teaching, ada):
        attempt = answer(ada, "2")
        contest = contest_verdict(attempt, reason="I counted right")
        text = page(teaching, self.own(ada))
        assert "I counted right" in text
        response = teaching.post(f"{self.own(ada)}contests/{contest.pk}/", {"decision": "left_out"})
        assert response["Location"].startswith(f"{self.own(ada)}fractions/one_half/?from={attempt.pk}")
        text = page(teaching, response["Location"])
        assert "the score was worked out again" in text
        assert "a teacher agreed" in text
        assert "I counted right" not in page(teaching, self.own(ada))

    def test_levels_show_a_contested_number_and_no_reason_and_no_answer(self, teaching, ada):
        for number in range(3):
            attempt = answer(ada, "1/2", numeric(f"t{number}"))
        contest = contest_verdict(attempt, reason="of the answer")
        client = type(teaching)()
        client.force_login(ada)
        client.post(f"{EVIDENCE}contest/", {"reason": "of the number"})
        agree(self.classroom, mastery="levels")
        text = page(teaching, self.own(ada))
        assert "Mastery:" in text
        assert "of the" not in text.partition('id="contested"')[2].partition("</section>")[0]
        assert teaching.post(f"{self.own(ada)}contests/{contest.pk}/").status_code == 404
        number = Contest.objects.get(attempt=None)
        assert teaching.post(f"{self.own(ada)}contests/{number.pk}/")["Location"] == self.own(ada)
        agree(self.classroom, mastery="nothing")
        assert 'id="contested"' not in page(teaching, self.own(ada))

    def test_words_said_instead_of_a_choice_follow_the_rule_for_conversations(self, teaching, ada):
        question = ask(ada, choice())
        record_words(question, learner=ada, words="equal pieces only", idempotency_key="k")
        address = f"{self.own(ada)}fractions/one_half/"
        assert "equal pieces only" not in page(teaching, address)
        agree(self.classroom, conversations="everything")
        assert "equal pieces only" not in page(teaching, address)
        record_words(ask(ada, choice("more")), learner=ada, words="later words", idempotency_key="k")
        assert "later words" in page(teaching, address)
