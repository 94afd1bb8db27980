"""Built-in replies are in the language of the courses, whatever language a person reads the pages in."""

import pytest
from asgiref.sync import sync_to_async

from tests import people
from tests.tutoring.test_panel_answers import asked

pytestmark = pytest.mark.django_db(transaction=True)


async def test_built_in_reply_stays_in_the_language_of_the_courses() -> None:
    answers = []
    for language in ("es", "en"):
        person = await sync_to_async(people.make_person)(f"person-{language}", language=language)
        answers.append((await asked(person, "remind me to call Lea tomorrow at 5pm"))["response"])
    assert answers[0] == answers[1]
    assert "I’ll remind you" in answers[0]
