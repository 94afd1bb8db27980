"""A text described by the claims in it, as the classifiers read it."""

from tutoring.understanding.parsing.arithmetic import describe_claims
from tutoring.understanding.parsing.assertions import plain_text


def describe_text(text: str) -> str:
    """Return a plain text with descriptions of its numeric claims."""
    return describe_claims(" ".join(plain_text(text).split()))
