"""Asking whether a person has a feature, and comparing both sides of a flag."""

import uuid
from datetime import timedelta
from decimal import Decimal
from functools import cache
from time import process_time

from bench.contenders import temporary_django

CHECKS = 20_000
PEOPLE, TURNS_EACH = 2_000, 50
"""What is compared: 100,000 turns of the last two weeks."""


def sample_checks() -> dict[str, float]:
    """Ours: a check whose rule is cached, in µs of CPU: by the share alone, and with a thousand people on each list."""
    temporary_django.prepare_django()
    from agents.rollout.flags import change_flag, is_enabled
    from agents.rollout.people_counts import CountedPerson

    person = CountedPerson(username="ada", audiences=frozenset({"class:4b"}))
    change_flag("multi_agent", percent=Decimal(25))
    share = _us_each(lambda: is_enabled("multi_agent", person))
    change_flag(
        "multi_agent",
        allowed=[f"p{number}" for number in range(999)],
        never={f"n{number}": "2099-12-31" for number in range(999)},
        class_percents={"4a": "50"},
    )
    return {"share_us": share, "list_us": _us_each(lambda: is_enabled("multi_agent", person), checks=CHECKS)}


def _us_each(check: object, *, checks: int = CHECKS) -> float:
    assert callable(check)
    check()
    started = process_time()
    for _ in range(checks):
        check()
    return (process_time() - started) * 1_000_000 / checks


def sample_comparison() -> dict[str, float]:
    """Ours: the comparison on a flag's page, in s of CPU."""
    temporary_django.prepare_django()
    from agents.rollout.comparison import compare, window_of
    from agents.rollout.flags import get_or_make_flag

    _store_turns()
    started = process_time()
    found = compare(window_of(get_or_make_flag("multi_agent")))
    assert sum(sums.people for sums in found[0].sums.values()) == PEOPLE
    return {"comparison_s": process_time() - started}


@cache
def _store_turns() -> None:
    """Store them once for all rounds."""
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from conversations.models import Session, Turn

    people = get_user_model().objects.bulk_create([get_user_model()(username=f"p{n}") for n in range(PEOPLE)])
    sides = ({"multi_agent": "in"}, {"multi_agent": "out"})
    sessions = Session.objects.bulk_create(
        [Session(owner=person, key="s", flags=sides[number % 2]) for number, person in enumerate(people)]
    )
    now, metadata = timezone.now(), {"total_time_ms": 900.0, "cost_usd": 0.01, "fallback": False}
    turns = [
        Turn(
            session=session,
            owner=session.owner,
            number=number + 1,
            client_id=uuid.uuid4().hex,
            body_hash="",
            status="done",
            created_at=now - timedelta(hours=6 * number + 1),
            finished_at=now,
            answer={"metadata": metadata},
        )
        for session in sessions
        for number in range(TURNS_EACH)
    ]
    Turn.objects.bulk_create(turns, batch_size=2_000)
