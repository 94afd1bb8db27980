"""The options that a question offers ("Who ate more, Ana or Ben?"), and the option that a reply names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tutoring.grading.language.synonyms import STOP
from tutoring.grading.language.vocabulary import FRACTION_WORDS
from tutoring.understanding.parsing.commitments import (
    DENIES,
    REASON,
    after_correction,
    before_reason,
    content_words,
    without_hedge,
)
from tutoring.understanding.parsing.spoken_numbers import NUMBER, find_spoken_numbers

_MORE: Final = (
    r"(?:bigger|biggest|larger|largest|greater|greatest|more|most|longer|longest|further|heavier|fuller|higher|highest)"
)
_LESS: Final = r"(?:smaller|smallest|less|least|fewer|shorter|shortest|lower|lowest|lighter|littler|tinier)"
# Words of size and of growth; with _LESS they answer "Is it more or less?" and tell which side a comparison takes.
MORE: Final = re.compile(rf"\b(?:{_MORE}|over|above|grows?|increases?|rises?|goes up)\b")
LESS: Final = re.compile(rf"\b(?:{_LESS}|under|below|shrinks?|decreases?|falls?|drops?|goes down)\b")
# "Is it more or less than 1/2?" offers the words themselves.
_MORE_OR_LESS: Final = re.compile(
    rf"\b(?:{_MORE}|above|over),? or (?:is it )?(?:{_LESS}|below|under)\b|\b(?:{_LESS}|below|under),? or (?:is it )?(?:{_MORE}|above|over)\b"
)
_ASKS_MORE: Final = re.compile(rf"\b{_MORE}\b")
_ASKS_LESS: Final = re.compile(rf"\b{_LESS}\b")
# "the same", "neither", "nobody", "a tie", "both are half": the option that nothing differs.
_EQUAL: Final = re.compile(
    r"\b(?:(?:the |are |is |its |just )?same|equal|equally|identical|neither|none|no ?one|nobody|a draw|a tie|tied|side by side"
    r"|no difference|both (?:are|is|ran|have|of|a)|both (?:the )?(?:same|equal|half))\b|^both\b|^=$"
)
# "not the same" names no equality, though it holds its words.
_UNEQUAL: Final = re.compile(r"\b(?:not|isn'?t|aren'?t) (?:the |really )?(?:same|equal)|\bunequal\b|\bdifferent\b")
# Without such a word a question offers nothing to choose from.
_COMPARES: Final = re.compile(
    r"\b(?:which|who|compare|more|less|longer|bigger|greater|larger|smaller|further|nearer|closer|or)\b"
)
# "…, so the red one": the conclusion comes before what was said on the way.
_CONCLUDES: Final = re.compile(r"\bso (?:the |it'?s |its |that'?s )?(.+)$")
# "a) 1/2 b) 1/3".
_LETTERED: Final = re.compile(r"\(?\b([a-h])\)\s*(.+?)(?=[,;.]?\s*\(?\b[b-h]\)|[?.]?\s*$)")
# "1/4, 1/3 or 1/2", "Ana or Ben": members of at most 40 characters, so that a sentence is no option. By hand.
_LISTED: Final = re.compile(
    r"(?:[:?]|\b(?:which|who|is|are|than|between|was)\b)?\s*((?:[^,:?]{1,40},\s+)*[^,:?]{1,40}),?\s+or\s+([^,:?.]{1,40})"
)
# Cuts "which is bigger, " off the first member.
_BEFORE_LIST: Final = re.compile(r"^.*\b(?:which is \w+|who|is it|more|is|closer to|nearer to|between)\b[,:]?\s*")
# A listed member with such a word is a piece of the question, no option.
_ASKS: Final = re.compile(r"\b(?:which|who|what|is|are|should)\b")
_ACTS: Final = "says|thinks|has|had|eats|ate|runs?|ran|cuts?|gets|got|drinks|drank|walked|read|wants|is|colou?red|used"
# People: a capital before an acting verb, or within a sentence; A–H and P–S alone are labels ("bar A", "point P").
_NAMES: Final = re.compile(rf"\b([A-Z][a-z]+)\b(?= (?:{_ACTS})\b)|(?<![.?!:] )(?<!^)\b([A-Z][a-z]+)\b|\b([A-HP-S])\b")
# "the first, because …"; not "the first team made a mistake".
_STANDS_ALONE: Final = rf"(?=\W*$|[.,;:!?]| (?:one|option|choice|is|i think)\b| {REASON.pattern})"
# "the first one", "the 2nd", "the left one".
_PLACES: Final = (r"(?:first|1st|left|former)", r"(?:second|2nd)", r"(?:third|3rd)")
_LAST: Final = r"(?:last|latter|right)"


# Both chosen by hand (2026-11-26): "now plus of fractions" was taken for the choice "No, because one piece is bigger."
SHORT_WORD: Final = 3
"""Letters up to which a word is no stem of longer ones."""
WORDS_OF_A_SENTENCE: Final = 4
"""Content words from which an option is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedOption:
    """An option that a question offers."""

    text: str
    """Its letter, else its words."""
    is_right: bool
    patterns: tuple[re.Pattern[str], ...] = ()
    """Patterns that name only this option."""
    words: tuple[re.Pattern[str], ...] = ()
    """Its words that no other option has; a sentence is named by two of them."""
    words_needed: int = 1
    values: frozenset[Fraction | None] = frozenset()
    """Numbers that only this option has."""
    is_equality: bool = False
    """The option that the others are equal."""


def find_options(asked: str, question: str, answer: str) -> list[OfferedOption]:
    """Return the options of a question if the known answer is one of them; else nothing.

    `asked` is the original question; `question` and `answer` come from `spell_in_digits`.
    """
    equality = bool(_EQUAL.search(answer)) and not find_spoken_numbers(answer)
    same = OfferedOption(text="the same", is_right=equality, is_equality=True)
    if _MORE_OR_LESS.search(question):
        more = OfferedOption(text="more", patterns=(MORE,), is_right=bool(MORE.search(answer)))
        return [more, OfferedOption(text="less", patterns=(LESS,), is_right=bool(LESS.search(answer))), same]
    if len(lettered := _LETTERED.findall(question)) > 1:
        letter = re.match(r"\(?([a-h])\b\)?", answer)
        right = letter[1] if letter else next((each for each, words in lettered if words.strip() == answer), "")
        texts, letters = [words for _, words in lettered], [each for each, _ in lettered]
        return _told_apart(texts, letters.index(right) if right in letters else None, letters=letters)
    if not _COMPARES.search(question):
        return []
    listed, names = _listed(question), _names_in(asked)
    if equality:
        return [*_told_apart(listed or [each.text for each in find_spoken_numbers(question)][:2] or names, None), same]
    for offered in (listed, names, _alike_beside(question, answer), _numbers_beside(question, answer)):
        place = next((at for at, each in enumerate(offered) if _is_same(each, answer)), None)
        if place is not None and len(offered) > 1:
            return [*_told_apart(offered, place), same]
    return []


def find_named_option(said: str, question: str, options: Sequence[OfferedOption]) -> OfferedOption | None:
    """Return the option that a reply commits to, or None."""
    said = without_hedge(after_correction(said))
    concluded = None if REASON.search(said) else _CONCLUDES.search(said)
    parts = [*([concluded[1]] if concluded else []), before_reason(said)]
    return next((chosen for part in parts if (chosen := _named(part, question, options))), None)


def _listed(question: str) -> list[str]:
    """Return the members of "a, b or c"."""
    found = _LISTED.search(question)
    if found is None:
        return []
    members = [*re.split(r",\s+", found[1]), found[2]]
    if len(members) > 2:
        members = [each for each in members if not _ASKS.search(each)]
    return [_BEFORE_LIST.sub("", each).strip() if at == 0 else each.strip() for at, each in enumerate(members)]


def _names_in(asked: str) -> list[str]:
    """Return people's names in a question, in lower case: capitalized words before a verb or within a sentence."""
    names = ((acting or inside or letter).lower() for acting, inside, letter in _NAMES.findall(asked))
    return list(dict.fromkeys(each for each in names if each not in STOP))


def _alike_beside(question: str, answer: str) -> list[str]:
    """Return phrases of a question that share the answer's noun: "the red bar" and "the green bar"."""
    words = [each for each in re.findall(r"[a-z]+", answer) if each not in STOP]
    if len(words) != 2:
        return []
    return list(
        dict.fromkeys(re.findall(rf"\b(?!(?:which|the|two|each|every|what|a|one)\b)([a-z]+ {words[1]})\b", question))
    )


def _numbers_beside(question: str, answer: str) -> list[str]:
    """Return the numbers of a question; only fractions and decimals if the answer is one."""
    wanted = {each.value for each in find_spoken_numbers(answer)}
    of_parts = any(each.denominator > 1 for each in wanted if each)
    every = [each for each in find_spoken_numbers(question) if not of_parts or "/" in each.text or "." in each.text]
    return list({each.value: each.text for each in every}.values())


def _is_same(offered: str, answer: str) -> bool:
    """Tell whether an option is the known answer: the same number, or content words that contain the other's."""
    numbers = {each.value for each in find_spoken_numbers(offered)}
    if numbers and not is_worded(offered):
        return numbers == {each.value for each in find_spoken_numbers(answer)}
    one, other = content_words(offered), content_words(answer)
    return bool(one) and bool(other) and (one <= other or other <= one)


def is_worded(answer: str) -> bool:
    """Tell whether an answer is more than a number and its unit."""
    return sum(each[0].isalpha() for each in content_words(NUMBER.sub(" ", answer))) > 1


def _told_apart(texts: Sequence[str], right: int | None, *, letters: Sequence[str] = ()) -> list[OfferedOption]:
    """Return options with what distinguishes each: words, numbers, place, letter."""
    made = []
    for at, text in enumerate(texts):
        others = [each for place, each in enumerate(texts) if place != at]
        # "the first team made a mistake" names no lettered option; "the first is bigger" names a bar.
        alone = _STANDS_ALONE if letters else r"(?! (?:answer|way|idea)\b)"
        patterns = [
            rf"\bthe {each}\b{alone}|\b{each} (?:one|1|thing)\b|^\W*{each}\W*$" for each in _places(at, len(texts))
        ]
        if letters:
            patterns.append(rf"^\W*\(?{letters[at]}\)?(?=\s*(?:$|[.,;:!?]|because\b|since\b|is\b|i think\b))")
        words = content_words(text).difference(*map(content_words, others))
        values = {each.value for each in find_spoken_numbers(text)}.difference(
            each.value for other in others for each in find_spoken_numbers(other)
        )
        # A number that all options have names none of them: "5 melons", "the price of 5 melons".
        said_by_all = set.intersection(*({each.text for each in find_spoken_numbers(other)} for other in texts))
        shared = [
            each.text for each in find_spoken_numbers(text) if each.value not in values and each.text not in said_by_all
        ]
        patterns += [rf"(?<![\d/]){re.escape(each)}(?![\d/])" for each in shared]
        patterns += _by_bottom(text, others)
        made.append(
            OfferedOption(
                text=letters[at] if letters else text,
                is_right=at == right,
                patterns=tuple(map(re.compile, patterns)),
                # "no" is not named by "now", nor "not" by "nothing".
                words=tuple(
                    re.compile(rf"\b{re.escape(each)}{r'\w*' if len(each) > SHORT_WORD else ''}\b")
                    for each in words
                    if not each[0].isdigit()
                ),
                words_needed=2 if len(content_words(text)) >= WORDS_OF_A_SENTENCE else 1,
                values=frozenset(values),
            )
        )
    return made


def _places(at: int, count: int) -> Iterator[str]:
    yield from _PLACES[at : at + 1]
    if at == count - 1:
        yield _LAST
    if count == 3 and at == 1:
        yield "middle"


def _by_bottom(text: str, others: Sequence[str]) -> list[str]:
    """Return patterns that name an option by a denominator only it has: "the sixth", "the one with the 6"."""
    alone = _bottoms(text).difference(*map(_bottoms, others))
    names = "|".join(word for word, size in FRACTION_WORDS.items() if str(size) in alone)
    return (
        [rf"\b(?:{names}|(?:with|has) (?:the |an? )?(?:bottom )?(?:{'|'.join(alone)})(?![/\d])s?)\b"] if names else []
    )


def _bottoms(text: str) -> set[str]:
    return {each.text.partition("/")[2] for each in find_spoken_numbers(text)} - {""}


def _named(part: str, question: str, options: Sequence[OfferedOption]) -> OfferedOption | None:
    """Return the option that a clause names first without denying it."""
    mentions = sorted(_mentions(part, options), key=lambda each: each[0])
    kept = [(place, option) for place, option in mentions if not DENIES.search(part[:place])]
    others = [each for each in options if not each.is_equality]
    if not kept:
        left = [each for each in others if each not in [option for _, option in mentions]]
        return left[0] if mentions and len(left) == 1 and re.match(r"\W*not\b", part) else None
    equality = next((option for _, option in kept if option.is_equality), None)
    if equality is not None and not _UNEQUAL.search(part):
        return equality
    place, option = next((each for each in kept if not each[1].is_equality), (0, None))
    if option is not None and option.values and _says_opposite(part[place:], question):
        left = [each for each in others if each is not option]
        return left[0] if len(left) == 1 else None
    return option


def _says_opposite(part: str, question: str) -> bool:
    """Tell whether "which is more?" is answered with "… is less"."""
    for asks, opposite in ((_ASKS_MORE, _ASKS_LESS), (_ASKS_LESS, _ASKS_MORE)):
        if asks.search(question):
            return bool(opposite.search(part)) and not asks.search(part)
    return False


def _mentions(part: str, options: Sequence[OfferedOption]) -> Iterator[tuple[int, OfferedOption]]:
    for option in options:
        patterns = (_EQUAL,) if option.is_equality else option.patterns
        yield from ((found.start(), option) for each in patterns if (found := each.search(part)))
        named = [found.start() for each in option.words if (found := each.search(part))]
        named += [each.start for each in find_spoken_numbers(part) if each.value in option.values]
        yield from ((place, option) for place in named if len(named) >= option.words_needed)
