"""What a model finds in a message counts only as far as the message bears it out."""

from conversations.panel.model_analysis import merge_analyses
from conversations.panel.results import AnalysisResult, Concept, Entity, Relationship
from conversations.panel.text_analysis import analyse_text

TEXT = "I’m studying transformers in NLP and how positional encoding works with them"
OWN = analyse_text(TEXT)


def merged(**told: object) -> AnalysisResult:
    return merge_analyses(OWN, AnalysisResult(**told), text=TEXT)  # type: ignore[arg-type]


def test_what_the_message_names_is_added_without_the_models_number() -> None:
    found = merged(entities=(Entity(text="positional encoding", type="CONCEPT", confidence=0.99),))
    (added,) = [each for each in found.entities if each.text == "positional encoding"]
    assert added.confidence is None or added in OWN.entities


def test_what_the_message_does_not_name_is_left_out() -> None:
    found = merged(
        entities=(Entity(text="Alan Turing", type="PERSON"), Entity(text="form", type="CONCEPT")),
        concepts=(Concept(name="deep learning"),),
        themes=("cooking",),
    )
    assert found == OWN


def test_what_the_rules_found_stays_as_it_is() -> None:
    found = merged(entities=tuple(Entity(text=each.text, type="ORG") for each in OWN.entities))
    assert found.entities == OWN.entities


def test_relationship_of_concepts_of_the_message_is_added_with_its_type() -> None:
    concepts = (Concept(name="positional encoding"), Concept(name="transformers"))
    new = Relationship(source="positional encoding", target="works", type="uses", strength=1.0)
    found = merged(concepts=concepts, relationships=(new,))
    assert found.relationships == OWN.relationships  # "works" is no concept of the message.
    one, other = OWN.concepts[0].name, "studying"
    found = merged(concepts=(Concept(name=other),), relationships=(Relationship(source=one, target=other, type="in"),))
    assert Relationship(source=one, target=other, type="in") in found.relationships


def test_themes_share_a_word_with_the_message() -> None:
    assert "nlp transformers" in merged(themes=("NLP transformers", "cooking")).themes


def test_sentiment_of_the_rules_counts_before_a_models() -> None:
    assert merged(sentiment="frustrated").sentiment == ("frustrated" if OWN.sentiment == "neutral" else OWN.sentiment)
