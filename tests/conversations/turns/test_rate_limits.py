"""What is counted for a person is counted in the database: over all processes."""

import os
import subprocess
import sys
from contextlib import ExitStack

import pytest
from django.db import connection

from conversations.models import Turn

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

LIMIT = 5


def test_limit_a_minute_holds_over_two_processes(ada):
    """L1: both ask at once, and no more than the limit gets by."""
    arguments = [str(connection.settings_dict["NAME"]), str(ada.pk), str(LIMIT), str(LIMIT)]
    command = [sys.executable, "-m", "tests.conversations.other_process", *arguments]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "learnagent.settings"}
    with ExitStack() as ends:
        processes = []
        for _ in range(2):
            process = ends.enter_context(
                subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            )
            ends.callback(process.kill)
            processes.append(process)
        assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        accepted = [int(process.stdout.readline()) for process in processes]
    assert sum(accepted) == LIMIT == Turn.objects.count()
