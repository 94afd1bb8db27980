"""The scripted speaker plays its cues in order, for each call anew."""

import asyncio

import pytest

from agents.engine.events import Card
from agents.engine.roles import Plan, Request, RoleCall
from agents.engine.speaker import ShownEvent, SpeechCompleted, SpeechPiece
from agents.errors import LLMUnavailable
from agents.llm.base import TextPiece
from tests.agents.engine.scripted_speaker import ScriptedSpeaker
from tests.agents.engine.stage import role


def call(name: str = "tutor") -> RoleCall:
    return RoleCall(role=role(name), request=Request(), plan=Plan())


async def played(speaker: ScriptedSpeaker, name: str = "tutor") -> list[SpeechPiece]:
    return [piece async for piece in speaker.stream(call(name))]


async def test_cues_are_played_in_order() -> None:
    card = ShownEvent(Card(kind="picture", id="1"))
    said = await played(ScriptedSpeaker({"tutor": ["Look:", card, "a half."]}))
    assert said[:-1] == [TextPiece("Look:"), card, TextPiece("a half.")]
    assert isinstance(said[-1], SpeechCompleted)


async def test_role_without_a_script_says_nothing_and_completes() -> None:
    (only,) = await played(ScriptedSpeaker(), "stranger")
    assert isinstance(only, SpeechCompleted)


async def test_errors_are_raised_on_cue() -> None:
    with pytest.raises(LLMUnavailable):
        await played(ScriptedSpeaker({"tutor": ["So", LLMUnavailable()]}))


async def test_silence_lasts_until_it_is_broken() -> None:
    may_speak = asyncio.Event()
    playing = asyncio.create_task(played(ScriptedSpeaker({"tutor": [may_speak.wait, "Now."]})))
    await asyncio.sleep(0)
    assert not playing.done()
    may_speak.set()
    assert (await playing)[0] == TextPiece("Now.")


async def test_script_is_played_anew_for_each_call() -> None:
    speaker = ScriptedSpeaker({"tutor": ["Again."]})
    assert await played(speaker) == await played(speaker)
    assert [each.role.name for each in speaker.calls] == ["tutor", "tutor"]
