"""Which models are asked, by the environment, and what is never shown of it."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agents.conf import llm_backends
from agents.llm.base import LLMBackend
from agents.llm.prices import FREE, KNOWN_PRICES, Price
from learnagent.configuration.environment import ROOT, Environment, read_environment
from learnagent.configuration.language_models import configured_models
from learnagent.operations.configuration_api import shown_settings

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
        return {alias: only for alias, [only] in llm_backends().items()}  # type: ignore[misc]  # No speakers among them.

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


SEVERAL = f"""
[claude]
provider = "anthropic"
api_key = "{KEY}"
strong = "claude-sonnet-4-6"
max_parallel = 4

[gpu-1]
provider = "openai"
base_url = "http://gpu-1.example:8000/v1/"
strong = "qwen"
fast = "qwen-small"

[here]
provider = "ollama"
fast = "llama"
"""


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Return what writes the file of LLM_BACKENDS."""

    def written(text: str) -> None:
        path = tmp_path / "models.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("LLM_BACKENDS", str(path))

    return written


def test_backends_of_the_file_share_the_aliases(several: Any, settings: Any) -> None:
    several(SEVERAL)
    settings.LLMS = configured_models(read_environment())
    made: Any = llm_backends()
    found = {alias: [(each.name, each.model) for each in backends] for alias, backends in made.items()}
    assert found == {
        "strong": [("claude", "claude-sonnet-4-6"), ("gpu-1", "qwen")],
        "fast": [("gpu-1", "qwen-small"), ("here", "llama")],
        "vision": [("offline", "")],
        "offline": [("offline", "")],
    }
    claude, gpu = made["strong"]
    assert (claude.max_parallel, gpu.max_parallel) == (4, 8)
    assert (claude.base_url, gpu.base_url) == ("https://api.anthropic.com", "http://gpu-1.example:8000/v1")
    assert (claude.price, gpu.price, made["fast"][1].price) == (KNOWN_PRICES["claude-sonnet-4-6"], None, FREE)
    assert [each.calls_outside for each in (claude, gpu, made["fast"][1])] == [True, True, False]


def test_provider_of_the_variables_has_no_limit_of_calls(backends: Any) -> None:
    assert backends(ANTHROPIC_API_KEY=KEY)["strong"].max_parallel is None


def test_file_takes_the_place_of_the_keys(several: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_API_KEY may be set for speech alone."""
    several('[here]\nprovider = "ollama"\nstrong = "llama"\n')
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert [each["OPTIONS"]["name"] for each in configured_models(read_environment())["strong"]] == ["here"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "names no backend"),
        ("[a", "LLM_BACKENDS: Value error, is not TOML"),
        ("a = 1", "'a' must be a table"),
        ('[A]\nprovider = "ollama"\nfast = "x"', "'A' must be a table"),
        ('[offline]\nprovider = "ollama"\nfast = "x"', "'offline' must be a table"),
        ('[a]\nfast = "x"', "LLM_BACKENDS.a.provider: Field required"),
        ('[a]\nprovider = "oracle"\nfast = "x"', "LLM_BACKENDS.a.provider"),
        ('[a]\nprovider = "ollama"', "LLM_BACKENDS.a: Value error, needs a model"),
        ('[a]\nprovider = "anthropic"\nfast = "x"', "LLM_BACKENDS.a: Value error, needs api_key"),
        ('[a]\nprovider = "openai"\nfast = "x"', "LLM_BACKENDS.a: Value error, needs api_key"),
        ('[a]\nprovider = "ollama"\nfast = "x"\nbase_url = "gpu:1"', "LLM_BACKENDS.a.base_url"),
        ('[a]\nprovider = "ollama"\nfast = "x"\nmax_parallel = 0', "LLM_BACKENDS.a.max_parallel"),
        ('[a]\nprovider = "ollama"\nfast = "x"\nmax_paralel = 2', "LLM_BACKENDS.a.max_paralel"),
        (f'[a]\nprovider = "openai"\nfast = "x"\napi_key = "{KEY}\\n"', ""),
        (f'[a]\nprovider = "openai"\nfast = "x"\napi_key = "{KEY}é"', "LLM_BACKENDS.a.api_key"),
        (f'[a]\nprovider = "openai"\nfast = "x"\napi_key = {KEY}', "is not TOML"),
    ],
)
def test_fault_of_the_file_stops_the_start_in_one_line(several: Any, text: str, fault: str) -> None:
    """K1: the line names the table and the field, and holds no key."""
    several(text)
    if not fault:
        read_environment()
        return
    with pytest.raises(SystemExit, match=re.escape(fault)) as stopped:
        read_environment()
    assert "CANARY" not in str(stopped.value)
    assert "\n" not in str(stopped.value)


def test_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_BACKENDS", str(tmp_path / "missing.toml"))
    with pytest.raises(SystemExit, match="LLM_BACKENDS: Value error, cannot be read: No such file"):
        read_environment()


def test_file_and_a_provider_exclude_each_other(several: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    several(SEVERAL)
    monkeypatch.setenv("LLM_PROVIDER", "offline")
    with pytest.raises(SystemExit, match="LLM_PROVIDER and LLM_BACKENDS exclude each other"):
        read_environment()


def test_keys_of_the_file_are_shown_by_nothing(several: Any, settings: Any) -> None:
    """K1."""
    several(SEVERAL)
    settings.LLMS = configured_models(read_environment())
    shown = [repr(read_environment()), repr(settings.LLMS), repr(shown_settings())]
    shown += [repr(vars(backend)) for backends in llm_backends().values() for backend in backends]
    assert KEY not in "".join(shown)


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
        "from agents.conf import llm_backends; assert llm_backends()['strong'][0].name == 'anthropic';"
        "sys.exit(', '.join({'anthropic', 'openai', 'httpx2'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)
