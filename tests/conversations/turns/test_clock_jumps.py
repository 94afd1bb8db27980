"""A machine's clock that jumps in the middle of a turn changes what time is shown, and nothing else."""

from datetime import datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from agents.wire.rejections import Rejection
from conversations.models import Message, Turn
from conversations.turns import leases, recovery
from tests.conversations.turn_helpers import Pause, begun, bodies, joined

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

JUMPS = [pytest.param(timedelta(hours=-1), id="an hour back"), pytest.param(timedelta(days=1), id="a day on")]

begin = sync_to_async(begun)
true_now = timezone.now


@pytest.fixture
def jump(monkeypatch):
    """Return a function that puts this process's clock beside the true time."""

    def by(shift):
        class Clock(datetime):
            @classmethod
            def now(cls, tz=None):
                return datetime.now(tz) + shift

        monkeypatch.setattr("django.utils.timezone.now", lambda: true_now() + shift)
        monkeypatch.setattr("conversations.turns.feed.datetime", Clock)

    return by


async def answered(supervisor, turn):
    supervisor.claim(turn.pk)
    await supervisor.finished(turn.pk)


@pytest.mark.parametrize("shift", JUMPS)
async def test_turn_goes_on_in_order(supervisor, ada, says, jump, shift):
    """G11: ordered by number, held by the database's clock, ended by a clock that never jumps."""
    pause = Pause()
    says("One ", pause, "half.")
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await pause.reached.wait()
    jump(shift)
    await supervisor.feeds[turn.pk].flush()
    assert await sync_to_async(leases.renew_leases)([turn.pk]) == 1
    assert not await Turn.objects.all().orphaned().aexists()
    pause.over.set()
    await supervisor.finished(turn.pk)
    wires = await sync_to_async(bodies)(turn.pk)
    assert [wire["seq"] for wire in wires] == list(range(1, len(wires) + 1))
    assert joined(wires) == wires[-1]["reply"] == "One half."
    assert (wires[-1]["status"], wires[0]["at"] < wires[-1]["at"]) == ("done", shift > timedelta(0))


def dated_ahead(*rows):
    """Put rows where a database's clock that ran ahead by days would have put them."""
    for model, field in rows:
        model.objects.update(**{field: true_now() + timedelta(days=3)})


async def test_messages_sent_while_the_databases_clock_was_ahead_do_not_count(supervisor, ada, settings):
    """G11, L1: else nobody could say anything until that day."""
    settings.AGENTS = {"turns_per_minute": 2}
    for _ in range(2):
        await answered(supervisor, await begin(ada))
    with pytest.raises(Rejection):
        await begin(ada)
    await sync_to_async(dated_ahead)((Turn, "created_at"))
    assert await begin(ada)


async def test_lease_from_a_clock_that_was_ahead_is_shortened(supervisor, ada):
    """G11, F4: whoever lives renews it; of whoever does not, another takes over in time."""
    turn = await begin(ada)
    left = {"status": "running", "lease_owner": "dead", "lease_until": true_now() + timedelta(days=3)}
    await Turn.objects.filter(pk=turn.pk).aupdate(**left)
    assert await recovery.recover_orphans() == []
    await turn.arefresh_from_db()
    assert turn.lease_until < true_now() + timedelta(minutes=2)


@pytest.mark.parametrize("shift", JUMPS)
async def test_conversation_keeps_its_order_and_its_limits(supervisor, ada, jump, shift, settings):
    """G11: three turns a minute, whatever the clock says between them and when it is right again."""
    settings.AGENTS = {"turns_per_minute": 3}
    for number, clock in enumerate((timedelta(0), shift, timedelta(0))):
        jump(clock)
        await answered(supervisor, await begin(ada, text=str(number)))
    for clock in (timedelta(0), shift):
        jump(clock)
        with pytest.raises(Rejection):
            await begin(ada)
    said = Message.objects.filter(author="learner").order_by("turn__number").values_list("text", flat=True)
    assert await sync_to_async(list)(said) == ["0", "1", "2"]
