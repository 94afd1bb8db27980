"""English words for whole numbers."""

from typing import Final

_SMALL: Final = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"

SMALL: Final = _SMALL.split()
"""The words of 0 to 19."""
TENS: Final = _TENS.split()
"""The words of 20, 30 and so on to 90."""
VALUES: Final = {word: value for value, word in enumerate(SMALL)} | {
    word: value for value, word in zip(range(20, 100, 10), TENS, strict=True)
}


def number_words(number: int) -> str:
    """Return a number in words up to 99, in digits from 100 on, which voices read well."""
    if number < 20:
        return SMALL[number]
    if number >= 100:
        return str(number)
    tens, ones = TENS[number // 10 - 2], number % 10
    return f"{tens}-{SMALL[ones]}" if ones else tens
