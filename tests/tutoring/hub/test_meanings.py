"""Ideas that are heard by what is meant, where no pattern knows the words, and those that are not."""

from dataclasses import replace
from functools import cache

import pytest

from agents.errors import EmbeddingsMissing
from tests.tutoring.hub.calibrating import fractions, rows_of
from tutoring.courses.catalogue import Milestone
from tutoring.rules import meanings, verifying
from tutoring.rules.own_words import own_claims
from tutoring.rules.verifying import MEANT, NOT_MEANT, Line

UNHEARD = "if 10 kids want a go at the same pizza you only get a bite, with 2 kids youd be stuffed"


@cache
def milestones() -> dict[str, Milestone]:
    return {each.id: each for concept in fractions().concepts for each in concept.milestones}


def unknown_to_patterns(name: str) -> Milestone:
    """Return a milestone whose patterns find nothing; its ideas have their wordings."""
    milestone = milestones()[name]
    return replace(milestone, ideas=tuple(replace(each, any=("qqq",)) for each in milestone.ideas))


def share_said(milestone: Milestone, text: str) -> float:
    return verifying.articulation(milestone, [Line(by_learner=True, text=text)]).share


@pytest.mark.parametrize(
    ("name", "text", "share"),
    [
        ("cf-more-parts-smaller", "each one becomes thinner when the same loaf has to do for many more guests", 1.0),
        ("cf-more-parts-smaller", "every slice on the plate shrinks and shrinks more", 0.5),
        ("cf-more-parts-smaller", "it grows and grows, every slice is bigger than before", 0.0),
        ("cf-more-parts-smaller", "i like pizza with ham and with a lot of cheese", 0.0),
        ("fq-share-then-take", "put them in four equal groups first, then three of those groups are yours", 1.0),
        ("si-fewer-bigger", "the parts get smaller and there are fewer of them for the same amount", 0.5),
        ("ep-size-decides", "all of the parts must have a different size", 0.0),
        ("su-opens-a-whole", "you must never cut one of the whole ones up", 0.0),
        ("cf-more-parts-smaller", "thinner, more people", 0.0),
    ],
)
def test_idea_is_heard_by_its_meaning(name: str, text: str, share: float) -> None:
    assert share_said(unknown_to_patterns(name), text) == share


def test_idea_that_is_not_meant_is_not_heard_though_a_pattern_finds_it() -> None:
    """The pattern for "take as many as the top says" finds "four bits"."""
    text = "you cut it right down and right across so that you have four bits the same"
    assert share_said(milestones()["sp-share-then-take"], text) == 0.5


def test_without_the_sentence_model_the_patterns_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_texts: object) -> None:
        raise EmbeddingsMissing("not installed")

    monkeypatch.setattr(meanings.embeddings, "embed_clauses", missing)
    said = "the piece gets smaller because more people share the one cake, like at our party"
    assert share_said(unknown_to_patterns("cf-more-parts-smaller"), said) == 0.0
    assert share_said(milestones()["cf-more-parts-smaller"], said) == 1.0


def test_milestone_without_wordings_goes_by_its_patterns() -> None:
    assert meanings.log_odds(replace(milestones()["cf-more-parts-smaller"], wordings=()), UNHEARD) == ()


def test_all_ideas_of_the_course_have_wordings() -> None:
    for milestone in milestones().values():
        assert [each.said[0] for each in milestone.wordings] == [idea.name for idea in milestone.ideas]


def test_few_ideas_are_heard_that_were_not_said() -> None:
    """Every sixth of the replies that the weights are fitted to; what is left out in the fit is in docs/listening.md."""
    said, unsaid = [], []
    for row in rows_of("milestone_ideas")[::6]:
        milestone = milestones()[row["milestone"]]
        for place, odds in enumerate(meanings.log_odds(milestone, own_claims(row["text"], told=(milestone.ask,)))):
            (said if place in row["said"] else unsaid).append(odds)
    assert sum(odds >= MEANT for odds in said) >= 0.4 * len(said)
    assert sum(odds >= MEANT for odds in unsaid) <= 0.1 * len(unsaid)
    assert sum(odds < NOT_MEANT for odds in said) <= 0.05 * len(said)
