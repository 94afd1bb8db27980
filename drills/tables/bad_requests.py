"""Requests for a round table that must be refused."""

from collections.abc import Iterator
from typing import Any

from drills.tables.folder import RESERVED, SWITCHED_OFF
from drills.tables.reading import asked_body


def bad_requests() -> Iterator[tuple[str, Any, int]]:
    """Yield what is wrong with a request, its body, and the status of the refusal."""
    for rounds in (0, 11, -1, 10**9, 1.5, "three", None):
        yield f"rounds {rounds!r}", asked_body(rounds=rounds), 422
    yield "no agents", asked_body(agents=[]), 422
    yield "an unknown agent", asked_body(agents=["explainer", "nobody"]), 422
    yield "the same agent twice", asked_body(agents=["explainer", "explainer"]), 422
    yield "the same agent in two spellings", asked_body(agents=["example-finder", "example_finder"]), 422
    yield "an agent that is not allowed", asked_body(agents=[RESERVED]), 422
    yield "an agent that is switched off", asked_body(agents=[SWITCHED_OFF]), 422
    six = ["explainer", "sceptic", "example-finder", "historian", "practitioner", "data-steward"]
    yield "six agents", asked_body(agents=six), 422
    yield "agents that are no list", asked_body(agents="explainer"), 422
    yield "no messages", asked_body(messages=[]), 422
    for content in ("", "   ", "\x00", None):
        said = [{"role": "user", "content": content}]
        yield f"the message {content!r}", asked_body(messages=said), 422
    empty_before = [{"role": "assistant", "content": ""}, {"role": "user", "content": "Why?"}]
    yield "an empty message before the last", asked_body(messages=empty_before), 422
    yield "an assistant's last message", asked_body(messages=[{"role": "assistant", "content": "Hello."}]), 422
    yield "51 messages", asked_body(messages=[{"role": "user", "content": "Why?"}] * 51), 422
    long = [{"role": "user", "content": "Why? " * 3000}]
    yield "a long message", asked_body(messages=long), 413
    yield "an unknown strategy", asked_body(failure_strategy="panic"), 422
    yield "an unknown field", asked_body(colour="red"), 422
    yield "no object", [], 400
