"""Corrects hurried typing before classification: "y was that rong", "wats nxt", "giv me qestions"."""

import re
from functools import lru_cache

from tutoring.grading.language.misspellings import is_one_slip_away
from tutoring.understanding.parsing.assertions import plain_text

# Chat spelling and misspellings from the labelled messages; only forms that are no other word ("there" stays).
_SHORT_FORMS = {
    "agen": "again", "agn": "again", "bak": "back", "bck": "back", "easer": "easier", "easyer": "easier", "eazier": "easier", "esier": "easier", "hardr": "harder", "eazy": "easy", "ezy": "easy", "hlp": "help", "hnt": "hint", "skp": "skip", "stp": "stop", "typ": "type",
    "2day": "today", "2moro": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "bc": "because", "cud": "could", "cuz": "because", "anser": "answer", "biger": "bigger", "botom": "bottom", "didnt": "didn't",
    "dif": "difference", "diff": "difference", "doesnt": "doesn't", "dont": "don't", "dose": "does", "explane": "explain", "duz": "does", "frakshun": "fraction", "frakshuns": "fractions",
    "gimme": "give me", "giv": "give", "gonna": "going to", "gotta": "got to", "gud": "good", "havent": "haven't", "hw": "homework",
    "im": "i'm", "isnt": "isn't", "ive": "i've", "kno": "know", "kwiz": "quiz", "lemme": "let me", "lern": "learn", "lets": "let's",
    "lurn": "learn", "nex": "next", "nxt": "next", "pls": "please", "plz": "please", "ppl": "people", "qiuz": "quiz",
    "qs": "questions", "quis": "quiz", "quizz": "quiz", "quzi": "quiz", "r": "are", "rite": "right", "rong": "wrong", "shud": "should", "slise": "slice", "smaler": "smaller",
    "smth": "something", "teh": "the", "testt": "test", "thats": "that's", "tho": "though", "tset": "test", "u": "you", "ur": "your",
    "wanna": "want to", "wasnt": "wasn't", "wat": "what", "wdym": "what do you mean", "wats": "what's", "whats": "what's", "wich": "which", "wierd": "weird",
    "worng": "wrong", "wot": "what", "wots": "what's", "wrng": "wrong", "wut": "what", "yestrday": "yesterday",
}  # fmt: skip
# Words of wishes that the intents turn on. Long enough that a word one letter away is no other word; shorter ones are
# listed above.
_LONG_WORDS = re.findall(r"\w+", """
    already again answer answers assess beginner challenge confused continue correct course difference difficult example examples
    exercise exercises explain explanation feedback finish finished homework incorrect knowledge learning lesson lessons mistake
    mistakes performance practice practise problem problems progress question questions recommend remember results review revision
    schedule should something studying subject tomorrow understand understanding weakness weaknesses
""")  # fmt: skip

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
# "answered" or "finishd" must not become "answers": an ending on a base word is no typing error.
_INFLECTIONS = ("s", "d", "r", "ed", "ly", "er", "n")
# "y is it 3/4": only before a verb or pronoun, since "y" is also "yes" and a letter.
_WHY = re.compile(r"(?:^|(?<=[.!?] ))y(?= (?:is|was|are|were|do|does|did|can|can't|isn't|not|the|you|i|it)\b)")
# "i dont no why"; in "i don't, no" it stays.
_KNOW = re.compile(r"\b(don't|didn't) no\b")


def tidy_text(text: str) -> str:
    """Return the plain text of a message with short forms expanded and one-letter errors in common words corrected."""
    words = _WORD.sub(lambda word: _tidied(word.group()), plain_text(text))
    return _KNOW.sub(r"\1 know", _WHY.sub("why", words))


@lru_cache(maxsize=4096)
def _tidied(word: str) -> str:
    if short := _SHORT_FORMS.get(word):
        return short
    if len(word) < 5 or word in _LONG_WORDS:
        return word
    return next((each for each in _LONG_WORDS if is_one_slip_away(word, each) and not _is_inflected(word, each)), word)


def _is_inflected(word: str, base: str) -> bool:
    return any(word in (base + ending, base.removesuffix("s") + ending) for ending in _INFLECTIONS)
