"""Which models are asked, by the environment, and what is never shown of it."""

import io
import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from django.core.management import call_command

from agents.conf import llm_backends
from agents.llm.base import LLMBackend
from agents.llm.prices import FREE, Price
from learnagent.configuration.environment import ROOT, Environment, read_environment
from learnagent.configuration.language_models import configured_models

KEY = "sk-ant-CANARY-0123456789"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Environment.model_fields:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def backends(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """Return what makes the backends that an environment asks for."""

    def made(**variables: str) -> dict[str, LLMBackend]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        settings.LLMS = configured_models(read_environment())
        return dict(llm_backends())  # type: ignore[arg-type]  # No speakers among them.

    return made


def models(made: dict[str, LLMBackend]) -> tuple[str, ...]:
    return tuple(made[alias].model for alias in ("strong", "fast", "vision"))


def test_nothing_set_connects_nothing(backends: Any) -> None:
    assert {backend.name for backend in backends().values()} == {"offline"}


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"ANTHROPIC_API_KEY": KEY}, "anthropic"),
        ({"OPENAI_API_KEY": KEY}, "openai"),
        ({"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}, "anthropic"),
        ({"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY, "LLM_PROVIDER": "openai"}, "openai"),
        ({"ANTHROPIC_API_KEY": KEY, "LLM_PROVIDER": "offline"}, "offline"),
        ({"LLM_PROVIDER": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}, "openai"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}, "offline"),
        ({"LLM_PROVIDER": "ollama", "OLLAMA_MODEL": "llama3.2"}, "ollama"),
        ({"OLLAMA_MODEL": "llama3.2"}, "offline"),
    ],
)
def test_provider_is_the_one_named_or_the_one_with_a_key(backends: Any, variables: dict[str, str], name: str) -> None:
    made = backends(**variables)
    assert {made[alias].name for alias in ("strong", "fast", "vision")} == {name}
    assert made["offline"].name == "offline"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"ANTHROPIC_API_KEY": KEY}, ("claude-opus-5-5", "claude-haiku-5-5", "claude-opus-5-5")),
        ({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_MODEL": "a"}, ("a", "claude-haiku-5-5", "a")),
        (
            {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_FAST_MODEL": "b", "ANTHROPIC_VISION_MODEL": "c"},
            ("claude-opus-5-5", "b", "c"),
        ),
        ({"OPENAI_API_KEY": KEY}, ("gpt-6.2-sol", "gpt-5.4-mini", "gpt-6.2-sol")),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://x.example/v1", "OPENAI_MODEL": "a"}, ("a", "a", "a")),
        (
            {"OPENAI_API_KEY": KEY, "OPENAI_MODEL": "a", "OPENAI_FAST_MODEL": "b", "OPENAI_VISION_MODEL": "c"},
            tuple("abc"),
        ),
        ({"LLM_PROVIDER": "ollama", "OLLAMA_MODEL": "a"}, ("a", "a", "a")),
    ],
)
def test_models_are_the_ones_named_or_sensible_ones(
    backends: Any, variables: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert models(backends(**variables)) == expected


@pytest.mark.parametrize(
    ("variables", "outside"),
    [
        ({"LLM_PROVIDER": "ollama", "OLLAMA_MODEL": "a"}, False),
        ({"LLM_PROVIDER": "ollama", "OLLAMA_MODEL": "a", "OLLAMA_BASE_URL": "http://10.0.0.7:11434/v1"}, True),
        ({"LLM_PROVIDER": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}, True),
        ({"OPENAI_API_KEY": KEY}, True),
        ({"ANTHROPIC_API_KEY": KEY}, True),
    ],
)
def test_words_stay_inside_only_with_a_model_on_this_machine(
    backends: Any, variables: dict[str, str], outside: bool
) -> None:
    """What listens on this machine for another provider may pass words on."""
    assert {backends(**variables)[alias].calls_outside for alias in ("strong", "fast", "vision")} == {outside}


def test_prices_are_known_named_or_unknown(backends: Any) -> None:
    made = backends(
        ANTHROPIC_API_KEY=KEY,
        ANTHROPIC_MODEL="claude-opus-4-6",
        ANTHROPIC_FAST_MODEL="claude-haiku-4-5",
        ANTHROPIC_VISION_MODEL="new",
        LLM_PRICES='{"claude-haiku-4-5": [0.5, 2, "2026-10-01"]}',
    )
    since = date(2026, 3, 21), date(2026, 10, 1)
    assert made["strong"].price == Price(input_usd=5, output_usd=25, since=since[0])
    assert made["fast"].price == Price(input_usd=0.5, output_usd=2, since=since[1])
    assert made["vision"].price is None


def test_model_on_this_machine_costs_nothing(backends: Any) -> None:
    assert backends(LLM_PROVIDER="ollama", OLLAMA_MODEL="a")["strong"].price == FREE


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"LLM_PROVIDER": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"LLM_PROVIDER": "openai"}, "OPENAI_API_KEY"),
        ({"LLM_PROVIDER": "ollama"}, "OLLAMA_MODEL"),
        ({"LLM_PROVIDER": "oracle"}, "LLM_PROVIDER"),
        ({"ANTHROPIC_BASE_URL": "api.example"}, "ANTHROPIC_BASE_URL"),
        ({"OPENAI_BASE_URL": "file:///etc/passwd"}, "OPENAI_BASE_URL"),
        ({"OLLAMA_BASE_URL": "localhost:11434"}, "OLLAMA_BASE_URL"),
        ({"ANTHROPIC_API_KEY": f"{KEY}\nX-Evil: 1"}, "ANTHROPIC_API_KEY"),
        ({"LLM_PRICES": "cheap"}, "LLM_PRICES"),
        ({"LLM_PRICES": '{"a": [1, 2]}'}, "LLM_PRICES"),
        ({"LLM_PRICES": '{"a": [1, -2, "2026-01-01"]}'}, "LLM_PRICES"),
    ],
)
def test_what_cannot_work_stops_the_start_with_its_name(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], named: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=named) as stopped:
        read_environment()
    assert KEY not in str(stopped.value)


def test_space_around_a_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert read_environment().OPENAI_API_KEY.get_secret_value() == KEY


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"])
def test_key_is_shown_by_nothing(backends: Any, name: str) -> None:
    """K1: not the environment, the settings, the backends, nor the commands that print them."""
    made = backends(**{name: KEY})
    shown = [repr(read_environment()), repr(configured_models(read_environment())), repr(made)]
    shown += [repr(vars(backend)) for backend in made.values()]
    for command, options in (("check", {}), ("diffsettings", {"all": True})):
        out = io.StringIO()
        call_command(command, stdout=out, stderr=out, **options)
        shown.append(out.getvalue())
    assert KEY not in "".join(shown)


def test_sdks_are_not_loaded_before_they_are_needed() -> None:
    """Each takes seconds: `manage.py check` and every start would wait for them."""
    program = (
        "import os, sys, django; os.environ.update(DJANGO_SETTINGS_MODULE='learnagent.settings', ANTHROPIC_API_KEY='k');"
        "django.setup();"
        "from agents.conf import llm_backends; assert llm_backends()['strong'].name == 'anthropic';"
        "sys.exit(', '.join({'anthropic', 'openai', 'httpx2'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)
