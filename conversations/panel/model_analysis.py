"""What a model finds in a message besides the rules. Only what the message names is taken; how it is called is the model's."""

import re
from collections.abc import Iterator
from typing import Final

from conversations.panel.results import AnalysisResult, Concept, Entity, Relationship
from conversations.panel.text_analysis import MOST_CONCEPTS, MOST_ENTITIES
from conversations.search.passage_quotes import content_words

MOST_THEMES: Final = 3
LONGEST_THEME: Final = 60
"""In characters. Both chosen by hand."""
_RELATION = re.compile(r"[a-z][a-z_ ]{1,30}")


def merge_analyses(own: AnalysisResult, told: AnalysisResult, *, text: str) -> AnalysisResult:
    """Return the rules' analysis of a text with what a model adds. The model's own numbers count for nothing."""
    concepts = (*own.concepts, *_new_concepts(own, told, text))[:MOST_CONCEPTS]
    names = {each.name for each in concepts}
    return own.model_copy(
        update={
            "entities": (*own.entities, *_new_entities(own, told, text))[:MOST_ENTITIES],
            "concepts": concepts,
            "themes": tuple(dict.fromkeys((*own.themes, *_themes(told, text))))[:MOST_THEMES],
            "relationships": (*own.relationships, *_new_relationships(own, told, names)),
            "sentiment": told.sentiment if own.sentiment == "neutral" else own.sentiment,
        }
    )


def _new_entities(own: AnalysisResult, told: AnalysisResult, text: str) -> Iterator[Entity]:
    """Yield the entities that stand in the text and that no rule has found."""
    for each in told.entities:
        is_known = any(_stands_in(each.text, known.text) for known in own.entities)
        if not is_known and _stands_in(each.text, text):
            yield Entity(text=each.text, type=each.type)


def _new_concepts(own: AnalysisResult, told: AnalysisResult, text: str) -> Iterator[Concept]:
    """Yield the concepts that the text names and that no rule has found."""
    known = [content_words(each.name) for each in own.concepts]
    words = content_words(text)
    for each in told.concepts:
        stems = content_words(each.name)
        if stems and stems <= words and stems not in known:
            category = each.category.casefold() if each.category and len(each.category) <= LONGEST_THEME else None
            yield Concept(name=each.name.casefold(), category=category)


def _new_relationships(own: AnalysisResult, told: AnalysisResult, names: set[str]) -> Iterator[Relationship]:
    known = {frozenset((each.source, each.target)) for each in own.relationships}
    for each in told.relationships:
        source, target = each.source.casefold(), each.target.casefold()
        is_known = frozenset((source, target)) in known
        if source in names and target in names and not is_known and _RELATION.fullmatch(each.type):
            yield Relationship(source=source, target=target, type=each.type)


def _themes(told: AnalysisResult, text: str) -> Iterator[str]:
    """Yield the themes that share a word with the text."""
    for each in told.themes:
        if len(each) <= LONGEST_THEME and content_words(each) & content_words(text):
            yield each.casefold()


def _stands_in(part: str, text: str) -> bool:
    return bool(part.strip()) and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE) is not None
