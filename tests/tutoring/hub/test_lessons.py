"""The hub in a lesson: what side agents notice of one turn is in the next one's instructions, and in its decisions."""

import pytest

from conversations.models import Analysis, Finding
from tests.tutoring.lessons.stage import StageWithHub, load_fractions
from tutoring.models import Concept

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def stage(ada):
    load_fractions()
    stage = StageWithHub(ada, Concept.objects.select_related("course").get(slug="one-half"))
    stage.open()
    return stage


def test_every_utterance_is_analysed_with_what_that_took(stage):
    stage.say("the two parts have to be the same size, I think")
    rows = Analysis.objects.filter(session=stage.session)
    print([(r.agent, r.status, r.ms, r.output) for r in rows])
    print(list(Finding.objects.values("kind", "name", "words", "content")))
    assert rows.exists()
