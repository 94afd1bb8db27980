"""What of a message its learner says in words of their own.

What they repeat, ask, quote or deny is not said, and neither is a heap of the right keywords. Rules, no model.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from tutoring.grading.words import NEGATIONS, word_set
from tutoring.rules.claims import is_asking, own_part, plain, sentences
from tutoring.rules.denying import held, is_only_taking_back

ECHO = 0.6
"""Share of a sentence's runs of five words, from which it repeats what was said to the learner."""
RUN = 5
RETOLD = 0.8
"""Share of a sentence's words that stand in the same order in one sentence said to the learner, from which it repeats it."""
RETOLD_WORDS = 5
"""The shortest sentence that is held against others so."""
REARRANGED = 3
NOTHING_NEW = 0.9
"""Words of the matter from which a sentence is held against others as a whole, and the share of them that repeats one."""
AGAIN, WHOLLY = 0.8, 0.7
"""Share of a sentence's matter that another has said, and share of the other's that it says, from which it says it again."""
HEAP = 6
"""Words of the matter in a row, with no small word between them, that no sentence has."""
HELD_TOGETHER = 0.23
"""Share of words with a grammar of their own that a sentence has at least."""
FRAGMENT = 3
"""Words up to which a reply needs no verb: "the size"."""
LISTED = 4
MOSTLY = 0.75
"""Terms from which a list is one, and the share of them that are short."""
SHAPED = 0.45
"""Share of small words in what hangs together."""
LINKED_BY = 3
"""Different small words with which "because" or "so" makes a sentence without a verb."""
WORDS_OF_A_SHAPE = 5

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:/\d+)?|[½¼¾⅓⅔⅛]")
_SENTENCE_END = re.compile(r"[.!?;:\n]+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
_LIST_END = re.compile(r"[,;\n]| and ")
_IS = word_set("is are was were be it's its that's thats they're isn't aren't isnt arent have has need must")
_DETERMINERS = word_set("the a an same both each all this that my your of no")
_FILLER = word_set("yes yeah yep no ok okay so well oh um hmm hm and like because cause cuz cos right maybe but then")
_SUBJECTS = word_set("i you we they it he she that this everyone everybody somebody someone nobody who there one")
_LIGHT_VERBS = word_set("""
    is are was were be been am isn't aren't isnt arent it's its that's thats they're theyre there's theres you're im i'm
    has have had must need needs should can can't cannot cant could may might will would won't do does did don't doesn't
    dont doesnt didn't didnt get gets got go goes make makes mean means stay stays keep keeps become becomes tell tells
    say says show shows give gives let want wants look looks see know think fit fits grow grows change changes come comes
    belong belongs left shrinks find start starts end ends matters leaves depends
    """)
_DOING = word_set("""
    add count cut divide multiply share split take put compare rename double halve join open trade exchange check times
    subtract draw fold measure lay turn break use write work repeat build try group hold swap slice chop snip grab push stick
    glue plus minus pick deal rewrite convert change
    """)
_OBJECTS = word_set("""
    the a an it them they this that these those both each all every how what by in into to up from top bottom one two his
    her my your
    """)
_PREPOSITIONS = word_set("of on from with without between among against to in into by for at than until till not")
_LINKING = word_set("because cause cuz cos since so if when until till otherwise than")
_OTHER_SMALL = word_set("""
    of on at for among against with without out off over as or not none too also only just more less much many some any other others
    else same where why while here now first next again together down after before about around me us him himself
    """)
_SMALL = _FILLER | _SUBJECTS | _LIGHT_VERBS | _OBJECTS | _LINKING | _OTHER_SMALL | NEGATIONS

_MATTER = word_set(
    "top bottom one two same more less much many each both all other others every together again left over"
)
"""Small words that keywords are made of."""
_STRUCTURE = _SMALL - _MATTER

_ALIKE_WORDS = (
    "part piece slice bit chunk share", "same equal equally even evenly alike", "big large huge", "small little tiny", "top numerator upper",
    "bottom denominator lower below", "times multiply multiplied multipli", "cut split divide divided sliced chopped chop shared sharing",
    "number count", "exactly just only simply", "get become turn keep stay remain", "biggest largest", "bigger larger",
    "otherwise else", "every each all", "then so after afterwards", "first before", "start starting begin beginning", "must need",
    "take took taken", "as like", "make give", "till until", "two 2 both", "three 3", "four 4", "five 5", "six 6", "eight 8", "say tell name mean",
)  # fmt: skip
_MEANS = {word: words.split()[0] for words in _ALIKE_WORDS for word in words.split()}
_MENTIONED = re.compile(
    r"\bsomething (?:with|about|like|to do)\b|\b(?:has|have) (?:something )?to do with\b|\bwants? (?:me|us) to say\b"
    r"|\b(?:key ?|magic |right )words?\b|\b(?:blah|bla|etc)\b"
)
_UNIMPORTANT = re.compile(
    r"(?:(?!\band (?:the|its?|it's|how|what|that)\b|\b(?:but|because|so)\b)[^,;])*\b(?:(?<!you )(?<!we )(?:does|do|did)(?: not|n'?t) (?:really |even )?(?:matter|count|change anything)|irrelevant"
    r"|(?:is|are)(?: not|n'?t) important|no matter|no need|who cares|don'?t care"
    r"|(?:can|could|may|might) (?:also |still )?(?:be|have) (?:of )?(?:any|different|other|unequal|bigger|smaller))\b"
    r"(?:(?!,|;|\b(?:but|as long as|only|because|just|so)\b).)*"
)
_NEED_NOT = re.compile(
    r"\b(?:(?:do|does|did)(?: not|n'?t) (?:(?:all|both|each|really|even|always) )*(?:have(?! any| a common| enough)|need)\b|need not\b|needn'?t\b)"
    r"(?:(?!,|;|\b(?:but|as long as|only|because|just|so)\b).)*"
)
_EVEN_IF = re.compile(r"\beven (?:if|when|though)\b[^,;]*")
_NEGATION = r"(?:\b(?:is|are|do|does|have|has|ca|wo)n'?t\b|\b(?:cannot|not|none|no|never)\b)"
# "If they are not the same size, they are no halves" says that they must be; so does "…, or else you can't count them".
_CONDITION = re.compile(
    rf"\b(?:if|when|unless)\b(?P<given>[^,;]*?{_NEGATION}[^,;]*?)(?=(?:,|\b(?:then|so|it|it'?s|they|you|that'?s|we|the|each|both)\b)"
    rf"[^;]*(?:{_NEGATION}|\b(?:unfair|wrong)\b))"
)
_OR_ELSE = re.compile(r"\b(?:otherwise|or else)\b[^,;]*")
_BECAUSE_NOT = re.compile(rf"{_NEGATION}[^;]*\b(?:because|cause|cuz|cos|since)\b(?P<given>[^;]*{_NEGATION})")
# "You can't only look at how many", "it is not enough to count": they deny that it is all, not that it counts.
_NOT_ALL = re.compile(rf"{_NEGATION} (?:only|just|enough)\b")
_UNCHANGED = re.compile(r"(?:n'?t|\bnot|\bnever|\bnothing) changes?(?= (?:when|if|while|as)\b)")
"""Here a negation ends, though its clause does not look so: "it doesn't change when you count more of them"."""
_NO = re.compile(rf"{_NEGATION} ?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A text said to a learner, as far as they may repeat it."""

    runs: frozenset[tuple[str, ...]]
    sentences: tuple[tuple[str, ...], ...]
    stated: tuple[frozenset[str], ...]
    """The gist of each sentence that asks nothing, and of each two in a row."""
    flat: str


@lru_cache(maxsize=512)
def own_claims(text: str, *, told: tuple[str, ...]) -> str:
    """Return what a message says in words of one's own, a plain sentence a line; empty for nothing.

    `told` is what was said to the learner before it. Pure and bounded: the first 400 characters of the message count.
    """
    texts = tuple(map(_told, told))
    said = [sentence for sentence in sentences(plain(text)) if not is_asking(sentence, replying=True)]
    own = [_own(sentence, texts) for sentence, after in pairwise((*said, "")) if not is_only_taking_back(after)]
    claims = "\n".join(filter(None, own))
    repeats = _share_of_runs(words_of(plain(text)), texts) >= ECHO
    return claims if _has_predicate(words_of(claims)) and not repeats and not _is_list(claims) else ""


@lru_cache(maxsize=512)
def _told(text: str) -> _Told:
    plain_text = text.casefold().replace("’", "'")
    every = tuple(filter(None, map(words_of, _SENTENCE_END.split(plain_text))))
    told = [part for part in _SENTENCE.findall(plain_text) if not part.endswith("?")]
    both = (f"{first} {then}" for first, then in pairwise(told))
    stated = tuple(gist_of(words_of(part)) for part in (*told, *both))
    flat = tuple(word for sentence in every for word in sentence)
    return _Told(runs=_runs(flat), sentences=every, stated=stated, flat=f" {' '.join(flat)} ")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in small letters."""
    return tuple(_WORD.findall(text))


def _own(sentence: str, told: Sequence[_Told]) -> str:
    """Return what a plain sentence claims; empty where it repeats, heaps or only touches something."""
    claimed = held(own_part(sentence))
    for left_open in (_UNIMPORTANT, _NEED_NOT, _EVEN_IF):
        claimed = left_open.sub(" ", claimed)
    words = words_of(claimed)
    if not words or _MENTIONED.search(claimed) or _is_heap(words) or _repeats(words, told):
        return ""
    claimed = _NOT_ALL.sub(" ", claimed)
    for reason in (_CONDITION, _OR_ELSE, _BECAUSE_NOT):
        claimed = reason.sub(_without_no, claimed)
    return _UNCHANGED.sub(r"\g<0>,", claimed).strip()


def _without_no(found: re.Match[str]) -> str:
    return _NO.sub("", found.group())


def _repeats(words: Sequence[str], told: Sequence[_Told]) -> bool:
    own = _without_filler(words)
    if len(own) < RUN:
        return len(own) >= FRAGMENT and any(f" {' '.join(own)} " in text.flat for text in told)
    if _share_of_runs(own, told) >= ECHO or _share_within_runs(own, told) >= RETOLD:
        return True
    gist = gist_of(tuple(own))
    return any(_retells(own, other) or _rearranges(own, other) for text in told for other in text.sentences) or any(
        _says_again(gist, other) for text in told for other in text.stated
    )


def _without_filler(words: Sequence[str]) -> Sequence[str]:
    start = next((place for place, word in enumerate(words) if word not in _FILLER), len(words))
    return words[start:]


def _share_of_runs(words: Sequence[str], told: Sequence[_Told]) -> float:
    runs = _runs(words)
    return sum(_is_told(run, told) for run in runs) / len(runs) if runs else 0.0


def _share_within_runs(words: Sequence[str], told: Sequence[_Told]) -> float:
    """Return the share of the words that stand in a run that was told: two sentences repeated in one."""
    starts = (start for start in range(len(words) - RUN + 1) if _is_told(words[start : start + RUN], told))
    return len({place for start in starts for place in range(start, start + RUN)}) / len(words)


def _is_told(run: Sequence[str], told: Sequence[_Told]) -> bool:
    return any(tuple(run) in text.runs for text in told)


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def _retells(own: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether a sentence repeats another with a word changed here and there."""
    needed = RETOLD * len(own)
    if len(own) < RETOLD_WORDS or len(other) > 2 * len(own) or len(set(own) & set(other)) < RETOLD * len(set(own)):
        return False
    return _in_order(own, other) >= needed


def _rearranges(own: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether a sentence says nothing of the matter that another has not said, in whatever order."""
    matter = set(own) - _STRUCTURE
    return len(matter) >= REARRANGED and len(matter & set(other)) >= NOTHING_NEW * len(matter)


@lru_cache(maxsize=1024)
def gist_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return the matter of a sentence, words that mean the same as one of them: "bits" and "slices" are "part"."""
    return frozenset(map(_meaning, words)) - _STRUCTURE


def _meaning(word: str) -> str:
    single = word if word.endswith("ss") else word.removesuffix("s")
    return _MEANS.get(word) or _MEANS.get(single, single)


def _says_again(own: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether a sentence says most of what another has said, and little else, with other words here and there."""
    both = len(own & other)
    return both >= REARRANGED and both >= AGAIN * len(own) and both >= WHOLLY * len(other)


def _in_order(own: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in own:
        before = row
        row = [0]
        for place, another in enumerate(other):
            row.append(before[place] + 1 if word == another else max(row[place], before[place + 1]))
    return row[-1]


def _is_heap(words: Sequence[str]) -> bool:
    """Tell whether words are a heap of keywords and no sentence."""
    loose = len(words) >= HEAP and sum(word in _STRUCTURE for word in words) < HELD_TOGETHER * len(words)
    return loose or _longest_run(words) >= HEAP or (len(words) > FRAGMENT and not _has_predicate(words))


def _is_list(text: str) -> bool:
    """Tell whether a text is little more than single terms, one after the other."""
    terms = [words for words in map(words_of, _LIST_END.split(text)) if any(word[0].isalpha() for word in words)]
    short = [words for words in terms if len(words) <= FRAGMENT and not any(word in _IS for word in words)]
    return len(terms) >= LISTED and len(short) >= MOSTLY * len(terms)


def _longest_run(words: Iterable[str]) -> int:
    longest = run = 0
    for word in words:
        run = 0 if word in _STRUCTURE or not word[0].isalpha() else run + 1
        longest = max(longest, run)
    return longest


def _has_predicate(words: Sequence[str]) -> bool:
    """Tell whether somebody is or does something in these words: "share it in two", "because more people want some"."""
    pairs = tuple(pairwise(words))
    return (
        any(word in _LIGHT_VERBS for word in words)
        or any(
            before not in _DETERMINERS and first in _DOING and then in _OBJECTS
            for before, first, then in zip(("", *words), words, words[1:], strict=False)
        )
        or any(first in _SUBJECTS and then not in _SMALL for first, then in pairs)
        or (len(set(words) & _SMALL) >= LINKED_BY and any(word in _LINKING for word in words[1:]))
        or _has_shape(words)
    )


def _has_shape(words: Sequence[str]) -> bool:
    """Tell whether words without a verb hang together: "the gaps from zero on, and not the lines"."""
    small = sum(word in _SMALL for word in words)
    return (
        len(words) >= WORDS_OF_A_SHAPE
        and small >= SHAPED * len(words)
        and any(word in _PREPOSITIONS for word in words[1:])
    )
