"""A teacher's classes: making, the board, what changes on it, the table, settings; and who gets in."""

import csv
import io
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.people import make_person
from tests.tutoring.class_helpers import agree, answer, make_class, try_step
from tests.tutoring.small_course import ask, describe, make_course, numeric
from tutoring.classes import membership
from tutoring.courses.serialization import course_to_json
from tutoring.mastery.records.progress import record_attempt
from tutoring.mastery.records.recounts import set_left_out
from tutoring.models import Attempt, Classroom, Course, Mastery, Membership, Review

pytestmark = pytest.mark.django_db

ASKS_BY_ITSELF = {"HX-Request": "true"}


@pytest.fixture
def teaching(client, grace):
    client.force_login(grace)
    return client


def page(client, address, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == 200, address
    return response.content.decode()


def order(text):
    """Return the names in the board's rows from top to bottom."""
    rows = text.partition('id="heat-rows"')[2].partition("</tbody>")[0]
    return [part.partition("<")[0] for part in rows.split("<bdi>")[1:]]


class TestMaking:
    def test_teacher_makes_a_class_and_gets_its_code(self, teaching, grace):
        response = teaching.post("/teach/", {"name": "Class 4b"})
        made = Classroom.objects.get()
        assert response["Location"] == f"/teach/{made.code}/settings/"
        assert (made.name, made.memberships.get().person) == ("Class 4b", grace)
        assert made.code in page(teaching, response["Location"])

    @pytest.mark.parametrize("name", ["", "  ", "x" * 121, "a\x00b"])
    def test_unfit_name_makes_none(self, teaching, name):
        assert teaching.post("/teach/", {"name": name}).status_code == 422
        assert not Classroom.objects.exists()

    def test_code_that_no_address_can_hold_is_refused(self, grace):
        with pytest.raises(membership.InvalidClassCode):
            membership.make_class(grace, "4b", code="4 b/c")

    def test_way_to_the_classes_is_shown_to_those_who_teach_only(self, client, ada, grace, root):
        for person, shown in ((ada, False), (grace, True), (root, True)):
            client.force_login(person)
            assert ('href="/teach/"' in page(client, "/")) is shown


class TestEmpty:
    def test_no_class_yet(self, teaching):
        assert "No classes yet" in page(teaching, "/teach/")

    def test_no_course_yet(self, teaching, grace):
        make_class(grace)
        assert "No courses here yet" in page(teaching, "/teach/4b/")
        assert teaching.get("/teach/4b/", headers=ASKS_BY_ITSELF).status_code == 204
        assert teaching.get("/teach/4b/export.csv").status_code == 404

    def test_nobody_joined_yet(self, teaching, grace):
        make_course()
        make_class(grace)
        text = page(teaching, "/teach/4b/")
        assert "Nobody has joined yet" in text
        assert '<p class="board-code">4b</p>' in text

    def test_nobody_answered_yet(self, teaching, grace, ada):
        make_course()
        make_class(grace, ada)
        text = page(teaching, "/teach/4b/")
        assert "No answers yet. This list fills up" in text
        assert text.count('<td class="none" title="No answers yet">') == 2
        assert "No answers yet" in page(teaching, f"/teach/4b/{ada.pk}/")


class TestBoard:
    def test_number_comes_with_its_evidence_and_only_where_there_is_enough(self, teaching, grace, ada, ben):
        make_class(grace, ada, ben)
        answer(ada, "1/2", "1/2")
        answer(ben, "1/2", "1/2", "1/2")
        text = page(teaching, "/teach/4b/")
        score = f"{Mastery.objects.get(learner=ben).score:.0%}"
        cells = '<a href="/teach/4b/%d/fractions/one_half/"><span class="unseen">{}</span></a></td>'
        assert (cells % ada.pk).format("not enough evidence from 2 answers") in text
        row = text.partition(f'id="row-{ben.pk}"')[2].partition("</tr>")[0]
        assert f'title="mastered: {score} from 3 answers"' in row
        assert "#check" in row

    def test_who_needs_help_stands_first_unless_sorted_by_name(self, teaching, grace, ada, ben):
        zoe = make_person("zoe", display_name="Zoe")
        make_class(grace, ada, ben, zoe)
        answer(zoe, *["1/3"] * 6)
        answer(ben, "1/3", "1/3", "1/3")
        answer(ada, "1/2", "1/2", "1/2")
        text = page(teaching, "/teach/4b/")
        assert order(text) == ["Zoe", "Ben", "Ada"]
        assert "6 wrong answers in a row on One half" in text
        assert order(page(teaching, "/teach/4b/?sort=name")) == ["Ada", "Ben", "Zoe"]

    def test_cell_leads_to_its_answers_only_if_the_class_shows_them(self, teaching, grace, ada):
        classroom = make_class(grace, ada)
        answer(ada, "1/2", "1/2", "1/2")
        link = f'href="/teach/4b/{ada.pk}/fractions/one_half/"'
        assert link in page(teaching, "/teach/4b/")
        # Nothing is behind a cell without answers.
        assert f"/teach/4b/{ada.pk}/fractions/equal_parts/" not in page(teaching, "/teach/4b/")
        agree(classroom, mastery="levels")
        assert link not in page(teaching, "/teach/4b/")

    def test_fading_mastery_has_its_own_mark(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "1/2", "1/2", "1/2")
        Review.objects.update(due_at=timezone.now() - timedelta(days=1))
        text = page(teaching, "/teach/4b/").partition(f'id="row-{ada.pk}"')[2].partition("</tr>")[0]
        assert "is-due" in text
        assert "#clock" in text
        assert "mastered, now fading" in text

    def test_wrong_idea_frames_the_cells_of_its_concepts(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "2", "2")
        describe(Course.objects.get(), "counts_shaded", concepts=("one_half",))
        row = page(teaching, "/teach/4b/").partition(f'id="row-{ada.pk}"')[2].partition("</tr>")[0]
        assert row.count("is-mistaken") == 1
        assert "misconception seen" in row

    def test_retries_are_counted_alike_on_all_pages(self, teaching, grace, ada):
        make_class(grace, ada)
        for number in range(3):
            question = ask(ada, numeric(f"t{number}"))
            for text in ("1/3", "1/4", "1/5"):
                record_attempt(question, learner=ada, answer=text, idempotency_key=text)
        board, home = page(teaching, "/teach/4b/"), page(teaching, "/")
        news = page(teaching, "/teach/4b/?seen=x", **ASKS_BY_ITSELF)
        assert "from 3 of 9 answers" in board
        assert "from 3 of 9 answers" in news
        for text in (board, home, news, page(teaching, f"/teach/4b/{ada.pk}/")):
            assert "3 tries on “What part of the bar is shaded?”, not solved yet" in text
            assert "9 wrong answers in a row on One half" in text

    def test_answers_that_do_not_count_are_said_and_linked(self, teaching, grace, ada):
        make_class(grace, ada)
        try_step(ada, "1/3", "1/4")
        link, words = (
            f'href="/teach/4b/{ada.pk}/fractions/one_half/"',
            "2 answers, none of which count toward the score yet",
        )
        board, learner = page(teaching, "/teach/4b/"), page(teaching, f"/teach/4b/{ada.pk}/")
        for text in (board, learner):
            assert link in text
            assert words in text
        assert "No answers yet" not in learner
        assert words in page(teaching, f"/teach/4b/{ada.pk}/fractions/one_half/")
        assert board.count('title="No answers yet"') == 1

    def test_wrong_answers_of_a_placement_call_for_no_help(self, teaching, grace, ada):
        make_class(grace, ada)
        for number in range(6):
            question = ask(ada, numeric(f"t{number}"), purpose="placement")
            record_attempt(question, learner=ada, answer="1/3", idempotency_key="k")
        assert "wrong answers in a row" not in page(teaching, "/teach/4b/")

    def test_answer_left_out_is_no_miss(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, *["1/3"] * 6)
        assert "6 wrong answers in a row" in page(teaching, "/teach/4b/")
        set_left_out(Attempt.objects.latest("pk"), left_out=True)
        assert "wrong answers in a row" not in page(teaching, "/teach/4b/")

    def test_misconception_opens_into_who_and_a_case(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "2", "2")
        text = page(teaching, "/teach/4b/").partition('id="idea-counts_shaded"')[2].partition("</details>")[0]
        assert f'href="/teach/4b/{ada.pk}/"' in text
        assert "Is this half?" in text
        assert "Equal parts." in text

    def test_misconception_is_counted_with_who_and_what(self, teaching, grace, ada, ben):
        make_class(grace, ada, ben)
        answer(ada, "2", "2")
        answer(ben, "2", "2")
        text = page(teaching, "/teach/4b/").partition('id="seen"')[2]
        assert '<strong class="number">2<span class="unseen"> pupils</span>' in text
        assert "<bdi>Ada, Ben</bdi>" in text

    def test_letter_of_a_choice_is_no_quote(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "A", "A", "A")
        board = page(teaching, "/teach/4b/")
        assert "two_pieces says" in board
        assert "<q>" not in board

    def test_answer_is_no_quote_of_a_misconception_without_its_question(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "2", "2")
        for address in ("/teach/4b/", "/"):
            text = page(teaching, address)
            assert "counts_shaded says" in text
            assert "<q>" not in text

    def test_sign_of_a_misconception_leads_to_its_answer(self, teaching, grace, ada):
        make_class(grace, ada)
        latest = try_step(ada, "A").attempts.get()
        try_step(ada, "A", template="other")
        text = page(teaching, f"/teach/4b/{ada.pk}/")
        address = f"/teach/4b/{ada.pk}/fractions/one_half/?from={latest.pk}#answer-{latest.pk}"
        assert f'<a href="{address}">picked A</a>' in text
        assert "<bdi>What part of the bar is shaded?</bdi>" in text
        assert f'id="answer-{latest.pk}" open' in page(teaching, address)

    def test_names_of_any_kind_stay_text(self, teaching, grace):
        """X1"""
        make_course()
        make_class(grace, make_person("x", display_name="<img src=x onerror=alert(1)>"))
        assert "<img src=x" not in page(teaching, "/teach/4b/")

    def test_other_course_is_shown_when_it_is_chosen(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "1/2")
        make_course("second", position=1)
        assert '<a href="?course=fractions&amp;sort=help" aria-current="true">' in page(teaching, "/teach/4b/")
        chosen = page(teaching, "/teach/4b/?course=second")
        assert '<a href="?course=second&amp;sort=help" aria-current="true">' in chosen
        assert page(teaching, "/teach/4b/?course=nothing")

    def test_queries_do_not_grow_with_the_class(self, teaching, grace, django_assert_max_num_queries):
        learners = [make_person(f"p{number}") for number in range(5)]
        make_class(grace, *learners)
        for learner in learners:
            answer(learner, "2")
            try_step(learner, "2", "1/3", "1/4")
        with django_assert_max_num_queries(18):
            page(teaching, "/teach/4b/")
        with django_assert_max_num_queries(15):
            page(teaching, "/teach/")
        with django_assert_max_num_queries(40):
            page(teaching, f"/teach/4b/{learners[0].pk}/")


class TestEvidence:
    """A pupil's answers on a concept, as the teacher reads them."""

    def test_question_the_pupil_is_stuck_on_stands_first_and_open(
        self, teaching, grace, ada, django_assert_max_num_queries
    ):
        make_class(grace, ada)
        stuck = try_step(ada, "1/3", "1/4", "2").attempts.last()
        answer(ada, "1/5")
        with django_assert_max_num_queries(19):
            text = page(teaching, f"/teach/4b/{ada.pk}/fractions/one_half/")
        first, _, others = text.partition("Other answers, newest first")
        assert "3 tries on “What part of the bar is shaded?”, not solved yet" in first
        assert f'id="answer-{stuck.pk}" open' in first
        assert text.count(f'id="answer-{stuck.pk}"') == 1
        assert "stuck here" in first
        assert "stuck here" not in others
        linked = f'href="/teach/4b/{ada.pk}/fractions/one_half/#answer-{stuck.pk}"'
        assert linked in page(teaching, "/")
        assert linked in page(teaching, "/teach/4b/")

    def test_tries_at_one_question_are_one_row_with_each_answer(self, teaching, grace, ada):
        make_class(grace, ada)
        tries = list(try_step(ada, "1/3", "2", "1/2").attempts.order_by("number"))
        text = page(teaching, f"/teach/4b/{ada.pk}/fractions/one_half/")
        assert text.count('<details class="card evidence"') == 1
        assert "3 tries" in text
        assert "Where Ada is stuck" not in text
        before = text.partition("Earlier tries")[2]
        assert [f'<li id="answer-{each.pk}">' in before for each in tries] == [True, True, False]
        assert '<bdi class="what">1/3</bdi>' in before
        assert "counts_shaded says" in before

    def test_link_to_an_earlier_try_opens_its_question(self, teaching, grace, ada):
        make_class(grace, ada)
        first, last = try_step(ada, "1/3", "1/2").attempts.order_by("number")
        answer(ada, "1/2")
        text = page(teaching, f"/teach/4b/{ada.pk}/fractions/one_half/?from={first.pk}")
        assert f'id="answer-{last.pk}" open' in text
        assert text.count('<details class="card evidence"') == 1

    def test_answers_that_count_are_explained_only_beside_others(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "1/2", "1/2", "1/2")
        address, words = f"/teach/4b/{ada.pk}/fractions/one_half/", "counts only on the first try"
        assert words not in page(teaching, address)
        try_step(ada, "1/3")
        text = page(teaching, address)
        assert words in text
        assert "from 3 of 4 answers" in text


class TestNews:
    """What the page asks for by itself."""

    def seen(self, text):
        return text.partition("seen=")[2].partition('"')[0]

    def test_nothing_comes_where_nothing_changed_and_the_pieces_where_something_did(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "1/2", "1/2")
        address = f"/teach/4b/?course=fractions&sort=name&seen={self.seen(page(teaching, '/teach/4b/?sort=name'))}"
        assert teaching.get(address, headers=ASKS_BY_ITSELF).status_code == 204
        answer(ada, "1/2")
        news = page(teaching, address, **ASKS_BY_ITSELF)
        assert "from 3 answers" in news
        assert "<html" not in news
        assert news.count('hx-swap-oob="true"') == 7
        assert self.seen(news) != self.seen(address + '"')
        assert "sort=name" in news

    def test_first_learner_brings_the_whole_page(self, teaching, grace, ada):
        make_course()
        make_class(grace)
        seen = self.seen(page(teaching, "/teach/4b/"))
        assert seen.endswith("&amp;empty=1")
        address = f"/teach/4b/?seen={seen.replace('&amp;', '&')}"
        assert teaching.get(address, headers=ASKS_BY_ITSELF).status_code == 204
        membership.join_class(ada, "4b")
        assert teaching.get(address, headers=ASKS_BY_ITSELF)["HX-Refresh"] == "true"

    def test_page_that_is_signed_out_is_told_so(self, client, grace):
        make_class(grace)
        assert client.get("/teach/4b/", headers=ASKS_BY_ITSELF).status_code == 401


class TestExport:
    def table(self, client):
        response = client.get("/teach/4b/export.csv?sort=name")
        assert response["Content-Disposition"] == 'attachment; filename="4b-fractions.csv"'
        return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))

    def test_table_has_scores_and_counts_and_no_score_without_evidence(self, teaching, grace, ada, ben):
        make_class(grace, ada, ben)
        answer(ada, "1/2", "1/2", "1/2")
        answer(ben, "1/2")
        head, first, second = self.table(teaching)
        assert head == [
            "Pupil", "Username", "Equal parts", "Equal parts, answers", "One half", "One half, answers",
        ]  # fmt: skip
        assert first[:4] == ["Ada", "ada", "", "0"]
        assert float(first[4]) == pytest.approx(Mastery.objects.get(learner=ada).score, abs=0.005)
        assert (first[5], second[4:]) == ("3", ["", "1"])

    @pytest.mark.parametrize("name", ["=1+1", "+1", "-5", "@x", "\tx", " =x", "＝1"])
    def test_no_cell_is_a_formula(self, teaching, grace, name):
        """CSV1"""
        make_course()
        make_class(grace, make_person("x", display_name=name))
        assert self.table(teaching)[1][0] == f"'{name}"


class TestSettings:
    def test_name_and_agreement_are_changed_together(self, teaching, grace):
        made = make_class(grace)
        posted = {"name": "Class 5b", "mastery": "levels", "conversations": "everything", "concerns": "nobody"}
        assert teaching.post("/teach/4b/settings/", posted).status_code == 302
        made.refresh_from_db()
        assert (made.name, made.policy.mastery, made.policy.conversations) == ("Class 5b", "levels", "everything")
        assert made.policy.conversations_since is not None

    def test_choices_speak_to_the_teacher(self, teaching, grace):
        make_class(grace)
        text = page(teaching, "/teach/4b/settings/")
        assert "You can see your pupils’ progress" in text
        assert "Your teacher" not in text.partition('id="id_mastery"')[2].partition("</form>")[0]

    @pytest.mark.parametrize(
        "change", [{"name": ""}, {"mastery": "all"}, {"conversations": "all"}, {"concerns": "all"}]
    )
    def test_unfit_settings_change_nothing(self, teaching, grace, change):
        made = make_class(grace)
        posted = {"name": "Class 5b", "mastery": "levels", "conversations": "nothing", "concerns": "teacher"} | change
        assert teaching.post("/teach/4b/settings/", posted).status_code == 422
        made = Classroom.objects.select_related("policy").get()
        assert (made.name, made.policy.mastery) == ("4b", "evidence")

    def test_class_that_is_put_away_takes_nobody_and_can_be_brought_back(self, teaching, grace, ada):
        make_class(grace, ada)
        teaching.post("/teach/4b/archive/", {"action": "archive"})
        with pytest.raises(membership.ClassNotFound):
            membership.find_class("4b")
        assert "Archived classes" in page(teaching, "/teach/")
        assert page(teaching, f"/teach/4b/{ada.pk}/")
        teaching.post("/teach/4b/archive/", {"action": "restore"})
        assert membership.find_class("4b").archived_at is None

    def test_deleted_class_leaves_people_and_what_they_learned(self, teaching, grace, ada):
        make_class(grace, ada)
        answer(ada, "1/2")
        assert teaching.post("/teach/4b/delete/")["Location"] == "/teach/"
        assert not Classroom.objects.exists()
        assert Mastery.objects.filter(learner=ada).exists()
        assert teaching.get("/teach/4b/").status_code == 404

    def test_removed_learner_is_no_longer_seen(self, teaching, grace, ada):
        make_class(grace, ada)
        assert teaching.post(f"/teach/4b/{ada.pk}/remove/")["Location"] == "/teach/4b/"
        assert teaching.get(f"/teach/4b/{ada.pk}/").status_code == 404


class TestDoors:
    """A4, A5: who is not of the class finds nothing, who left it neither, and an admin finds all."""

    @pytest.fixture
    def addresses(self, grace, ada):
        classroom = make_class(grace, ada)
        agree(classroom, conversations="everything")
        answer(ada, "1/2")
        session = ask(ada).session
        return ["/teach/4b/", "/teach/4b/settings/", "/teach/4b/export.csv", f"/teach/4b/{ada.pk}/",
                f"/teach/4b/{ada.pk}/fractions/one_half/", f"/teach/4b/{ada.pk}/conversations/{session.pk}/"]  # fmt: skip

    def answers(self, client, addresses, person):
        client.force_login(person)
        return {client.get(address).status_code for address in addresses}

    def test_own_teacher_and_admin_come_in_another_teacher_does_not(self, client, addresses, grace, root):
        assert self.answers(client, addresses, grace) == {200}
        assert self.answers(client, addresses, root) == {200}
        assert self.answers(client, addresses, make_person("heidi", role="teacher")) == {404}

    def test_teacher_who_left_or_teaches_no_more_is_out_at_once(self, client, addresses, grace):
        grace.role = "learner"
        grace.save()
        assert self.answers(client, addresses, grace) == {404}
        grace.role = "teacher"
        grace.save()
        Membership.objects.filter(person=grace).delete()
        assert self.answers(client, addresses, grace) == {404}

    def test_learner_who_left_is_seen_by_nobody(self, client, addresses, grace, ada):
        membership.leave_class(ada, "4b")
        assert self.answers(client, addresses[3:], grace) == {404}

    def test_learner_of_another_class_is_not_reached_through_ones_own(self, client, addresses, ada, eve):
        strange = make_person("heidi", role="teacher")
        membership.join_class(eve, membership.make_class(strange, "5c", code="5c").code)
        own = [address.replace("/4b/", "/5c/") for address in addresses[3:]]
        assert self.answers(client, own, strange) == {404}

    def test_conversation_of_somebody_else_is_not_reached_through_a_learner(self, client, addresses, ada, grace, eve):
        session = ask(eve).session
        assert self.answers(client, [f"/teach/4b/{ada.pk}/conversations/{session.pk}/"], grace) == {404}

    @pytest.mark.parametrize("pk", ["0", str(2**63), str(10**30)])
    def test_unfit_ids_are_not_there(self, teaching, addresses, pk):
        """B5"""
        assert teaching.get(f"/teach/4b/{pk}/").status_code == 404
        assert teaching.get(f"/teach/4b/{pk}/conversations/{pk}/").status_code == 404

    def test_nobody_but_a_teacher_makes_a_class(self, client, ada):
        client.force_login(ada)
        assert client.post("/teach/", {"name": "mine"}).status_code == 404
        assert not Classroom.objects.exists()


def test_board_shows_the_topics_of_a_standard(teaching, ada, grace):
    course = make_course()
    parts, half = course.catalogue().concepts
    coded = (replace(parts, standards=("1.G.A.3",)), replace(half, standards=("3.NF.A.1", "1.G.A.3")))
    course.content = course_to_json(replace(course.catalogue(), concepts=coded, standards="Common Core"))
    course.source_hash += " coded"
    course.save()
    membership.make_class(grace, "4b", code="4b")
    membership.join_class(ada, "4b")

    def topics(query):
        shown = teaching.get(f"/teach/4b/{query}").context
        assert shown["standards"] == ("1.G.A.3", "3.NF.A.1")
        return [each.slug for each in shown["board"].concepts]

    both = ["equal_parts", "one_half"]
    assert topics("?standard=3.NF") == ["one_half"]
    assert [topics(query) for query in ("", "?standard=1.G.A.3", "?standard=9.Z")] == [both, both, both]
    assert topics("?standard=3.NF.A.1&concept=equal_parts") == ["equal_parts"]
    assert "Common Core: 3.NF.A.1, 1.G.A.3" in page(teaching, course.get_absolute_url())
    teaching.force_login(ada)
    assert "Common Core" not in page(teaching, course.get_absolute_url())
