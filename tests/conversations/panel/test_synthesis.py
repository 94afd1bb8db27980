"""What a model may say in the final answer: what its sources bear out, and no figure that stands in none of them."""

import pytest

from agents.tools import Source
from conversations.panel.results import QuotedFact, ResearchResult
from conversations.panel.synthesis import find_problem, quoted_words

FACT = QuotedFact(
    statement="Attention was introduced in 2014.",
    passage="Attention was introduced in 2014. It weighs words by 0.5 at most.",
    source_id="passage-1",
)
KNOWN = f"When was attention introduced?\n[1] Attention:\n«{FACT.passage}»"


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("Attention was introduced in 2014 [1].", ""),
        ("Attention was introduced in 2014 [2].", "source"),
        ("A cat in Berlin built it [1].", "unsupported"),
        ("Here are 2 things to know. Attention was introduced in 2014 [1].", ""),
        ("1. Attention was introduced in 2014 [1].", ""),
        ("It came in 2014, and weighs by 0.5.", ""),
        ("It was introduced in 1950.", "unsupported"),
        ("It weighs words by 0.7.", "unsupported"),
        ("Attention was introduced in 2014 [1]. A cat did it in 1950.", "unsupported"),
    ],
)
def test_answer_says_what_its_sources_say(said: str, problem: str) -> None:
    assert find_problem(said, [FACT], known=KNOWN) == problem


def test_result_of_a_search_with_a_script_is_quoted_as_plain_words() -> None:
    hit = Source(id="web-1", title="Tides <script>alert(1)</script>", url="https://tides.test/", type="web")
    fact = QuotedFact(
        statement="Tides rise <img src=x onerror=alert(1)> [twice](javascript:alert(1)) a day.", source_id="web-1"
    )
    (words,) = quoted_words(ResearchResult(facts=(fact,), sources=(hit,)))
    assert not set("<>`*") & set(words)
    assert words.count("](") == 1
    assert "](https://tides.test/)" in words
