"""What there is to walk to: one thing of every kind, all of them Ada's."""

from typing import Any

import pytest
from django.utils import timezone

from conversations import supervisor as supervising
from conversations.models import Finding, Session
from learnagent.accounts.links import sign_in_address
from learnagent.accounts.models import ApiToken
from learnagent.accounts.tokens import make_token
from tests.conversations.conftest import connect, host, says, supervisor  # noqa: F401  # Fixtures.
from tests.tutoring.quiet_host import quiet_host  # noqa: F401  # As above.
from tests.tutoring.small_course import ask
from tutoring.classes import join_class, make_class
from tutoring.records.progress import begin_lesson


@pytest.fixture
def unserved(quiet_host: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811  # The fixture itself.
    """Turns begin here, and nobody serves them."""
    monkeypatch.setattr(supervising.supervisor, "start", lambda turn_id: None)


@pytest.fixture
def adas(ada: Any, grace: Any, unserved: None) -> dict[str, Any]:
    """Parameter of an address → the value that names Ada's. She is in Grace's class, which shows all there is."""
    classroom = make_class(grace, "4b", code="4b")
    join_class(ada, "4b")
    classroom.policy.conversations = "everything"
    classroom.policy.save()
    question = ask(ada)
    begin_lesson(ada, question.concept, question.session)
    turn = question.session.turns.get()
    finding = Finding.objects.create(
        session=question.session, turn=turn, agent="tutor", kind="misconception", words="x"
    )
    make_token(ada)
    return {
        "key": question.session.key,
        "session_id": question.session.key,
        "turn_id": turn.pk,
        "course": "fractions",
        "concept": "one_half",
        "str:pk": question.pk,
        "int:pk": ApiToken.objects.get().pk,
        "finding": finding.pk,
        "before": 99,
        "start": 1,
        "deleted": Session.objects.create(owner=ada, key="gone", deleted_at=timezone.now()).pk,
        "code": "4b",
        "learner": ada.pk,
        "int:session": question.session_id,
        "name": "tutor",
        "token": sign_in_address(ada).rstrip("/").rpartition("/")[2],
        "rest": "nowhere",
        "content_type_id": 1,
        "object_id": 1,
        "app_label": "accounts",
        "url": "nowhere",
    }
