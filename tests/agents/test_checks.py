"""Wrong settings stop the start, with a line that names them."""

from agents.checks import settings_are_sound


def test_shipped_settings_are_sound():
    assert settings_are_sound() == []


def test_unknown_option_is_named(settings):
    settings.AGENTS = {"tiemout_s": 3}
    assert "tiemout_s" in settings_are_sound()[0].msg


def test_backend_that_cannot_be_made_is_named(settings):
    settings.LLMS = {**settings.LLMS, "fast": {"BACKEND": "agents.llm.offline.OfflineBackend", "OPTIONS": {"pase": 1}}}
    assert "LLMS['fast']" in settings_are_sound()[0].msg
