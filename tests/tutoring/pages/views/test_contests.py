"""The evidence page, and what a learner says is wrong on it and on a card."""

import re

import pytest

from tests.tutoring.class_helpers import agree, make_class
from tests.tutoring.small_course import ask, choice, make_course, numeric
from tutoring.classes import contested, learner_page
from tutoring.mastery.records.contests import contest_verdict, decide
from tutoring.mastery.records.goals import set_goal
from tutoring.mastery.records.path_planning import plan_path
from tutoring.mastery.records.progress import give_up, record_attempt, record_words, take_hint
from tutoring.models import Classroom, Concept, Contest, Course, Mastery, MisconceptionState, Question
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
        with django_assert_max_num_queries(16):
            older = page(learning, f"{EVIDENCE}?from={made[2].pk}")
        assert [f'id="answer-{each.pk}"' in older for each in made[:4]] == [True, True, True, False]
        assert f'id="answer-{made[2].pk}" open' in older
        assert f'id="answer-{made[-1].pk}"' in page(learning, f"{EVIDENCE}?from=x")

    def test_placement_shows_its_verdict_here_and_is_contested_like_any_other(self, learning, ada):
        attempt = answer(ada, "2", purpose="placement")
        text = page(learning)
        assert "Not yet</span>" in text
        assert '<span class="small">Right answer</span> <bdi class="what">1/2</bdi>' in text
        assert "This helped us find where to start." in text
        post(learning, attempt)
        assert Contest.objects.get().attempt == attempt
        assert question_context(attempt.question)["contest"] == {}

    @pytest.mark.parametrize(
        ("fields", "hints", "says"),
        [
            ({"purpose": "practice"}, 0, "This is a step in the lesson, so it counts as practice."),
            ({"purpose": "practice"}, 2, "This was answered with help, so it counts as practice."),
            ({"purpose": "quiz"}, 2, "This was answered with help, so it counts as practice."),
        ],
    )
    def test_why_a_right_answer_counts_as_practice_is_told_as_it_was(self, learning, ada, fields, hints, says):
        question = ask(ada, **fields)
        for _number in range(hints):
            take_hint(question, tried=True)
        record_attempt(question, learner=ada, answer="1/2", idempotency_key="k")
        assert says in page(learning)


class TestContest:
    def test_learner_says_why_and_sees_who_can_see_it(self, learning, ada, grace):
        attempt = answer(ada, "2")
        response = post(learning, attempt, reason="I meant <b>1/2</b>")
        assert response["Location"] == f"{EVIDENCE}?from={attempt.pk}#answer-{attempt.pk}"
        text = page(learning)
        assert "No teacher can see your answers" in text
        assert "I meant &lt;b&gt;1/2" in text
        classroom = make_class(grace, ada)
        assert "A teacher can see your report." in page(learning)
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

    def test_number_swaps_the_piece_alone_and_takes_back_too(self, learning, ada):
        for number in range(3):
            answer(ada, "1/2", numeric(f"t{number}"))
        address = f"{EVIDENCE}contest/"
        said = learning.post(address, {"action": "contest", "reason": "no"}, headers=CARD).content.decode()
        assert said.startswith('<div class="contest" id="contest-number">')
        assert "I take that back" in said
        assert "<html" not in said
        refused = learning.post(address, {"action": "contest", "reason": "x" * 501}, headers=CARD)
        assert (refused.status_code, refused.content.decode().startswith('<div class="contest"')) == (422, True)
        back = learning.post(address, {"action": "take_back"}, headers=CARD).content.decode()
        assert back.startswith('<div class="contest" id="contest-number">')
        assert "That’s not right" in back

    def test_without_a_teacher_the_answer_is_checked_again_and_explained(self, learning, ada):
        question = ask(ada)
        attempt = record_attempt(question, learner=ada, answer="2", idempotency_key="k").attempt
        assert "You can try once more." in post(learning, attempt, headers=CARD).text
        give_up(question, learner=ada, idempotency_key="l")
        text = page(learning)
        told = re.sub(r"<[^>]+>", "", text.partition("so we checked it again.")[2].partition("</p>")[0])
        assert told == " The result stays the same. The right answer is 1/2."
        assert "Ask me another one" in text

    def test_wrong_verdict_is_found_by_the_check_and_no_longer_counts(self, learning, ada):
        attempt = answer(ada, "2")
        attempt.question.key["answer"]["value"] = "2"
        attempt.question.save()
        before = Mastery.objects.get().probability
        assert "We checked your answer again, and it is right." in post(learning, attempt, headers=CARD).text
        assert Mastery.objects.get().probability > before

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


class TestStart:
    """What the placement took as known, against which the learner may say that they do not know it."""

    ADDRESS = "/progress/fractions/equal_parts/start/"

    @pytest.fixture
    def placed(self, learning, ada):
        make_course()
        concept = Concept.objects.get(slug="equal_parts")
        set_goal(ada, Concept.objects.get(slug="one_half"))
        return Mastery.objects.create(learner=ada, concept=concept, probability=0.9, placed=0.9, threshold=0.85)

    def kinds(self, ada):
        return {step.concept: step.kind for step in plan_path(ada.pk, Course.objects.get()).steps}

    def test_topic_becomes_a_lesson_of_the_path_and_is_known_again(self, learning, ada, placed, grace):
        classroom = make_class(grace, ada)
        assert self.kinds(ada)["equal_parts"] == "check"
        for address in ("/progress/fractions/equal_parts/", "/learn/fractions/path/", "/learn/fractions/"):
            assert "I don’t know this after all" in page(learning, address)
        response = learning.post(self.ADDRESS, {"action": "not_known", "next": "/learn/fractions/path/"})
        assert response["Location"] == "/learn/fractions/path/"
        assert self.kinds(ada)["equal_parts"] == "learn"
        (told,) = contested.open_contests([classroom])
        assert (told.about, told.can_leave_out) == ("start", False)
        for address in ("/progress/fractions/equal_parts/", "/learn/fractions/path/", "/learn/fractions/"):
            text = page(learning, address)
            assert "I do know this" in text
            assert "I don’t know this after all" not in text
        learning.post(self.ADDRESS, {"action": "known", "next": "https://elsewhere.example/"})
        assert self.kinds(ada)["equal_parts"] == "check"
        assert Mastery.objects.get().disowned_at is None
        assert not Contest.objects.exists()

    def test_what_answers_show_is_not_disowned(self, learning, placed):
        Mastery.objects.update(answers=2)
        assert "I don’t know this after all" not in page(learning, "/progress/fractions/equal_parts/")
        learning.post(self.ADDRESS, {"action": "not_known"})
        assert Mastery.objects.get().probability == 0.9

    def test_it_leads_nowhere_else(self, learning, placed):
        response = learning.post(self.ADDRESS, {"action": "not_known", "next": "//elsewhere.example/"})
        assert response["Location"] == "/progress/fractions/equal_parts/"


class TestIdea:
    """An idea to check that the learner says they do not have."""

    ADDRESS = "/progress/fractions/ideas/two_pieces/contest/"

    @pytest.fixture
    def suspected(self, learning, ada):
        for number in range(3):
            answer(ada, "A", choice(f"t{number}"))
        return MisconceptionState.objects.get()

    def test_it_is_marked_for_the_learner_and_listed_for_the_teacher(self, learning, ada, grace, suspected):
        classroom = make_class(grace, ada)
        assert "reported as wrong" not in page(learning, "/progress/")
        said = learning.post(self.ADDRESS, {"action": "contest", "reason": "I never think so"}, headers=CARD).text
        assert said.startswith(f'<div class="contest" id="contest-idea-{suspected.pk}">')
        assert "reported as wrong" in page(learning, "/progress/")
        (told,) = contested.open_contests([classroom])
        assert (told.about, told.idea, told.reason) == ("idea", "two_pieces says", "I never think so")
        place = classroom.memberships.get(person=ada)
        (shown,) = learner_page.learner_context(place)["misconceptions"]
        assert shown["contest"].reason == "I never think so"
        agree(classroom, mastery="levels")
        assert contested.open_contests([Classroom.objects.select_related("policy").get()]) == []
        learning.post(self.ADDRESS, {"action": "take_back"})
        assert not Contest.objects.exists()

    def test_teacher_who_agrees_takes_it_off_the_list(self, learning, ada, grace, suspected):
        classroom = make_class(grace, ada)
        learning.post(self.ADDRESS, {"action": "contest"})
        decide(Contest.objects.get(), "left_out", by=grace, note="You are right.")
        suspected.refresh_from_db()
        assert (suspected.status, suspected.evidence) == ("none", [])
        assert "two_pieces says" not in page(learning, "/progress/")
        assert "no longer on your list" in page(learning, "/")
        assert learner_page.learner_context(classroom.memberships.get(person=ada))["misconceptions"] == []

    def test_it_is_filed_under_the_topic_of_the_answers_that_showed_it(self, learning, ada, suspected):
        other = Concept.objects.exclude(slug="one_half").first()
        elsewhere = answer(ada, "A", choice("elsewhere"))
        Question.objects.filter(pk=elsewhere.question_id).update(concept=other)
        learning.post(self.ADDRESS, {"action": "contest"})
        assert Contest.objects.get().concept == other

    def test_without_a_teacher_it_says_what_helps(self, learning, suspected):
        said = learning.post(self.ADDRESS, {"action": "contest"}, headers=CARD).text
        assert "Two right answers without help will take this idea off the list." in said
        assert "Ask me a question" in said

    def test_idea_that_is_not_suspected_is_not_there(self, learning, suspected):
        assert learning.post("/progress/fractions/ideas/counts_shaded/contest/").status_code == 404
        assert learning.post(self.ADDRESS, {"reason": "x" * 501}, headers=CARD).status_code == 422


class TestNews:
    """What a teacher decided, told once."""

    @pytest.fixture
    def decided(self, learning, ada, grace):
        make_class(grace, ada)
        return decide(contest_verdict(answer(ada, "2"), reason=""), "kept", by=grace, note="Count <b>all</b> parts.")

    def test_home_tells_it_with_the_note_until_it_is_seen(self, learning, decided):
        home = page(learning, "/")
        assert "What your teacher decided about your answers" in home
        assert "Count &lt;b&gt;all&lt;/b&gt; parts." in home
        assert learning.post("/progress/news/seen/")["Location"] == "/"
        assert "What your teacher decided" not in page(learning, "/")
        assert "A note from your teacher:" in page(learning)

    def test_whoever_opens_the_answers_has_seen_it(self, learning, decided):
        assert "Count &lt;b&gt;all" in page(learning)
        assert "What your teacher decided" not in page(learning, "/")

    def test_new_decision_is_new_again(self, learning, decided, grace):
        learning.post("/progress/news/seen/")
        decide(decided, "left_out", by=grace)
        assert "What your teacher decided" in page(learning, "/")


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
        assert "the score was recalculated" in text
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
        assert "Score:" in text
        assert "of the" not in text.partition('id="contested"')[2].partition("</section>")[0]
        assert teaching.post(f"{self.own(ada)}contests/{contest.pk}/").status_code == 404
        number = Contest.objects.get(attempt=None)
        assert teaching.post(f"{self.own(ada)}contests/{number.pk}/")["Location"] == self.own(ada)
        agree(self.classroom, mastery="nothing")
        assert 'id="contested"' not in page(teaching, self.own(ada))

    def test_right_answer_is_not_taken_away(self, teaching, ada):
        attempt = answer(ada, "1/2", purpose="practice")
        contest = contest_verdict(attempt, reason="It should count")
        for address in ("/", "/teach/4b/", self.own(ada), f"{self.own(ada)}fractions/one_half/?from={attempt.pk}"):
            text = page(teaching, address)
            assert "It should count" in text
            assert 'value="left_out"' not in text
            assert "I’ve reviewed this" in text
        teaching.post(f"{self.own(ada)}contests/{contest.pk}/", {"decision": "left_out", "note": "Well done."})
        contest.refresh_from_db()
        assert (contest.decision, contest.note, contest.recounted) == ("kept", "Well done.", False)
        assert not attempt.change.left_out

    def test_note_that_is_too_long_is_refused(self, teaching, ada):
        contest = contest_verdict(answer(ada, "2"), reason="")
        teaching.post(f"{self.own(ada)}contests/{contest.pk}/", {"decision": "kept", "note": "x" * 501})
        contest.refresh_from_db()
        assert (contest.decided_at, contest.note) == (None, "")

    def test_words_said_instead_of_a_choice_follow_the_rule_for_conversations(self, teaching, ada):
        question = ask(ada, choice())
        record_words(question, learner=ada, words="equal pieces only", idempotency_key="k")
        address = f"{self.own(ada)}fractions/one_half/"
        assert "equal pieces only" not in page(teaching, address)
        agree(self.classroom, conversations="everything")
        assert "equal pieces only" not in page(teaching, address)
        record_words(ask(ada, choice("more")), learner=ada, words="later words", idempotency_key="k")
        assert "later words" in page(teaching, address)
