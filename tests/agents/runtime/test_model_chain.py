"""Who answers for which tier, made once per process from the settings; and what a page says of it."""

from contextlib import suppress
from typing import Any

import pytest

from agents.conf import llm_backends, offline_backend
from agents.errors import LLMKeyRejected, LLMSpendLimit, LLMTimeout, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.call_context import CallContext
from agents.llm.wrappers.cache import CachingBackend
from agents.runtime import model_chain as chains
from agents.runtime.model_chain import breakers_for_tier, model_chain_for, models_for_tier, wrap_adapter
from agents.runtime.model_connection import ModelConnection, current_connection
from tests.agents.engine.stage import for_ever
from tests.agents.llm.jumping_clock import answer, now, question, run
from tests.agents.llm.played_backend import PlayedBackend
from tests.agents.llm.wrappers.test_circuit_breaker import AlarmLog
from tests.agents.llm.wrappers.test_recording import RecordingLedger, asked, priced

OFFLINE = {"BACKEND": "agents.llm.offline.OfflineBackend"}
TIERS = ("strong", "fast", "vision")


class NamedBackend(PlayedBackend):
    """A played backend that is made from settings."""

    def __init__(
        self,
        *,
        model: str,
        name: str = "played",
        base_url: str = "",
        says: list[Any] | None = None,
        outside: bool = True,
        max_parallel: int | None = None,
    ) -> None:
        super().__init__(says if says is not None else ["Good."])
        self.model, self.name, self.base_url = model, name, base_url
        self.calls_outside, self.max_parallel = outside, max_parallel


def named(**options: Any) -> dict[str, Any]:
    return {"BACKEND": f"{__name__}.NamedBackend", "OPTIONS": options}


@pytest.fixture
def alarm(monkeypatch: pytest.MonkeyPatch) -> AlarmLog:
    alarm = AlarmLog()
    monkeypatch.setattr(chains, "alert_writer", alarm)
    return alarm


@pytest.fixture
def connect(settings: Any, alarm: AlarmLog) -> Any:
    """Return what connects these models, the others being offline."""

    def connected(**aliases: Any) -> None:
        settings.LLMS = dict.fromkeys(TIERS, OFFLINE) | aliases

    return connected


def names(tier: Any) -> list[str]:
    return [model.model for model in models_for_tier(tier)]


def balanced(tier: Any) -> list[Any]:
    return list(models_for_tier(tier))


def all_played(alias: str) -> list[PlayedBackend]:
    return [backend for backend in llm_backends()[alias] if isinstance(backend, PlayedBackend)]


def played(alias: str) -> PlayedBackend:
    [backend] = all_played(alias)
    return backend


def test_without_a_provider_the_chain_is_the_offline_backend(connect: Any) -> None:
    connect()
    assert [model_chain_for(tier) for tier in ("strong", "fast", "vision")] == [offline_backend()] * 3


def test_fast_model_stands_behind_the_strong_one(connect: Any) -> None:
    connect(strong=named(model="s"), fast=named(model="f"), vision=named(model="v"))
    assert [names(tier) for tier in TIERS] == [["s", "f"], ["f"], ["v"]]


def test_model_known_by_two_names_is_asked_once(connect: Any) -> None:
    connect(strong=named(model="m"), fast=named(model="m"), vision=named(model="m"))
    assert [names(tier) for tier in TIERS] == [["m"]] * 3
    assert models_for_tier("strong")[0] is models_for_tier("vision")[0]


def test_same_name_at_another_server_is_another_model(connect: Any) -> None:
    connect(strong=named(model="m", base_url="http://a"), fast=named(model="m", base_url="http://b"))
    assert len(models_for_tier("strong")) == 2


def test_backends_of_an_alias_are_asked_before_those_of_the_next(connect: Any) -> None:
    """Each once: what the fast alias shares with the strong one is no other model."""
    both = [named(model="m", name="a"), named(model="m", name="b")]
    connect(strong=both, fast=[both[0], named(model="f", name="b")])
    chain = [[(each.name, each.model) for each in model.inner.members] for model in balanced("strong")]
    assert chain == [[("a", "m"), ("b", "m")], [("b", "f")]]
    assert [each.name for each in breakers_for_tier("strong")] == ["a", "b", "b"]


def test_capacity_of_a_backend_is_that_of_all_its_models(connect: Any) -> None:
    connect(
        strong=named(model="s", max_parallel=3),
        fast=named(model="f", max_parallel=3),
        vision=named(model="v", name="w"),
    )
    loads = {each.model: each.load for tier in TIERS for each in breakers_for_tier(tier)}
    assert loads["s"] is loads["f"]
    assert (loads["s"].max_parallel, loads["v"].max_parallel) == (3, None)


@pytest.mark.parametrize("aside", ["", "listening"])
async def test_words_of_who_does_not_consent_go_only_to_backends_on_this_site(connect: Any, aside: str) -> None:
    """K3: a call that fails there ends in authored words, and not with an outside provider."""
    inside = named(model="m", name="a", says=[LLMKeyRejected()], outside=False)
    connect(strong=[inside, named(model="m", name="b")], fast=named(model="f", name="b"))
    chain = model_chain_for("strong", aside=aside, inside_only=True)
    assert not chain.calls_outside
    assert await answer(chain, question(otherwise="In our words.")) == ("In our words.", None)
    assert [len(backend.asked) for backend in (*all_played("strong"), *all_played("fast"))] == [1, 0, 0]
    assert current_connection(inside_only=True).provider == "a"


def test_fast_model_answers_where_no_strong_one_is_connected(connect: Any) -> None:
    connect(fast=named(model="f"))
    assert names("strong") == ["f"]


def test_circuits_are_the_processes_own_until_the_settings_change(connect: Any) -> None:
    connect(strong=named(model="s"))
    [model] = models_for_tier("strong")
    assert models_for_tier("strong") == (model,)
    connect(strong=named(model="s"))
    assert models_for_tier("strong") != (model,)


def test_limits_come_from_the_settings(settings: Any, connect: Any) -> None:
    settings.AGENTS = {"model_limits": ModelLimits(failures=2)}
    connect(strong=named(model="s"))
    it = model_chain_for("strong")
    assert isinstance(it, CachingBackend)
    assert (it.limits.failures, breakers_for_tier("strong")[0].circuit.limits.failures) == (2, 2)


def test_silence_is_on_record_as_a_timeout_and_priced(alarm: AlarmLog) -> None:
    """V13: what was sent is paid for, though nobody counted it."""
    book = RecordingLedger()

    async def hung() -> None:
        whole = asked(call_context=CallContext(ledger=book), ends=now() + 30)
        with suppress(LLMTimeout):
            await anext(wrap_adapter(priced([for_ever])).stream(whole))

    run(hung())
    [call] = book.settled
    assert (call.error, call.cancelled, call.usage.output_tokens) == ("LLMTimeout", False, None)
    assert call.spent_usd


async def test_chain_answers_with_its_first_model(connect: Any) -> None:
    connect(strong=named(model="s", says=["strong"]), fast=named(model="f", says=["fast"]))
    assert await answer(model_chain_for("strong")) == ("strong", None)
    assert (model_chain_for("strong").name, model_chain_for("strong").model) == ("played", "s")


async def test_what_fails_for_one_tier_is_known_to_the_others(connect: Any) -> None:
    connect(fast=named(model="f", says=[LLMKeyRejected()]))
    for tier in ("fast", "strong"):
        assert await answer(model_chain_for(tier), question(otherwise="In our words.")) == ("In our words.", None)
    assert len(played("fast").asked) == 1


def test_page_says_that_none_is_connected(connect: Any) -> None:
    connect()
    assert current_connection() == ModelConnection(state="none")


async def test_page_names_the_model_that_answers(connect: Any) -> None:
    connect(strong=named(model="s"), fast=named(model="f"))
    assert current_connection() == ModelConnection(state="connected", provider="played", model="s")


async def test_page_names_the_next_model_while_the_first_fails(connect: Any) -> None:
    connect(strong=named(model="s", says=[LLMKeyRejected()]), fast=named(model="f"))
    await answer(model_chain_for("strong"))
    assert current_connection() == ModelConnection(state="connected", provider="played", model="f")


@pytest.mark.parametrize(
    ("error", "trouble"),
    [(LLMUnavailable(), "unreachable"), (LLMKeyRejected(), "rejected"), (LLMSpendLimit(), "spend_limit")],
)
async def test_page_says_why_none_answers_and_since_when(
    settings: Any, connect: Any, error: Exception, trouble: str
) -> None:
    settings.AGENTS = {"model_limits": ModelLimits(attempts=1)}
    connect(strong=named(model="s", says=[error]))
    await answer(model_chain_for("strong"))
    now = current_connection()
    assert (now.state, now.model, now.trouble) == ("degraded", "s", trouble)
    assert now.since is not None


async def test_page_is_calm_again_when_a_model_answers(settings: Any, connect: Any) -> None:
    settings.AGENTS = {"model_limits": ModelLimits(attempts=1)}
    connect(strong=named(model="s"))
    played("strong").answers = ([LLMUnavailable()], ["Good."])
    await answer(model_chain_for("strong"))
    assert current_connection().state == "degraded"
    await answer(model_chain_for("strong"))
    assert current_connection().state == "connected"
