"""The supervisor serves a turn from its lease to its last event, whoever watches."""

import asyncio
import uuid
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from agents.engine import registry
from agents.engine.events import Card, Routed
from agents.engine.speaker import ShownEvent
from agents.errors import LLMUnavailable
from agents.llm.prompt import make_prompt
from agents.models import AgentCall
from agents.prompts.versions import set_prompt
from conversations.models import Event, Message, Session, Transition, Turn
from conversations.turns import apply, finish, leases, stream
from conversations.turns import supervisor as supervising
from conversations.turns.feed import number_event, store_events
from conversations.turns.supervisor import Supervisor
from tests.conversations.turn_helpers import SPEAKER, Pause, accepted, begun, bodies, joined, orphaned, reply

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)
stored = sync_to_async(bodies)
reply_to = sync_to_async(reply)


async def served(supervisor, turn):
    """Serve the turn to its end; return it as it is then."""
    supervisor.claim(turn.pk)
    await supervisor.finished(turn.pk)
    await turn.arefresh_from_db()
    return turn


async def watched(turn, *, after=0):
    return [wire async for batch in stream.watch(turn.pk, after=after) for wire in batch]


class TestTurn:
    @pytest.mark.parametrize("start", [Supervisor.start, lambda own, accepted: own.claim(accepted.turn.pk)])
    async def test_is_answered_and_stored(self, supervisor, ada, start):
        """Whether it was accepted here or found in the database."""
        begun = await sync_to_async(accepted)(ada)
        start(supervisor, begun)
        turn = await served(supervisor, begun.turn)
        assert (turn.status, turn.attempt) == ("done", 1)
        assert (await reply_to(turn)).text == "One half."

    async def test_what_others_change_of_the_state_while_it_runs_is_kept(self, supervisor, host, ada):
        """NL: a form that sets a key of the session's state does not lose it to the turn that ends after it."""
        host.on_prepare = lambda turn: Session.objects.update(state={"mastery_threshold": 0.75})
        turn = await served(supervisor, await begin(ada))
        assert (await Session.objects.aget(pk=turn.session_id)).state == {"mastery_threshold": 0.75}

    async def test_events_are_numbered_without_gaps_and_end_once(self, supervisor, ada):
        turn = await served(supervisor, await begin(ada))
        wires = await stored(turn.pk)
        assert [wire["seq"] for wire in wires] == list(range(1, len(wires) + 1))
        assert [wire["type"] for wire in wires].count("turn_finished") == 1
        assert (wires[0]["type"], wires[-1]["type"]) == ("turn_started", "turn_finished")

    async def test_pieces_joined_are_exactly_the_reply(self, supervisor, ada, says):
        says("a\n", " ", "🥧", "<b>", "\u202e", "z " * 3000)
        turn = await served(supervisor, await begin(ada))
        wires = await stored(turn.pk)
        assert joined(wires) == wires[-1]["reply"] == (await reply_to(turn)).text

    async def test_outlives_whoever_watched(self, supervisor, ada, says):
        """G14"""
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        watching = asyncio.create_task(watched(turn))
        await pause.reached.wait()
        watching.cancel()
        pause.over.set()
        await supervisor.finished(turn.pk)
        assert joined(await watched(turn)) == "One half."

    async def test_started_twice_is_served_once(self, supervisor, ada):
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await served(supervisor, turn)
        await served(supervisor, turn)
        assert (turn.attempt, await Message.objects.filter(author="team").acount()) == (1, 1)

    async def test_two_sessions_are_served_at_once(self, supervisor, ada, says):
        """Each waits until both are here."""
        both = asyncio.Barrier(2)
        says(both.wait, "Together.")
        pair = [await begin(ada, key=key) for key in "ab"]
        for turn in pair:
            supervisor.claim(turn.pk)
        await asyncio.gather(*(served(supervisor, turn) for turn in pair))
        assert [turn.status for turn in pair] == ["done", "done"]

    async def test_routing_is_kept_with_its_reason(self, supervisor, ada):
        turn = await served(supervisor, await begin(ada))
        kept = await Transition.objects.aget(turn=turn)
        assert (kept.to_agent, kept.reason, kept.message_excerpt) == ("speaker", "Nobody else is here.", "hello")

    async def test_cards_stand_where_they_were_shown(self, supervisor, ada, says):
        says("One ", ShownEvent(Card(kind="picture", id="p", content={"alt": "pie"})), "half.")
        turn = await served(supervisor, await begin(ada))
        assert (await reply_to(turn)).cards == [{"kind": "picture", "id": "p", "alt": "pie", "at": 4}]

    async def test_figures_say_who_worked_and_what_it_cost(self, supervisor, ada):
        turn = await served(supervisor, await begin(ada))
        figures = turn.answer["metadata"]
        assert (figures["agents_used"], figures["provider"], figures["cost_usd"]) == (["speaker"], "scripted", 0)
        assert figures["tokens"] == {"input": None, "output": None}

    async def test_prompt_in_force_is_the_one_on_record(self, supervisor, ada, monkeypatch):
        """A version set by an admin reaches the next run, and the run's record says which it was."""
        told = replace(SPEAKER, prompt=make_prompt("speaker", "As in the file."))
        monkeypatch.setitem(registry.roles, "speaker", told)
        await served(supervisor, await begin(ada))
        await sync_to_async(set_prompt)("speaker", "As set.", version_read=0)
        await served(supervisor, await begin(ada, text="again"))
        versions = [make_prompt("speaker", text).version for text in ("As in the file.", "As set.")]
        assert [call.prompt_version async for call in AgentCall.objects.order_by("pk")] == versions


class TestFailure:
    async def test_agent_that_fails_is_named_and_what_it_said_is_kept(self, supervisor, ada, says):
        """V16"""
        says("One ", LLMUnavailable())
        turn = await served(supervisor, await begin(ada))
        assert (turn.status, (await reply_to(turn)).text) == ("failed", "One ")
        (error,) = turn.answer["errors"]
        assert (error["agent"], error["error_type"], error["recoverable"]) == ("speaker", "api_error", True)

    async def test_learner_always_gets_an_answer(self, supervisor, ada, says):
        says(LLMUnavailable())
        turn = await served(supervisor, await begin(ada))
        wires = await stored(turn.pk)
        assert joined(wires) == wires[-1]["reply"]
        assert "Your message is saved" in wires[-1]["reply"]

    async def test_host_that_cannot_prepare_fails_the_turn(self, supervisor, ada, host, caplog):
        def fail(turn):
            raise ValueError("secret detail")

        host.on_prepare = fail
        turn = await served(supervisor, await begin(ada))
        assert turn.status == "failed"
        assert "secret" not in str(await stored(turn.pk))

    async def test_host_that_cannot_settle_leaves_the_turn_to_be_taken_up(self, supervisor, ada, host):
        def fail(turn, result):
            raise ValueError("no")

        host.on_settle = fail
        turn = await served(supervisor, await begin(ada))
        assert turn.is_open
        assert not await Message.objects.filter(author="team").aexists()


class TestStop:
    async def test_keeps_what_was_said(self, supervisor, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        assert supervisor.stop(turn.pk)
        await served(supervisor, turn)
        wires = await stored(turn.pk)
        assert (turn.status, wires[-1]["status"], wires[-1]["reply"], joined(wires)) == (
            "stopped", "stopped", "One ", "One ",
        )  # fmt: skip

    async def test_keeps_pictures_but_no_question_that_was_never_stored(self, supervisor, ada, says):
        pause = Pause()
        cards = [Card(kind="picture", id="p"), Card(kind="question", id="q", stands_alone=False)]
        says(*map(ShownEvent, cards), pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        supervisor.stop(turn.pk)
        await served(supervisor, turn)
        assert (await reply_to(turn)).cards == [{"kind": "picture", "id": "p", "at": 0}]

    async def test_counts_as_soon_as_the_turn_has_begun(self, supervisor, ada, host):
        """Also while the host still prepares."""
        turn = await begin(ada)
        host.on_prepare = lambda _: supervisor.stop(turn.pk)
        await served(supervisor, turn)
        assert (turn.status, (await reply_to(turn)).text) == ("stopped", "")

    async def test_asked_for_in_another_process_is_found_as_the_turn_is_taken_up(self, supervisor, ada):
        turn = await begin(ada)
        await Turn.objects.aupdate(stop_requested=True)
        assert (await served(supervisor, turn)).status == "stopped"

    async def test_asked_for_in_another_process_is_found_with_a_sign_of_life(self, supervisor, ada, says, monkeypatch):
        monkeypatch.setattr(supervising, "HEARTBEAT_S", 0)
        pause = Pause()
        says("One ", pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        await Turn.objects.aupdate(stop_requested=True)
        assert (await served(supervisor, turn)).status == "stopped"

    async def test_signs_of_life_outlive_a_database_that_is_away(self, supervisor, ada, says, monkeypatch):
        """G3, G10: the lease of a turn that runs on is renewed once it is back."""
        monkeypatch.setattr(supervising, "HEARTBEAT_S", 0)
        pause = Pause()
        says("One ", pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        renew, tries = leases.renew_leases, []

        def fail_twice(turn_ids):
            tries.append(turn_ids)
            if len(tries) < 3:
                raise OperationalError("database is locked")
            return renew(turn_ids)

        monkeypatch.setattr(leases, "renew_leases", fail_twice)
        await Turn.objects.aupdate(stop_requested=True)
        assert (await served(supervisor, turn)).status == "stopped"
        assert len(tries) >= 3

    async def test_of_a_turn_that_is_not_here_is_another_process_work(self, supervisor):
        assert not supervisor.stop(uuid.uuid4())

    async def test_leaves_the_session_ready_for_the_next_message(self, supervisor, ada):
        turn = await begin(ada)
        await Turn.objects.aupdate(stop_requested=True)
        await served(supervisor, turn)
        assert (await served(supervisor, await begin(ada))).status == "done"


class TestResumption:
    async def test_turn_of_a_dead_process_runs_again(self, supervisor, ada):
        """F4"""
        turn = await begin(ada)
        await leave(turn)
        await served(supervisor, turn)
        wires = await stored(turn.pk)
        assert (turn.status, turn.attempt) == ("done", 2)
        assert (wires[1]["type"], wires[1]["attempt"], wires[1]["seq"]) == ("turn_resumed", 2, 2)
        assert joined(wires) == wires[-1]["reply"] == "One half."

    async def test_routing_of_an_attempt_that_died_does_not_count(self, supervisor, ada):
        turn = await begin(ada)
        routed = number_event(
            Routed(from_agent="", to="another", strategy="rule", confidence=None, reason=""), turn_id=turn.pk, seq=2
        )
        await sync_to_async(store_events)([routed])
        await leave(turn)
        await served(supervisor, turn)
        assert [kept.to_agent async for kept in Transition.objects.all()] == ["speaker"]

    async def test_process_that_ends_stores_what_it_showed_and_gives_its_turn_back(self, supervisor, ada, says):
        """F13"""
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        await supervisor.close()
        assert joined(await stored(turn.pk)) == "One "
        assert await Turn.objects.all().orphaned().acount() == 1

    async def test_what_another_process_began_is_ended_here(self, supervisor, ada, says, monkeypatch):
        """F13: text goes on without gap or double."""
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        await supervisor.close()
        says("One ", "half.")
        for module in (leases, apply, finish):
            monkeypatch.setattr(module, "PROCESS", "another")
        other = Supervisor()
        await served(other, turn)
        await other.close()
        wires = await stored(turn.pk)
        assert [wire["seq"] for wire in wires] == list(range(1, len(wires) + 1))
        assert (joined(wires), wires[-1]["reply"], turn.attempt) == ("One half.", "One half.", 2)

    async def test_process_that_was_only_asleep_neither_ends_nor_disturbs_the_turn(
        self, supervisor, ada, says, monkeypatch
    ):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        await Turn.objects.aupdate(lease_until="2020-01-01T00:00:00Z", lease_owner="asleep")
        says("One ", "half.")
        other = Supervisor()
        await served(other, turn)
        pause.over.set()
        await supervisor.finished(turn.pk)
        await other.close()
        wires = await stored(turn.pk)
        assert (turn.attempt, [wire["type"] for wire in wires].count("turn_finished")) == (2, 1)
        assert joined(wires) == wires[-1]["reply"] == "One half."

    @pytest.mark.parametrize(("died", "status"), [(2, "done"), (3, "failed")])
    async def test_third_attempt_is_the_last(self, supervisor, ada, died, status):
        """F14"""
        turn = await begin(ada)
        await leave(turn, attempt=died)
        assert (await served(supervisor, turn)).status == status
        assert (await reply_to(turn)).text

    async def test_nothing_starts_in_a_process_that_ends(self, supervisor, ada):
        turn = await begin(ada)
        await supervisor.close()
        supervisor.claim(turn.pk)
        await turn.arefresh_from_db()
        assert turn.attempt == 0

    async def test_lease_lives_as_long_as_the_turn_runs(self, supervisor, ada, says, monkeypatch):
        monkeypatch.setattr(supervising, "HEARTBEAT_S", 0)
        pause = Pause()
        says(pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        await Turn.objects.aupdate(lease_until="2020-01-01T00:00:00Z")
        while await Turn.objects.all().orphaned().aexists():  # noqa: ASYNC110  # The row tells nobody.
            await asyncio.sleep(0)
        pause.over.set()
        assert (await served(supervisor, turn)).attempt == 1


async def test_row_of_every_event_is_what_was_shown(supervisor, ada):
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    shown = await watched(turn)
    rows = [row async for row in Event.objects.filter(turn=turn).order_by("seq")]
    assert [row.body for row in rows] == shown
    assert [(row.seq, row.type) for row in rows] == [(wire["seq"], wire["type"]) for wire in shown]
