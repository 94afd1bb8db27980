"""A class's misconceptions, the lessons on them, its questions in figures, and the table of all answers."""

import csv
import io

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from tests.people import make_person
from tests.tutoring.class_helpers import agree, answer, make_class
from tests.tutoring.small_course import add_templates, ask, numeric
from tutoring.classes.answer_export import stream_answers
from tutoring.mastery.records import review_questions, withdrawals
from tutoring.mastery.records.progress import record_attempt, record_words
from tutoring.mastery.records.withdrawals import askable_content
from tutoring.models import (
    Attempt,
    ClassGroup,
    Concept,
    Course,
    Mastery,
    MisconceptionState,
    QuestionReport,
    WithdrawnQuestion,
)

pytestmark = pytest.mark.django_db
IDEA = "/teach/4b/misconceptions/counts_shaded/"
QUESTION = "/teach/4b/questions/fractions/shaded/"


@pytest.fixture
def classroom(grace, ada, ben):
    ask(ada)  # So that there is a course.
    add_templates(Course.objects.get(), "shaded", "other")
    return make_class(grace, ada, ben)


@pytest.fixture
def teaching(client, grace, classroom):
    client.force_login(grace)
    return client


def page(client, path):
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def solve(person, *answers, template="shaded"):
    """Answer a new question of the template for each answer."""
    for number, each in enumerate(answers):
        record_attempt(ask(person, numeric(template)), learner=person, answer=each, idempotency_key=f"k{number}")


class TestMisconceptions:
    def test_it_is_listed_with_who_how_many_and_by_week(self, teaching, ada, ben):
        answer(ada, "2", "2")
        answer(ben, "2", "2")
        text = page(teaching, "/teach/4b/misconceptions/")
        assert "counts_shaded says" in text
        assert "2 pupils show it" in text
        assert text.count('<td class="number">2</td>') == 1

    def test_it_opens_into_evidence_and_a_lesson(self, teaching, ada):
        answer(ada, "2", "2")
        text = page(teaching, IDEA)
        assert f"?from={Attempt.objects.latest('pk').pk}#answer-" in text
        assert "Equal parts." in text
        assert "What part is shaded in" in text

    def test_lesson_for_the_wall_names_nobody(self, teaching, ada):
        answer(ada, "2", "2")
        text = page(teaching, f"{IDEA}lesson/").partition("data-slides")[2]
        assert text.count("data-slide ") == 3
        assert "Ada" not in text
        assert "With the mistaken idea:" in text

    def test_group_is_of_those_who_have_it_and_made_once(self, teaching, ada, ben):
        answer(ada, "2", "2")
        answer(ben, "1/2")
        for _time in range(2):
            response = teaching.post(f"{IDEA}group/")
        group = ClassGroup.objects.get()
        assert [place.person for place in group.members.all()] == [ada]
        assert f"group={group.pk}" in response["Location"]
        assert "Ada" in page(teaching, response["Location"])

    def test_nobody_has_it_or_the_class_does_not_show_it(self, teaching, classroom):
        assert "None yet" in page(teaching, "/teach/4b/misconceptions/")
        assert teaching.post(f"{IDEA}group/").status_code == 404
        assert teaching.get("/teach/4b/misconceptions/nothing/").status_code == 404
        agree(classroom, mastery="levels")
        assert teaching.get(IDEA).status_code == 404
        assert "you can’t see your pupils’ answers" in page(teaching, "/teach/4b/misconceptions/")

    def test_queries_do_not_grow_with_pupils(self, teaching, ada, django_assert_max_num_queries):
        answer(ada, "2", "2")
        for number in range(4):
            pupil = make_person(f"pupil{number}")
            teaching.get("/")
            from tutoring.classes.membership import join_class

            join_class(pupil, "4b")
            answer(pupil, "2", "2")
        with django_assert_max_num_queries(10):
            page(teaching, IDEA)


class TestQuestions:
    def test_hardest_stands_first_with_what_went_wrong(self, teaching, ada, ben):
        solve(ada, "2", "2", "2", "1/2", "1/2")
        solve(ben, *["1/2"] * 5, template="other")
        text = page(teaching, "/teach/4b/questions/")
        assert text.index("in shaded") < text.index("in other")
        assert "40%" in text
        assert 'counts_shaded says <span class="number">(3)</span>' in text

    def test_it_opens_as_pupils_see_it_with_the_answers(self, teaching, ada):
        solve(ada, "2", "1/2")
        text = page(teaching, QUESTION)
        assert "What part is shaded in shaded?" in text
        assert '<bdi class="what">1/2</bdi>' in text
        assert f"?from={Attempt.objects.first().pk}#answer-" in text

    def test_withdrawing_shows_what_changes_does_it_and_undoes_it(self, teaching, ada):
        solve(ada, "1/2", "1/2", template="other")
        solve(ada, "2", "2")
        before = Mastery.objects.get().probability
        text = page(teaching, f"{QUESTION}?preview=1")
        assert "2 answers were given to it" in text
        assert (Mastery.objects.get().probability, Attempt.objects.filter(left_out=True).count()) == (before, 0)
        teaching.post(f"{QUESTION}withdraw/", {"where": "class", "with_answers": "on", "reason": "Unclear."})
        assert Mastery.objects.get().probability > before
        assert "Your class is not asked this question any more." in page(teaching, QUESTION)
        teaching.post(f"{QUESTION}withdraw/", {"restore": "1"})
        assert Mastery.objects.get().probability == pytest.approx(before)
        assert not Attempt.objects.filter(left_out=True).exists()

    def test_undoing_restores_the_suspected_misconceptions(self, teaching, ada):
        solve(ada, "2", "2")
        suspected = list(MisconceptionState.objects.values())
        assert suspected[0]["status"] == "active"
        teaching.post(f"{QUESTION}withdraw/", {"where": "class", "with_answers": "on"})
        assert list(MisconceptionState.objects.values()) != suspected
        teaching.post(f"{QUESTION}withdraw/", {"restore": "1"})
        assert list(MisconceptionState.objects.values()) == suspected

    def test_withdrawn_question_is_not_asked_in_its_class_alone(self, teaching, ada, eve):
        teaching.post(f"{QUESTION}withdraw/", {"where": "class"})
        concept = Concept.objects.select_related("course").get(slug="one_half")
        assert [each.id for each in askable_content(concept.course, ada.pk).concept("one_half").templates] == ["other"]
        assert len(askable_content(concept.course, eve.pk).concept("one_half").templates) == 2
        asked = review_questions.ask_another(ada, concept)
        assert asked is not None
        assert asked.template == "other"

    def test_last_question_of_a_topic_stays(self, teaching, ada):
        teaching.post(f"{QUESTION}withdraw/", {"where": "class"})
        last = "/teach/4b/questions/fractions/other/withdraw/"
        assert (
            "This is the last question on its topic"
            in teaching.post(last, {"where": "class"}, follow=True).content.decode()
        )
        assert WithdrawnQuestion.objects.in_force().count() == 1

    def test_only_admins_withdraw_for_the_site(self, client, teaching, root):
        teaching.post(f"{QUESTION}withdraw/", {"where": "site"})
        assert WithdrawnQuestion.objects.get().classroom_id is not None
        withdrawals.restore(WithdrawnQuestion.objects.get(), by=root)
        client.force_login(root)
        client.post(f"{QUESTION}withdraw/", {"where": "site"})
        assert WithdrawnQuestion.objects.in_force().get().classroom_id is None

    def test_report_reaches_the_admins_and_an_empty_one_says_what_is_missing(self, client, teaching, grace, root):
        assert "Write what is wrong with the question." in teaching.post(f"{QUESTION}report/").content.decode()
        teaching.post(f"{QUESTION}report/", {"words": "The bar has <i>no</i> parts."})
        assert QuestionReport.objects.get().by == grace
        client.force_login(root)
        assert "&lt;i&gt;no&lt;/i&gt;" in page(client, reverse("admin:tutoring_questionreport_changelist"))

    def test_class_without_answers_shown_has_none(self, teaching, classroom):
        agree(classroom, mastery="levels")
        assert "you can’t see your pupils’ answers" in page(teaching, "/teach/4b/questions/")
        assert teaching.get(QUESTION).status_code == 404


class TestTable:
    def rows(self, classroom):
        async def read():
            return [piece async for piece in stream_answers(classroom)]

        return list(csv.reader(io.StringIO("".join(async_to_sync(read)()).removeprefix("\ufeff"))))

    def test_every_answer_is_a_row_and_none_is_a_formula(self, classroom, ada, ben):
        answer(ada, "1/2", "2")
        question = ask(ben, numeric("t"))
        record_attempt(question, learner=ben, answer="1/3", idempotency_key="k")
        Attempt.objects.filter(question=question).update(answer="=HYPERLINK(1)")
        head, *rows = self.rows(classroom)
        assert [(row[0], row[10], row[12]) for row in rows] == [
            ("Ada", "1/2", "1"), ("Ada", "2", "0"), ("Ben", "'=HYPERLINK(1)", "0"),
        ]  # fmt: skip
        assert len(head) == len(rows[0])

    def test_own_words_follow_the_rule_for_conversations(self, classroom, ada):
        from tests.tutoring.small_course import choice

        record_words(ask(ada, choice()), learner=ada, words="my own secret words", idempotency_key="k")
        assert "my own secret words" not in str(self.rows(classroom))

    def test_page_sends_it_only_where_answers_are_shown(self, teaching, classroom):
        assert teaching.get("/teach/4b/answers.csv")["Content-Type"].startswith("text/csv")
        agree(classroom, mastery="levels")
        assert teaching.get("/teach/4b/answers.csv").status_code == 404
