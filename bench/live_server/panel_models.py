"""The panel's models: what the provider on this machine answers each agent, as late as the design document has it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tests.provider import Answer, Provider

LABELS: Final = "Sunlight\n\nLeaf\n\nSugar and oxygen"
"""The text in the picture."""
UNDERSTANDING: Final = "understanding"
UNDERSTANDING_S: Final = 0.02
"""The time that the document allows for classifying a message. It has no model for that."""
FAST_MODEL_S: Final = 0.25
"""The time that it allows a fast model, for the analysis of a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedAgent:
    prompt: str
    """Words of its system prompt."""
    latency_s: float
    """From the request to the answer, which comes in one piece."""
    says: str = ""
    result: Mapping[str, Any] | None = None
    """Sent in place of words."""

    @property
    def answer(self) -> Answer:
        return Answer(text=self.says, object=self.result, first_delay_s=self.latency_s, burst=True)


AGENTS: Final = {
    "conversation": ScriptedAgent(
        prompt="You are the Conversation Agent",
        latency_s=0.8,
        says="Let us look at that together. It helps to begin with what each part does, and then to see how they work as one.",
    ),
    # A simple message is answered by the tutor alone.
    "tutor": ScriptedAgent(
        prompt="You are the tutor of a small teaching team",
        latency_s=0.8,
        says="That is a good thing to learn. What do you know about it so far?",
    ),
    "analysis": ScriptedAgent(
        prompt="You are the Analysis Agent",
        latency_s=0.25,
        result={
            "entities": [],
            "concepts": [{"name": "attention", "category": "technology", "importance": 0.9, "related_to": []}],
            "themes": ["how things work"],
            "relationships": [],
            "sentiment": "curious",
            "confidence": 0.9,
        },
    ),
    # It chooses among the passages that the tools find; they take their time before it is asked.
    "research": ScriptedAgent(
        prompt="You are the Research Agent",
        latency_s=0.6,
        result={
            "facts": [],
            "sources": [],
            "computed": [],
            "tool_calls": [],
            "refused_tools": [],
            "looked_up": [],
            "headings": [],
            "confidence": 0.9,
        },
    ),
    "vision": ScriptedAgent(
        prompt="You are the Vision Agent",
        latency_s=1.2,
        result={
            "description": "Sunlight falls on a leaf, which makes sugar and oxygen.",
            "extracted_text": LABELS,
            "concepts": ["photosynthesis"],
            "objects": [{"label": "leaf", "confidence": 0.9, "location": None}],
            "analysis_type": "diagram",
            "confidence": 0.9,
            "claimed_confidence": None,
            "source": None,
        },
    ),
    "synthesis": ScriptedAgent(
        prompt="You are the Synthesis Agent",
        latency_s=0.15,
        says="The passages below explain it step by step. " * 4,
    ),
    UNDERSTANDING: ScriptedAgent(prompt="You read one message of a learner", latency_s=UNDERSTANDING_S, result={}),
}
"""The agents that ask a model."""


def script_models(provider: Provider, *, understanding_s: float) -> None:
    """Have each agent's model answer after its latency, and the one that reads a message after `understanding_s`.

    Whoever else asks is refused, so that no agent is answered sooner than it should be.
    """
    provider.otherwise(Answer(status=500, text="nobody has a script for this prompt"))
    for name, agent in AGENTS.items():
        latency_s = understanding_s if name == UNDERSTANDING else agent.latency_s
        provider.script(agent.prompt, replace(agent.answer, first_delay_s=latency_s))


def model_settings(provider: Provider) -> dict[str, str]:
    """Return the environment of a server whose models are the provider's. Nothing outside this machine is asked."""
    return {
        "LLM_PROVIDER": "anthropic",
        "ANTHROPIC_API_KEY": "sk-test-0",
        "ANTHROPIC_BASE_URL": provider.url,
        "ANTHROPIC_MODEL": "strong",
        "ANTHROPIC_FAST_MODEL": "fast",
        "ANTHROPIC_VISION_MODEL": "vision",
        "SEARXNG_URL": "",
        "WIKIPEDIA_URL": "off",
        "ARXIV_URL": "off",
        "TURN_RATE_LIMIT": "0",
        "MULTI_AGENT_RATE_LIMIT": "0",
    }
