"""Judge a short text by the ideas it should hold, or by how much of a reference answer it covers."""

from .keys import TextKey
from .verdicts import Judgement, judged


def judge_text(key: TextKey, answer: str) -> Judgement:
    """Return the judgement of a text."""
    return judged("wrong")
