"""The engine's settings: read when used, refused by name when wrong."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from agents.conf import agent_settings, llm_backends
from agents.llm.offline import OfflineBackend

OFFLINE = {"BACKEND": "agents.llm.offline.OfflineBackend"}


def three(**changed: Any) -> dict[str, Any]:
    return {"fast": OFFLINE, "strong": OFFLINE, "vision": OFFLINE} | changed


def test_defaults_hold_where_nothing_is_said(settings: Any) -> None:
    settings.AGENTS = {}
    assert (agent_settings().turn_timeout_s, agent_settings().turns_per_minute) == (300.0, 30)


def test_changed_setting_is_seen_at_the_next_use(settings: Any) -> None:
    settings.AGENTS = {"turn_timeout_s": 5.0}
    assert agent_settings().limits.turn_timeout_s == 5.0
    settings.AGENTS = {"turn_timeout_s": 6.0}
    assert agent_settings().limits.turn_timeout_s == 6.0


def test_unknown_option_is_named(settings: Any) -> None:
    settings.AGENTS = {"tiemout_s": 5}
    with pytest.raises(ImproperlyConfigured, match="AGENTS: unknown option tiemout_s"):
        agent_settings()


def test_every_tier_has_its_backend_with_its_options(settings: Any) -> None:
    settings.LLMS = three(strong=OFFLINE | {"OPTIONS": {"pace_s": 0.5}})
    backends = llm_backends()
    assert set(backends) == {"fast", "strong", "vision", "offline"}
    [strong], [fast] = backends["strong"], backends["fast"]
    assert isinstance(strong, OfflineBackend)
    assert isinstance(fast, OfflineBackend)
    assert (strong.pace_s, fast.pace_s) == (0.5, 0.0)


def test_alias_may_have_several_backends(settings: Any) -> None:
    settings.LLMS = three(strong=[OFFLINE | {"OPTIONS": {"pace_s": pace}} for pace in (0.5, 1.0)])
    assert [getattr(backend, "pace_s", None) for backend in llm_backends()["strong"]] == [0.5, 1.0]


def test_backends_are_made_once(settings: Any) -> None:
    settings.LLMS = three()
    assert llm_backends() is llm_backends()


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"BACKEND": "agents.llm.nowhere.Backend"},
        {"BACKEND": "agents.llm.offline.Nothing"},
        {"BACKEND": "agents.limits.RunLimits"},
        OFFLINE | {"OPTIONS": {"no_such_option": 1}},
        [],
    ],
    ids=["nothing", "no module", "no class", "no backend", "unknown option", "empty list"],
)
def test_backend_that_cannot_be_made_is_named(settings: Any, config: Any) -> None:
    settings.LLMS = three(vision=config)
    with pytest.raises(ImproperlyConfigured, match=r"LLMS\['vision'\]"):
        llm_backends()


def test_missing_tier_is_named(settings: Any) -> None:
    settings.LLMS = {"fast": OFFLINE}
    with pytest.raises(ImproperlyConfigured, match=r"LLMS\['strong'\]"):
        llm_backends()
