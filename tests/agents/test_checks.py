"""Wrong settings stop the start, with a line that names them."""

from agents.checks import check_sandbox, check_settings


def test_shipped_settings_are_sound():
    assert check_settings() == []


def test_unknown_option_is_named(settings):
    settings.AGENTS = {"tiemout_s": 3}
    assert "tiemout_s" in check_settings()[0].msg


def test_backend_that_cannot_be_made_is_named(settings):
    settings.LLMS = {**settings.LLMS, "fast": {"BACKEND": "agents.llm.offline.OfflineBackend", "OPTIONS": {"pase": 1}}}
    assert "LLMS['fast']" in check_settings()[0].msg


def test_sandbox_of_an_unknown_name_is_an_error(settings):
    settings.AGENTS = {"sandbox": "chroot"}
    assert [error.id for error in check_settings()] == ["agents.E003"]
    assert check_sandbox() == []


def test_chosen_sandbox_that_is_not_installed_is_warned_of(settings, monkeypatch):
    settings.AGENTS = {"sandbox": "bubblewrap"}
    monkeypatch.setenv("PATH", "")
    assert "bubblewrap is not installed" in check_sandbox()[0].msg


def test_sandbox_that_is_off_needs_nothing(settings):
    settings.AGENTS = {"sandbox": ""}
    assert check_sandbox() == []
