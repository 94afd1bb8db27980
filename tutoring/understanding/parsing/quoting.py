"""Short quotations of a learner's words that are safe to show."""

import re

QUOTE_WORDS = 12
LETTERS_A_WORD = 7
_MARKUP = re.compile(r"[*_`#<>|~^$\\!?\"“”]+")
# "[3, 4]" is a list, "[here](address)" a link.
_LINK = re.compile(r"\](?=[(\[:])|\[(?=[^\]]*\][(\[:])")


def quote_words(text: str, *, words: int = QUOTE_WORDS) -> str:
    """Return a learner's words short enough to repeat, on one line, without anything Markdown would read."""
    every, length = _MARKUP.sub("", _LINK.sub("", text)).split(), words * LETTERS_A_WORD
    short = " ".join(every[:words])[:length].strip(" .,;:")
    return f"{short} …" if len(every) > words or len(" ".join(every)) > length else short
