"""Speakers know the language of the person they speak to, and the models that the person agreed to."""

from typing import Any

import pytest

from agents.engine.roles import Tier
from agents.runtime.speaker_selection import language_of, may_ask_model, model_name_for
from learnagent.accounts.models import Person

TIERS: tuple[Tier, ...] = ("strong", "fast", "vision")


@pytest.mark.parametrize(("language", "name"), [("es", "Spanish"), ("en", ""), ("tlh", ""), ("", "")])
def test_language_is_named_if_it_is_another_than_that_of_the_courses(language: str, name: str) -> None:
    assert language_of(Person(language=language)) == name


def test_who_does_not_consent_is_answered_by_the_models_of_this_site(settings: Any) -> None:
    """K3: with an outside provider beside them, and by none of that provider's."""
    key = {"BACKEND": "agents.llm.openai.OpenAIBackend"}
    outside = key | {"OPTIONS": {"model": "big", "name": "cloud", "api_key": "k"}}
    inside = key | {"OPTIONS": {"model": "small", "name": "gpu", "base_url": "http://127.0.0.1:1/v1", "outside": False}}
    settings.LLMS = settings.LLMS | {"strong": [outside, inside], "vision": [outside]}
    agrees, declines = Person(), Person()
    agrees.set_consent(True)
    declines.set_consent(False)
    assert [model_name_for(agrees, tier) for tier in TIERS] == ["big", "", "big"]
    assert [model_name_for(declines, tier) for tier in TIERS] == ["small", "", ""]
    assert [may_ask_model(declines, tier) for tier in TIERS] == [True, False, False]
