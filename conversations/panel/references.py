"""What "it" and "they" in a message refer to: the concept that the conversation was about last."""

import re
from collections.abc import Iterable
from typing import Final

from conversations.search.passage_quotes import content_words

LONGEST: Final = 200
"""Characters of a message in which a pronoun may refer to an earlier one; a longer message names its own subject. Chosen by hand."""
# Not "is it true that …", "it is raining": there the pronoun stands for no concept.
_PRONOUN = re.compile(
    r"(?<!\bis )\bit\b(?! (?:is|was)\b)|\b(?:its|they|them|their)\b|(?<=\babout )(?:that|this|these|those)\b(?=\W*$)"
    r"|(?<=\bdoes )(?:that|this)\b(?= (?:work|mean))",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:please )?(?:tell|show|give|explain)(?: to)? me (?:some )?more\W*|more(?: about (?:it|that|this))?\W*",
    re.IGNORECASE,
)


def refers_back(text: str, *, names: Iterable[str]) -> bool:
    """Tell whether a message is about an earlier one; `names` are the concepts that it names itself."""
    if len(text) > LONGEST or any(names):
        return False
    found = _PRONOUN.search(text)
    # "How do wombats keep their burrows": an owner stands in front of what is owned.
    is_owned = found is not None and found[0].casefold() in ("its", "their") and content_words(text[: found.start()])
    return bool(_MORE.fullmatch(text.strip()) or (found and not is_owned))


def with_reference(text: str, concept: str) -> str:
    """Return a message with the concept in the place of the words that refer to it."""
    if not concept:
        return text
    if _MORE.fullmatch(text.strip()):
        return f"Tell me about {concept}"
    said = _PRONOUN.sub(concept, text, count=1)
    return said if content_words(said) != content_words(concept) else f"Tell me about {concept}"
