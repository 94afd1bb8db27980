"""What each collaborator looks for in the library and the courses: by rule, sentences shown word for word."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_lazy as _

from conversations.models import Collaborator
from conversations.round_table.results import QuotedSentence
from conversations.search.passage_quotes import ABOUT_FROM, CLEARLY_ABOUT_FROM, content_words, is_statement
from conversations.search.sentences import sentence_spans
from conversations.search.word_stems import words_of
from conversations.tools.library import QUERY_CHARACTERS, FoundPassage

LooksFor = Collaborator.LooksFor

MOST_QUOTES: Final = 2
"""Of one collaborator in one round: more is a list of results, and nothing is left for the next round."""
MOST_THINGS: Final = 2
"""Searched for one by one, the last of a question first: in English, what it asks about comes at its end."""
LONGEST_QUOTE: Final = 360
"""Characters."""
_REQUEST_WORDS = re.compile(
    r"\b(?:please|discuss|debate|talk about|argue about|think about|consider|tell (?:me|us) about|help (?:me|us)(?: to)?)\b[:,]?",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:[-•*]\s+)?(?:it|its|they|their|this|these|that|those|he|she|so|then|but|and|or|here|there)\b", re.IGNORECASE
)
"""How a sentence begins that needs the one before it."""
_WORDS_OF_TALK = content_words(
    "more less most least good better best bad worse useful important like think want need thing way"
)
"""They say how something is judged, not what it is about: a sentence that shares only these is about something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRule:
    """How a kind of collaborator searches, and which sentences it takes."""

    queries: tuple[str, ...]
    """What is searched for, with what the question is about put in; the next round takes the next one."""
    by_thing: bool = False
    """Whether each thing that the question names is searched for by itself."""
    sentence: re.Pattern[str] | None
    """What a sentence must have; None takes any."""
    wanted: object
    """What it looks for, in words for the learner: a lazy translation."""


def _pattern(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


RULES: Final[Mapping[str, SearchRule]] = MappingProxyType(
    {
        LooksFor.DEFINITIONS: SearchRule(
            queries=("What is {topic}?", "What does {topic} mean?", "{topic} in other words"),
            sentence=_pattern(
                "is an?", "is the", "is called", "are called", "are the", "means", "refers to", "consists? of", "stands? for",
                "is one of", "are one of", "tells? (?:you )?how", "says how", "names?",
            ),
            by_thing=True,
            wanted=_("definitions of the things in the question"),
        ),
        # "Not" alone stands in too many sentences that object to nothing: "whether or not".
        LooksFor.OBJECTIONS: SearchRule(
            queries=("mistakes and limits of {topic}", "{topic} but not", "when does {topic} not work?"),
            sentence=_pattern(
                "but", "however", "although", "unless", "except", "only if", "cannot", r"can['’]t", r"doesn['’]t", "does not", "do not",
                "is not", "are not", "never", "mistakes?", "wrong", "problems?", "limits?", "instead of", "rather than", "harder", "too",
            ),
            wanted=_("limits, exceptions and arguments against it"),
        ),
        LooksFor.EXAMPLES: SearchRule(
            queries=("example of {topic}", "for example {topic}", "a case of {topic}"),
            sentence=_pattern("for example", "for instance", "such as", "suppose", "imagine", "say", "think of", "if you", "like an?"),
            wanted=_("examples"),
        ),
        LooksFor.ORIGINS: SearchRule(
            queries=("history and invention of {topic}", "who invented {topic}?", "where does {topic} come from?"),
            sentence=re.compile(
                r"\b(?:(?:in|since|around|about|by|from|until) (?:1[0-9]{3}|20[0-2][0-9])(?![/\d])|centur(?:y|ies)|BCE?|ancient|invent\w*|discover\w*|introduced|originally|comes? from|"
                r"named after|first (?:used|described|published|appeared)|years ago|histor\w+|Egypt\w*|Babylon\w*|Greeks?|Romans?)\b"
            ),
            wanted=_("dates, people and origins"),
        ),
        LooksFor.USES: SearchRule(
            queries=("how to use {topic}", "what is {topic} good for?", "how do you do {topic} step by step?"),
            sentence=_pattern(
                "use", "used", "uses", "useful", "helps?", "you can", "to find", "first", "then", "so that", "in order to", "need", "lets? you",
            ),
            wanted=_("practical steps and uses"),
        ),
        LooksFor.ANYTHING: SearchRule(
            queries=("{topic}", "What is {topic}?", "about {topic}"), sentence=None, wanted=_("anything about the question")
        ),
    }
)  # fmt: skip


SPECIFIC_FIRST: Final = (LooksFor.EXAMPLES, LooksFor.ORIGINS, LooksFor.OBJECTIONS, LooksFor.USES, LooksFor.DEFINITIONS)
"""The order in which rules claim a sentence that several of them take: an example that also defines is an example."""


def topic_of(question: str) -> str:
    """Return what a question is about, without the words that only ask for a discussion."""
    return " ".join(_REQUEST_WORDS.sub(" ", question).split()).strip(" .!?,;:") or " ".join(question.split())


def things_of(question: str) -> tuple[str, ...]:
    """Return the words that say what a question is about, in its order; the whole topic if there are none."""
    topic = topic_of(question)
    words = [word for word in dict.fromkeys(words_of(topic)) if content_words(word) - _WORDS_OF_TALK]
    return tuple(words) or (topic,)


def queries_for(looks_for: str, question: str, *, round_number: int, heard: str = "") -> tuple[str, ...]:
    """Return what a collaborator searches for in a round: the question its own way, and later what others brought up."""
    rule, things = RULES[looks_for], things_of(question)
    own = rule.queries[(round_number - 1) % len(rule.queries)]
    found = (
        [own.format(topic=each) for each in things[-MOST_THINGS:]]
        if rule.by_thing
        else [own.format(topic=" ".join(things))]
    )
    found.append(rule.queries[0].format(topic=heard) if heard else topic_of(question))
    return tuple(dict.fromkeys(each[:QUERY_CHARACTERS] for each in found))


def candidates(
    looks_for: str,
    question: str,
    passages: Sequence[FoundPassage],
    *,
    heard: str = "",
    seated: Collection[str] = (),
) -> Iterator[QuotedSentence]:
    """Yield the sentences of the passages that the rule takes, those with the most of the question's words first.

    Sentences that belong to another rule at the table, one of `seated`, are left to it.
    """
    about = content_words(question) - _WORDS_OF_TALK
    beside = content_words(heard) - _WORDS_OF_TALK
    pattern = RULES[looks_for].sentence
    scored: list[tuple[float, int, QuotedSentence]] = []
    for rank, passage in enumerate(passages):
        for start, end in sentence_spans(passage.text):
            text = " ".join(passage.text[start:end].split())
            if len(text) > LONGEST_QUOTE or not is_statement(text) or _LEANS.match(text):
                continue
            if (pattern and not pattern.search(text)) or _belongs_to(text, seated) not in ("", looks_for):
                continue
            words = content_words(text)
            shared = words & about or words & beside
            if not _is_about(passage, shared=len(shared), in_question=bool(words & about)):
                continue
            score = len(words & about) + 0.5 * len(words & beside) + (passage.likeness or 0) - 0.1 * rank
            scored.append(
                (-score, len(scored), QuotedSentence(source=passage.source, statement=text, start=start, end=end))
            )
    scored.sort(key=lambda each: each[:2])
    yield from (quote for _score, _place, quote in scored)


def _belongs_to(text: str, seated: Collection[str]) -> str:
    """Return the rule at the table that a sentence belongs to; empty if any may take it."""
    for name in SPECIFIC_FIRST:
        pattern = RULES[name].sentence
        if name in seated and pattern is not None and pattern.search(text):
            return name
    return ""


def _is_about(passage: FoundPassage, *, shared: int, in_question: bool) -> bool:
    """Tell whether a sentence is about the question: one word in common with it, in a passage that is near it.

    Without the sentence model nothing is known of the passage, so two words are needed.
    """
    if passage.likeness is None:
        return shared >= 2
    return bool(shared) and passage.likeness >= (ABOUT_FROM if in_question else CLEARLY_ABOUT_FROM)
