"""Matches an author's words and regular expressions in a learner's text, in bounded time and aware of negation."""

import re
from functools import lru_cache

from tutoring.grading.language.misspellings import correct_spelling
from tutoring.grading.language.vocabulary import NEGATIONS

# Both limits are far above real texts and patterns; with _SPAN they bound the time of any pattern.
MAX_SEARCHED = 2_000
_MAX_PATTERN = 500
# The most that * and + may span: a star over a whole text is what makes regular expressions slow.
_SPAN = 60

# How learners write a denial: "cannot", "can not", "can't" and "cant" are the same.
_DENIALS = {
    "cannot": "can(?: ?no|'?)t",
    **{
        word: f"{verb}(?: no|n'?)t"
        for verb in ("do", "does", "did", "is", "are", "was", "were")
        for word in (f"{verb}n't", f"{verb}nt")
    },
}
_DENIALS |= dict.fromkeys(("can't", "cant"), _DENIALS["cannot"])
# "make any sugar" says "make sugar".
_ARTICLE = r"(?:(?:an?|the|any|its|their)\s+)?"
_PLAIN = re.compile(r"[\w' -]+")
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+]|.", re.DOTALL)
# "(a+)*" can take exponential time; such a pattern is matched literally.
_REPEATED_GROUP = re.compile(r"(?<!\\)\)\s*(?:[*+]|\{\d*,)")
# A negation reaches to the end of its clause: "it's not bigger, it's the same size" says "same size".
_CLAUSE_END = re.compile(r"[.,;:!?\n()]|\b(?:but|because|so|although|since|however|instead|then)\b")
_SENTENCE_END = re.compile(r"[.;:!?\n()]|\b(?:but|because|although|since|however|instead)\b")
# "not at all the same size" has four words between; farther away "not" belongs to another phrase. Chosen by hand.
_NEGATED_WORDS = 5
# Authors write "don'?t"; "amount" ends in "nt" and denies nothing.
_NEGATION_IN_PATTERN = re.compile(
    r"\b(?:not|no|never|cannot|without|neither|nor)\b|n'\??t\b|\b(?:do|does|did|is|are|was|were|ca|wo)nt\b"
)


def matches_pattern(pattern: str, text: str, *, throughout: bool = False) -> bool:
    """Tell whether a text matches a pattern without negating it: "not the same size" does not match "same size".

    `pattern` is plain words, each a prefix ("divid" finds "divided"), or a regular expression. The first 2,000
    characters count. A slow or invalid pattern is matched literally. `throughout`: no negation within the match either,
    as in "six sixths don't make a whole".
    """
    text = searchable_text(text)
    heard = _compiled(pattern)
    negates = _NEGATION_IN_PATTERN.search(pattern.casefold()) is not None
    return any(
        negates or not (is_negated(text, match.start()) or (throughout and is_negated(text, match.end())))
        for match in heard.finditer(text)
    )


@lru_cache(maxsize=256)
def searchable_text(text: str) -> str:
    """Return the searched part of a text, in lower case, with plain apostrophes and corrected spelling."""
    return correct_spelling(text[:MAX_SEARCHED].casefold().replace("’", "'").replace("‘", "'"))


def is_negated(text: str, position: int) -> bool:
    """Tell whether one of the few words before a position, in the same clause, is a negation."""
    # 80 characters hold the five words that count.
    clause = _CLAUSE_END.split(text[max(0, position - 80) : position])[-1]
    every = re.findall(r"[\w']+", clause)
    words = every[-_NEGATED_WORDS:]
    if "without" in words:
        before = every[: every.index("without")]
        after = re.findall(r"[\w']+", _SENTENCE_END.split(text[position : position + 80])[0])
        # "Without light there is no sugar" and "no sugar without light" say that light is needed.
        if any(map(_denies, before or after)):
            return False
    if text.lstrip().startswith(("no ", "nope ")) and words and words[0] == "no":
        words = words[1:]  # "No they are the same size" answers a question and denies nothing.
    return any(map(_denies, words))


def _denies(word: str) -> bool:
    return word in NEGATIONS or word.endswith("n't")


def is_safe(pattern: str) -> bool:
    """Tell whether a pattern is matched as a regular expression, not literally."""
    if len(pattern) > _MAX_PATTERN or _REPEATED_GROUP.search(pattern):
        return False
    try:
        re.compile(_bounded(pattern))
    except (re.error, OverflowError, RecursionError):
        return False
    return True


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    if _PLAIN.fullmatch(pattern):
        words = (
            # Words of four letters are stems; shorter ones only take a plural, since "all" must not find "allow".
            _DENIALS.get(word) or re.escape(word) + (r"\w*" if len(word) >= 4 else r"(?:s|es|ed)?")
            for word in pattern.casefold().split()
        )
        return re.compile(r"\b" + (r"[\s-]+" + _ARTICLE).join(words) + r"\b")
    if not is_safe(pattern):
        return re.compile(re.escape(pattern[:_MAX_PATTERN]), re.IGNORECASE)
    return re.compile(_bounded(pattern), re.IGNORECASE)


def _bounded(pattern: str) -> str:
    def bound(piece: re.Match[str]) -> str:
        return {"*": f"{{0,{_SPAN}}}", "+": f"{{1,{_SPAN}}}"}.get(piece.group(), piece.group())

    return _PIECE.sub(bound, pattern)
