"""The tutor's phrases without words that only a page bears out, such as "on the card", for callers who see none."""

import re
from typing import Final

# The hint or the solution is read right after the phrase, so that a sentence about where it stands is left out, unless
# it also says what to do with it.
_RULES: Final[tuple[tuple[str, str], ...]] = (
    (r"Compare it with the hint on the card, then try again\.", "Here is a hint. Then try again."),
    (r"(?:The second hint on )?[Tt]he card shows (?:the idea behind the question|the idea you need)\.", "Here is the idea you need."),
    (r"(?:[Tt]he (?:first )?hint on the card shows where to look first)\.", "Here is where to look first."),
    (r"You haven’t used the hint on the card yet\.", "You haven’t used the hint yet."),
    (r"All the hints are on the card now\.", "You’ve had all the hints."),
    (r"[^.?!]*\bhint\b[^.?!]*\bcard\b[^.?!“”]*[.?!]|[^.?!]*\bcard has another hint\b[^.?!]*[.?!]", ""),
    (r"Read it, then try again\.", "Listen to the hint, then try again."),
    (r"There is a smaller question on the card\.", "Here is a smaller question."),
    (r"The card shows how to solve (it|a similar question)\.", r"Here is how to solve \1."),
    (r"(?:The solution is|You can see the solution|Take a look at the solution) on the card(?: now)?\.", "Here is the solution."),
    (r"Every step is on the card\. Follow", "Here is every step. Follow"),
    (r"Read it (slowly, step by step|line by line)\.", "Take it line by line."),
    (r"Use the card to answer", "Say your answer"),
    (r"Put your answer on the card", "Say your answer"),
    (r"Try the card, or say", "Say"),
    (r"The card has some to choose from, or you can write your own\.", "Say it in your own words."),
    (r"Choose from what the card shows\.", "Choose from what you heard."),
    (r"something that isn’t on the card", "something that wasn’t there to choose"),
    (r" on the card(?: now)?\b", ""),
    (r"\bPress\b", "Say"),
    (r"\bpress\b", "say"),
)  # fmt: skip
_PATTERNS: Final = tuple((re.compile(pattern), words) for pattern, words in _RULES)


def without_page_words(text: str) -> str:
    """Return a reply's text as it is said where there is no page; other texts are unchanged."""
    if "card" not in text and "ress" not in text:
        return text
    for pattern, words in _PATTERNS:
        text = pattern.sub(words, text)
    return text.strip()
