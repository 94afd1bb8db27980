"""A summary in words: a few sentences, with nothing that is not in its facts."""

import pytest

from conversations.summaries.composition import compose_short_summary, compose_summary
from conversations.summaries.facts import AnswerFacts, SummaryFacts, facts_from_json, facts_to_json, rank_concepts

ANSWERED = "You answered 5 questions and got 4 of them right on the first try."
OPEN = "Your question on *Halves* is still open."
WHOLE = SummaryFacts(
    topics=("Halves", "Thirds"),
    learned=("Halves",),
    result=ANSWERED,
    open_points=(OPEN,),
    next_step="*Quarters* comes next.",
    concepts=("list", "dictionary"),
    unanswered=("qubit",),
    sources=("passage-1", "passage-2"),
    agents=("tutor", "quiz"),
)


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (SummaryFacts(), ""),
        (SummaryFacts(agents=("tutor",)), ""),
        (SummaryFacts(topics=("Halves",)), "You worked on *Halves*."),
        (SummaryFacts(topics=("Halves",), learned=("Halves",)), "You worked on *Halves* and mastered it."),
        (
            SummaryFacts(topics=("Halves", "Thirds"), learned=("Halves",)),
            "You worked on *Halves* and *Thirds*, and you mastered *Halves*.",
        ),
        (
            SummaryFacts(topics=("a", "b", "c", "d", "e"), learned=("a",)),
            "You worked on *b*, *c*, *d* and *e*.",
        ),
        (SummaryFacts(concepts=("list",)), "You asked about *list*."),
        (
            SummaryFacts(concepts=("list",), sources=("passage-1",)),
            "You asked about *list*, and the answers quote 1 passage.",
        ),
        (SummaryFacts(next_step="*Quarters* comes next."), "*Quarters* comes next."),
    ],
)
def test_only_what_happened_is_told(facts, text):
    assert compose_summary(facts) == compose_short_summary(facts) == text


def test_what_is_open_is_told_instead_of_what_comes_next():
    assert compose_summary(WHOLE).endswith(f"and the answers quote 2 passages. I found nothing on *qubit*. {OPEN}")


def test_short_one_leaves_out_what_was_asked_and_keeps_what_was_learned():
    assert (
        compose_short_summary(WHOLE)
        == f"You worked on *Halves* and *Thirds*, and you mastered *Halves*. {ANSWERED} {OPEN}"
    )


def test_name_from_a_message_has_no_effect_but_emphasis():
    assert compose_summary(SummaryFacts(concepts=("[x](http://evil) <b>",))) == "You asked about *x (http://evil) b*."


def test_facts_are_the_same_after_they_were_stored():
    assert facts_from_json(facts_to_json(WHOLE)) == WHOLE


class TestConcepts:
    def ranked(self, *answers):
        return rank_concepts(AnswerFacts(concepts=names, sources=(), gaps=frozenset(gaps)) for names, gaps in answers)

    def test_singular_and_plural_are_one_concept_named_as_last(self):
        assert self.ranked((["lists"], ()), (["list"], ()))[0] == ("list",)

    def test_the_most_frequent_comes_first(self):
        assert self.ranked((["list", "tuple"], ()), (["tuple"], ()))[0] == ("tuple", "list")

    def test_a_gap_is_closed_by_an_answer_on_it(self):
        assert self.ranked((["list"], ["list"]), (["qubit"], ["qubit"]), (["list"], ()))[1] == ("qubit",)
