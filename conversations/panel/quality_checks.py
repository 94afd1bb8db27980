"""Machine checks of an answer: what can be counted about it without reading it."""

import re
from collections.abc import Mapping, Sequence

from conversations.panel.results import QuotedFact, ResearchResult
from conversations.search.passage_quotes import content_words
from conversations.search.sentences import sentence_spans

MOST_WORDS = 250
"""Words of an answer that is read to its end. Chosen by hand."""
KEY_TERMS = 0.6
"""Share of a statement's words that its passage must have; a paraphrase has some words of its own. Chosen by hand."""
_CITED = re.compile(r"\[(\d{1,2})\]")
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_FIGURE = re.compile(r"\d{2,}(?:[.,/]\d+)*|\d+(?:[.,/]\d+)+")
"""A year, an amount, a fraction. One digit alone may number a list or count what is meant: "these 2 ideas"."""
_NEGATION = re.compile(r"\b(?:not|no|never|none|neither|nor|cannot|\w+n['’]t)\b", re.IGNORECASE)


def check_answer(response: str, *, question: str, research: ResearchResult | None) -> Mapping[str, bool]:
    """Return by name which checks the answer passes."""
    facts = research.facts if research is not None else ()
    cited = [int(each) for each in _CITED.findall(response)]
    sentences = [" ".join(response[start:end].casefold().split()) for start, end in sentence_spans(response)]
    said = content_words(response)
    return {
        "says_something": bool(said),
        "cites_only_what_was_found": all(1 <= each <= len(facts) for each in cited),
        "cites_every_fact": set(cited) >= set(range(1, len(facts) + 1)),
        "says_nothing_twice": len(sentences) == len(set(sentences)),
        "is_short": len(response.split()) <= MOST_WORDS,
        "is_about_the_question": not content_words(question) or bool(said & content_words(question)),
    }


def is_supported(statement: str, passage: str) -> bool:
    """Tell whether a passage says what a statement says: most of its words, all its numbers, and a negation if it has one."""
    terms, found = content_words(statement), content_words(passage)
    numbers = set(_NUMBER.findall(statement))
    has_numbers = numbers <= set(_NUMBER.findall(passage))
    is_denied = bool(_NEGATION.search(statement))
    share = len(terms & found) / len(terms) if terms else 0.0
    return share >= KEY_TERMS and has_numbers and (not is_denied or bool(_NEGATION.search(passage)))


def has_invented_figure(statement: str, known: str) -> bool:
    """Tell whether a statement has a figure that stands nowhere in what is known."""
    return not set(_FIGURE.findall(statement)) <= set(_NUMBER.findall(known))


def agreeing_facts(fact: QuotedFact, others: Sequence[QuotedFact]) -> list[QuotedFact]:
    """Return the facts of other sources that hold most of a fact's key terms, and contradict none of its numbers."""
    terms, numbers = content_words(fact.statement), set(_NUMBER.findall(fact.statement))
    return [
        each
        for each in others
        if each.source_id != fact.source_id
        and len(terms & content_words(each.statement)) * 2 > len(terms)
        and (not numbers or not (own := set(_NUMBER.findall(each.statement))) or bool(numbers & own))
        and bool(_NEGATION.search(each.statement)) == bool(_NEGATION.search(fact.statement))
    ]
