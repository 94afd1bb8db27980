"""What the record says, read in plain SQL."""

import pytest

from tutoring.classes import membership
from tutoring.dialogue.queries.system_record import describe_readers
from tutoring.models import Policy

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def test_readers_are_those_of_the_classes_one_learns_in(ada, grace):
    alone = describe_readers(ada.pk)
    assert alone.endswith("You are not in a class.")
    classroom = membership.make_class(grace, "4b", code="4b")
    membership.join_class(ada, "4b")
    Policy.objects.filter(classroom=classroom).update(conversations="summaries")
    assert str(Policy.Conversations.SUMMARIES.label) in describe_readers(ada.pk)
    assert describe_readers(grace.pk) == alone
    membership.archive_class(classroom)
    assert describe_readers(ada.pk) == alone
