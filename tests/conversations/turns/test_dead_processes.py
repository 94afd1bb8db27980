"""A turn whose process died on this machine is taken up at once, and nobody is sent what they have seen."""

import os
import subprocess
import sys

import pytest
from asgiref.sync import sync_to_async

from conversations.models import Turn
from conversations.processes import identity
from conversations.processes.identity import MACHINE, PROCESS, is_known_dead
from conversations.turns import leases
from tests.conversations.turn_helpers import begun, joined, orphaned

pytestmark = pytest.mark.db

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)


@pytest.fixture(scope="module")
def dead():
    """The name of a process that lived here a moment ago."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return f"{MACHINE}:{child.pid}:0123456789ab"


class TestName:
    def test_own_is_alive(self):
        assert not is_known_dead(PROCESS)

    def test_one_that_has_ended_here_is_dead(self, dead):
        assert is_known_dead(dead)

    def test_one_whose_id_is_in_use_may_live(self):
        assert not is_known_dead(f"{MACHINE}:{os.getppid()}:0123456789ab")

    def test_one_that_had_our_id_before_us_is_dead(self):
        """As in a container that starts again, where each process has the id of its predecessor."""
        assert is_known_dead(f"{MACHINE}:{os.getpid()}:0123456789ab")

    @pytest.mark.parametrize(
        "name", ["", "another", "elsewhere:1:0123456789ab", ":1:0123456789ab", "a:b:c", f"{MACHINE}:x:y"]
    )
    def test_one_of_elsewhere_may_live(self, name):
        assert not is_known_dead(name)

    def test_machine_without_a_name_knows_of_no_dead(self, dead, monkeypatch):
        monkeypatch.setattr(identity, "MACHINE", "")
        assert not is_known_dead(dead.removeprefix(MACHINE))


@pytest.mark.django_db
@pytest.mark.usefixtures("host")
class TestLease:
    def test_of_a_dead_process_is_let_go_before_it_runs_out(self, ada, dead):
        """F4"""
        turn = begun(ada)
        Turn.objects.update(lease_owner=dead)
        assert leases.release_dead_leases() == 1
        assert leases.claim(turn.pk).turn.attempt == 1

    @pytest.mark.parametrize("holder", [PROCESS, "elsewhere:1:0123456789ab"], ids=["this process", "another machine"])
    def test_of_any_other_is_kept(self, ada, holder):
        begun(ada)
        Turn.objects.update(lease_owner=holder)
        assert leases.release_dead_leases() == 0


@pytest.mark.django_db(transaction=True)
class TestSocket:
    async def test_is_not_sent_a_turn_that_is_taken_up_anew(self, supervisor, connect, ada):
        """Its client says how far it has got; a replay from the start beside that would double the text."""
        socket = await connect(ada)
        await socket.say("first")
        await socket.until("turn_finished")
        turn = await begin(ada, text="second")
        await leave(turn)
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
        await socket.send({"type": "resume", "after": 1})
        frames = await socket.until("turn_finished")
        assert [frame["type"] for frame in frames].count("turn_resumed") == 1
        assert (frames[0]["seq"], joined(frames)) == (2, "One half.")
