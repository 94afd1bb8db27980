"""The worker as a process of its own, and what it does with an order when it is killed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.tutoring.question_writing.conftest import scripted
from tests.tutoring.question_writing.drafts import draft
from tutoring.models import WrittenQuestion

ROOT = Path(__file__).parents[3]
PATIENCE_S = 90


@pytest.fixture
def environment(transactional_db, half, tmp_path, provider):
    """A data folder with one order, whose task was lost, and a model to write it."""
    if connection.vendor != "sqlite":
        pytest.skip("copies the tests' SQLite file")
    WrittenQuestion.objects.create(concept=half)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "learnagent.sqlite3")])
    return os.environ | {
        "LEARNAGENT_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": "", "LLM_PROVIDER": "openai",
        "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": f"{provider.url}/v1", "OPENAI_MODEL": "fake-strong",
    }  # fmt: skip


@pytest.fixture
def work(environment):
    """Return a function that starts a worker."""
    started = []

    def start():
        command = [sys.executable, "manage.py", "work"]
        started.append(subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_killed_workers_order_is_written_by_the_next_one(work, provider, environment):
    """F5, G8: kill -9 in the middle of a job loses no order, and pays for no question twice over."""
    scripted(provider, draft(), "9")
    provider.fault("V13", times=1)
    first = work()
    provider.wait_for(1, timeout_s=PATIENCE_S)
    first.kill()
    first.wait()
    second = work()
    provider.wait_for(3, timeout_s=PATIENCE_S)
    second.send_signal(signal.SIGTERM)
    assert second.wait(PATIENCE_S) == 0
    with sqlite3.connect(Path(environment["LEARNAGENT_DATA"]) / "learnagent.sqlite3") as database:
        rows = database.execute("SELECT status, tries, item FROM tutoring_writtenquestion").fetchall()
    assert [(status, tries) for status, tries, _item in rows] == [("checked", 2)]
    assert json.loads(rows[0][2])["answer"] == "9"
    assert len(provider.requests) == 3
