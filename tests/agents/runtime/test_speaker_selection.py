"""Speakers know the language of the person they speak to."""

import pytest

from agents.runtime.speaker_selection import language_of
from learnagent.accounts.models import Person


@pytest.mark.parametrize(("language", "name"), [("es", "Spanish"), ("en", ""), ("tlh", ""), ("", "")])
def test_language_is_named_if_it_is_another_than_that_of_the_courses(language: str, name: str) -> None:
    assert language_of(Person(language=language)) == name
