"""What each agent of the panel finds: typed results, with the fields of a v2 answer."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.tools import Source

type Classification = Literal["simple_query", "complex_query", "visual_query", "insight_request"]
type EntityType = Literal["TOPIC", "PERSON", "ORG", "CONCEPT"]
type AnalysisType = Literal["general", "ocr", "diagram", "document"]
"""How a picture is looked at."""
type Sentiment = Literal["curious", "confused", "frustrated", "positive", "neutral"]
type Share = float
"""A number from 0 to 1."""


class PanelResult(BaseModel):
    model_config = ConfigDict(
        frozen=True, use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )


class Entity(PanelResult):
    """Something that the message names."""

    text: str
    """As in the message."""
    type: EntityType
    confidence: Share | None = None
    context: str = ""
    """The sentence it stands in."""


class Concept(PanelResult):
    """An idea that the message is about."""

    name: str
    category: str | None = None
    importance: Share | None = None
    related_to: tuple[str, ...] = ()


class Relationship(PanelResult):
    source: str
    target: str
    type: str
    strength: Share | None = None


class AnalysisResult(PanelResult):
    """What a message is about."""

    entities: tuple[Entity, ...] = ()
    concepts: tuple[Concept, ...] = ()
    """The most important one first."""
    themes: tuple[str, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    sentiment: Sentiment = "neutral"
    confidence: Share | None = None


class BoundingBox(PanelResult):
    """A place in a picture, as shares of its width and height."""

    left: Share = Field(ge=0, le=1)
    top: Share = Field(ge=0, le=1)
    width: Share = Field(ge=0, le=1)
    height: Share = Field(ge=0, le=1)


class DetectedObject(PanelResult):
    """Something that a model sees in a picture."""

    label: str
    confidence: Share | None = None
    location: BoundingBox | None = None


class VisionResult(PanelResult):
    """What a picture shows."""

    description: str = ""
    extracted_text: str | None = Field(default=None, exclude=True)
    """The text in the picture. It is in no event and no record: it is read again with the reader's permissions."""
    concepts: tuple[str, ...] = ()
    objects: tuple[DetectedObject, ...] = ()
    """Empty without a model."""
    analysis_type: AnalysisType = "general"
    confidence: Share | None = None
    """How much of the text that was read a model has read too; None without both."""
    claimed_confidence: Share | None = None
    """A model's own number. It counts for nothing."""
    source: Source | None = None
    """The passage with the text, if there is any."""


class ConversationResult(PanelResult):
    """What the conversation agent decides besides its draft, which is its text."""

    clarifying_question: str = ""
    """Empty if the message is clear enough."""


class QuotedFact(PanelResult):
    """A statement that stands in a source, word for word.

    Its words, and the passage around them, are in no event and no record: they are read again with the reader's permissions.
    """

    statement: str = Field(exclude=True)
    passage: str = Field(default="", exclude=True)
    source_id: str
    confidence: Share | None = None
    relevance: Share | None = None
    start: int = 0
    """Where it begins in the source's passage, in characters."""
    end: int = 0


class ComputedAnswer(PanelResult):
    """What a tool has computed."""

    tool: str
    question: str
    answer: str


class ResearchResult(PanelResult):
    """Facts with their sources, and what could not be found."""

    facts: tuple[QuotedFact, ...] = ()
    sources: tuple[Source, ...] = ()
    computed: tuple[ComputedAnswer, ...] = ()
    tool_calls: tuple[str, ...] = ()
    refused_tools: tuple[str, ...] = ()
    """Tools that the message asked for and that are not available to this person."""
    looked_up: tuple[str, ...] = ()
    """What was searched for: the question, and concepts that the analysis announced."""
    headings: tuple[str, ...] = ()
    """Headings of passages that were found and not quoted: what one could ask about next."""
    confidence: Share | None = None


class Insight(PanelResult):
    """Something noticed about the person's learning, with what it rests on."""

    type: Literal["pattern", "trend", "connection"]
    description: str
    evidence: tuple[str, ...] = Field(min_length=1)
    importance: Share | None = None


class Connection(PanelResult):
    concept_a: str
    concept_b: str
    relationship: str
    strength: Share | None = None


class SynthesisResult(PanelResult):
    """The final answer."""

    final_response: str
    insights: tuple[Insight, ...] = ()
    recommendations: tuple[str, ...] = ()
    knowledge_gaps: tuple[str, ...] = ()
    connections: tuple[Connection, ...] = ()
    follow_ups: tuple[str, ...] = ()
    checks: dict[str, bool] = {}
    """Machine checks of the answer, and which of them it passed."""
    confidence: Share | None = None
    """The share of the checks that it passed."""
