"""Goals, placements, gaps and transitions as those see them who may: the class's teachers, and admins."""

import pytest
from django.urls import reverse

from conversations.models import Transition
from tests.tutoring.class_helpers import agree, make_class
from tests.tutoring.small_course import make_course, make_turn
from tutoring.mastery.records import goals
from tutoring.models import Concept, DiagnosticResult, Goal, KnowledgeGap

pytestmark = pytest.mark.django_db
LISTS = ("tutoring_goal", "tutoring_diagnosticresult", "tutoring_knowledgegap", "conversations_transition")


@pytest.fixture
def planned(ada):
    """Ada aims at one half, was placed, and has a gap that showed in her answers; a transition tells how."""
    make_course()
    half, turn = Concept.objects.select_related("course").get(slug="one_half"), make_turn(ada)
    goals.set_goal(ada, half, words="I want to share my sandwich", session=turn.session)
    parts = half.course.concepts.get(slug="equal_parts")
    DiagnosticResult.objects.create(
        learner=ada, session=turn.session, topic=half, learner_level="intermediate", questions=4, ended="stopped"
    )
    KnowledgeGap.objects.create(
        learner=ada, concept=parts, source="feedback", words="counts the shaded parts", current=0.2, required=0.85
    )
    return Transition.objects.create(
        session=turn.session, turn=turn, from_agent="tutor", to_agent="pathplanner", strategy="rule",
        reason="Asks what comes next.", message_excerpt="what now?",
    )  # fmt: skip


class TestTeacher:
    def learners_page(self, client, grace, ada, **policy):
        client.force_login(grace)
        classroom = make_class(grace, ada, **policy)
        return client.get(reverse("class-learner", args=[classroom.code, ada.pk])).text

    def test_sees_goals_placement_and_gaps_and_never_the_goals_words(self, client, grace, ada, planned):
        page = self.learners_page(client, grace, ada, mastery="evidence")
        for shown in ("One half", "intermediate", "after 4 questions", "Equal parts", "counts the shaded parts"):
            assert shown in page
        assert "sandwich" not in page

    def test_without_the_answers_sees_gaps_without_what_they_showed_in(self, client, grace, ada, planned):
        page = self.learners_page(client, grace, ada, mastery="levels")
        assert "Goals and gaps" in page
        assert "counts the shaded parts" not in page

    def test_sees_nothing_of_it_where_progress_stays_with_the_learner(self, client, grace, ada, planned):
        page = self.learners_page(client, grace, ada, mastery="nothing")
        assert "Goals and gaps" not in page
        assert "Equal parts" not in page

    def test_goal_given_up_and_gap_closed_are_gone(self, client, grace, ada, planned):
        Goal.objects.get().delete()
        KnowledgeGap.objects.update(resolved_at=planned.created_at)
        page = self.learners_page(client, grace, ada)
        assert "<dt>Goals</dt><dd>none</dd>" in page
        assert "Equal parts" not in page

    def test_page_takes_few_queries(self, client, grace, ada, planned, django_assert_max_num_queries):
        classroom = make_class(grace, ada)
        agree(classroom, mastery="evidence")
        client.force_login(grace)
        address = reverse("class-learner", args=[classroom.code, ada.pk])
        client.get(address)
        with django_assert_max_num_queries(28):
            client.get(address)


class TestAdmin:
    def test_reads_every_list_and_changes_none(self, client, root, planned):
        client.force_login(root)
        rows = {
            "tutoring_goal": Goal,
            "tutoring_diagnosticresult": DiagnosticResult,
            "tutoring_knowledgegap": KnowledgeGap,
        }
        for name in LISTS:
            row = rows.get(name, Transition).objects.get()
            assert client.get(reverse(f"admin:{name}_changelist")).status_code == 200, name
            change = reverse(f"admin:{name}_change", args=[row.pk])
            assert client.get(change).status_code == 200, name
            assert client.post(change, {}).status_code in (403, 404), name
            assert client.get(reverse(f"admin:{name}_add")).status_code in (403, 404), name
            assert str(row) in client.get(change).text

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"q": "pathplanner"}, True), ({"q": "what comes next"}, True), ({"q": "ada"}, True), ({"q": "quiz"}, False),
            ({"to_agent": "pathplanner"}, True), ({"from_agent": "quiz"}, False), ({"strategy": "rule"}, True),
        ],
    )  # fmt: skip
    def test_finds_transitions_by_agent_and_reason(self, client, root, planned, query, found):
        client.force_login(root)
        page = client.get(reverse("admin:conversations_transition_changelist"), query).text
        assert ("Asks what comes next." in page) is found

    def test_nobody_else_reads_them(self, client, grace, planned):
        client.force_login(grace)
        assert client.get(reverse("admin:conversations_transition_changelist")).status_code == 404
