"""Chooses sentences of found passages that answer a question: by rule, shown unchanged, never reworded."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conversations.search.sentences import sentence_spans
from conversations.search.word_stems import stem, words_of

SHARE_OF_QUESTION = 0.5
"""Share of the question's words that the chosen sentences must contain to be shown."""
ABOUT_FROM = 0.6
"""Cosine from which a passage is about the question."""
CLEARLY_ABOUT_FROM = 0.7
"""Cosine from which a passage is shown although it contains few of the question's words."""
QUOTES_AT_MOST = 2
SENTENCES_OF_A_QUOTE = 2
MIN_STATEMENT_WORDS = 4
"""Words of a statement."""
DEFINITION_BONUS = 1.5
"""Bonus for saying what a thing is, in words of the question."""
RANK_PENALTY = 0.15
"""Penalty for each rank further down in the results, in words of the question."""
SECOND_QUOTE_MARGIN = 0.5
"""How far below the first quote another one may be."""
MAX_QUOTE_LENGTH = 480
"""Characters of a quote."""
_STATEMENT = re.compile(r"(?:[-•*]\s+)?[\"“‘']?[A-Z0-9].*[.!:]['\"”’)]*", re.DOTALL)
_SETS_TASK = re.compile(
    r"(?:[-•*\d.]+\s+)?(?:write|create|given|complete|fix|next|enter|describe|demonstrate|answer|run|add|explain|identify|use|"
    r"consider|suppose|modify|match|choose|select|print|define|compute|calculate|find|show|draw|by the end of)\b",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(
    r"\bwhat(?:'s| is| are| was| were| does| do|s)\b|\bdefin|\bmean|\bhow (?:do|does) .{2,60}\bwork\b|^explain\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"(?:[-•*]\s+)?(?:in \w+, |the term )?(?!(?:when|if|since|as|while|because|although|after|before)\b)(?P<what>(?:\S+ ){1,5}?)(?:in [A-Z]\w+ )?(?:\([^)]*\) )?(?:is|are|means|refers to|stands for|consists? of|describes?)\b",
    re.IGNORECASE,
)
_THING = r"[\w'’()-]+(?: [\w'’()-]+){0,4}?"
_COMPARES = re.compile(
    rf"\bdifferences? between ({_THING}) and ({_THING})\W*$"
    rf"|\b(?:how|why|where|in what) (?:do|does|is|are|did|would) ({_THING}) (?:differ|different|differs) from ({_THING})\W*$"
    rf"|\bcompare ({_THING}) (?:and|with|to) ({_THING})\W*$"
    rf"|^({_THING}) (?:vs\.?|versus) ({_THING})\W*$",
    re.IGNORECASE,
)
_SETS_APART = re.compile(
    r"\b(?:unlike|whereas|instead of|rather than|differ\w*|in contrast|on the other hand|compared (?:to|with))\b",
    re.IGNORECASE,
)
_OF_ANY_QUESTION = frozenset(
    words_of(
        "a about again all also an and any are as at be because been between but by can could did differ "
        "difference different do does each example examples explain find for from give has have how i in into is "
        "it its know last me mean means month my next of on one or please say should show so some tell than that "
        "the their them there these they this to today up us use used using was we week were what what's when "
        "where which who why will with work works would you your"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCandidate:
    """A passage that a search has found."""

    text: str
    heading: str = ""
    likeness: float | None = None
    """Cosine to the question; None without a sentence model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageQuote:
    """A place in a candidate."""

    candidate: int
    """Its index among them."""
    start: int
    end: int


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the words that say what a question is about."""
    return frozenset(map(stem, {*words_of(text)} - _OF_ANY_QUESTION))


def compared_things(question: str) -> tuple[str, str] | None:
    """Return the two things that a question wants compared, as it names them; None for other questions."""
    found = _COMPARES.search(" ".join(question.split()))
    if found is None:
        return None
    one, other = (each.strip(" ?.!,") for each in found.groups() if each)
    return (one, other) if content_words(one) and content_words(other) else None


def is_comparing(text: str, question: str) -> bool:
    """Return whether a text compares the things that a question names."""
    return content_words(question) <= content_words(text) and bool(_SETS_APART.search(text))


def find_quotes_for(question: str, candidates: Sequence[QuoteCandidate]) -> tuple[PassageQuote, ...]:
    """Return quotes that answer the question, the best first; none if nothing found is about it.

    From each candidate, the sentences that contain the most of the question's words, and a definition if one was
    asked for. Quotes clearly weaker than the best are left out.
    """
    sought = content_words(question)
    if not sought:
        return ()
    asks_what = bool(_ASKS_WHAT.search(question))
    bests = [(number, _best_of(each, sought, asks_what=asks_what)) for number, each in enumerate(candidates)]
    about = [
        (best.score - RANK_PENALTY * number, number, best)
        for number, best in bests
        if best is not None and _is_about(candidates[number], share=len(best.words) / len(sought))
    ]
    about.sort(key=lambda each: -each[0])
    chosen = [
        (number, best) for _score, number, best in about if best.score >= about[0][2].score - SECOND_QUOTE_MARGIN
    ][:QUOTES_AT_MOST]
    held = frozenset[str]().union(*(best.words for _number, best in chosen))
    if len(held) < SHARE_OF_QUESTION * len(sought):
        return ()
    return tuple(PassageQuote(candidate=number, start=best.start, end=best.end) for number, best in chosen)


def opening_quote(text: str) -> PassageQuote:
    """Return the first sentences of the only text, as many as fit into a quote."""
    spans = sentence_spans(text) or [(0, 0)]
    ends = [end for _start, end in spans if end - spans[0][0] <= MAX_QUOTE_LENGTH]
    return PassageQuote(candidate=0, start=spans[0][0], end=ends[-1] if ends else spans[0][0] + MAX_QUOTE_LENGTH)


def _is_about(candidate: QuoteCandidate, *, share: float) -> bool:
    if candidate.likeness is None:
        return share > SHARE_OF_QUESTION
    return candidate.likeness >= CLEARLY_ABOUT_FROM or (candidate.likeness >= ABOUT_FROM and share >= SHARE_OF_QUESTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BestRun:
    start: int
    end: int
    words: frozenset[str]
    """Words of the question that occur there or in the heading."""
    score: float


def _best_of(candidate: QuoteCandidate, sought: frozenset[str], *, asks_what: bool) -> _BestRun | None:
    """Return the run of sentences that contains most of the searched words, the shortest and earliest of those."""
    of_heading = content_words(candidate.heading) & sought
    spans = sentence_spans(candidate.text)
    words = [content_words(candidate.text[start:end]) & sought for start, end in spans]
    best: _BestRun | None = None
    for first, last in _runs(candidate.text, spans):
        start, end = spans[first][0], spans[last][1]
        held = words[first].union(*words[first + 1 : last + 1])
        if not held or end - start > MAX_QUOTE_LENGTH:
            continue
        score = len(held) + (DEFINITION_BONUS if asks_what and _defines(candidate.text[start:end], sought) else 0)
        if best is None or score > best.score:
            best = _BestRun(start=start, end=end, words=held | of_heading, score=score)
    return best


def _runs(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the first and last sentence of each run in a paragraph that begins and ends with a statement: short ones first."""
    statements = [place for place, span in enumerate(spans) if is_statement(text[slice(*span)])]
    for length in range(SENTENCES_OF_A_QUOTE):
        for first, last in zip(statements, statements[length:], strict=False):
            if "\n" not in text[spans[first][0] : spans[last][1]]:
                yield first, last


def is_statement(sentence: str) -> bool:
    """Tell whether a sentence makes sense by itself: not a title, fragment, exercise or caption."""
    return (
        bool(_STATEMENT.fullmatch(sentence))
        and len(sentence.split()) >= MIN_STATEMENT_WORDS
        and not _SETS_TASK.match(sentence)
    )


def _defines(text: str, sought: frozenset[str]) -> bool:
    """Tell whether a text begins with a definition of one of the things."""
    found = _DEFINES.match(text)
    what = content_words(found["what"]) if found else frozenset()
    return bool(what) and what <= sought
