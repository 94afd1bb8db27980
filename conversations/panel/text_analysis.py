"""Finds what a message is about, with no model: known terms, names, acronyms, and the thing that a question asks about."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

import yaml

from conversations.panel import scores
from conversations.panel.facts import KnownTerm
from conversations.panel.results import AnalysisResult, Concept, Entity, EntityType, Relationship, Sentiment
from conversations.panel.terms import Stems, terms_by_stems
from conversations.search.passage_quotes import compared_things, content_words
from conversations.search.sentences import sentence_spans
from conversations.search.word_stems import WORD, stem, words_of

LONGEST: Final = 2_000
"""Characters of a message that are analyzed: it is done on the event loop, within milliseconds."""
MOST_ENTITIES: Final = 12
MOST_CONCEPTS: Final = 8
"""A message is about fewer; a pasted text names more than anybody reads. Both chosen by hand."""
LONGEST_TERM: Final = 4
"""Words of a known term."""
NAME_LETTERS: Final = 2
"""Letters of the shortest name: "G" and "B2" are none."""
FOCUS_WORDS: Final = 3
"""Words of a thing that a question asks about; a longer run of words is a clause, and no name."""

WORDS: Final = {
    key: frozenset(words.split())
    for key, words in yaml.safe_load((Path(__file__).parent / "words.yaml").read_text(encoding="utf-8")).items()
}
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ][\w'’+#-]*|\d+(?:[./,]\d+)*")
_TERM_WORD = re.compile(WORD.pattern, re.IGNORECASE | re.ASCII)
_BREAKS_TERM = re.compile(r"[^\w\s-]")
_DIGITS = re.compile(r"\d")
_PLURALS = (
    *(("s", ("",)), ("es", ("", "is")), ("ies", ("y",)), ("ves", ("f", "fe"))),
    *(("ices", ("ix", "ex")), ("i", ("us",)), ("a", ("um", "on")), ("ae", ("a",))),
)
_ACRONYM = re.compile(r"(?:[A-Z]{2,6}\d?s?|[A-Z]\.(?:[A-Z]\.)+)")
_PERSON_CUES = re.compile(
    r"\b(?:who (?:is|was|were)|by|named|called|mr|mrs|ms|dr|prof(?:essor)?|teacher|author|scientist|composer|president|king|queen"
    r"|according to|invented by|wrote|discovered)\s*$",
    re.IGNORECASE,
)
# What a question asks about comes behind these words, up to the end of its phrase. "In", "of" and "how do" are not among
# them: what comes behind those is as often a common word ("how do birds find their way").
_FOCUS = re.compile(
    r"\b(?:what(?:'?s| is| are| was| were)|who(?:'?s| is| was)|explain(?: to me)?(?: how| why| what)?|describe|define|about|between"
    r"|learn(?:ing)?|stud(?:y|ying)|understand(?:ing)?|what (?:makes|causes)|meaning of|work of"
    r"|(?:lost|help|stuck|trouble|struggl(?:e|ing)) (?:me )?with|mix(?:ing)?(?: up)?|what do(?:es)?(?= (?:\S+ ){1,4}mean\b))"
    r"\s+(?:(?:a|an|some|exactly|actually|really|word)\s+)*(?P<definite>the\s+)?",
    re.IGNORECASE,
)
# 'chaining', "open addressing": a short quotation names a term.
_QUOTED = re.compile(r"(?<!\w)['\"“‘]([A-Za-z][\w-]+(?: [\w-]+)?)['\"”’](?!\w)")
# Between the parts of a name: "Bank of England", "Vincent van Gogh".
_JOINT = re.compile(r" (?:of(?: the)?|de(?: la)?|da|di|del|du|la|le|van(?: der?)?|von|den|bin|ibn|al|el)(?= [A-ZÀ-Þ])")
_LISTED = re.compile(r"\s*(?:,|/|,?\s(?:and|or|vs\.?|versus))\s+(?:(?:a|an|the)\s+)?")
_POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
_SENTIMENTS: Final[tuple[tuple[Sentiment, re.Pattern[str]], ...]] = (
    (
        "frustrated",
        re.compile(
            r"\b(?:hate|annoy\w*|frustrat\w*|fed up|give up|giving up|stupid|useless|pointless|sick of|ugh+|argh+|waste of time|nothing works"
            r"|makes no sense at all|tired of|never get this|driving me)\b|!{2,}\s*$",
            re.IGNORECASE,
        ),
    ),
    (
        "confused",
        re.compile(
            r"\b(?:confus\w*|lost|don'?t (?:get|understand|see)|do not (?:get|understand)|doesn'?t make sense|makes no sense|unclear|stuck|struggl\w*|mixed up"
            r"|no idea|not sure|can'?t (?:figure|follow|tell)|puzzl\w*)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "positive",
        re.compile(
            r"\b(?:thanks?|thank you|thx|love|loved|great|awesome|cool|finally|amazing|enjoy\w*|excited|happy|proud|perfect|nice|got it|yay|brilliant|fun)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "curious",
        re.compile(
            r"\b(?:how|why|what|whats|which|who|where|when|wonder\w*|curious|explain|interested|tell me|compare|describe|find|research)\b|\?",
            re.IGNORECASE,
        ),
    ),
)
_DENIED = re.compile(r"\b(?:not|never|isn'?t|don'?t|no longer)\s+(?:\w+\s+)?$", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class _Found:
    """A span of the message, and by which methods it was found."""

    start: int
    end: int
    methods: set[str] = field(default_factory=set)
    is_hint: bool = False
    """Whether it counts only with another method's span."""
    term: KnownTerm | None = None
    kind: EntityType = "CONCEPT"


def analyse_text(text: str, *, own_terms: tuple[KnownTerm, ...] = ()) -> AnalysisResult:
    """Return what a message is about; of a long one, its first 2,000 characters. `own_terms`: those of the courses."""
    text = text[:LONGEST]
    found = sorted(_spans(text, own_terms), key=lambda each: each.start)
    entities = [
        Entity(
            text=text[each.start : each.end],
            type=each.kind,
            confidence=scores.agreement(each.methods),
            context=_sentence_around(text, each.start),
        )
        for each in found[:MOST_ENTITIES]
    ]
    concepts = _concepts(text, found)
    explained = content_words(" ".join(each.text for each in entities)) & content_words(text)
    return AnalysisResult(
        entities=tuple(entities),
        concepts=concepts,
        themes=tuple(dict.fromkeys(each.category for each in concepts if each.category)),
        relationships=tuple(_relationships(text, concepts)),
        sentiment=sentiment_of(text),
        confidence=scores.coverage(len(explained), of=len(content_words(text))),
    )


def sentiment_of(text: str) -> Sentiment:
    """Return the first sentiment whose words are there and not denied."""
    plain = text.replace("’", "'")
    for sentiment, pattern in _SENTIMENTS:
        if any(not _DENIED.search(plain[: found.start()]) for found in pattern.finditer(plain)):
            return sentiment
    return "neutral"


# --- Spans ---


def _spans(text: str, own_terms: tuple[KnownTerm, ...]) -> list[_Found]:
    """Return the spans of all methods; where two overlap, the longer one with the methods of both."""
    found: list[_Found] = [*_known(text, own_terms), *_names(text), *_focused(text)]
    found.sort(key=lambda each: (each.start - each.end, "term" not in each.methods))
    kept: list[_Found] = []
    for each in found:
        over = next((one for one in kept if each.start < one.end and one.start < each.end), None)
        if over is None:
            kept.append(each)
        elif (each.start, each.end) == (over.start, over.end):
            over.methods |= each.methods
            over.is_hint &= each.is_hint
            over.term = over.term or each.term
    kept.sort(key=lambda each: each.start)
    return [each for place, each in enumerate(kept) if not each.is_hint and not _is_common_word(text, kept, place)]


def _is_common_word(text: str, found: Sequence[_Found], place: int) -> bool:
    """Tell whether a known term is only a common word here: "how does it work", "in my class".

    It is not in a list of terms, nor where another term of its category is meant.
    """
    each = found[place]
    if each.term is None or each.term.name not in WORDS["common_terms"] or "focus" in each.methods:
        return False
    if any(
        one.term and one.term.category == each.term.category and one.term.name not in WORDS["common_terms"]
        for one in found
    ):
        return False
    beside = pairwise(found[max(place - 1, 0) : place + 2])
    return not any(one.term and other.term and _LISTED.fullmatch(text[one.end : other.start]) for one, other in beside)


def _known(text: str, own_terms: tuple[KnownTerm, ...]) -> Iterator[_Found]:
    """Yield the known terms in a text, the longest at each place."""
    terms, tokens = terms_by_stems(own_terms), list(_TERM_WORD.finditer(text.replace("’", "'")))
    words = [each[0].casefold().removesuffix("'s") for each in tokens]
    singulars = [[(one, stem(one)) for one in _singulars(each)] for each in words]
    stems = [forms[0][1] for forms in singulars]
    place = 0
    while place < len(tokens):
        for length in range(min(LONGEST_TERM, len(tokens) - place), 0, -1):
            last = place + length - 1
            term = _term_of(tuple(stems[place:last]), singulars[last], terms)
            if term is not None and _is_one_term(text, tokens[place : last + 1], term):
                kind: EntityType = "TOPIC" if term.name.replace(" ", "-") in WORDS["fields"] else "CONCEPT"
                end = tokens[last].start() + len(words[last])
                yield _Found(start=tokens[place].start(), end=end, methods={"term"}, term=term, kind=kind)
                place = last
                break
        place += 1


def _term_of(before: Stems, singulars: Sequence[tuple[str, str]], terms: Mapping[Stems, KnownTerm]) -> KnownTerm | None:
    """Return the term whose last word is one of the singulars, each with its stem; before it stand the other stems.

    The stems alone are not enough: those of "tried" and "trie" are equal.
    """
    for one, its_stem in singulars:
        term = terms.get((*before, its_stem))
        if term and [*words_of(term.name)][-1].removesuffix("'s") in ((one, f"{one}s") if before else (one,)):
            return term
    return None


def _singulars(word: str) -> Iterator[str]:
    """Yield a word, and the words that it may be the plural of."""
    yield word
    for plural, singulars in _PLURALS:
        if word.endswith(plural):
            yield from (word.removesuffix(plural) + each for each in singulars)


def _is_one_term(text: str, tokens: Sequence[re.Match[str]], term: KnownTerm) -> bool:
    """Tell whether words stand together and have the term's digits: stems leave out those of "type 2 diabetes"."""
    between = "".join(text[one.end() : other.start()] for one, other in pairwise(tokens))
    return not _BREAKS_TERM.search(between) and _DIGITS.findall(between) == _DIGITS.findall(term.name)


def _is_one_phrase(text: str, tokens: Sequence[re.Match[str]]) -> bool:
    gaps = [text[one.end() : other.start()] for one, other in pairwise(tokens)]
    return not any(set(gap) - set(" -\n") or gap.count("\n") > 1 for gap in gaps)


def _names(text: str) -> Iterator[_Found]:
    """Yield names: runs of capitalized words that do not only begin a sentence, and acronyms."""
    tokens = list(_TOKEN.finditer(text))
    starts = {
        start + len(text[start:end]) - len(text[start:end].lstrip("\"'“‘(*- ")) for start, end in _sentences(text)
    }
    is_shouted = text.upper() == text
    place = 0
    while place < len(tokens) and not is_shouted:
        end = place
        while end < len(tokens) and (length := _length_of_name_part(text, tokens, end, is_first=end == place)):
            end += length
        run = tokens[place:end]
        while run and (run[-1][0].casefold() in WORDS["calendar_words"] or run[-1][0].islower()):
            run = run[:-1]
        while run and (
            (run[0].start() in starts and run[0][0].casefold() in WORDS["function_words"] | WORDS["verbs"])
            or run[0][0].islower()
        ):
            run = run[1:]
        if run and (len(run) > 1 or run[0].start() not in starts or _ACRONYM.fullmatch(run[0][0])):
            words = [each[0].casefold().removesuffix("'s").removesuffix("’s") for each in run]
            name_end = run[-1].end() - (2 if re.search(r"['’]s$", run[-1][0]) else 0)
            if (
                not set(words) <= WORDS["calendar_words"] | WORDS["function_words"]
                and sum(map(str.isalpha, text[run[0].start() : name_end])) >= NAME_LETTERS
            ):
                acronym = len(run) == 1 and bool(_ACRONYM.fullmatch(run[0][0]))
                yield _Found(
                    start=run[0].start(),
                    end=name_end,
                    methods={"acronym" if acronym else "name"},
                    kind=_kind_of_name(text, run, words, acronym=acronym),
                )
        place = max(end, place + 1)


def _length_of_name_part(text: str, tokens: Sequence[re.Match[str]], place: int, *, is_first: bool) -> int:
    """Return how many tokens at a place belong to a name: 0, 1, or more if joining words ("of the") stand before it."""
    if place < len(tokens) and _is_capitalized(tokens[place][0]):
        return int(is_first or _is_one_phrase(text, tokens[place - 1 : place + 1]))
    joint = _JOINT.match(text, tokens[place - 1].end()) if not is_first else None
    length = len(joint[0].split()) if joint else 0
    return length + 1 if length and place + length < len(tokens) and _is_capitalized(tokens[place + length][0]) else 0


def _is_capitalized(word: str) -> bool:
    return (
        word[0].isupper()
        and word not in WORDS["shouted_words"]
        and word.casefold() not in ("i", "i'm", "i've", "i'd", "i'll")
    )


def _kind_of_name(text: str, run: Sequence[re.Match[str]], words: Sequence[str], *, acronym: bool) -> EntityType:
    if set(words) & WORDS["organizations"]:
        return "ORG"
    if acronym:
        return "TOPIC"
    if _PERSON_CUES.search(text[: run[0].start()]) or (
        len(run) in (2, 3) and not set(words) & set(WORDS["words_of_topics"])
    ):
        return "PERSON"
    return "PERSON" if re.search(r"['’]s$", run[-1][0]) or text[run[-1].end() :].startswith("'") else "TOPIC"


def _focused(text: str) -> Iterator[_Found]:
    """Yield the things that a question asks about: what follows "what is", "about", "between … and", or is quoted."""
    for quoted in _QUOTED.finditer(text):
        if quoted[1].casefold() not in WORDS["function_words"]:
            yield _Found(start=quoted.start(1), end=quoted.end(1), methods={"focus"})
    compared = compared_things(text) or ()
    starts = [(match.end(), bool(match["definite"])) for match in _FOCUS.finditer(text)]
    starts += [(start, False) for side in compared if (start := text.casefold().find(side.casefold())) >= 0]
    for start, is_definite in starts:
        if run := _phrase(text, start):
            # "What is the score" asks for a property of something, "what is a sonnet" for the thing itself.
            is_hint = is_definite and len(run) == 1
            yield _Found(start=run[0].start(), end=run[-1].end(), methods={"focus"}, is_hint=is_hint)


def _phrase(text: str, start: int) -> list[re.Match[str]]:
    """Return the words of the thing that is named at a place, without its owner ("Kant's"); none if it is a clause."""
    run: list[re.Match[str]] = []
    place = start
    for token in _TOKEN.finditer(text, start):
        if set(text[place : token.start()]) - set(" -") or len(run) > 2 * FOCUS_WORDS:
            break
        place = token.end()
        word = token[0].casefold().replace("’", "'")
        if not run and word in WORDS["modifiers"]:
            continue
        if (
            word in WORDS["function_words"]
            or word in WORDS["verbs"]
            or word.removesuffix("s") in WORDS["verbs"]
            or word in WORDS["calendar_words"]
            or word[0].isdigit()
            or (run and word.endswith(("ed", "ly", "est")) and not word.endswith("eed"))
        ):
            break
        run.append(token)
    owner = next((number for number, token in enumerate(run) if _POSSESSIVE.search(token[0])), None)
    if owner is not None and not {token[0].casefold() for token in run} & WORDS["words_of_topics"]:
        run = run[owner + 1 :]
    return run if run and len(run) <= FOCUS_WORDS and len(run[0][0]) > 2 else []


def _sentences(text: str) -> list[tuple[int, int]]:
    return sentence_spans(text) or [(0, len(text))]


def _sentence_around(text: str, place: int) -> str:
    return next((text[start:end].strip() for start, end in _sentences(text) if start <= place < end), text.strip())


# --- Concepts ---


def _concepts(text: str, found: Sequence[_Found]) -> tuple[Concept, ...]:
    """Return the concepts of a message, the most important first: terms and things asked about, not people or firms."""
    mentions: dict[str, int] = {}
    terms: dict[str, KnownTerm | None] = {}
    focused: set[str] = set()
    for each in found:
        if each.kind in ("PERSON", "ORG"):
            continue
        name = each.term.name if each.term else _singular(" ".join(text[each.start : each.end].casefold().split()))
        mentions[name] = mentions.get(name, 0) + 1
        terms.setdefault(name, each.term)
        if "focus" in each.methods:
            focused.add(name)
    most = max(mentions.values(), default=1)
    concepts = [
        Concept(
            name=name,
            category=term.category if (term := terms[name]) else None,
            importance=scores.importance(count, most=most, in_focus=name in focused or not focused),
            related_to=tuple(each for each in mentions if each != name)[:3],
        )
        for name, count in mentions.items()
    ]
    concepts.sort(key=lambda each: -(each.importance or 0))
    return tuple(concepts[:MOST_CONCEPTS])


def _singular(name: str) -> str:
    if name.endswith("ies") and len(name) > 4:
        return f"{name[:-3]}y"
    if name.endswith(("sses", "xes", "ches", "shes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us", "is")) and len(name) > 3 else name


def _relationships(text: str, concepts: Sequence[Concept]) -> Iterator[Relationship]:
    """Yield the pairs of concepts that stand in one sentence; compared ones as such."""
    sentences = [content_words(text[start:end]) for start, end in _sentences(text)]
    stems = {each.name: content_words(each.name) for each in concepts}
    compared = compared_things(text)
    sides = [content_words(each) for each in compared] if compared else []
    for number, one in enumerate(concepts):
        for other in concepts[number + 1 :]:
            in_one = [bool(stems[one.name]) and stems[one.name] <= words for words in sentences]
            in_other = [bool(stems[other.name]) and stems[other.name] <= words for words in sentences]
            together = sum(here and there for here, there in zip(in_one, in_other, strict=True))
            if together:
                is_pair = {frozenset(stems[one.name]), frozenset(stems[other.name])} == set(map(frozenset, sides))
                yield Relationship(
                    source=one.name,
                    target=other.name,
                    type="compared_with" if is_pair else "mentioned_with",
                    strength=scores.link_strength(together, one=sum(in_one), other=sum(in_other)),
                )
