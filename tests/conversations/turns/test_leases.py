"""A turn belongs to one process at a time; what a dead one left behind is taken up."""

import pytest

from conversations.models import Turn
from conversations.processes.identity import PROCESS
from conversations.turns import leases
from tests.conversations.turn_helpers import begun, bodies, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


def test_begun_turn_is_taken_up_here_once(ada):
    turn = begun(ada)
    taken = leases.claim(turn.pk)
    assert (taken.turn.status, taken.turn.attempt, taken.next_seq) == ("running", 1, 2)
    assert leases.claim(turn.pk) is None


def test_turn_of_a_living_process_is_left_alone(ada):
    turn = begun(ada)
    Turn.objects.update(lease_owner="another")
    assert leases.claim(turn.pk) is None


def test_finished_turn_is_not_taken_up(ada):
    turn = begun(ada)
    orphaned(turn, status="done")
    assert leases.claim(turn.pk) is None


def test_turn_of_a_dead_process_is_taken_up_where_its_events_end(ada):
    turn = begun(ada)
    orphaned(turn)
    taken = leases.claim(turn.pk)
    assert (taken.turn.attempt, taken.turn.lease_owner, taken.next_seq) == (2, PROCESS, 2)
    assert len(bodies(turn.pk)) == 1


def test_only_turns_whose_lease_ran_out_are_orphans(ada):
    held, dead, over = begun(ada, key="a"), begun(ada, key="b"), None
    orphaned(dead, status="done")
    over, dead = dead, begun(ada, key="c")
    orphaned(dead)
    found = [*Turn.objects.all().orphaned()]
    assert found == [dead]
    assert held not in found
    assert over not in found


def test_oldest_orphan_comes_first(ada):
    turns_ = [begun(ada, key="a"), begun(ada, key="b")]
    for year, turn in zip((2019, 2018), turns_, strict=True):
        orphaned(turn, created_at=f"{year}-01-01T00:00:00Z")
    assert [*Turn.objects.all().orphaned()] == turns_[::-1]


def test_sign_of_life_keeps_a_turn(ada):
    turn = begun(ada)
    orphaned(turn, lease_owner=PROCESS)
    assert leases.renew_leases([turn.pk]) == 1
    assert not Turn.objects.all().orphaned().exists()


def test_sign_of_life_does_not_take_anothers_turn_back(ada):
    turn = begun(ada)
    orphaned(turn, lease_owner="another")
    assert leases.renew_leases([turn.pk]) == 0


def test_process_that_ends_gives_its_turns_back(ada):
    mine, others = begun(ada, key="a"), begun(ada, key="b")
    Turn.objects.filter(pk=others.pk).update(lease_owner="another")
    assert leases.release_leases() == 1
    assert [*Turn.objects.all().orphaned()] == [mine]
