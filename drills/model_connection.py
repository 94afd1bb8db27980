"""A server whose words come from a model: the stand-in provider in the drill's process, and what is on record of it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from drills import storage_checks
from tests.provider import Provider
from tests.provider.model_request import ProviderRequest

KEY = "sk-test-0123456789abcdef"
FLAVOURS = ("anthropic", "openai")
OPENINGS = "You looked closely at that. "
WORDS = OPENINGS + "Take the pieces again, and lay them upon each other with care before you go on."
"""A model's answer: its first sentence is shown before its second half has come. A number might be an open answer."""
ASKS = "Why is"
"""How every question of these learners begins."""
QUESTION = "Why is the sky blue?"
"""What no course answers, so that a model is asked for the words; in a lesson, at any place."""
ABOUT = (
    "the sea salty",
    "the grass green",
    "the sun hot",
    "ice cold",
    "snow white",
    "the night dark",
    "the moon round",
    "honey sweet",
    "a lemon sour",
    "sand soft",
    "glass clear",
    "iron heavy",
    "a feather light",
    "the wind loud",
    "the desert dry",
    "rain wet",
    "a rose red",
    "coal black",
    "a giraffe tall",
    "a snail slow",
    "a cheetah fast",
    "thunder loud",
    "a cactus sharp",
    "the forest quiet",
    "the river deep",
    "an owl awake",
    "a cat curious",
    "a mountain high",
    "fog grey",
    "a banana yellow",
)
QUESTIONS = tuple(f"{ASKS} {about}?" for about in ABOUT)
"""More such questions. A number beside one may be read as an answer to the open card, and no model is asked then."""
SILENT = "The language model stopped here"
LISTENING: Mapping[str, str] = {
    "misconception": "You look for a misconception",
    "emotion": "You estimate how a lesson goes",
    "milestone": "You check whether a learner has said the idea",
    "vision": "You look at a learner's drawing",
}
"""Side agents, whom no reply waits for → words of their prompts."""
READER = "understanding"
"""On record as the agent of a call that reads a message, before it is known what answers it."""
PRICE = [1.0, 5.0, "2026-11-01"]
NANO = 1e-6
"""Sums of dollars may differ by so much: SQLite keeps them as binary fractions."""


def connected(speaks: str, url: str) -> dict[str, str]:
    """Return the environment of a server whose models are at this address."""
    name = speaks.upper()
    return {
        "LLM_PROVIDER": speaks,
        "LLM_PRICES": json.dumps({"fake-strong": PRICE, "fake-fast": PRICE}),
        f"{name}_API_KEY": KEY,
        f"{name}_BASE_URL": url if speaks == "anthropic" else f"{url}/v1",
        f"{name}_MODEL": "fake-strong",
        f"{name}_FAST_MODEL": "fake-fast",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One attempt at a provider, as it is on record."""

    agent: str
    model: str
    status: str
    error: str
    tokens: tuple[int | None, int | None]
    cost_usd: float | None

    @property
    def ending(self) -> str:
        return self.error or self.status


def calls_of(data: Path, turn_id: str) -> list[Call]:
    """Return the calls for a turn's reply in the order in which they were made; not those of who only listens."""
    found = storage_checks.rows(
        data,
        "SELECT agent, model, status, error, input_tokens, output_tokens, cost_usd FROM agents_modelcall "
        "WHERE turn_id = ? AND agent NOT IN (?, ?, ?, ?) ORDER BY id",
        UUID(turn_id).hex,
        *LISTENING,
    )
    return [
        Call(agent=agent, model=model, status=status, error=error, tokens=(read, written), cost_usd=cost)
        for agent, model, status, error, read, written, cost in found
    ]


def summarize_calls(calls: list[Call]) -> str:
    """Return how calls ended, as a line."""
    endings = Counter(f"{call.model.removeprefix('fake-')} {call.ending}" for call in calls)
    return ", ".join(f"{times}x {ending}" if times > 1 else ending for ending, times in endings.items()) or "no call"


def miscounted(calls: list[Call]) -> Iterator[str]:
    """Yield where a call has figures that nobody counted, or lacks those that the provider told."""
    for call in calls:
        told = (*call.tokens, call.cost_usd)
        if call.status == "answered" and not all(told):
            yield f"answered, and on record with tokens {call.tokens} and cost {call.cost_usd}"
        if call.status != "answered" and call.cost_usd is not None:
            yield f"{call.ending}, and yet its cost is on record"


def ledger_faults(data: Path) -> Iterator[str]:
    """Yield what is open or does not add up once all turns are over: calls, reservations, sums."""
    for (status,) in storage_checks.rows(data, "SELECT status FROM agents_modelcall WHERE status = 'open' OR ms < 0"):
        yield f"a call is {status}"
    usd, tokens = storage_checks.rows(
        data, "SELECT COALESCE(SUM(spent_usd), 0), COALESCE(SUM(spent_tokens), 0) FROM agents_modelcall"
    )[0]
    kept = storage_checks.rows(
        data,
        "SELECT account = 'site', COALESCE(SUM(usd), 0), COALESCE(SUM(tokens), 0), COALESCE(SUM(reserved_usd), 0), "
        "COALESCE(SUM(reserved_tokens), 0) FROM agents_spending GROUP BY 1",
    )
    for _site, kept_usd, kept_tokens, reserved_usd, reserved_tokens in kept:
        if abs(reserved_usd) > NANO or reserved_tokens:
            yield f"{reserved_usd} dollars and {reserved_tokens} tokens are still reserved"
        if abs(kept_usd - usd) > NANO or kept_tokens != tokens:
            yield f"calls took {usd} dollars and {tokens} tokens, accounts count {kept_usd} and {kept_tokens}"
    if len(kept) != 2:
        yield "nothing was counted for the site or for its people"


def secrets_shown(data: Path) -> Iterator[str]:
    """Yield where the provider's key was written down: the database, the log."""
    for path in data.iterdir():
        if (
            path.is_file()
            and path.name != "secret_key"
            and (KEY.encode() in (held := path.read_bytes()) or b"sk-live" in held)
        ):
            yield f"the key is in {path.name}"


def count_requests(provider: Provider, text: str) -> int:
    """Return how many requests the reply to a message of a learner's has made."""
    asked = (recorded.asked for recorded in provider.requests if recorded.asked is not None)
    return sum(typed(each) == text and not listens(each) for each in asked)


def listens(asked: ProviderRequest) -> bool:
    """Tell whether a side agent asks."""
    return any(words in asked.system for words in LISTENING.values())


def typed(asked: ProviderRequest) -> str:
    """Return what the learner typed last: what a tool answers is no message of theirs."""
    return next((each for each in reversed(asked.history) if each.startswith(ASKS)), asked.last)


def figures(finished: dict[str, Any] | None) -> dict[str, Any]:
    """Return what a turn's end tells of its model; nothing where it has no end."""
    metadata: dict[str, Any] = (finished or {}).get("metadata", {})
    return metadata
