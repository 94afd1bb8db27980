"""How well messages are routed, judged on a frozen set that no rule and no example was made on.

Nobody who writes rules or examples reads its rows: a failure shows counts only.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from agents.routing.classifier import load_classifier
from tutoring.understanding.routing.agent_selection import EXAMPLES, select_agent

LINES = Path(__file__).parent / "routing" / "team_messages.jsonl"
IN_SCOPE, OUT_OF_SCOPE, REFUSED = 0.90, 0.80, 0.03
"""Share that must go right, share that must be turned away, and share that may be turned away in error."""

type Routes = Mapping[tuple[str, str], int]
"""(Right agent, agent chosen) → messages; "none" is out of scope."""


@cache
def routes() -> Routes:
    rows = [json.loads(line) for line in LINES.read_text(encoding="utf-8").splitlines()]
    return Counter((row["agent"] or "none", select_agent(row["text"]).agent or "none") for row in rows)


def share(of: Routes, among: Routes) -> float:
    return sum(of.values()) / sum(among.values())


def in_scope(every: Routes) -> Routes:
    return {pair: count for pair, count in every.items() if pair[0] != "none"}


def table(every: Routes) -> str:
    return "\n".join(f"{right:<12} -> {chosen:<12} {count:>3}" for (right, chosen), count in sorted(every.items()))


def test_the_classifier_takes_part_with_its_model() -> None:
    assert load_classifier(EXAMPLES).uses_model


def test_messages_reach_their_agent() -> None:
    wanted = in_scope(routes())
    right = {pair: count for pair, count in wanted.items() if pair[0] == pair[1]}
    assert share(right, wanted) >= IN_SCOPE, table(routes())


def test_what_is_out_of_scope_is_turned_away() -> None:
    unwanted = {pair: count for pair, count in routes().items() if pair[0] == "none"}
    turned_away = {pair: count for pair, count in unwanted.items() if pair[1] == "none"}
    assert share(turned_away, unwanted) >= OUT_OF_SCOPE, table(routes())


def test_hardly_anybody_is_turned_away_in_error() -> None:
    wanted = in_scope(routes())
    refused = {pair: count for pair, count in wanted.items() if pair[1] == "none"}
    assert share(refused, wanted) < REFUSED, table(routes())
