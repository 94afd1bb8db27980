"""Which messages take the whole panel, and which one agent."""

import time

import pytest

from conversations.panel.classification import classified_event, classify
from conversations.panel.facts import PanelFacts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How do transformers work in NLP?", "complex_query"),
        ("explain backpropagation in neural networks", "complex_query"),
        ("is light a wave or a particle?", "complex_query"),
        ("Run print(2+2)", "complex_query"),
        ("What patterns do you see in my learning?", "insight_request"),
        ("can you sum up what I did this week", "insight_request"),
        ("where do I struggle most?", "insight_request"),
        ("hello", "simple_query"),
        ("Thanks a lot!", "simple_query"),
        ("got it", "simple_query"),
        ("I'm learning Python", "simple_query"),
        ("(3+4)*2^5", "simple_query"),
        ("why?", "simple_query"),
        ("can you do the stuff for me", "simple_query"),
        ("", "simple_query"),
    ],
)
def test_kind_of_a_message(text: str, kind: str) -> None:
    assert classify(text) == kind


def test_message_with_something_to_look_at_is_visual() -> None:
    assert classify("what is this", has_picture=True) == "visual_query"


def test_event_names_the_agents_and_the_reason() -> None:
    event = classified_event(PanelFacts(turn_id="1", text="?", classification="complex_query"))
    assert event.agents == ("conversation", "analysis", "research", "synthesis")
    assert event.reason == "The message asks for an explanation or for facts."


@pytest.mark.parametrize("text", ["hi" + "!" * 9_998, "hi" + " ," * 4_990 + "x", "thanks " * 1_400, "my " * 3_000])
def test_no_message_takes_long(text: str) -> None:
    before = time.process_time()
    classify(text)
    assert time.process_time() - before < 1.0  # CPU, not the clock; one of these took 16 s.
