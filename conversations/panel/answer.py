"""The fields of a v2 answer that the panel's results give."""

from collections.abc import Sequence
from typing import Any

from agents.engine.outcomes import Answered, Outcome
from conversations.panel.results import (
    AnalysisResult,
    PanelResult,
    QuotedFact,
    ResearchResult,
    SynthesisResult,
    VisionResult,
)
from conversations.search import citations


def panel_fields(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the fields of a v2 answer by name; none for a turn without the panel's agents."""
    fields: dict[str, Any] = {}
    names: tuple[str, ...]
    confidence: dict[str, float | None] = {}
    for outcome in outcomes:
        if not isinstance(outcome, Answered) or not isinstance(outcome.result, PanelResult):
            continue
        found = outcome.result.model_dump(mode="json")
        match outcome.result:
            case AnalysisResult():
                names = ("entities", "concepts", "themes", "relationships", "sentiment")
                fields |= {name: found[name] for name in names}
                confidence["analysis"] = outcome.result.confidence
            case ResearchResult():
                # The words of a document are not stored with the answer: they are read with the reader's permissions.
                fields["facts"] = [
                    stored | {"statement": "" if is_of_library(fact) else fact.statement}
                    for stored, fact in zip(found["facts"], outcome.result.facts, strict=True)
                ]
                confidence["research"] = outcome.result.confidence
            case VisionResult() if outcome.result.description:
                # The picture's text is read with the reader's permissions, like a document's.
                fields["vision"] = found
                confidence["vision"] = outcome.result.confidence
            case SynthesisResult():
                names = ("insights", "recommendations", "knowledge_gaps", "connections", "follow_ups")
                fields |= {name: found[name] for name in names}
                confidence["synthesis"] = outcome.result.confidence
    return fields | ({"confidence": confidence} if confidence else {})


def is_of_library(fact: QuotedFact) -> bool:
    """Tell whether a fact is quoted from the library or a course."""
    return fact.source_id.startswith(citations.PREFIX)
