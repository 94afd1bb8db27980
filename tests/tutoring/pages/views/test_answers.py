"""Posts to a question's card."""

import json
import uuid
from dataclasses import replace
from unittest.mock import ANY

import pytest
from django.http import Http404
from django.test import RequestFactory

from agents.conf import agent_settings
from conversations.models import Message, Turn
from tests.page_text import without_csrf
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.small_course import ask, choice, numeric
from tutoring.grading import MultiKey
from tutoring.mastery.records.progress import abandon_open
from tutoring.models import Attempt, Question
from tutoring.pages.cards.rendering import questions_html
from tutoring.pages.views.answers import answer_core

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]


def post(person, question, *, htmx=True, **fields):
    headers = {"HX-Request": "true"} if htmx else {}
    data = {"action": "check", "idempotency_key": "k1", **fields}
    return send(person, question, RequestFactory().post("/", data, headers=headers))


def post_json(person, question, body):
    raw = body if isinstance(body, str) else json.dumps(body)
    return send(person, question, RequestFactory().post("/", raw, content_type="application/json"))


def send(person, question, request):
    request.user = person
    response, accepted = answer_core(request, str(getattr(question, "pk", question)))
    return response, accepted and accepted.turn.pk


def shown(response):
    return response.content.decode()


class TestTheCard:
    def test_right_answer_is_shown_answered_and_begins_a_turn(self, ada):
        question = ask(ada)
        response, turn_id = post(ada, question, answer="1/2")
        turn, attempt = Turn.objects.get(pk=turn_id), Attempt.objects.get()
        assert response.status_code == 200
        assert 'data-state="answered"' in shown(response)
        assert turn.payload == {"attempt": attempt.pk, "question": str(question.pk)}
        assert Message.objects.get(turn=turn, author="learner").text == "1/2"

    def test_wrong_answer_leaves_the_card_open_without_the_key(self, ada):
        response, turn_id = post(ada, ask(ada), answer="1/3")
        assert response.status_code == 200
        assert turn_id is not None
        assert 'data-state="open"' in shown(response)
        assert "2/4" not in shown(response)

    @pytest.mark.parametrize("typed", ["", "hello", "(1/2", "1/0"])
    def test_unreadable_answer_is_422_and_stays_in_the_field(self, ada, typed):
        response, turn_id = post(ada, ask(ada), answer=typed)
        assert (response.status_code, turn_id) == (422, None)
        assert f'value="{typed}"' in shown(response)
        assert not Attempt.objects.exists()

    def test_a_sentence_in_the_field_is_read_for_its_value(self, ada):
        post(ada, ask(ada), answer="2 of the 4 parts are shaded, so it is a half, or 1/2")
        assert (Attempt.objects.get().answer, Attempt.objects.get().correct) == ("1/2", True)

    def test_choices_of_a_multi_card_are_one_answer(self, ada):
        options = (("A", "x"), ("B", "y"), ("C", "z"))
        key = MultiKey(right=frozenset("AC"), options=options)
        question = ask(ada, numeric(kind="multi", key=key, choices=choice().choices, wrong={}))
        post(ada, question, choices=["A", "C"])
        assert Attempt.objects.get().correct

    def test_right_choice_is_marked_only_when_the_card_is_closed(self, ada):
        question = ask(ada, choice())
        still_open, _ = post(ada, question, answer="A")
        Turn.objects.update(status="done")
        closed, _ = post(ada, question, action="give_up", idempotency_key="k2")
        assert "is-right" not in shown(still_open)
        assert "is-right" in shown(closed)

    def test_choice_put_away_marks_what_was_chosen_and_not_what_is_right(self, ada):
        question = ask(ada, choice())
        post(ada, question, answer="A")
        abandon_open(question.session)
        card = questions_html([{"id": str(question.pk)}], ada, None)[str(question.pk)]
        assert "Not quite." in card
        assert ("you chose this" in card, "is-right" in card) == (True, False)

    def test_giving_up_shows_the_solution(self, ada):
        response, turn_id = post(ada, ask(ada), action="give_up")
        assert "Two of four equal parts" in shown(response)
        assert turn_id is not None

    def test_hint_follows_an_attempt_and_keeps_what_is_typed(self, ada):
        question = ask(ada)
        refused, _ = post(ada, question, action="hint")
        post(ada, question, answer="1/3")
        given, turn_id = post(ada, question, action="hint", answer="1/4")
        assert (refused.status_code, given.status_code, turn_id) == (200, 200, None)
        assert "Write down your first idea" in shown(refused)
        assert "Look at the parts." in shown(given)
        assert 'value="1/4"' in shown(given)

    @pytest.mark.parametrize(("used", "folded"), [(2, 0), (3, 2), (4, 3)])
    def test_of_many_hints_the_latest_is_in_sight_and_the_others_folded(self, ada, used, folded):
        question = ask(ada)
        Question.objects.filter(pk=question.pk).update(hints_used=used)
        card = questions_html([{"id": str(question.pk)}], ada, None)[str(question.pk)]
        before, _, after = card.rpartition("</details>")
        assert before.count("lightbulb") == folded
        assert after.count("lightbulb") == used - folded
        assert ("other hints" in before) == bool(folded)

    def test_without_htmx_one_returns_to_the_conversation(self, ada):
        question = ask(ada)
        response, _ = post(ada, question, htmx=False, answer="1/2")
        assert response.status_code == 302
        assert response["Location"] == f"{question.session.get_absolute_url()}#question-{question.pk}"


class TestSendingTwice:
    def test_double_click_is_one_attempt_and_one_turn(self, ada):
        """G15"""
        question = ask(ada)
        first, second = post(ada, question, answer="1/2"), post(ada, question, answer="1/2")
        assert first[1] is not None
        assert second[1] == first[1]
        assert second[0].status_code == 200
        assert Attempt.objects.count() == Turn.objects.filter(kind="answer").count() == 1

    def test_other_answer_from_another_tab_is_told_and_changes_nothing(self, ada):
        """B6, G15"""
        question = ask(ada)
        post(ada, question, answer="1/2")
        response, turn_id = post(ada, question, answer="1/3")
        assert (response.status_code, turn_id) == (422, None)
        assert 'data-state="answered"' in shown(response)

    def test_answer_to_a_closed_question_changes_nothing(self, ada):
        """B4"""
        question = ask(ada)
        post(ada, question, answer="1/2")
        response, turn_id = post(ada, question, answer="1/3", idempotency_key="k2")
        assert (response.status_code, turn_id) == (422, None)
        assert Attempt.objects.count() == 1

    def test_answer_while_the_tutor_still_talks_is_kept_in_the_field(self, ada):
        question = ask(ada)
        Turn.objects.filter(session=question.session).update(status="running")
        response, turn_id = post(ada, question, answer="1/2")
        assert (response.status_code, turn_id) == (422, None)
        assert 'value="1/2"' in shown(response)
        assert not Attempt.objects.exists()

    def test_next_card_carries_another_key(self, ada):
        question = ask(ada)
        before = f"{question.pk.hex}-1"
        response, _ = post(ada, question, answer="1/3", idempotency_key=before)
        assert f"{question.pk.hex}-2" in shown(response)


class TestStrangersAndBadInput:
    def test_strangers_question_is_404_like_a_missing_one(self, ada, eve):
        question = ask(ada)
        for pk in (question.pk, uuid.uuid4()):
            with pytest.raises(Http404, match="Page not found"):
                post(eve, pk, answer="1/2")

    @pytest.mark.parametrize("field", [{"answer": "1\x002"}, {"action": "cheat"}, {"idempotency_key": ""}])
    def test_unfit_field_is_422(self, ada, field):
        """B1"""
        response, _ = post(ada, ask(ada), **{"answer": "1/2", **field})
        assert response.status_code == 422
        assert not Attempt.objects.exists()

    def test_too_long_an_answer_is_413(self, ada):
        """B1"""
        response, _ = post(ada, ask(ada), answer="1" * 10_001)
        assert response.status_code == 413

    def test_too_many_answers_in_a_minute_are_429(self, ada, monkeypatch):
        question = ask(ada, purpose="practice")
        post(ada, question, answer="1/3")
        monkeypatch.setattr("tutoring.pages.views.answers.agent_settings", lambda: agent_settings_with(1))
        response, _ = post(ada, question, answer="1/4", idempotency_key="k2")
        assert (response.status_code, response["Retry-After"]) == (429, "30")

    def test_markup_in_an_answer_is_text_on_the_card(self, ada):
        """X1"""
        response, _ = post(ada, ask(ada), answer='<img src=x onerror=alert(1)>"')
        assert "<img" not in shown(response)

    def test_no_spelling_of_an_id_tells_a_strangers_question_from_a_missing_one(self, client, ada, eve):
        """B5"""
        question = ask(ada)
        client.force_login(eve)
        bodies = set()
        for pk in (question.pk, str(question.pk).upper(), uuid.uuid4(), "0", "-1", 2**63, "abc", "../", "%2e%2e%2f"):
            response = client.post(f"/learn/answers/{pk}", {"answer": "1/2", "idempotency_key": "k"})
            bodies.add((response.status_code, without_csrf(response)))
        assert len(bodies) == 1
        assert bodies.pop()[0] == 404

    def test_signed_out_page_goes_to_sign_in(self, client, ada):
        question = ask(ada)
        response = client.post(f"/learn/answers/{question.pk}", {"action": "give_up", "idempotency_key": "k"})
        assert response.status_code == 302
        assert response["Location"].startswith("/accounts/sign-in/")


class TestJson:
    def test_answer_is_told_without_the_key(self, ada):
        question = ask(ada)
        response, turn_id = post_json(ada, question, {"action": "check", "answer": "1/3", "idempotency_key": "k"})
        body = json.loads(response.content)
        assert body | {"feedback": ANY} == {
            "question": str(question.pk),
            "verdict": "wrong",
            "score": 0.0,
            "state": "open",
            "feedback": ANY,
            "hints": [],
            "note": "",
            "turn_id": str(turn_id),
        }
        assert "2/4" not in shown(response)

    def test_unreadable_answer_names_its_field(self, ada):
        response, _ = post_json(ada, ask(ada), {"answer": "hello", "idempotency_key": "k"})
        error = json.loads(response.content)["error"]
        assert response.status_code == 422
        assert (error["code"], list(error["fields"])) == ("invalid_input", ["answer"])

    def test_closed_question_is_409(self, ada):
        """B4"""
        question = ask(ada)
        post_json(ada, question, {"answer": "1/2", "idempotency_key": "k"})
        response, _ = post_json(ada, question, {"answer": "1/2", "idempotency_key": "k2"})
        assert response.status_code == 409
        assert json.loads(response.content)["error"]["code"] == "conflict"

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ("{", 400),
            ("[]", 400),
            ('{"answer": NaN}', 400),
            ('{"answer": "1", "answer": "2"}', 400),
            ('{"answer": 1, "idempotency_key": "k"}', 422),
            ('{"answer": "1", "idempotency_key": "k", "user_id": "1"}', 422),
            ('{"answer": "\\ud800", "idempotency_key": "k"}', 422),
            ('{"choices": [1], "idempotency_key": "k"}', 422),
        ],
    )
    def test_unfit_body_is_refused(self, ada, body, status):
        """B2, B8"""
        response, _ = post_json(ada, ask(ada), body)
        assert response.status_code == status
        assert not Attempt.objects.exists()

    def test_strangers_question_is_404(self, ada, eve):
        response, _ = post_json(eve, ask(ada), {"answer": "1/2", "idempotency_key": "k"})
        assert response.status_code == 404
        assert Question.objects.get().is_open


def agent_settings_with(cards_per_minute):
    return replace(agent_settings(), cards_per_minute=cards_per_minute)


class TestSkip:
    def test_question_of_a_lesson_is_skipped_in_words_once(self, ada):
        question = ask(ada)
        _, first = post(ada, question, action="skip")
        _, again = post(ada, question, action="skip")
        assert first == again
        assert Message.objects.get(turn=first, author="learner").text == "Skip"
        assert not Attempt.objects.exists()

    def test_question_on_a_page_of_its_own_has_no_skip(self, ada):
        question = ask(ada)
        Question.objects.update(session=None)
        response, turn_id = post(ada, question, action="skip")
        assert (response.status_code, turn_id) == (422, None)
        assert not Attempt.objects.exists()
