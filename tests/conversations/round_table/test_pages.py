"""The round table's pages: the start, a table that ends, one more round, bad input, and its socket."""

import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from agents.errors import LLMTimeout
from agents.rollout.flags import change_flag
from conversations.models import Collaborator, RoundTableLimits, Turn
from conversations.round_table import voices
from conversations.round_table.roster import SHIPPED
from conversations.round_table.start import begin_table
from conversations.web.round_table_page import table_page
from tests.conversations.round_table.conftest import QUESTION, passage
from tests.conversations.sockets import Socket
from tests.conversations.turn_helpers import bodies

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

START = "/round-table/"
TWO = ["explainer", "sceptic"]
read = sync_to_async(bodies)


@pytest.fixture
async def browser(ben):
    client = AsyncClient()
    await client.aforce_login(ben)
    return client


def filled(**fields):
    return {"question": QUESTION, "agents": TWO, "rounds": "2", "strategy": "skip"} | fields


async def ended(tables, response):
    """Return the table that a form led to, once it has ended."""
    assert response.status_code == 302, response.content
    turn_id = uuid.UUID(response["Location"].split("/")[2])
    await tables.finished(turn_id)
    return await Turn.objects.select_related("session", "owner").aget(pk=turn_id)


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


async def test_form_offers_the_voices_and_says_what_they_cost(tables, browser):
    said = text_of(await browser.get(START))
    assert "Looks for limits, exceptions and counterarguments." in said
    assert "Cost: free." in said


async def test_voices_that_fit_are_chosen_with_the_reason(tables, browser):
    response = await browser.post(START, filled(choose="yes", agents=[]))
    assert "Historian: the question contains “invention”." in text_of(response)
    assert not await Turn.objects.aexists()


async def test_table_shows_every_round_and_what_it_came_to(tables, browser):
    turn = await ended(tables, await browser.post(START, filled()))
    html = (await browser.get(f"{START}{turn.pk}/")).content.decode()
    assert set(re.findall(r'id="cell-(\d-\w+)"', html)) == {f"{n}-{name}" for n in (1, 2) for name in TWO}
    assert "names equal parts" in html
    assert "ws-connect" not in html


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"question": "  "}, "Write a message first."),
        ({"agents": []}, "Name at least one agent."),
        ({"agents": ["explainer", "explainer"]}, "Named twice"),
        ({"agents": ["nobody"]}, "Unknown or unavailable agents"),
        ({"rounds": "0"}, "Ask for 1 to 10 rounds."),
        ({"rounds": "11"}, "Ask for 1 to 10 rounds."),
        ({"rounds": "many"}, "Ask for 1 to 10 rounds."),
    ],
)
async def test_form_says_what_is_wrong_and_keeps_the_rest(tables, browser, fields, problem):
    response = await browser.post(START, filled(**fields))
    assert response.status_code == 422
    assert problem in text_of(response)
    if "question" not in fields:
        assert QUESTION in response.content.decode()
    assert not await Turn.objects.aexists()


async def test_form_that_is_sent_twice_starts_one_table(tables, browser):
    sent = filled(client_id=uuid.uuid4().hex)
    places = {(await browser.post(START, sent))["Location"] for _time in range(2)}
    assert len(places) == 1


async def test_page_says_that_the_table_is_off(tables, browser):
    await sync_to_async(change_flag)("round_table", killed=True)
    assert "The round table is turned off for you on this site." in text_of(await browser.get(START))
    assert (await browser.post(START, filled())).status_code == 501


async def test_page_says_that_no_voice_can_be_invited(tables, browser):
    for name in SHIPPED:
        await Collaborator.objects.aupdate_or_create(name=name, defaults={"title": name, "enabled": False})
    assert "There are no voices you can invite." in text_of(await browser.get(START))


async def test_too_many_tables_in_a_minute_are_refused_in_words(tables, browser, settings):
    settings.AGENTS = settings.AGENTS | {"panels_per_minute": 1}
    await browser.post(START, filled())
    response = await browser.post(START, filled())
    assert response.status_code == 429
    assert "Wait a moment, then try again." in text_of(response)


class TestOneMoreRound:
    async def test_earlier_rounds_are_kept_and_nothing_is_said_again(self, tables, library, browser):
        library.append(
            passage("Zero is a number that is not a fraction of a loaf. Use zero where nothing is left.", number=2)
        )
        first = await ended(tables, await browser.post(START, filled(rounds="1")))
        second = await ended(tables, await browser.post(f"{START}{first.pk}/go-on/", {"text": "", "agents": TWO}))
        assert second.session_id == first.session_id
        started = [each["round"] for each in await read(second.pk) if each["type"] == "round_started"]
        assert started == [2]
        html = (await browser.get(f"{START}{second.pk}/")).content.decode()
        said = re.findall(r"“([^”]+)”", html[: html.index("table-reply")])
        assert "names equal parts" in " ".join(said)
        assert len(said) == len(set(said))

    async def test_learner_says_something_and_another_voice_comes(self, tables, browser):
        first = await ended(tables, await browser.post(START, filled(rounds="1")))
        sent = {"text": "And who wrote fractions first?", "agents": ["explainer", "historian"]}
        second = await ended(tables, await browser.post(f"{START}{first.pk}/go-on/", sent))
        response = await browser.get(f"{START}{second.pk}/")
        assert "You: And who wrote fractions first?" in text_of(response)
        html = response.content.decode()
        assert {"cell-1-sceptic", "cell-2-historian"} <= set(re.findall(r'id="(cell-[^"]+)"', html))
        assert "cell-2-sceptic" not in html

    async def test_table_with_all_its_rounds_has_no_further_one(self, tables, browser, hold, ben):
        await sync_to_async(limit_rounds)(1)
        turn = await hold(ben, agents=TWO, rounds=1)
        assert "has reached the maximum number of rounds" in text_of(await browser.get(f"{START}{turn.pk}/"))
        response = await browser.post(f"{START}{turn.pk}/go-on/", {"agents": TWO})
        assert response.status_code == 422

    async def test_part_of_a_page_gets_the_way_or_the_problem(self, tables, browser, hold, ben):
        turn = await hold(ben, agents=TWO, rounds=1)
        address, part = f"{START}{turn.pk}/go-on/", {"HX-Request": "true"}
        refused = await browser.post(address, {"agents": []}, headers=part)
        assert (refused.status_code, "Name at least one agent." in text_of(refused)) == (422, True)
        assert "<html" not in refused.content.decode()
        accepted = await browser.post(address, {"agents": TWO}, headers=part)
        assert accepted["HX-Redirect"].startswith(START)
        await tables.finished(uuid.UUID(accepted["HX-Redirect"].split("/")[2]))


async def test_two_sort_out_a_point(tables, browser, hold, ben):
    turn = await hold(ben, agents=TWO, rounds=1)
    sent = {"point": "Can a fraction have a zero below?", "agents": TWO}
    settled = await ended(tables, await browser.post(f"{START}{turn.pk}/settle/", sent))
    asked = settled.payload["round_table"]
    assert (asked["agents"], asked["rounds"], asked["messages"][0]["content"]) == (TWO, 1, QUESTION)


@pytest.mark.parametrize("agents", [["explainer"], ["explainer", "sceptic", "historian"]])
async def test_a_point_takes_two(tables, browser, hold, ben, agents):
    turn = await hold(ben, agents=TWO, rounds=1)
    response = await browser.post(f"{START}{turn.pk}/settle/", {"point": "Zero?", "agents": agents})
    assert (response.status_code, "Choose two voices." in text_of(response)) == (422, True)


async def test_export_has_every_voice_of_every_round(tables, browser, hold, ben):
    turn = await hold(ben, agents=TWO, rounds=2)
    written = (await browser.get(f"{START}{turn.pk}/export.md")).content.decode()
    assert re.findall(r"^#+ .*", written, re.MULTILINE)[:4] == [
        "# " + QUESTION,
        "## Round 1",
        "### Explainer",
        "### Sceptic",
    ]
    assert "## Summary" in written


def limit_rounds(most):
    RoundTableLimits.objects.create(most_rounds=most)


class TestSocket:
    async def test_page_is_brought_up_to_date_and_learns_of_the_end(self, tables, connect, ben):
        accepted = await sync_to_async(begin_table)(owner=ben, text=QUESTION, agents=TWO, rounds=1)
        socket = await connect(ben, f"{START}{accepted.turn.pk}/live", by=Socket.by_cookie)
        tables.start(accepted)
        heard = ""
        while "table-acts" not in heard:
            heard += await socket.text()
        assert "names equal parts" in heard
        assert 'id="table-summary"' in heard

    async def test_what_a_page_knows_is_not_sent_again(self, tables, connect, hold, ben):
        turn = await hold(ben, agents=TWO, rounds=1)
        last = (await read(turn.pk))[-1]["seq"]
        place = f"{START}{turn.pk}/live?turn={turn.pk}&after={last - 1}"
        socket = await connect(ben, place, by=Socket.by_cookie)
        frame = await socket.text()
        assert 'id="table-acts"' in frame
        assert f'data-seq="{last}"' in frame

    async def test_socket_of_anothers_table_is_closed(self, tables, connect, hold, ben, eve):
        turn = await hold(ben, agents=TWO, rounds=1)
        for table in (turn.pk, uuid.uuid4()):
            socket = await connect(eve, f"{START}{table}/live", by=Socket.by_cookie)
            assert "This does not exist, or it is not yours." in await socket.text()
            assert await socket.closed() == 4404


async def test_events_that_come_twice_change_nothing(tables, hold, ben):
    turn = await hold(ben, agents=TWO, rounds=2)

    def cells(times):
        page = table_page(turn, ben)
        for _time in range(times):
            page.take_stored()
        return [(each.key, each.state, each.html) for row in page.rounds() for each in row.cells]

    assert await sync_to_async(cells)(2) == await sync_to_async(cells)(1)


async def test_voice_that_fails_is_named_with_the_reason(tables, hold, ben, monkeypatch):
    def broken(task):
        raise LLMTimeout

    monkeypatch.setitem(voices._voices, "sceptic", broken)
    turn = await hold(ben, agents=TWO, rounds=1)
    client = AsyncClient()
    await client.aforce_login(ben)
    html = (await client.get(f"{START}{turn.pk}/")).content.decode()
    cell = html[html.index('id="cell-1-sceptic"') :]
    assert "Took too long to answer." in cell[: cell.index("</article>")]


async def test_table_that_runs_can_be_stopped_but_not_gone_on_with(tables, browser, ben):
    accepted = await sync_to_async(begin_table)(owner=ben, text=QUESTION, agents=TWO, rounds=1)
    address = f"{START}{accepted.turn.pk}/"
    page = (await browser.get(address)).content.decode()
    assert f'ws-connect="{address}live' in page
    refused = await browser.post(f"{address}go-on/", {"agents": TWO})
    assert "This round table is still running." in text_of(refused)
    await browser.post(f"{address}stop/")
    await accepted.turn.arefresh_from_db()
    assert accepted.turn.stop_requested
