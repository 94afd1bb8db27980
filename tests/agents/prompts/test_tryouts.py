"""A draft of a prompt is tried on a turn on record: by a real SDK, against a provider on this machine."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.urls import reverse

from agents.limits import ModelLimits
from agents.llm.prompt import make_prompt
from agents.models import AgentCall, Alert, Budget, ModelCall, Run
from agents.prompts import tryouts
from agents.prompts.versions import text_in_force
from agents.runtime.model_chain import models_for_tier
from agents.usage.alerts import alert_writer
from tests.provider import Answer, Provider

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = reverse("admin:agents_prompt", args=["tutor"])
TRY = reverse("admin:agents_prompt_try", args=["tutor"])
DRAFT = "You are terse."


@pytest.fixture
def provider():
    with Provider(beat_s=0.01) as provider:
        provider.otherwise(Answer(text="What do you *see*?"))
        yield provider


@pytest.fixture
async def connected(settings, provider):
    """Every tier is answered by the provider, which counts as one outside."""
    options = {"model": "fake", "api_key": "k", "base_url": provider.url}
    backend = {"BACKEND": "agents.llm.anthropic.AnthropicBackend", "OPTIONS": options}
    settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), backend)
    settings.AGENTS = {**settings.AGENTS, "model_limits": ModelLimits(attempts=1)}
    async with AsyncExitStack() as stack:
        for model in models_for_tier("strong"):
            adapter = adapter_of(model)
            await adapter.client()  # Imports the SDK: on a busy machine that takes longer than a model may.
            stack.push_async_callback(adapter.aclose)
        yield


def adapter_of(backend):
    while hasattr(backend, "inner"):
        backend = backend.inner
    return backend


@pytest.fixture
def call(ben):
    return called(ben)


def called(person, **fields):
    """Store what Ben's tutor asked a model."""
    asked = {
        "system": "Good replies are short.",
        "context": "What to say now: ask about halves.",
        "messages": [
            {"author": "learner", "text": "hello", "images": 0},
            {"author": "team", "text": "Here is a pie.", "images": 0},
            {"author": "learner", "text": "<i>two</i> pieces", "images": 0},
        ],
        "otherwise": "",
        "schema": "",
        "tools": [],
        "output_tokens": 300,
    }
    given = {"agent": "tutor", "backend": "anthropic", "model": "old-model", "status": "answered", "asked": asked}
    return ModelCall.objects.create(person=person, reply="You said “two”.", ms=12.0, **{**given, **fields})


@pytest.fixture
def as_root(async_client, root):
    root.set_consent(True)
    root.save()
    async_client.force_login(root)
    return async_client


def draft(call, text=DRAFT):
    return {"text": text, "note": "my note", "version_read": 0, "call": call.pk}


def page(response):
    return response.content.decode()


async def test_both_replies_stand_side_by_side(as_root, connected, provider, call):
    response = await as_root.post(TRY, draft(call))
    assert response.status_code == 200
    shown = page(response)
    assert all(words in shown for words in ("You said “two”.", "old-model", "What do you *see*?", "fake"))
    assert "&lt;i&gt;two&lt;/i&gt; pieces" in shown
    assert response.context["form"]["text"].value() == DRAFT


async def test_the_draft_stands_in_the_prompts_place(as_root, connected, provider, call):
    await as_root.post(TRY, draft(call))
    (request,) = provider.requests
    assert request.asked.system == f"{DRAFT}\n\nGood replies are short.\n\nWhat to say now: ask about halves."
    assert "pieces" in str(request.asked)


async def test_nothing_of_it_is_saved_but_its_figures(as_root, connected, provider, call, root):
    before = await sync_to_async(list)(ModelCall.objects.filter(pk=call.pk).values())
    await as_root.post(TRY, draft(call))
    assert await sync_to_async(list)(ModelCall.objects.filter(pk=call.pk).values()) == before
    made = await ModelCall.objects.exclude(pk=call.pk).select_related("person").aget()
    assert (made.person, made.turn_id, made.asked, made.reply) == (root, None, {}, "")
    assert (made.status, made.prompt_version) == ("answered", make_prompt("tutor", DRAFT).version)
    assert made.accounts == ["person:root", "site"]
    assert made.output_tokens
    assert not await Run.objects.aexists()
    assert not await AgentCall.objects.aexists()
    assert await sync_to_async(text_in_force)("tutor") != DRAFT


async def test_a_try_out_is_not_tried_on(as_root, connected, provider, call):
    await as_root.post(TRY, draft(call))
    assert await offered(as_root) == [call.pk]


async def offered(client):
    response = await client.get(PAGE)
    return [pk for pk, _ in response.context["trying"].fields["call"].choices]


async def test_withdrawn_consent_takes_the_turn_back(as_root, connected, provider, call, ben):
    assert await offered(as_root) == [call.pk]
    ben.set_consent(False)
    await ben.asave()
    assert await offered(as_root) == []
    assert (await as_root.post(TRY, draft(call))).status_code == 422
    assert provider.attempts == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "failed"},
        {"agent": "quiz"},
        {"asked": {}},
        {"asked": {"system": "", "messages": [{"author": "learner", "text": "see", "images": 1}]}},
        {"asked": {"system": "", "messages": [{"tool": "calculator", "asked": "{}"}]}},
        {"person": None},
    ],
)
async def test_what_cannot_be_asked_again_is_not_offered(as_root, connected, ben, fields):
    person = fields.pop("person", ben)
    await sync_to_async(called)(person, **fields)
    assert await offered(as_root) == []


async def test_an_admin_without_consent_tries_nothing(as_root, connected, provider, call, root):
    root.set_consent(False)
    await root.asave()
    assert "you have not agreed to the use of external models" in page(await as_root.get(PAGE))
    assert (await as_root.post(TRY, draft(call))).status_code == 422
    assert provider.attempts == 0


async def test_without_a_model_the_page_says_so(as_root, call):
    assert "No language model is connected" in page(await as_root.get(PAGE))
    assert (await as_root.post(TRY, draft(call))).status_code == 422


async def test_a_provider_that_is_down_is_said_to_be(as_root, connected, provider, call):
    provider.outage()
    response = await as_root.post(TRY, draft(call))
    assert response.status_code == 200
    assert "The model did not answer" in page(response)


async def test_admins_are_told_of_a_wrong_key(as_root, connected, provider, call):
    """The alert is written after the try-out's own thread has gone."""
    provider.otherwise(Answer(status=401, text="no such key"))
    assert "The model did not answer" in page(await as_root.post(TRY, draft(call)))
    await alert_writer.written()
    assert await Alert.objects.aexists()


async def test_a_spent_budget_is_said_to_be_spent(as_root, connected, provider, call):
    await Budget.objects.acreate(account="person:root", tokens_per_day=1)
    assert "budget for models is used up" in page(await as_root.post(TRY, draft(call)))
    assert provider.attempts == 0


async def test_a_model_that_takes_too_long_is_cut_off(as_root, connected, provider, call, monkeypatch):
    monkeypatch.setattr(tryouts, "TIME_LIMIT_S", 0.2)
    provider.otherwise(Answer(text="Never said.", first_delay_s=60))
    response = await as_root.post(TRY, draft(call))
    assert response.status_code == 200
    assert "errornote" in page(response)
    assert "Never said." not in page(response)


async def test_the_server_serves_others_meanwhile(as_root, connected, provider, call):
    """A try-out waits in its request's own thread: the loop, and other people's requests, go on."""
    provider.otherwise(Answer(text="Never said.", first_delay_s=60))
    trying = asyncio.create_task(as_served(as_root.post, TRY, draft(call)))
    await asyncio.to_thread(provider.wait_for, 1)
    try:
        assert (await as_served(as_root.get, reverse("admin:index"))).status_code == 200
        assert not trying.done()
    finally:
        provider.outage()
    assert (await trying).status_code == 200


async def as_served(visit, *args):
    """Visit as a server does it: each request has a thread for its synchronous parts."""
    async with ThreadSensitiveContext():
        return await visit(*args)


@pytest.mark.parametrize(("text", "chosen"), [("", None), ("x" * 8_001, None), (DRAFT, "x"), (DRAFT, 2**70)])
async def test_what_is_wrong_comes_back_as_it_was_typed(as_root, connected, provider, call, text, chosen):
    response = await as_root.post(TRY, draft(call, text) | ({"call": chosen} if chosen else {}))
    assert response.status_code == 422
    assert response.context["form"]["text"].value() == text
    assert "my note" in page(response)
    assert provider.attempts == 0


async def test_nobody_but_admins_tries_anything(async_client, connected, provider, call, ben):
    """A1"""
    await async_client.aforce_login(ben)
    assert (await async_client.post(TRY, draft(call))).status_code == 404
    assert provider.attempts == 0
