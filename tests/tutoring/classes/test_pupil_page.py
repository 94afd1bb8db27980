"""A pupil's page for the teachers of a class: notes, milestones, rounds, and the record of who looked."""

import pytest
from django.urls import reverse

from conversations.models import Finding
from tests.tutoring.class_helpers import agree, answer, make_class
from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.small_course import make_turn
from tutoring.mastery.records.progress import begin_lesson
from tutoring.models import AccessLog, Concept, Cycle, Mastery, MilestoneWithdrawal, PupilNote

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom(client, ada, grace):
    made = make_class(grace, ada)
    client.force_login(grace)
    return made


@pytest.fixture
def milestone(ada, classroom):
    """A milestone that Ada reached by saying a sentence in a lesson."""
    load_fractions()
    concept = Concept.objects.select_related("course").get(slug="one-half")
    lesson = begin_lesson(ada, concept, make_turn(ada, key="halves").session)
    Mastery.objects.create(learner=ada, concept=concept, probability=0.9, threshold=0.85)
    content = {"reached": True, "milestone": concept.value().milestones[0].id}
    return Finding.objects.create(
        session=lesson.session, turn=lesson.session.turns.get(), agent="milestone", kind="milestone", name="m",
        words="A milestone", evidence="in words of my own", content=content,
    )  # fmt: skip


def page(client, ada):
    return client.get(f"/teach/4b/{ada.pk}/").text


def test_sections_show_what_the_pupil_did(client, ada, classroom):
    answer(ada, "1/2", "2")
    concept = Concept.objects.get(slug="one_half")
    session = ada.conversations.get(key="lesson")
    Cycle.objects.create(learner=ada, session=session, concept=concept, number=1, quiz_score=0.5)
    shown = page(client, ada)
    sections = ("map", "path", "rounds", "reviews", "time")
    assert [name for name in sections if f'<section class="card" id="{name}"' in shown] == [*sections]
    assert '<td class="number">50%</td>' in shown
    assert "Practiced on 1 day in the last four weeks." in shown
    agree(classroom, mastery="nothing")
    assert [name for name in sections if f'id="{name}"' in page(client, ada)] == []


class TestNotes:
    def test_teachers_read_them_and_the_pupil_does_not(self, client, ada, classroom, root):
        client.post(f"/teach/4b/{ada.pk}/notes/", {"text": "Draws <i>first</i>"})
        assert "Draws &lt;i&gt;first&lt;/i&gt;" in page(client, ada)
        client.force_login(root)
        assert "Draws" not in page(client, ada)
        client.force_login(ada)
        for address in ("/", "/messages/", "/accounts/data/", "/progress/"):
            assert "Draws" not in client.get(address).text

    def test_too_long_note_is_refused_and_stays_typed(self, client, ada, classroom):
        response = client.post(f"/teach/4b/{ada.pk}/notes/", {"text": "x" * 2001})
        assert response.status_code == 422
        assert "x" * 2001 in response.text
        assert not PupilNote.objects.exists()

    def test_note_is_deleted(self, client, ada, classroom):
        client.post(f"/teach/4b/{ada.pk}/notes/", {"text": "Draws first"})
        client.post(f"/teach/4b/{ada.pk}/notes/{PupilNote.objects.get().pk}/delete/")
        assert not PupilNote.objects.exists()


class TestMilestones:
    def test_evidence_is_quoted_where_conversations_and_answers_are_shown(self, client, ada, classroom, milestone):
        assert "in words of my own" not in page(client, ada)
        agree(classroom, conversations="everything")
        assert "in words of my own" not in page(client, ada)  # It was said before.
        Finding.objects.update(created_at=classroom.policy.conversations_since)
        assert "in words of my own" in page(client, ada)
        agree(classroom, mastery="levels")
        assert "in words of my own" not in page(client, ada)

    def test_withdrawal_is_told_contested_and_undone(self, client, ada, grace, classroom, milestone):
        address = f"/teach/4b/{ada.pk}/milestones/{milestone.pk}/"
        assert client.post(address, {"reason": ""}).status_code == 422
        client.post(address, {"reason": "Say it again, please."})
        assert "Say it again, please." in page(client, ada)
        client.force_login(ada)
        assert "A teacher withdrew a milestone of yours." in client.get("/").text
        assert "Say it again, please." in client.get("/progress/").text
        withdrawn = MilestoneWithdrawal.objects.get()
        client.post(reverse("contest-milestone", args=[withdrawn.pk]), {"reason": "I did say it."})
        client.force_login(grace)
        assert "I did say it." in page(client, ada)
        client.post(address, {"action": "restore"})
        assert not MilestoneWithdrawal.objects.exists()

    def test_other_findings_and_other_levels_have_none_to_withdraw(self, client, ada, classroom, milestone):
        address = f"/teach/4b/{ada.pk}/milestones/{milestone.pk}/"
        agree(classroom, mastery="nothing")
        assert client.post(address, {"reason": "No"}).status_code == 404
        agree(classroom, mastery="levels")
        Finding.objects.update(kind="misconception")
        assert client.post(address, {"reason": "No"}).status_code == 404


def test_every_kind_of_reading_is_noted_once_a_day_and_told(client, ada, grace, classroom):
    answer(ada, "1/2")
    for _ in range(2):
        page(client, ada)
        client.get(f"/teach/4b/{ada.pk}/fractions/one_half/")
        client.get("/teach/4b/reports/")
        client.get("/teach/4b/reports/pupils.csv")
    noted = AccessLog.objects.filter(learner=ada, reader=grace).order_by("kind").values_list("kind", flat=True)
    assert list(noted) == ["answers", "learner", "report"]
    client.force_login(ada)
    shown = client.get("/accounts/data/").text
    assert all(
        f"<bdi>Grace</bdi>: <bdi>{words}</bdi>" in shown
        for words in ("Your answers", "The page about you", "A report with your name")
    )
