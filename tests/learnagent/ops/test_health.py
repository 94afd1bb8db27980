"""How models and periodic jobs are, and running a job at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import ModelCall, PeriodicWork
from agents.periodic_work import (
    PeriodicJob,
    latest_hour,
    latest_minutes,
    latest_night,
    next_due,
    request_run,
    run_due_jobs,
)
from learnagent.ops.health import job_health, model_health
from learnagent.ops.state import connected_breakers
from tests.conversations.provider_helpers import KEY

pytestmark = [pytest.mark.db, pytest.mark.django_db]
MODEL: dict[str, Any] = {
    "BACKEND": "agents.llm.anthropic.AnthropicBackend",
    "OPTIONS": {"model": "big", "api_key": KEY},
}


def fail() -> None:
    raise ValueError("a bug")


def test_models_have_their_last_answer_and_failure(settings: Any) -> None:
    settings.LLMS = settings.LLMS | {"strong": MODEL}
    now = timezone.now()
    for status, ms, age in (("answered", 800, 2), ("answered", 1_000, 1), ("failed", None, 3)):
        ModelCall.objects.create(
            agent="a", backend="anthropic", model="big", status=status, ms=ms, started_at=now - timedelta(hours=age)
        )
    ModelCall.objects.create(agent="a", backend="openai", model="old", status="answered", ms=10)
    big, old = model_health()
    assert (big.name, big.tiers, big.state.words, big.calls, big.failed) == ("anthropic · big", "strong", "ready", 3, 1)
    assert (big.answered_at, big.failed_at) == (now - timedelta(hours=1), now - timedelta(hours=3))
    assert (big.typical, big.slow) == ("0.8 s", "1 s")
    assert (old.state.words, old.tiers) == ("no longer connected", "")


def test_each_backend_of_an_alias_is_shown_with_its_load_and_state(settings: Any) -> None:
    def named(name: str) -> dict[str, Any]:
        return MODEL | {"OPTIONS": MODEL["OPTIONS"] | {"name": name, "max_parallel": 3}}

    settings.LLMS = settings.LLMS | {"strong": [named("a"), named("b"), named("c")]}
    busy, limited, paused = (connected_breakers()[name, "big"] for name in "abc")
    limited.rate_limited_until = limited.circuit.clock() + 3600
    paused.circuit.settle("call", "barred")
    busy.load.start(1.0)
    shown = [(each.name, each.load, each.state.words) for each in model_health()]
    assert shown == [
        ("a · big", "1 of 3", "ready"),
        ("b · big", "0 of 3", "asked us to wait"),
        ("c · big", "0 of 3", "paused after failures"),
    ]


def test_jobs_have_their_last_run_and_their_next() -> None:
    good, bad = (
        PeriodicJob(name=name, latest=latest_hour, do=do) for name, do in (("good", lambda: None), ("bad", fail))
    )
    new = PeriodicJob(name="new", latest=latest_hour, do=fail)
    run_due_jobs([good, bad])
    shown = {each.name: each for each in job_health([good, bad, new])}
    words = {name: each.state.words for name, each in shown.items()}
    assert words == {"good": "done", "bad": "failed: ValueError", "new": "waiting for the worker"}
    assert shown["good"].took.endswith(" s")
    assert shown["good"].next_at == latest_hour(timezone.now()) + timedelta(hours=1)
    assert shown["bad"].next_at == PeriodicWork.objects.get(name="bad").held_until


@pytest.mark.parametrize("latest", [latest_hour, latest_night, latest_minutes(5)])
def test_next_due_time_is_the_first_after_now(latest: Any) -> None:
    job, now = PeriodicJob(name="x", latest=latest, do=fail), timezone.now()
    due = next_due(job, now)
    assert latest(due) == due > now
    assert latest(due - timedelta(seconds=1)) == latest(now)


def test_job_is_run_at_once_when_asked_for_even_after_a_failure() -> None:
    done: list[str] = []
    job = PeriodicJob(name="job", latest=latest_night, do=lambda: done.append("again"))
    run_due_jobs([PeriodicJob(name="job", latest=latest_night, do=fail)])
    assert run_due_jobs([job]) == []
    assert request_run("job")
    assert run_due_jobs([job]) == ["job"]
    PeriodicWork.objects.update(held_until=timezone.now() + timedelta(minutes=1))
    assert not request_run("job")
    assert done == ["again"]


def test_admin_runs_a_job_of_the_list_and_no_other(root: Any) -> None:
    client = Client()
    client.force_login(root)
    PeriodicWork.objects.create(name="phone calls of a day ago", done_for=timezone.now())
    page = client.get("/ops/health/").text
    assert "Phone calls of a day ago" in page
    assert "No language model is connected" in page
    answer = client.post("/ops/jobs/run/", {"job": "phone calls of a day ago"}, follow=True)
    assert "The worker will run the job" in answer.text
    assert PeriodicWork.objects.get().done_for is None
    assert client.post("/ops/jobs/run/", {"job": "rm"}).status_code == 404
