"""A teacher's home: who needs help and why, contested grades, one class at a glance, one thing to teach."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.people import make_person
from tests.tutoring.class_helpers import agree, answer, make_class, try_step
from tests.tutoring.small_course import ask, describe, make_course
from tutoring.classes import membership
from tutoring.classes.help_rules import HelpReason
from tutoring.classes.teacher_home import since_words, teacher_home_context
from tutoring.mastery.records.contests import contest_verdict
from tutoring.mastery.records.progress import abandon_open, give_up, record_attempt
from tutoring.models import Attempt, Concern, ConcernNotice, Course, MisconceptionState

pytestmark = pytest.mark.django_db


def make_active(person, misconception):
    """Let the person hold another misconception as they hold the first."""
    held = MisconceptionState.objects.get(learner=person)
    held.pk, held.misconception, held._state.adding = None, misconception, True
    held.save()


@pytest.fixture
def teaching(client, grace):
    client.force_login(grace)
    return client


def page(client, address="/"):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def section(text, title):
    return text.partition(f'id="{title}"')[2].partition("</section>")[0]


def test_learner_has_no_teachers_home_and_a_teacher_without_a_class_is_offered_one(client, ada, grace):
    client.force_login(ada)
    assert "Who needs help" not in page(client)
    client.force_login(grace)
    assert "Create a class" in page(client)


def test_class_without_courses_or_learners_says_what_to_do(teaching, grace, ada):
    classroom = make_class(grace)
    assert "No courses here yet" in page(teaching)
    make_course()
    assert '<p class="board-code">4b</p>' in page(teaching)
    membership.join_class(ada, classroom.code)
    assert "No answers yet. This list fills up" in page(teaching)


def test_who_needs_help_stands_with_why_since_when_and_one_thing_to_do(teaching, grace, ada):
    make_class(grace, ada)
    answer(ada, *["1/3"] * 6)
    text = section(page(teaching), "need-title")
    assert "6 wrong answers in a row on One half" in text
    assert "got stuck today" in text
    assert "Go through the last question on One half with your pupil." in text
    assert f'href="/teach/4b/{ada.pk}/fractions/one_half/"' in text


def test_wrong_idea_comes_with_its_answers_and_a_case(teaching, grace, ada):
    make_class(grace, ada)
    answer(ada, "2", "2")
    describe(Course.objects.get(), "counts_shaded", concepts=("one_half",))
    text = page(teaching)
    latest = Attempt.objects.latest("pk").pk
    assert f'href="/teach/4b/{ada.pk}/fractions/one_half/?from={latest}#answer-{latest}"' in section(text, "need-title")
    assert "Is this half?" in section(text, "need-title")
    taught = section(text, "teach-title")
    assert "counts_shaded says" in taught
    assert "1 pupil" in taught


def test_answers_are_one_press_away_even_where_none_counts(teaching, grace, ada):
    make_class(grace, ada)
    stuck = try_step(ada, "1/3", "1/4", "1/5", "1/6", "2").attempts.last()
    text = section(page(teaching), "need-title")
    assert "5 tries on “What part of the bar is shaded?”, then shown the answer" in text
    assert f'<a class="button primary" href="/teach/4b/{ada.pk}/fractions/one_half/#answer-{stuck.pk}"' in text
    assert "Look at this question with your pupil." in text


def test_question_skipped_or_given_up_is_said(teaching, grace, ada, ben):
    make_class(grace, ada, ben)
    given_up = ask(ada, purpose="practice")
    for each in ("1/3", "1/4"):
        record_attempt(given_up, learner=ada, answer=each, idempotency_key=each)
    give_up(given_up, learner=ada, idempotency_key="k")
    abandon_open(try_step(ben, "1/3", "1/4", "1/5").session)
    text = section(page(teaching), "need-title")
    assert "2 tries on “What part of the bar is shaded?”, then “I don’t know”" in text
    assert "3 tries on “What part of the bar is shaded?”, then skipped" in text


def test_one_thing_to_teach_agrees_with_the_reasons_of_a_single_pupil(grace, ada, ben):
    make_class(grace, ada, ben)
    answer(ada, "2", "2")
    make_active(ada, "two_pieces")
    context = teacher_home_context(grace)
    assert {each.id for each in context["board"].seen} == {"counts_shaded", "two_pieces"}
    named = next(reason.about for reason in context["board"].needing[0].need.reasons if reason.kind == "misconception")
    assert context["teach"].id == named
    MisconceptionState.objects.update(status="suspected")
    assert teacher_home_context(grace)["teach"] is None


def test_since_when_is_told_as_in_a_sentence():
    now = timezone.now()
    days = {kind: since_words(HelpReason(kind=kind, number=9, since=now), now=now) for kind in ("quiet", "not_begun")}
    assert days == {"quiet": "quiet for 9 days", "not_begun": "not started"}
    stuck = HelpReason(kind="misses", since=now - timedelta(days=20))
    assert since_words(stuck, now=now).startswith("stuck since ")


def test_concern_stands_first_as_the_class_agreed_and_is_marked_as_seen_from_there(teaching, grace, ada):
    make_course()
    classroom = make_class(grace, ada)
    concern = Concern.objects.create(learner=ada, kind="harm_to_self")
    ConcernNotice.objects.create(concern=concern, classroom=classroom)
    text = page(teaching)
    assert "may not be okay" in text.partition("Who needs help")[0]
    assert teaching.post(f"/teach/4b/{ada.pk}/seen/", {"home": "1"})["Location"] == "/"
    assert "seen by Grace" in page(teaching)
    agree(classroom, concerns="nobody")
    assert "may not be okay" not in page(teaching)


def test_contested_grade_of_any_class_is_there_until_it_is_decided(teaching, grace, ada, ben):
    make_class(grace, ben)
    other = membership.make_class(grace, "5a", code="5a")
    membership.join_class(ada, "5a")
    answer(ben, "1/2")
    answer(ada, "2")
    contest = contest_verdict(Attempt.objects.get(learner=ada), reason="I see two of four")
    text = page(teaching, "/?class=4b")
    assert "I see two of four" in section(text, "contested")
    assert f"/teach/5a/{ada.pk}/fractions/one_half/?from={contest.attempt_id}#answer-{contest.attempt_id}" in text
    agree(other, mastery="levels")
    assert "I see two of four" not in page(teaching)
    agree(other, mastery="evidence")
    teaching.post(f"/teach/5a/{ada.pk}/contests/{contest.pk}/", {"decision": "kept"})
    assert "I see two of four" not in page(teaching)


@pytest.mark.parametrize("mastery", ["nothing", "levels"])
def test_home_shows_no_more_than_the_class_agreed(teaching, grace, ada, mastery):
    classroom = make_class(grace, ada)
    answer(ada, *["2"] * 6)
    agree(classroom, mastery=mastery)
    text = page(teaching)
    assert "counts_shaded says" not in text
    assert "wrong answers in a row" not in text
    assert ('id="glance-title"' in text) is (mastery == "levels")


def test_figures_are_of_the_last_seven_days_and_of_those_before(grace, ada, ben):
    make_class(grace, ada, ben)
    answer(ada, "1/2", "1/2", "1/2")
    answer(ben, "1/2")
    Attempt.objects.filter(learner=ben).update(created_at=timezone.now() - timedelta(days=9))
    figures = teacher_home_context(grace)["figures"]
    assert [(one["number"], one["before"]) for one in figures] == [("1 of 2", 1), (3, 1), (1, 0), (0, None)]


def test_class_that_worked_last_is_shown_unless_another_is_chosen(teaching, grace, ada, ben):
    make_class(grace, ada)
    membership.make_class(grace, "5a", code="5a")
    membership.join_class(ben, "5a")
    answer(ada, "1/2")
    answer(ben, "1/2")
    assert '<a href="?class=5a" aria-current="true">' in page(teaching)
    assert '<a href="?class=4b" aria-current="true">' in page(teaching, "/?class=4b")
    assert page(teaching, "/?class=nothing")


def test_queries_do_not_grow_with_the_class_or_its_contests(teaching, grace, django_assert_max_num_queries):
    learners = [make_person(f"p{number}") for number in range(5)]
    make_class(grace, *learners)
    membership.make_class(grace, "5a", code="5a")
    for learner in learners:
        answer(learner, "2", "2")
        contest_verdict(Attempt.objects.filter(learner=learner).first(), reason="")
    page(teaching)
    with django_assert_max_num_queries(22):
        page(teaching)


def test_answers_name_the_wrong_idea_that_gives_them(teaching, grace, ada):
    make_class(grace, ada)
    answer(ada, "2", "1/3", "1/2")
    text = page(teaching, f"/teach/4b/{ada.pk}/fractions/one_half/")
    wrong_idea = Course.objects.get().catalogue().misconceptions["counts_shaded"].says
    assert text.count("The wrong idea that leads to this answer") == text.count(f"<p>{wrong_idea}</p>") == 1
    teaching.force_login(ada)
    assert "The wrong idea that leads to this answer" not in page(teaching, "/progress/fractions/one_half/")


def test_advice_names_what_it_is_about(teaching, grace, ada, ben):
    """Two reasons, two things to do."""
    make_class(grace, ada, ben)
    answer(ada, *["1/3"] * 6)
    answer(ben, "2", "2")
    describe(Course.objects.get(), "counts_shaded", concepts=("one_half",))
    needing = {each["name"]: each["advice"] for each in teacher_home_context(grace)["needing"]}
    assert "on One half" in needing[str(ada)]
    assert needing[str(ben)].endswith(Course.objects.get().catalogue().misconceptions["counts_shaded"].correct_idea)


def test_teachers_navigation_has_classes_first_and_learning_last(teaching, client, ada):
    def names(text):
        nav = text.partition('aria-label="Main"')[2].partition("</nav>")[0]
        return re.findall(r">([^<>]+)</a>", nav)

    assert names(page(teaching)) == ["Home", "Classes", "Ask the team", "Planner", "Library", "Learn"]
    client.force_login(ada)
    assert names(page(client)) == ["Home", "Learn", "My path", "Ask the team", "Planner", "My progress", "Library"]
