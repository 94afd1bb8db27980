"""What a learner hears when they ask what they have to do."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tutoring.assignments.helpers import DAY, assign, class_of
from tests.tutoring.review_helpers import master
from tutoring.models import Workspace
from tutoring.planner.records.workspaces import workspace_for
from tutoring.planner.tools.results import PlannerUse
from tutoring.planner.tools.tasks import FindTasks, find_tasks

pytestmark = pytest.mark.django_db


def told(person, workspace=None, **query):
    now = timezone.localtime()
    use = PlannerUse(person=person, workspace=workspace or workspace_for(person), now=now, use_key="")
    return find_tasks(use, FindTasks(**query)).words


def test_open_assignments_stand_among_the_tasks_until_they_are_done(grace, ada):
    classroom = class_of(grace, ada)
    assign(classroom, "concept", title="Halves")
    assign(classroom, "reading", title="Late text", due_at=timezone.now() - timedelta(hours=1))
    words = told(ada)
    assert "For your classes:" in words
    assert "Halves, by tomorrow" in words
    assert "Late text, was due" in words
    assert "no open task" not in words
    master(ada)
    assert "Halves" not in told(ada)


def test_only_those_due_on_the_days_that_were_asked_about_are_told(grace, ada):
    assign(class_of(grace, ada), "reading", title="Next week", due_at=timezone.now() + 7 * DAY)
    today = timezone.localdate()
    assert "Next week" not in told(ada, due_from=today, due_to=today + DAY)
    assert "Next week" in told(ada, due_from=today, due_to=today + 8 * DAY)


def test_other_lists_and_other_workspaces_have_none(grace, ada):
    assign(class_of(grace, ada), "reading", title="Text")
    assert "Text" not in told(ada, done=True)
    assert "Text" not in told(ada, workspace=Workspace.objects.create(owner=ada, key="club", title="Club"))
