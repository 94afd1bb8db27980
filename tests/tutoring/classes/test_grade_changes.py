"""What a teacher changes in the grade of an answer: what it does, who sees it, and that it can be undone."""

import pytest
from django.test import Client

from tests.tutoring.class_helpers import agree, answer, make_class
from tests.tutoring.small_course import ask, numeric, text
from tutoring.mastery.records import grade_changes
from tutoring.mastery.records.contests import contest_verdict
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import AnswerTally, Attempt, Contest, GradeChange, Mastery, MisconceptionState

pytestmark = pytest.mark.django_db
EVIDENCE = "/progress/fractions/one_half/"


@pytest.fixture
def classroom(grace, ada):
    return make_class(grace, ada)


@pytest.fixture
def teaching(client, grace, classroom):
    client.force_login(grace)
    return client


def last():
    return Attempt.objects.latest("pk")


def press(teaching, action, reason="", *, attempt=None):
    attempt = attempt or last()
    path = f"/teach/4b/{attempt.learner_id}/answers/{attempt.pk}/"
    return teaching.post(path, {"action": action, "reason": reason}, follow=True).content.decode()


def state(attempt):
    """Return all that a change touches, to compare it before and after an undo."""
    attempt.refresh_from_db()
    mastery = Mastery.objects.get(learner=attempt.learner)
    ideas = MisconceptionState.objects.order_by("misconception").values_list(
        "misconception", "odds", "status", "evidence"
    )
    return (
        (attempt.verdict, attempt.correct, attempt.score, attempt.misconceptions, attempt.left_out),
        (round(mastery.probability, 9), mastery.answers, mastery.unassisted),
        list(ideas),
        AnswerTally.objects.get().misses,
    )


@pytest.mark.parametrize(
    ("action", "given"), [("right", "2"), ("wrong", "1/2"), ("leave_out", "2"), ("leave_out", "1/2")]
)
def test_undo_gives_back_all_there_was(teaching, ada, grace, action, given):
    answer(ada, "1/2", "2", given)
    before = state(last())
    press(teaching, action, "I saw it on paper.")
    assert state(last()) != before
    press(teaching, "undo")
    assert state(last()) == before
    change = GradeChange.objects.get()
    assert (change.by, change.undone_by, change.reason) == (grace, grace, "I saw it on paper.")


@pytest.mark.parametrize("back", ["wrong", "regrade"])
def test_overruling_back_undoes_the_first_change(teaching, ada, back):
    answer(ada, "1/2", "2")
    before = state(last())
    press(teaching, "right", "I saw it on paper.")
    assert "Undone. The answer has the grade that it had before." in press(teaching, back, "I looked again.")
    assert state(last()) == before


def test_undo_leaves_out_what_was_left_out_meanwhile(teaching, ada):
    answer(ada, "1/2", "2")
    press(teaching, "right", "I saw it on paper.")
    Attempt.objects.filter(pk=last().pk).update(left_out=True)
    press(teaching, "undo")
    assert last().left_out


def test_overruled_answer_counts_as_if_it_had_been_right(teaching, ada, ben):
    answer(ben, "1/2", "1/2")
    answer(ada, "1/2", "1/3")
    press(teaching, "right", "Their slip of the pen.")
    assert last().correct
    alike = Mastery.objects.values_list("learner__username", "probability")
    assert dict(alike)["ada"] == pytest.approx(dict(alike)["ben"], abs=0.01)


def test_overruling_needs_a_reason_and_says_so(teaching, ada):
    answer(ada, "1/3")
    assert "Write a reason. Your pupil can read it." in press(teaching, "right")
    assert not last().correct


def test_grading_again_changes_only_what_the_rules_grade_differently(teaching, ada):
    answer(ada, "1/2")
    assert "Graded again with the same result" in press(teaching, "regrade")
    # An old version of the grader did not read it.
    Attempt.objects.update(verdict="wrong", correct=False, score=0.0)
    assert "It was marked wrong, and is now marked right." in press(teaching, "regrade")
    assert last().correct


def test_pupil_reads_what_was_changed_and_is_told_once(teaching, ada):
    answer(ada, "1/3")
    press(teaching, "right", "You showed me <b>why</b>.")
    pupil = Client()
    pupil.force_login(ada)
    home = pupil.get("/").content.decode()
    assert "A teacher marked this answer right." in home
    assert "You showed me &lt;b&gt;why&lt;/b&gt;." in home
    assert "A teacher marked this answer right." in pupil.get(EVIDENCE).content.decode()
    assert "A teacher marked this answer right." not in pupil.get("/").content.decode()
    assert "Change this grade" not in pupil.get(EVIDENCE).content.decode()


def test_changed_grade_settles_what_the_pupil_reported_until_it_is_undone(teaching, ada):
    answer(ada, "1/3")
    contest_verdict(last(), reason="")
    press(teaching, "right", "You are right.")
    contest = Contest.objects.get()
    assert contest.decided_at
    press(teaching, "undo")
    contest.refresh_from_db()
    assert contest.decided_at is None


def test_answer_that_does_not_count_is_no_reason_to_help(teaching, ada):
    answer(ada, *["1/3"] * 6)
    assert "6 wrong answers in a row" in teaching.get("/teach/4b/").content.decode()
    press(teaching, "leave_out")
    assert "6 wrong answers in a row" not in teaching.get("/teach/4b/").content.decode()


def test_right_practice_that_is_marked_wrong_counts_no_more(grace, ada):
    answer(ada, "1/3")
    record_attempt(ask(ada, numeric("step"), purpose="practice"), learner=ada, answer="1/2", idempotency_key="k")
    before = state(last())
    grade_changes.override(last(), "wrong", reason="Copied.", by=grace)
    assert Mastery.objects.get().changes.get(attempt=last()).left_out
    grade_changes.undo(last(), by=grace)
    assert state(last()) == before


def test_answer_is_changed_only_where_it_may_be_read(teaching, classroom, ada, ben):
    answer(ada, "1/3")
    answer(ben, "1/3")
    path = "/teach/4b/{}/answers/{}/"
    stranger = path.format(ada.pk, Attempt.objects.get(learner=ben).pk)
    assert teaching.post(stranger, {"action": "leave_out"}).status_code == 404
    own = path.format(ada.pk, Attempt.objects.get(learner=ada).pk)
    agree(classroom, mastery="levels")
    assert teaching.post(own, {"action": "leave_out"}).status_code == 404
    assert not GradeChange.objects.exists()


def test_text_is_graded_again_by_its_meaning(grace, ada):
    record_attempt(ask(ada, text()), learner=ada, answer="they are the same size", idempotency_key="k")
    with pytest.raises(grade_changes.NothingChanged):
        grade_changes.regrade(last(), by=grace)
