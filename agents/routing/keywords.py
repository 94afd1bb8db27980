"""Keyword routing: an agent's words in a message, weighed against everybody else's. Takes under 1 ms; uses no model.

An agent gets a message if at least two of its words occur in it and no other agent comes near. A word counts for as
much as it tells one agent's messages from the others', measured on example messages: a word that two agents list, or
that occurs everywhere, counts for nothing. So a list that claims everything decides nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from agents.routing.features import OUT_OF_SCOPE, Examples

type AgentWords = Mapping[str, Mapping[str, float]]
"""Agent, or OUT_OF_SCOPE → its words and phrases in lower case → their weight. `remind*` stands for any ending."""

LEAST_HITS: Final = 2
"""Different words of an agent that a message must contain."""
# On the companion's 979 examples these decide 116, none wrongly. A score of 0.8 decides 129, one of them wrongly, and a
# lead of 1.5 decides two more, one of them wrongly.
LEAST_SCORE, LEAD = 1.0, 2.0
"""The sum of weights that decides, and how many times the next agent's it must be."""
LISTED_TRUST: Final = 2.0
"""Example messages that being listed is worth: a word that no example contains keeps its weight. Chosen by hand."""
COMMON: Final = 0.5
"""Share of a word's messages that are its agent's, up to which it counts for nothing; it counts in full at 1."""
# A list may err on a few examples by chance, but one that errs on this many claims messages of others.
MOST_WRONG, FEW_WRONG = 0.05, 3
"""Share of the decided examples, and their number, above which an agent's list is not used at all."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordDecision:
    agent: str | None
    """None: out of scope for the team."""
    confidence: float
    """Share of the examples decided for this agent by words that were right (0–1), counted with one of each kind added."""
    words: tuple[str, ...]
    """The agent's words in the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordUse:
    """What a listed word is worth, by the example messages."""

    agent: str
    word: str
    listed: float
    """The weight in the list."""
    weight: float
    """The weight that counts, at most the listed one; 0 if the word says nothing about the agent."""
    own: int
    """The number of the agent's examples that contain it."""
    others: int
    """The number of all other examples that contain it."""
    other: str
    """The agent, or OUT_OF_SCOPE, that has most of those, or that lists the word, too; empty for none."""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return _WORD.findall(text.casefold().replace("’", "'"))


class KeywordIndex:
    """The words of all agents with the weights they deserve. Building it takes about 50 ms for 1,000 examples."""

    def __init__(self, words: AgentWords, examples: Examples) -> None:
        listed = {agent: dict(own) for agent, own in words.items() if own}
        self._matcher = _Matcher(word for own in listed.values() for word in own)
        self._occurs = {
            agent: [self._matcher.find(split_words(text)) for text in texts] for agent, texts in examples.items()
        }
        """The listed words in each example."""
        self.uses = self._weigh(listed)
        """All listed words, in the order given."""
        self.weights = MappingProxyType({use.word: (use.agent, use.weight) for use in self.uses if use.weight > 0})
        """Word → (agent, weight above 0)."""
        self._confidences: Mapping[str, float] = {}
        self.unused: tuple[str, ...] = tuple(self._drop_greedy())
        """Agents whose list is not used, because it claims messages of others."""
        self._confidences = self._measure()

    def decide(self, text: str) -> KeywordDecision | None:
        """Return the agent that clearly has the most words in a text; None if there is none."""
        return self._decide(self._matcher.find(split_words(text)))

    def _decide(self, found: Iterable[str]) -> KeywordDecision | None:
        scores: dict[str, float] = defaultdict(float)
        hits: dict[str, list[str]] = defaultdict(list)
        for word in found:
            if entry := self.weights.get(word):
                agent, weight = entry
                scores[agent] += weight
                hits[agent].append(word)
        if not scores:
            return None
        best = max(scores, key=scores.__getitem__)
        next_best = max((score for agent, score in scores.items() if agent != best), default=0.0)
        if len(hits[best]) < LEAST_HITS or scores[best] < LEAST_SCORE or scores[best] < LEAD * next_best:
            return None
        agent_or_none = None if best == OUT_OF_SCOPE else best
        return KeywordDecision(
            agent=agent_or_none, confidence=self._confidences.get(best, 0.5), words=tuple(hits[best])
        )

    def _weigh(self, listed: Mapping[str, Mapping[str, float]]) -> tuple[WordUse, ...]:
        """Return what each word is worth to each agent that lists it."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for agent, rows in self._occurs.items():
            for row in rows:
                for word in row:
                    counts[word][agent] += 1
        return tuple(_word_use(agent, word, listed, counts[word]) for agent, own in listed.items() for word in own)

    def _examples_decided(self) -> Iterator[tuple[str, str]]:
        """Yield the right agent and the decided one of each example that the words decide."""
        for agent, rows in self._occurs.items():
            for row in rows:
                if decided := self._decide(row):
                    yield agent, decided.agent or OUT_OF_SCOPE

    def _drop_greedy(self) -> Iterator[str]:
        decided, wrong = _tally(self._examples_decided())
        for agent, count in wrong.items():
            if count >= FEW_WRONG and count > MOST_WRONG * decided[agent]:
                yield agent
                self.weights = MappingProxyType(
                    {word: entry for word, entry in self.weights.items() if entry[0] != agent}
                )

    def _measure(self) -> dict[str, float]:
        decided, wrong = _tally(self._examples_decided())
        return {agent: (count - wrong.get(agent, 0) + 1) / (count + 2) for agent, count in decided.items()}


def _tally(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many examples were decided for each agent, and how many of these wrongly."""
    decided: dict[str, int] = defaultdict(int)
    wrong: dict[str, int] = defaultdict(int)
    for right, chosen in pairs:
        decided[chosen] += 1
        if right != chosen:
            wrong[chosen] += 1
    return decided, wrong


def _word_use(agent: str, word: str, listed: AgentWords, counts: Counter[str]) -> WordUse:
    weight = listed[agent][word]
    rivals = {name: own[word] for name, own in listed.items() if name != agent and word in own}
    own, others = counts[agent], {name: count for name, count in counts.items() if name != agent}
    share = (own + LISTED_TRUST) / (counts.total() + LISTED_TRUST)
    # What the word says for this agent, less what it says for the next.
    counted = (weight - max(rivals.values(), default=0.0)) * (share - COMMON) / (1 - COMMON) if share > COMMON else 0.0
    other = max(rivals or others, key=(rivals or others).__getitem__, default="")
    return WordUse(
        agent=agent,
        word=word,
        listed=weight,
        weight=max(counted, 0.0),
        own=own,
        others=sum(others.values()),
        other=other,
    )


class _Matcher:
    """Finds listed words and phrases in a sequence of words: the longest first, none twice."""

    def __init__(self, words: Iterable[str]) -> None:
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        self._stems: dict[str, str] = {}
        for word in dict.fromkeys(words):
            parts = tuple(split_words(word))
            if word.endswith("*") and len(parts) == 1:
                self._stems[parts[0]] = word
            elif parts:
                self._phrases[parts[0]].append((parts, word))
        for phrases in self._phrases.values():
            phrases.sort(key=lambda each: -len(each[0]))
        self._stem_lengths = sorted({len(stem) for stem in self._stems}, reverse=True)

    def find(self, text: Sequence[str]) -> tuple[str, ...]:
        """Return the listed words in the text, each once, in order."""
        found: dict[str, None] = {}
        place = 0
        while place < len(text):
            word, length = self._at(text, place)
            if word is not None:
                found[word] = None
            place += length
        return tuple(found)

    def _at(self, text: Sequence[str], place: int) -> tuple[str | None, int]:
        said = text[place]
        for parts, word in self._phrases.get(said, ()):
            if len(parts) == 1 or tuple(text[place : place + len(parts)]) == parts:
                return word, len(parts)
        for length in self._stem_lengths:
            if length <= len(said) and (stem := self._stems.get(said[:length])) is not None:
                return stem, 1
        return None, 1
