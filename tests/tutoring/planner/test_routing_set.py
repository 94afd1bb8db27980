"""How well messages are routed to the companion's agents, judged on a frozen set that no rule, word or example was made on.

Nobody who writes rules, words or examples reads its rows: a failure shows counts only.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from agents.routing.classifier import load_classifier
from tutoring.planner.routing import EXAMPLES, decide_by_words, route_companion

LINES = Path(__file__).parent / "labelled" / "routing.jsonl"
IN_SCOPE, OUT_OF_SCOPE, WORDS_WRONG = 0.95, 0.80, 0.02
"""Share that must go right, share that must be turned away, and share of what words decide that may be wrong."""

type Routes = Mapping[tuple[str, str], int]
"""(Right agent, agent chosen) → messages; "none" is out of scope."""

pytestmark = pytest.mark.django_db


def rows() -> list[tuple[str, str]]:
    read = [json.loads(line) for line in LINES.read_text(encoding="utf-8").splitlines()]
    return [(row["text"], row["agent"] or "none") for row in read]


@cache
def routes() -> Routes:
    return Counter((agent, route_companion(text).agent or "none") for text, agent in rows())


def right(every: Routes) -> int:
    return sum(count for (agent, chosen), count in every.items() if agent == chosen)


def table(every: Routes) -> str:
    """Return the confusion matrix: a row for each right agent, a column for each chosen one."""
    names = sorted({name for pair in every for name in pair})
    head = f"{'right':<8}" + "".join(f"{name:>8}" for name in names)
    body = [f"{name:<8}" + "".join(f"{every.get((name, other), 0):>8}" for other in names) for name in names]
    return "\n".join([head, *body])


def test_the_classifier_takes_part_with_its_model() -> None:
    assert load_classifier(EXAMPLES).uses_model


def test_messages_reach_their_agent() -> None:
    wanted = {pair: count for pair, count in routes().items() if pair[0] != "none"}
    print(table(routes()))
    assert right(wanted) / sum(wanted.values()) >= IN_SCOPE, table(routes())


def test_what_is_out_of_scope_is_turned_away() -> None:
    unwanted = {pair: count for pair, count in routes().items() if pair[0] == "none"}
    assert right(unwanted) / sum(unwanted.values()) >= OUT_OF_SCOPE, table(routes())


def test_words_alone_are_hardly_ever_wrong() -> None:
    decided = [(agent, found.agent or "none") for text, agent in rows() if (found := decide_by_words(text))]
    by_words = Counter(decided)
    print(table(by_words))
    assert sum(by_words.values()) - right(by_words) <= WORDS_WRONG * sum(by_words.values()), table(by_words)
