"""The worker beside the server: started again when it dies, ended with it."""

import asyncio
import os
import socket
import subprocess
import sys

import pytest
from django.db import OperationalError

from agents.storage.availability import database
from learnagent.configuration.environment import ROOT
from learnagent.management.commands import work
from learnagent.operations.worker_process import keep_worker_running

PATIENCE_S = 60
GREETS = "import socket, sys; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'here'); "
"""A child that says it is there over a socket, which closes when it dies."""


class Greeted:
    """Hears the children of a test greet and die."""

    def __init__(self):
        self.greeted, self.died = asyncio.Queue(), asyncio.Queue()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._hear, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *exc):
        self.server.close()

    def child(self, then, *, first=""):
        port = self.server.sockets[0].getsockname()[1]
        return (sys.executable, "-S", "-c", first + GREETS.format(port=port) + then)

    async def _hear(self, reader, writer):
        await reader.readexactly(4)
        await self.greeted.put(True)
        await reader.read()
        writer.close()
        await self.died.put(True)


async def soon(awaited):
    async with asyncio.timeout(PATIENCE_S):
        return await awaited


async def cancelled(task):
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(task)


async def test_dead_worker_is_started_again():
    async with Greeted() as children:
        kept = asyncio.create_task(keep_worker_running(children.child("sys.exit(3)"), first_pause_s=0))
        for _ in range(3):
            await soon(children.greeted.get())
        await cancelled(kept)


@pytest.mark.parametrize("deaf", [False, True])
async def test_worker_ends_with_its_keeper_even_if_it_does_not_listen(deaf):
    first = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " if deaf else ""
    async with Greeted() as children:
        command = children.child("sys.stdin.read()", first=first)
        kept = asyncio.create_task(keep_worker_running(command, end_within_s=0.05 if deaf else PATIENCE_S))
        await soon(children.greeted.get())
        await cancelled(kept)
        await soon(children.died.get())


def test_worker_ends_when_its_parent_is_gone():
    """F3: a server that was killed leaves no worker behind."""
    parent = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', CHILD], stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    child = (
        "import sys, signal, threading\n"
        "from learnagent.management.commands import work\n"
        "signal.signal(signal.SIGTERM, lambda *args: (print('asked to end', flush=True), sys.exit(0)))\n"
        "threading.Thread(target=work._end_with_parent, daemon=True).start()\n"
        "signal.pause(); signal.pause()\n"
    )
    code = f"CHILD = {'import django; django.setup()' + chr(10) + child!r}\n{parent}"
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "learnagent.settings"},
    )  # fmt: skip
    process.stdout.readline()
    process.kill()
    process.wait()
    assert process.stdout.read() == "asked to end\n"


def test_service_manager_is_told_when_the_worker_is_ready(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(PATIENCE_S)
        manager.bind(str(tmp_path / "notify"))
        process = subprocess.Popen(
            [sys.executable, "manage.py", "work"], cwd=ROOT, stderr=subprocess.DEVNULL,
            env=os.environ | {"LEARNAGENT_DATA": str(tmp_path), "DATABASE_URL": "", "NOTIFY_SOCKET": manager.getsockname()},
        )  # fmt: skip
        try:
            assert manager.recv(100) == b"READY=1"
        finally:
            process.kill()
            process.wait()


class BlockedWorker:
    """A worker that finds the database away three times, and then is told to end."""

    running, runs = True, 0

    def configure_signals(self):
        pass

    def run(self):
        self.runs += 1
        if self.runs < 4:
            raise OperationalError("database is locked")
        self.running = False


def test_worker_outlives_a_database_that_is_away(monkeypatch, log):
    """G3, G10: told once, however long it takes."""
    worker = BlockedWorker()
    monkeypatch.setattr(work, "RETRY_AFTER_S", 0)
    work.run_jobs(worker)
    assert worker.runs == 4
    assert [event["service"] for event in log.named("service_lost")] == ["database"]
    database.worked()
    assert [event["failures"] for event in log.named("service_back")] == [3]


async def test_worker_that_cannot_be_started_is_tried_again(tmp_path):
    program = tmp_path / "worker"
    async with Greeted() as children:
        python, *rest = children.child("sys.exit(0)")
        kept = asyncio.create_task(keep_worker_running((str(program), *rest), first_pause_s=0))
        await asyncio.sleep(0)
        program.symlink_to(python)
        await soon(children.greeted.get())
        await cancelled(kept)
