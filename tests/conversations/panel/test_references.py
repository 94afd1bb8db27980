"""What a message refers to without naming it."""

import pytest

from conversations.panel.references import refers_back, with_reference


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
    assert refers_back(text, names=[])
    assert with_reference(text, "attention") == query


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How does a decoder use it?", ["decoder"]),
        ("How do birds find their way?", ["bird"]),
        ("Is it true that the earth is round?", []),
        ("What is gravity?", []),
        ("How do wombats keep their burrows clean?", []),
        ("it " * 100, []),
    ],
)
def test_message_that_refers_to_nothing_earlier(text: str, names: list[str]) -> None:
    assert not refers_back(text, names=names)


def test_message_stays_without_a_concept_to_refer_to() -> None:
    assert with_reference("How does it learn?", "") == "How does it learn?"
