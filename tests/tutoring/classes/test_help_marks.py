"""What a teacher does about who needs help: dismissing, following up, undoing; and what brings a reason back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tutoring.class_helpers import agree, answer, make_class
from tests.tutoring.small_course import ask, numeric
from tutoring.mastery.records.contests import contest_verdict
from tutoring.models import Attempt, DiagnosticResult, HelpMark, Question

pytestmark = pytest.mark.django_db
MISSES = "6 wrong answers in a row"


@pytest.fixture
def classroom(grace, ada):
    return make_class(grace, ada)


@pytest.fixture
def teaching(client, grace, classroom):
    client.force_login(grace)
    return client


def needing(teaching):
    """Return the list of who needs help, without what is dealt with."""
    text = teaching.get("/teach/4b/").content.decode()
    return text.partition('id="help"')[2].partition("</section>")[0].partition("handled")[0]


def press(teaching, ada, action, note=""):
    """Press a button in the list as the page has it."""
    hidden = needing(teaching).split('name="reason" value="')[1:]
    reasons = [each.partition('"')[0] for each in hidden]
    sent = {"action": action, "note": note, "reason": reasons}
    return teaching.post(f"/teach/4b/{ada.pk}/help/", sent, follow=True).content.decode()


@pytest.mark.parametrize("action", ["dismissed", "followed_up"])
def test_reason_goes_until_there_is_new_evidence(teaching, ada, action):
    answer(ada, *["1/3"] * 6)
    assert MISSES in needing(teaching)
    text = press(teaching, ada, action, "We spoke <b>today</b>.")
    assert "We spoke &lt;b&gt;today&lt;/b&gt;." in text
    assert MISSES not in needing(teaching)
    answer(ada, "1/3")
    assert "7 wrong answers in a row" in needing(teaching)
    assert "new since" in needing(teaching)


def test_undo_brings_it_back(teaching, ada):
    answer(ada, *["1/3"] * 6)
    press(teaching, ada, "dismissed")
    teaching.post(f"/teach/4b/{ada.pk}/help/", {"action": "undo"})
    assert MISSES in needing(teaching)
    assert not HelpMark.objects.exists()


def test_too_long_note_is_refused_with_a_word(teaching, ada):
    answer(ada, *["1/3"] * 6)
    assert "That is too long." in press(teaching, ada, "dismissed", "x" * 501)
    assert MISSES in needing(teaching)


def test_what_a_pupil_reported_calls_for_a_decision(teaching, ada):
    answer(ada, "1/3")
    contest_verdict(Attempt.objects.get(), reason="")
    assert "Reported 1 thing as wrong" in needing(teaching)


def test_placement_that_was_left_calls_for_help_until_it_has_a_result(teaching, ada):
    question = ask(ada, numeric(), purpose="placement")
    assert "Began the first questions" not in needing(teaching)
    Question.objects.update(opened_at=timezone.now() - timedelta(days=2))
    assert "Began the first questions and left before the end" in needing(teaching)
    DiagnosticResult.objects.create(
        learner=ada,
        session=question.session,
        topic=question.concept,
        learner_level="beginner",
        questions=1,
        ended="cap",
    )
    assert "Began the first questions" not in needing(teaching)


def test_nothing_is_marked_or_shown_where_the_class_shows_nothing(teaching, classroom, ada):
    answer(ada, *["1/3"] * 6)
    agree(classroom, mastery="nothing")
    assert teaching.post(f"/teach/4b/{ada.pk}/help/", {"action": "dismissed", "reason": "a b"}).status_code == 404


def test_poll_tells_of_a_mark_of_a_colleague(teaching, ada):
    answer(ada, *["1/3"] * 6)
    text = teaching.get("/teach/4b/").content.decode()
    poll = "/teach/4b/" + text.partition('hx-get="')[2].partition('"')[0].replace("&amp;", "&")
    assert teaching.get(poll, headers={"HX-Request": "true"}).status_code == 204
    press(teaching, ada, "dismissed")
    assert teaching.get(poll, headers={"HX-Request": "true"}).status_code == 200


def test_mood_is_never_shown_and_the_page_says_why(teaching, classroom, ada):
    agree(classroom, affect=True)
    answer(ada, "1/3")
    assert "A mood that the tutor estimates is never shown here" in teaching.get("/teach/4b/").content.decode()
