"""What a message refers to without naming it."""

import pytest

from conversations.panel.references import concept_referred_to, with_reference


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("How does it learn?", "How does attention learn?"),
        ("what are its limits?", "what are attention limits?"),
        ("What about that?", "Tell me about attention"),
        ("tell me more", "Tell me about attention"),
        ("Who invented it?", "Who invented attention?"),
        ("why does it matter", "why does attention matter"),
    ],
)
def test_reference_is_replaced(text: str, query: str) -> None:
    referred = concept_referred_to(text, concepts=["attention", "decoder"], own=[])
    assert referred == "attention"
    assert with_reference(text, referred) == query


@pytest.mark.parametrize(
    ("text", "concepts", "own"),
    [
        ("How does it learn?", [], []),
        ("How does a decoder use it?", ["attention"], ["decoder"]),
        ("How do birds find their way?", ["attention"], ["bird"]),
        ("Is it true that the earth is round?", ["attention"], []),
        ("What is gravity?", ["attention"], []),
        ("it " * 100, ["attention"], []),
    ],
)
def test_message_without_reference(text: str, concepts: list[str], own: list[str]) -> None:
    assert concept_referred_to(text, concepts=concepts, own=own) == ""
    assert with_reference(text, "") == text
