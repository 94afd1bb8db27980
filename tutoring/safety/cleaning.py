"""A message as it is searched for danger: disguises taken off, slips put right, one sentence at a time."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from tutoring.routing.spelling import is_a_slip

SENTENCE_LIMIT = 240
"""Characters that patterns see at once: no text however long makes one slow."""

FEWEST_LETTERS = 6
"""Of a word that is put right: shorter ones are too often other words."""

_LOOKALIKES = str.maketrans("аеорсхуіїјѕ’‘‚`´“”„«»…", "aeopcxyiijs'''''\"\"\"\"\" ")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u0300-\u036f]")
_DIGITS_AS_LETTERS = re.compile(r"(?<![\w$@!])[a-z$@]{1,40}(?:[013457$@!|]+[a-z]+)+(?!\w)")
_AS_LETTERS = str.maketrans("013457$@!|", "oieastsail")
_SPELLED_OUT = re.compile(r"(?<!\w)[a-z](?:[ .,\-_*/]{1,2}[a-z]){3,}(?!\w)")
_MASKED = re.compile(
    r"(?<![\w*])(?:k[*#_.\-]ll|s[*#_.\-]{0,2}u?[*#_.\-]{1,2}cid|r[*#_.\-]pe|d[*#_.\-]e(?!\w)|b[*#_.\-]mb)"
)
_UNMASKED = {"k": "kill", "s": "suicid", "r": "rape", "d": "die", "b": "bomb"}
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")

_SHORT_FORMS = {
    "abt": "about", "alot": "a lot", "anymor": "anymore", "aint": "isn't", "arent": "aren't", "bday": "birthday",
    "becuz": "because", "bf": "boyfriend", "cant": "can't", "couldnt": "couldn't", "cuz": "because", "cos": "because",
    "deth": "death", "didnt": "didn't", "doesnt": "doesn't", "dont": "don't", "diy": "diy", "dieing": "dying",
    "evry": "every", "evrybody": "everybody", "evryone": "everyone", "gf": "girlfriend", "gonna": "going to",
    "gunna": "going to", "hav": "have", "havent": "haven't", "hasnt": "hasn't", "hert": "hurt", "herts": "hurts",
    "hittin": "hitting", "hitts": "hits", "hurtin": "hurting", "idk": "i don't know", "ill": "i'll", "im": "i'm",
    "ima": "i'm going to", "imma": "i'm going to", "isnt": "isn't", "ive": "i've", "kil": "kill", "kiling": "killing",
    "killin": "killing", "kll": "kill", "ded": "dead", "kms": "kill myself", "lyf": "life", "liv": "live", "mums": "mum's", "myslf": "myself", "mysef": "myself", "nife": "knife",
    "nobodys": "nobody's", "parants": "parents", "plz": "please", "pls": "please", "ppl": "people", "rly": "really",
    "scard": "scared", "shes": "she's", "shouldnt": "shouldn't", "skool": "school", "some1": "someone", "sum1": "someone",
    "tabs": "tablets", "teh": "the", "thats": "that's", "theres": "there's", "theyre": "they're", "thru": "through",
    "toching": "touching", "tryna": "trying to", "tutch": "touch", "tuching": "touching", "u": "you", "unalive": "kill",
    "unaliving": "killing", "ur": "your", "wana": "want to", "wanna": "want to", "wen": "when", "wit": "with",
    "wont": "won't", "wud": "would", "wudnt": "wouldn't", "wouldnt": "wouldn't", "wen'": "when",
}  # fmt: skip
_LONG_WORDS = (
    "abused", "abusing", "abuse", "alone", "anymore", "bleeding", "blood", "boyfriend", "breathe", "bridge",
    "brother", "bruises", "bullied", "bullies", "bullying", "choked", "choking", "cutting", "drowning", "explosive",
    "explosives", "father", "forced", "friend", "frightened", "grandpa", "hanging", "harming", "hitting", "hurting",
    "killing", "knife", "medicine", "molested", "mother", "myself", "naked", "nobody", "overdose", "pictures",
    "pills", "poison", "private", "punched", "punches", "raped", "razor", "scared", "secret", "sister", "slapped",
    "stabbed", "stepdad", "stepfather", "strangle", "suicidal", "suicide", "swallowed", "tablets", "teacher",
    "threatened", "threatens", "tonight", "touched", "touches", "touching", "uncle", "without", "wrists",
)  # fmt: skip
_BY_START: dict[str, tuple[str, ...]] = {
    start: tuple(each for each in _LONG_WORDS if each[0] == start) for start in {each[0] for each in _LONG_WORDS}
}


def cleaned(text: str) -> str:
    """Return the text in small letters, without disguises: `K1LL  m y s e l f` is as good as `kill myself`."""
    text = text.casefold().translate(_LOOKALIKES)
    if not text.isascii():
        text = _UNSEEN.sub("", unicodedata.normalize("NFKD", text)).translate(_LOOKALIKES)
    text = _SPELLED_OUT.sub(lambda found: re.sub(r"[^a-z]", "", found.group()), text)
    text = _DIGITS_AS_LETTERS.sub(lambda found: found.group().translate(_AS_LETTERS), text)
    text = _MASKED.sub(lambda found: _UNMASKED[found.group()[0]], text)
    return _WORD.sub(lambda found: _put_right(found.group()), _DRAWN_OUT.sub(r"\1", text))


def sentences(text: str) -> Iterator[str]:
    """Yield a cleaned text's sentences, each of bounded length and with single blanks."""
    for found in _SENTENCE.finditer(text):
        sentence = " ".join(found.group().split())
        for start in range(0, len(sentence), SENTENCE_LIMIT):
            # Each piece with the end of the one before: a cut hides nothing.
            yield sentence[max(0, start - SENTENCE_LIMIT // 3) : start + SENTENCE_LIMIT]


@lru_cache(maxsize=8192)
def _put_right(word: str) -> str:
    if short := _SHORT_FORMS.get(word):
        return short
    if len(word) < FEWEST_LETTERS or word in _LONG_WORDS or word in _LEFT_ALONE:
        return word
    return next((each for each in _BY_START.get(word[0], ()) if is_a_slip(word, each)), word)


_LEFT_ALONE = frozenset((
    "abuser", "cooked", "poked", "hiking", "picking", "bother", "brothers", "bruise", "bullet", "bully", "bulls",
    "choice", "choosing", "clone", "cooking", "counting", "fathers", "father's", "friends", "friend's", "further",
    "gather", "harding", "hatting", "heating", "hosting", "hunting", "knives", "lather", "mothers", "mother's",
    "naming", "nobody's", "other", "picture", "pill", "putting", "rapid", "scares", "secrets", "setting", "shared",
    "sister's", "sisters", "starting", "stared", "table", "tables", "teachers", "teach", "teaches", "touch",
    "tough", "uncles", "within", "wrist", "wrists", "reaching", "raging", "rapes", "rates", "raced", "abuses",
    "threats", "threaten", "touchy", "stabbing", "stables", "hearting", "hurling", "burning", "cuttings", "pillars",
    "pilled", "fright", "bleed", "bleeding", "bride", "bridges", "breath", "breathes",
))  # fmt: skip
