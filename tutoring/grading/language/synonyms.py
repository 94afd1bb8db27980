"""Stems, synonyms and antonyms for short answers of school subjects."""

from functools import lru_cache

from tutoring.grading.language.vocabulary import word_set

# Words that carry no content in short answers; negations are not here, since they decide polarity.
STOP = word_set("""
    a an the of is it are was were be been being to in on at by for from with and or as that this these those they them
    their there its i he she his her him you your we our us me my if then so because do does did done has have had will
    would could should can may might must just also too very more most some any each all what which who how why when where
    into out up down over about than but get got go goes going make makes made use used thing things one explain think
    """)
# Longest first; crude, but both sides are stemmed alike.
_SUFFIXES = (
    "ingly", "edly", "ness", "ment", "ings", "ions", "ing", "ion", "ies", "ied", "ers", "er", "est", "ed", "es", "ly",
    "s", "y", "e",
)  # fmt: skip
# "bigger" → "bigg" → "big"; letters that English doubles before an ending.
_DOUBLED = frozenset("bdgmnprt")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its common endings; at least three letters stay."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] in _DOUBLED else word


# One line for each meaning; the first word stands for all.
# Words of the subjects in the labelled short answers (circuits, sound, soil); no general thesaurus.
_SAME = """
    connect attach link join touch
    path pathway loop circuit route
    gap hole
    contain include
    damage break broken burn ruin
    big large great huge
    small little tiny
    fast quick rapid
    increase rise grow
    decrease drop fall reduce shrink
    loud noisy
    complete whole
    container jar cup
    water liquid fluid
    soil dirt
    see observe notice
    show indicate tell mean say
    vibrate shake
    same equal identical alike
    different difference differ
    material object
    produce create cause
    move travel
    hot warm heat
    get receive
    help aid
    rock stone
    remove take
    need require
    affect influence impact effect
"""
# Pairs; the second counts as the first denied.
# "connect gap": a gap in a circuit means not connected.
_OPPOSED = """
    same different, connect separate, connect disconnect, connect gap, closed open, complete incomplete, high low, big small,
    long short, fast slow, hot cold, hard soft, increase decrease, heavy light, loud quiet, tight loose, thick thin,
    bright dim, strong weak, float sink, full empty, wet dry, rough smooth, expand contract, push pull, attract repel,
    above below, before after, top bottom, first last, always never, true false, yes no, near far, inside outside, same unequal, possible impossible,
    wide narrow, deep shallow, early late, rich poor, clean dirty, maximum minimum, melt freeze, appear disappear, gain lose
"""
SYNONYMS = {
    stem(word): stem(words[0]) for words in (line.split() for line in _SAME.strip().splitlines()) for word in words
}
_PAIRS = [[SYNONYMS.get(stem(word), stem(word)) for word in pair.split()] for pair in _OPPOSED.strip().split(",")]
OPPOSITES = {opposite: word for word, opposite in _PAIRS if word != opposite}
