"""Stance detection: whether a learner asserts, denies, quotes or asks what a course's pattern matches.

Courses describe misconceptions by regular expressions. A pattern sees one sentence of bounded length, so that no text
makes it slow; a negation reaches no further than its clause.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from tutoring.grading.language.misspellings import correct_spelling
from tutoring.grading.language.patterns import is_safe

# Learners' statements are short; longer texts are pasted. The bounds keep patterns below a millisecond. By hand.
TEXT_LIMIT = 400
"""Characters of a message that patterns see."""
# Longer than nearly all sentences that learners type. Chosen by hand.
SENTENCE_LIMIT = 160
SENTENCES = 12
_MATCHES_PER_SENTENCE = 3

Stance = Literal["claimed", "denied", "quoted", "asked"]

_OPEN_QUESTION = re.compile(
    r"(?:(?:so|but|and|ok)\W+)?(?:(?:why|what|who|when|where|how)(?:'?s)?|whose|do you|can you|are you)\b"
)
_CLOSED_QUESTION = re.compile(r"(?:(?:so|but|and|ok)\W+)*(?:is|are|was|were|does|did|has|have) (?!we\b|there\b)")
_SPACES = re.compile(r"\s+")
# A mark inside a word or number ends nothing: "0.5".
SENTENCE = re.compile(r"[^.!?;\n]+(?:[.!?;\n](?=\S)[^.!?;\n]+)*[.!?;\n]*")
# A negation ends here: "not the same but equal" denies "the same" alone.
_CLAUSE_END = re.compile(r"[,.;:()–—]|\s-\s|\b(?:but|because|cause|cuz|cos|bc|so|and so|although|though|while)\b")
# "isn't", "never", "without"; "no" only within a sentence, since "no, they are equal" answers a question.
NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|hardly|(?:is|are|was|were|do|does|did|ca|wo|would|should|could|have|has|had"
    r"|ai)n'?t)\b|(?<=\w )\bno\b"
)
# They hold a negation and deny nothing: "it doesn't matter, they are halves", "not only", "no idea but …".
_NEGATION_EXCEPTIONS = re.compile(
    r"\b(?:(?:does|do|did)(?:n'?t| not) (?:really )?(?:matter|care|know|remember|get|understand|see|have to|need to)"
    r"|not (?:only|just|sure)|no matter|whether or not|why not|no (?:idea|clue))\b"
)
# A pattern with a negation of its own ("is not a fraction") is claimed where it matches, and not denied.
_NEGATION_IN_PATTERN = re.compile(r"\bnot\b|n'\??t|\bnever\b|\bno\b|\b(?:do|does|is|are|ca|wo)nt\b|without|cannot")
# "it isn't half just because there are two pieces" denies the reason, though the negation is far before it.
_JUST_BECAUSE = re.compile(r"\b(?:just|only|simply) (?:because|cause|cuz|cos|bc)\b")
# "more pieces means more is wrong", "that two pieces are halves isn't true".
_DENIED_AFTER = re.compile(
    r"^\W*(?:(?:is|are|was|were|'s|would be|sounds|seems) (?:\w+ )?)?(?:not|wrong|false|incorrect|untrue|nonsense|a mistake)\b"
    r"|^\W*(?:is|are|was|were|ca|wo)n'?t\b|^\W*cannot\b"
)
# "my brother says …", "i used to think …", "what if …": the words before the match. Not "i say", "i'd say".
_REPORTED = re.compile(
    r"\b(?<!i')(?!i\b)\w+ (?:said|says?|thinks?|thought|told (?:me|us)|claims?|claimed|believes?|wrote|writes)\b"
    r"|\bi (?:used to|once|first|originally|wrongly) \w+\b|\bi thought\b|\bat first\b"
    r"|\b(?:suppose|imagine|pretend|what if)\b"
)
# Like _REPORTED for a whole sentence. "the bottom says 4" is no report: numbers and "it" may say things.
_TOLD_BY_OTHERS = re.compile(
    r"\b(?!(?:i|it|that|this|which|numbers?|bottoms?|tops?|denominators?|numerators?|fractions?|names?|just|only|\d+)\b)\w+ "
    r"(?:said|says|thinks|thought|told (?:me|us)|claims?|claimed|believes?|wrote|writes)\b"
    r"|\b(?:they|people|others|teachers|books|friends) (?:all )?(?:say|think)\b"
)
# "i first thought 1/8 is more": what the learner no longer claims.
_TOLD_BY_ONESELF = re.compile(r"\bi (?:used to|once|originally|wrongly) \w+\b|\bi (?:first )?thought\b|\bat first\b")
# What follows is claimed again: "he says 1/8 is more but 1/4 is more".
_CONTRAST = re.compile(r"\b(?:but|now|actually)\b")
# Quotation marks around two characters and more; apostrophes around three, so that "don't … can't" quotes nothing.
_QUOTED = re.compile(r"\"[^\"]{2,}\"|(?<!\w)'[^']{3,}'(?!\w)")
# "they are the same, right?" asserts; the tag is cut off before questions are looked for.
_TAG = re.compile(
    r"[\s,]+(?:right|yes|yeah|correct|true|ok|okay|no|huh|eh|innit|isn'?t (?:it|that)|aren'?t they|don'?t they|doesn'?t it)"
    r"\s*[?.!]*$"
)
_AUXILIARY = r"(?:is|am|are|was|were|do|does|did|can|could|would|should|will|has|have|must|might|may)"
_PRONOUN = r"(?:i|you|we|they|he|she|there|it)"
# "Have to be the same", "is bigger than the other": replies without a subject, no questions.
_AFTER_NO_SUBJECT = r"\d+|not|to|be|more|less|too|equal(?! parts)|the same|because|fewer|\w{3,5}er than|(?:bigg|larg|small|long|short|wid|thick|thinn)er"
# "why is it …", "can you …", "tell me how …" without a question mark; fillers ("ok so", "wait") may come first.
_INTERROGATIVE = re.compile(
    rf"^\W*(?:(?:and|but|so|ok|okay|wait|hmm+|um+|hey|hi|well|then|also|please|sorry)\W+)*"
    r"(?!do (?:(?:it|this|that) (?:\w+ times|twice|again)|the (?:reverse|opposite|same))\b)"
    rf"(?:{_AUXILIARY} (?!(?:{_AFTER_NO_SUBJECT})\b)\w|{_AUXILIARY}n'?t (?:{_PRONOUN}|this|that|these|those)\b"
    rf"|(?:why|how|what|which|who|whose|where|when|whats|hows|whys)(?:'s|'re)? (?:\w+ ){{0,4}}?(?:{_AUXILIARY}(?:n'?t)?|many|much|come"
    rf"|about|if|goes|comes|the|a|it|that|this|these|one|mean)\b"
    rf"|(?:why|how|what|which|who|when|where|huh|how so|how come|what for)\W*$|i wonder\b|(?:can|could|would) you\b"
    rf"|(?:explain|define|describe|tell me (?:why|how|what|about|more|if|whether))\b)"
)
# "when the bottom is bigger the parts are smaller" begins with a question word and asserts.
_CLAIM_WITH_WHEN = re.compile(
    r"^\W*+(?:(?:how much|what) (?:you|i|we|they|there|it|matters|counts|makes)\b"
    rf"|when (?!{_AUXILIARY}\b|to\b|else\b|\W*$))(?!.*\?)"
)
_DETERMINER = r"(?:the|an?|each|every|all|both|this|that|these|those|one|my|your|his|her|its|every(?:one|body))"
_INVERTED_AFTER_HOW = (
    rf"{_AUXILIARY}|come|about|if|to|else"
    rf"|(?:\w+ ){{1,4}}?(?:(?:is|are) {_DETERMINER}|(?:do|does|did|can|should|would) \w+)"
)
# "How big they are", "which parts are bigger": the subject comes before the verb, unlike in a direct question.
_CLAUSE = re.compile(
    rf"^\W*+(?!.*\?)(?!.*\b{_AUXILIARY}(?:n'?t)? {_PRONOUN}\b)"
    rf"(?:how (?!(?:{_INVERTED_AFTER_HOW})\b)\w"
    rf"|what (?:size|parts?|number|amount) (?:{_PRONOUN}|{_DETERMINER})\b"
    rf"|what (?:{_PRONOUN}|{_DETERMINER})\b(?! (?:is|are|do|does|means?)\W*$)"
    rf"|which (?!(?:{_AUXILIARY}|ones?|fraction|number|answer|letter|option|way)\b)\w+ (?:is|are|was|were|has|have)\b"
    r"|which (?:ones? )?(?:they|you|we|he|she)\b"
    rf"|where (?:{_PRONOUN}|{_DETERMINER}|\d|one|zero)\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternMatch:
    """A pattern's match in a sentence, with its stance."""

    words: str
    standing: Stance


def plain_text(text: str) -> str:
    """Return the text that patterns see: at most 400 characters, lower case, straight quotes, corrected spelling."""
    straight = correct_spelling(text[: 2 * TEXT_LIMIT].translate(_STRAIGHT).lower())
    return "\n".join(_SPACES.sub(" ", line).strip() for line in straight.splitlines())[:TEXT_LIMIT].strip()


def original_words(words: str, text: str) -> str:
    """Return matched words as typed in the message; the whole message if their spelling was corrected."""
    place = text.translate(_STRAIGHT).lower().find(words.lower())
    return text[place : place + len(words)] if place >= 0 else text.strip()


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a plain text, at most twelve of at most 160 characters; a point inside a number ends none."""
    found = (match.group().strip() for match in SENTENCE.finditer(text))
    return tuple(sentence[:SENTENCE_LIMIT] for sentence in islice(filter(None, found), SENTENCES))


def asks_openly(text: str) -> bool:
    """Tell whether a text is a question that no try at an answer begins like: "why is the sky blue", unlike "is it 9?"."""
    return bool(_OPEN_QUESTION.match(text.casefold()))


def asks_closed(text: str) -> bool:
    """Tell whether a text is a question for a yes or no about things: "is a neuron like a nerve cell", unlike "can we do it"."""
    return bool(_CLOSED_QUESTION.match(text.casefold()))


def is_asking(sentence: str, *, replying: bool = False) -> bool:
    """Tell whether a plain sentence is a question; "…, right?" is an assertion.

    When `replying` to a question, "how big they are" is an assertion, since its subject comes before its verb.
    """
    without_tag = _TAG.sub("", sentence)
    claims = any(map(_CLAIM_WITH_WHEN.match, (sentence, without_tag))) or (replying and _CLAUSE.match(without_tag))
    if _INTERROGATIVE.match(without_tag) and not claims:
        return True
    return sentence.endswith("?") and without_tag == sentence


def claimed_part(sentence: str) -> str:
    """Return the part of a plain sentence that its writer asserts: no quotes, no reports, no former opinions."""
    told = _TOLD_BY_OTHERS.search(sentence) or _TOLD_BY_ONESELF.search(sentence)
    if told is None:
        return _QUOTED.sub(" ", sentence)
    turn = _CONTRAST.search(sentence, told.end())
    return _QUOTED.sub(" ", sentence[turn.end() :]) if turn else ""


def find_patterns(patterns: Iterable[str], *, text: str) -> Iterator[PatternMatch]:
    """Yield every match of the patterns in a plain text, sentence by sentence, with its stance.

    A short text without questions is also matched as a whole: "one dark. three light. so 1/3".
    """
    compiled = [(pattern, compile_pattern(pattern)) for pattern in patterns]
    parts = sentences(text)
    if len(parts) > 1 and len(text) <= SENTENCE_LIMIT and not any(map(is_asking, parts)):
        parts += (text,)
    for sentence in parts:
        for pattern, expression in compiled:
            for count, match in enumerate(expression.finditer(sentence)):
                if count == _MATCHES_PER_SENTENCE:
                    break
                yield PatternMatch(
                    words=match.group().strip(), standing=_stance_of(sentence, match=match, pattern=pattern)
                )


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return a course's pattern compiled; an invalid or slow one is matched literally."""
    return re.compile(pattern if is_safe(pattern) else re.escape(pattern), re.IGNORECASE)


def _stance_of(sentence: str, *, match: re.Match[str], pattern: str) -> Stance:
    before, after = sentence[: match.start()], sentence[match.end() :]
    if any(quote.start() < match.end() and match.start() < quote.end() for quote in _QUOTED.finditer(sentence)):
        return "quoted"
    if _REPORTED.search(sentence[: match.end()]):  # Patterns may begin at the start of the sentence.
        return "quoted"
    if is_asking(sentence):
        return "asked"
    return "denied" if _is_denied(before, match.group(), _TAG.sub("", after), pattern=pattern) else "claimed"


def _is_denied(before: str, words: str, after: str, *, pattern: str) -> bool:
    if _negates(_CLAUSE_END.split(before)[-1]) or _DENIED_AFTER.match(after):
        return True
    if _JUST_BECAUSE.search(before + words) and _negates(before + words):
        return True
    # A pattern with a negation of its own describes a misconception that denies something.
    return _negates(words) and not _NEGATION_IN_PATTERN.search(pattern)


def _negates(words: str) -> bool:
    return bool(NEGATION.search(_NEGATION_EXCEPTIONS.sub(" ", words)))


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " "})
