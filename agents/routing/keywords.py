"""Keyword routing: an agent's words in a message, weighed against everybody else's. Takes under 1 ms; uses no model.

An agent gets a message if at least two of its words occur in it and no other agent comes near. A word counts for as
much as it tells one agent's messages from the others', measured on example messages: a word that two agents list, or
that occurs everywhere, counts for nothing. So a list that claims everything decides nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from agents.routing.features import OUT_OF_SCOPE, Examples

type AgentWords = Mapping[str, Mapping[str, float]]
"""Agent, or OUT_OF_SCOPE → its words and phrases in lower case → their weight. `remind*` stands for any ending."""

LEAST_HITS: Final = 2
"""Different words of an agent that a message must contain."""
# Both chosen on the companion's examples: with a lead of 1.5 the words decide a tenth more, and err twice as often.
LEAST_SCORE, LEAD = 1.5, 2.0
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
class WeakWord:
    """A listed word that counts for nothing, and why."""

    agent: str
    word: str
    other: str
    """The agent, or OUT_OF_SCOPE, whose messages it also occurs in most."""
    own: int
    """The number of the agent's examples that contain it."""
    others: int
    """The number of all other examples that contain it."""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return _WORD.findall(text.casefold().replace("’", "'"))


class KeywordIndex:
    """The words of all agents with the weights they deserve. Building it takes about 50 ms for 1,000 examples."""

    def __init__(self, words: AgentWords, examples: Examples) -> None:
        listed = {agent: dict(own) for agent, own in words.items() if own}
        self._texts = {agent: [split_words(text) for text in texts] for agent, texts in examples.items()}
        found = _Matcher(word for own in listed.values() for word in own)
        self._occurs = {agent: [found.find(text) for text in texts] for agent, texts in self._texts.items()}
        self._matcher = found
        self.weak: tuple[WeakWord, ...] = ()
        self.weights = MappingProxyType(self._weigh(listed))
        """Word → (agent, weight above 0)."""
        self.unused: tuple[str, ...] = tuple(self._drop_greedy())
        """Agents whose list is not used, because it claims messages of others."""
        self._confidences = self._measure()

    def decide(self, text: str) -> KeywordDecision | None:
        """Return the agent that clearly has the most words in a text; None if there is none."""
        found = self._matcher.find(split_words(text))
        return self._decide(found)

    def hits(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return the words of each agent in a text that count for something."""
        hits: dict[str, list[str]] = defaultdict(list)
        for word in self._matcher.find(split_words(text)):
            if word in self.weights:
                hits[self.weights[word][0]].append(word)
        return {agent: tuple(words) for agent, words in hits.items()}

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
        confidence = self._confidences.get(best, 0.5) if hasattr(self, "_confidences") else 0.5
        return KeywordDecision(agent=agent_or_none, confidence=confidence, words=tuple(hits[best]))

    def _weigh(self, listed: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, float]]:
        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for agent, rows in self._occurs.items():
            for row in rows:
                for word in row:
                    counts[word][agent] += 1
        claims: dict[str, dict[str, float]] = defaultdict(dict)
        for agent, own in listed.items():
            for word, weight in own.items():
                claims[word][agent] = weight
        weights, weak = {}, []
        for word, claimed in claims.items():
            agent = max(claimed, key=claimed.__getitem__)
            # What it says for this agent, less what it says for the next.
            weight = claimed[agent] - max((each for name, each in claimed.items() if name != agent), default=0.0)
            own = counts[word][agent]
            others = {name: count for name, count in counts[word].items() if name != agent}
            share = (own + LISTED_TRUST) / (own + sum(others.values()) + LISTED_TRUST)
            weight *= max(0.0, (share - COMMON) / (1 - COMMON))
            if weight > 0:
                weights[word] = agent, weight
            elif claimed[agent] > 0:
                other = max(others, key=others.__getitem__) if others else next(n for n in claimed if n != agent)
                weak.append(WeakWord(agent=agent, word=word, other=other, own=own, others=sum(others.values())))
        self.weak = tuple(weak)
        return weights

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
            if length <= len(said) and (word := self._stems.get(said[:length])) is not None:
                return word, 1
        return None, 1
