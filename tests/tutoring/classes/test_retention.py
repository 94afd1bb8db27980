"""Deletion of old words by a class's agreement."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from conversations.history.actions import purge
from conversations.models import Session
from tests.tutoring.class_helpers import SECRET_WORDS, agree, answer, make_class, talk
from tutoring.classes.listings import learner_places
from tutoring.classes.messages import send_message
from tutoring.classes.retention import TYPED, announced_deletion, apply_retention
from tutoring.models import Attempt, ClassMessage, Mastery, Membership, MisconceptionState, Policy, Question

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365)


@pytest.fixture
def classroom(ada, grace):
    """A class that agreed a month ago to keep words for a year, and Ada with old words of every kind."""
    made = make_class(grace, ada, keeps="one_year")
    answer(ada, "2")
    talk(ada)
    send_message(ada, made.memberships.select_related("classroom__policy").get(person=ada), "Hello")
    month_ago = timezone.now() - timedelta(days=30)
    Policy.objects.update(keeps_since=month_ago)
    Membership.objects.update(joined_at=month_ago)
    return made


def in_a_year(**more):
    return timezone.now() + YEAR + timedelta(**more)


def test_old_words_go_and_grades_stay(ada, classroom):
    mastery = Mastery.objects.get().probability
    deleted = apply_retention(at=in_a_year(days=1))
    assert deleted == {"conversations": 1, "answers": 1, "messages": 1}
    assert not Session.objects.exists()
    purge()
    assert not ada.turns.exists()
    attempt = Attempt.objects.get()
    assert (attempt.answer, attempt.verdict) == ("", "wrong")
    assert Mastery.objects.get().probability == mastery
    assert SECRET_WORDS not in str(list(MisconceptionState.objects.values_list("evidence", flat=True)))
    assert not ClassMessage.objects.exists()


@pytest.mark.parametrize("kind", TYPED)
def test_what_was_typed_goes(ada, classroom, kind):
    Question.objects.update(kind=kind)
    apply_retention(at=in_a_year(days=1))
    assert Attempt.objects.get().answer == ""


def test_it_can_be_repeated(ada, classroom):
    apply_retention(at=in_a_year(days=1))
    assert apply_retention(at=in_a_year(days=1)).total() == 0


@pytest.mark.parametrize("keeps", ["always", "two_years"])
def test_nothing_goes_before_its_time(ada, classroom, keeps):
    assert apply_retention(at=in_a_year(days=-1)).total() == 0
    agree(classroom, keeps=keeps)
    assert apply_retention(at=in_a_year(days=100)).total() == 0


def test_nothing_goes_within_two_weeks_of_the_agreement_or_of_joining(ada, classroom):
    later = in_a_year(days=30)
    for change in (
        lambda: Policy.objects.update(keeps_since=later - timedelta(days=13)),
        lambda: Membership.objects.update(joined_at=later - timedelta(days=13)),
    ):
        change()
        assert apply_retention(at=later).total() == 0
        Policy.objects.update(keeps_since=timezone.now())
    assert apply_retention(at=later + timedelta(days=2)).total() == 3


def test_dry_run_only_counts(ada, classroom, capsys):
    old = timezone.now() - 2 * YEAR
    Session.objects.update(updated_at=old)
    Attempt.objects.update(created_at=old)
    call_command("apply_retention", "--dry-run")
    assert capsys.readouterr().out == "conversations 1\nanswers 1\nmessages 0\n"
    assert Attempt.objects.get().answer == "2"


def test_pupil_is_told_two_weeks_before(client, ada, classroom):
    places = learner_places(ada)
    assert announced_deletion(ada, places, at=in_a_year(days=-15)) is None
    found = announced_deletion(ada, places, at=in_a_year(days=-13))
    assert (found.conversations, found.answers) == (1, 1)
    Session.objects.update(updated_at=timezone.now() - YEAR + timedelta(days=10))
    client.force_login(ada)
    assert "As your class agreed, old words are deleted by" in client.get("/").text


def test_answers_whose_words_are_gone_are_still_shown(client, ada, grace, classroom):
    apply_retention(at=in_a_year(days=1))
    client.force_login(grace)
    assert client.get(f"/teach/4b/{ada.pk}/fractions/one_half/").status_code == 200
    client.force_login(ada)
    assert client.get("/progress/fractions/one_half/").status_code == 200
