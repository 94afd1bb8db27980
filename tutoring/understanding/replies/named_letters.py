"""The choice that a message names: "I checked it twice: B", "A but it's probably wrong", "is it the second one?"."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tutoring.understanding.parsing.assertions import plain_text, sentences
from tutoring.understanding.parsing.commitments import REASON, before_reason, without_hedge

# A capital stands for a choice wherever it stands alone, but for "A", ":D" and "D:". The rest are words, so they count
# only at an end of the message or before what cannot follow an article or a noun.
_CAPITAL: Final = re.compile(r"(?<![\w'’/:;=.])\(?([B-H])\)?(?![\w'’/]|:(?:\W|$))")
INTERJECTION: Final = r"(?:o+h+|a+h+|u+h+|u+m+|h+m+|u+gh+|e+r+m*|o+k+(?:ay)?|yes+|yea+h?|yep)"
_BEFORE: Final = r"(?=\)?\s*(?:$|[.,;:!)]|\b(?:but|and|because|cause|cuz|bc|since|i|i'?m|im|it'?s|prob\w*|maybe|pls|please|lol|then|right)\b))"
_WORDLIKE: Final = re.compile(
    rf"^\W*(?:{INTERJECTION}\W+)*([a-h]){_BEFORE}|\b(?:is|it'?s|answer|letter|option|choose|pick|take|say|with|prob\w*|maybe)\W+([a-h]){_BEFORE}|[:,]\s+([a-h])\W*$"
    rf"|(?<![\w'’:;=])(?<!plan )(?<!grade )(?<!vitamin )(?<!or )\b([b-h])[.!)]*$",
    re.IGNORECASE,
)
# "…, so it is A", "then it's B, because …": the conclusion of a long message.
_SO_IT_IS: Final = re.compile(
    rf"\b(?:[Ss]o|[Tt]hen) (?:it'?s|it is|i (?:say|pick|choose|take)|the answer is) (?:answer )?([A-H])(?=\W*$|,? {REASON.pattern})|\b[Ss]o ([A-H])\W*$"
    rf"|\bI (?:would |will |'?ll |'?d )?(?:say|pick|choose|take|go with) ([A-H])(?=\W*$|[.,;!]|,? {REASON.pattern})",
)
# "B is true", "A and D fit".
_FITS: Final = re.compile(r"(?<![\w'’])([A-H])(?= (?:is|are|and|fits?|too)\b|,)")
_ALONE: Final = re.compile(r"(?<![\w'’])(?:[B-H](?![\w'’])|A(?=\W*(?:$|[,.;!&+]|and\b)))")
# "why is B wrong", "what does C mean", "not B", "B or C": the letter is talked about.
_ABOUT: Final = re.compile(
    r"^\W*(?:(?:but|and|so|ok|wait)\W+)*(?:why|what|how|which|where|who|when|do|does|did|can|could|if)\b|\?|\b(?:or|than)\b"
    r"|\b(?:not|never|isn'?t|aren'?t)\b(?:\W+\w+){0,2}?\W+[a-h]\b(?!\w)|\b[a-h]\W+(?:\w+\W+){0,2}?(?:not|never|isn'?t|can'?t|doesn'?t)\b",
    re.IGNORECASE,
)
# "the second one", "is it the last one?", "i pick the first answer"; not "the second", which may be time.
_PLACE: Final = re.compile(
    r"^\W*(?:(?:is it|it'?s|its|i (?:think|guess|pick|choose|say|take|mean)|i'?d (?:say|pick|choose|take)|maybe|so|ok|um+|or|then)\W+)*(?:the )?"
    rf"(first|second|third|fourth|fifth|last) (?:one|answer|option|choice)(?=\W*$|[,.;:!](?! but\b)| {REASON.pattern})",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[\w'’]+")
_PLACED_ONE: Final = re.compile(r"\b(first|second|third|fourth|fifth|last) ones?\b")
# "…, so the second and the third".
_CONCLUSION: Final = re.compile(r"\bso(?: it'?s| i (?:say|pick|choose))? (?!that\b)([^.!?]+)")
# "i said the third, not c".
_NOT_THE_OTHER: Final = re.compile(r"[\s,]*\bnot [a-h]\W*$")
# "[0, 2, 1]", "(3, -1)": nothing but numbers.
_NUMBERS: Final = re.compile(r"[\s\[\](){},;]*(?:[-−–]?\d+(?:\.\d+)?[\s\[\](){},;]*){2,}")
_NUMBER: Final = re.compile(r"(?<![\w.])[-−–]?\d+(?:\.\d+)?(?![\w])")
_DENIED: Final = re.compile(r"(?:\b(?:not|never|no)|n'?t)\b(?: \w+){0,4}\s*$")
# "Ana: 4x = 24".
_SPEAKER: Final = re.compile(r"([A-Z][a-z]+)(?::|$)")
_NAMED_FIRST: Final = re.compile(
    r"\W*(?:(?:then|so|it'?s|its|i (?:think|say|said|mean|meant)|ok|maybe)\W+)*([a-z]+)(?=\W*$|[,.;!:]| (?:is right|because|cos|cuz|bc|since)\b)"
)
_PLACES: Final = ("first", "second", "third", "fourth", "fifth")
# "the first two are true", "first, third and fourth fit".
_FITTING: Final = re.compile(
    rf"\b(?:(?:the )?first (?P<so_many>two|three|2|3)|(?P<places>(?:(?:the )?(?:{'|'.join(_PLACES)})(?: ones?)?(?:,? (?:and )?)?)+))"
    r"(?: ones?)? ?(?:are|is|fits?) ?(?:true|right|correct|equal)?\b(?! (?:not|false|wrong))"
)
_COUNTS: Final = ("one", "two", "three", "four", "five")
_NUMBERED: Final = re.compile(rf"\bnumber ({'|'.join(_COUNTS)})\b", re.IGNORECASE)
_SHORT_ORDINAL: Final = re.compile(r"\b([1-5])(?:st|nd|rd|th)\b", re.IGNORECASE)
_ORDINAL: Final = re.compile(rf"\b(?:{'|'.join(_PLACES)})\b", re.IGNORECASE)
_MOST_WORDS_BESIDE: Final = 5
"""Words beside the texts of choices in a message that is nothing but an answer. Chosen by hand."""
_FEWEST_WORDS: Final = 3
"""Words from which the beginning of a choice's text names it. Chosen by hand."""
_MOST_WORDS: Final = 12
"""Words of a message that still is an answer; longer ones tell a story. Chosen by hand."""


_MOST_WORDS_OF_A_NAME: Final = 2
"""Words of a choice that is a name or a term. Chosen by hand."""
_ABOUT_CHOICE: Final = re.compile(
    r"\?|^\W*(?:(?:but|and|so|ok|wait)\W+)*(?:why|what|how|which|where|who|when)\b|\bor\b"
)
_MOST_WORDS_OF_A_VERDICT: Final = 8
"""Words of a sentence that names a letter. Chosen by hand."""


def find_named_letter(text: str, letters: Collection[str]) -> str:
    """Return the one letter of `letters` (capitals) that a message gives as its answer; empty for none or several."""
    parts = sentences(text)
    if len(text.split()) > _MOST_WORDS or len(parts) > 1:
        # "I suppose it is C, because return shows nothing and nobody prints the value".
        told = text[: len(before_reason(text.lower()))].strip()
        if told and told != text.strip() and len(told.split()) <= _MOST_WORDS:
            return find_named_letter(told, letters)
        # "I counted 7 parts on A and the dot is on the 3rd, so it is A": only the conclusion is the answer.
        concluded = {str(next(filter(None, each.groups()))) for each in _SO_IT_IS.finditer(text)} & set(letters)
        if len(concluded) == 1:
            return concluded.pop()
        # "An awful day is bad luck, whether I shout or not. That is C, I suppose."
        verdicts = (
            find_named_letter(each, letters)
            for each in parts
            if len(each.split()) <= _MOST_WORDS_OF_A_VERDICT and len(parts) > 1
        )
        named = {each for each in verdicts if each}
        return named.pop() if len(named) == 1 else ""
    if _ABOUT.search(text.partition(" but ")[0]):
        return ""
    found = {each for match in _WORDLIKE.finditer(text) for each in match.groups() if each}
    found |= {match[1] for match in _CAPITAL.finditer(text)}
    named = {each.upper() for each in found} & set(letters)
    return named.pop() if len(named) == 1 else ""


def find_named_letters(text: str, letters: Collection[str]) -> str:
    """Return the letters of `letters` that a message says fit, in a row: "I think B is true and E is true because …"."""
    told = text[: len(before_reason(text.lower()))]
    if _ABOUT.search(told):
        return ""
    fitting = [each for each in dict.fromkeys(_FITS.findall(told)) if each in letters]
    # "so A and B, and tired people need coffee, E".
    alone = [each for each in dict.fromkeys(_ALONE.findall(told)) if each in letters]
    return " ".join(fitting if len(fitting) > len(alone) else alone)


def find_contained_choices(text: str, choices: Mapping[str, str]) -> str:
    """Return the letters of all choices whose texts a message holds, in a row: "the pull of the moon and that of the sun"; empty for none.

    What is left of the message must be little, so that the choices are its answer.
    """
    said = f" {' '.join(_without_articles(text))} "
    letters, left = [], said
    for letter, each in sorted(choices.items(), key=lambda choice: -len(choice[1])):
        words = f" {' '.join(_without_articles(each))} "
        if words.strip() and words in left and not _DENIED.search(left.partition(words)[0]):
            letters.append(letter)
            left = left.replace(words, " ", 1)
    is_answer = letters and len(left.split()) <= _MOST_WORDS_BESIDE and "?" not in text
    return " ".join(sorted(letters)) if is_answer else ""


def _without_articles(text: str) -> list[str]:
    return [each for each in _WORDS.findall(plain_text(text)) if each not in ("the", "a", "an")]


def find_placed_letters(words: str, letters: Sequence[str]) -> str:
    """Return the letters of the choices that a message says fit by their places, in a row: "the first two are true".

    Only its first sentence that says so counts. `words` are plain.
    """
    found = _FITTING.search(words)
    if found is None or "?" in words:
        return ""
    if found["so_many"]:
        return " ".join(letters[: {"two": 2, "three": 3, "2": 2, "3": 3}[found["so_many"]]])
    named = [_PLACES.index(each) for each in re.findall("|".join(_PLACES), found["places"])]
    return " ".join(letters[at] for at in dict.fromkeys(named) if at < len(letters)) if len(named) > 1 else ""


def spell_ordinals(text: str) -> str:
    """Return a text with its ordinals in words: "the 2nd and number three" is "the second and the third"."""
    numbered = _NUMBERED.sub(lambda found: f"the {_PLACES[_COUNTS.index(found[1].lower())]}", text)
    return _SHORT_ORDINAL.sub(lambda found: _PLACES[int(found[1]) - 1], numbered)


def names_places(text: str) -> bool:
    """Tell whether a choice names places itself: "Only the second"."""
    return _ORDINAL.search(text) is not None


def find_choice_by_place(text: str, letters: Sequence[str]) -> str:
    """Return the letter of the choice whose place a message names ("the second one"); empty for none."""
    found = _PLACE.match(text)
    if found is None or not letters:
        return ""
    place = -1 if found[1].lower() == "last" else _PLACES.index(found[1].lower())
    return letters[place] if place < len(letters) else ""


def find_told_choice(text: str, choices: Mapping[str, str]) -> str:
    """Return the letter of the only choice whose whole text a message gives as its answer; empty for none.

    "23 because 14 + 9 is 23" and "9 more than 14, so the 23" give the choice 23. `choices` are texts by letter.
    """
    plain = plain_text(text)
    first = _NOT_THE_OTHER.sub("", without_hedge(before_reason(plain)))
    for part in (first, *_CONCLUSION.findall(plain)[-1:]):
        told = _words_of(part)
        if told[-1:] == ["right"]:
            told.pop()  # "1 2 3 4 right?"
        found = [letter for letter, each in choices.items() if told and _words_of(plain_text(each)) == told]
        if len(found) == 1:
            return found[0]
    return ""


def find_listed_choice(text: str, choices: Mapping[str, str]) -> str:
    """Return the letter of the choice that lists a message's numbers in their order; empty if not all choices are lists.

    "first 0 marks, then 2 links, 1 because I know them" gives [0, 2, 1]. `choices` are texts by letter.
    """
    if not choices or not all(_NUMBERS.fullmatch(each) for each in choices.values()):
        return ""
    told = _numbers_of(text)
    return next((letter for letter, each in choices.items() if _numbers_of(each) == told), "")


def _numbers_of(text: str) -> list[str]:
    return [re.sub("[−–]", "-", number) for number in _NUMBER.findall(text)]


def _words_of(text: str) -> list[str]:
    """Return a text's words and signs, without articles and the commas and stops that are left out in chats."""
    plain = _PLACED_ONE.sub(r"\1", re.sub(r"[,;!?]|\.(?!\d)", " ", text))
    return [each for each in plain.split() if each != "the"]


def find_contained_choice(text: str, choices: Mapping[str, str], *, fewest: int = _FEWEST_WORDS) -> str:
    """Return the letter of the only choice whose text a message holds in full: "the neuron takes it, since the sum is 2".

    Empty if it is denied or asked about. `choices` are texts by letter; of those within each other the longest counts.
    `fewest`: the words that a choice must have.
    """
    said = " ".join(_WORDS.findall(plain_text(text)))
    texts = {letter: " ".join(_WORDS.findall(plain_text(each))) for letter, each in choices.items()}
    held = {
        letter: each for letter, each in texts.items() if len(each.split()) >= fewest and f" {each} " in f" {said} "
    }
    longest = [
        letter for letter, each in held.items() if not any(each in other for other in held.values() if other != each)
    ]
    if len(longest) != 1 or text.rstrip().endswith("?"):
        return ""
    return "" if _DENIED.search(said.partition(held[longest[0]])[0]) else longest[0]


def find_short_choice(text: str, choices: Mapping[str, str]) -> str:
    """Return the letter of the only short choice that a message names: "it is not int, I simply mean that the type is str".

    Of several the one that the last sentence names alone. Empty where some choice is longer, or a number: other numbers of
    a message are no choices.
    """
    texts = {letter: _WORDS.findall(plain_text(each)) for letter, each in choices.items()}
    are_short = all(0 < len(words) <= _MOST_WORDS_OF_A_NAME and not words[0][0].isdigit() for words in texts.values())
    if not are_short or _ABOUT_CHOICE.search(plain_text(text)):
        return ""
    for part in (text, *sentences(text)[-1:]):
        said = " ".join(_WORDS.findall(plain_text(part)))
        named = {
            letter
            for letter, words in texts.items()
            for found in re.finditer(rf"(?<!\S){re.escape(' '.join(words))}(?!\S)", said)
            if not _DENIED.search(said[: found.start()])
        }
        if len(named) == 1:
            return named.pop()
    return ""


def find_person(text: str, choices: Mapping[str, str]) -> str:
    """Return the letter of the only choice that begins with the name that a message begins with: "bo, he divides first".

    Empty if the choices are not what different people say: "Ana: 4x = 24".
    """
    people = {letter: found[1].lower() for letter, each in choices.items() if (found := _SPEAKER.match(each))}
    if len(people) < len(choices) or len(set(people.values())) < len(people):
        return ""
    told = _NAMED_FIRST.match(plain_text(text))
    return next((letter for letter, name in people.items() if told and name == told[1]), "")


def find_begun_choice(text: str, choices: Mapping[str, str]) -> str:
    """Return the letter of the only choice whose text begins with a message's words, at least half of it; else empty.

    `choices` are texts by letter.
    """
    said = _WORDS.findall(plain_text(text))
    if len(said) < _FEWEST_WORDS:
        return ""
    texts = {letter: _WORDS.findall(plain_text(each)) for letter, each in choices.items()}
    begun = [letter for letter, words in texts.items() if words[: len(said)] == said]
    return begun[0] if len(begun) == 1 and 2 * len(said) >= len(texts[begun[0]]) else ""
