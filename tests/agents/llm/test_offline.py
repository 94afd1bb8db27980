"""The offline backend says what the plan says, whole and in order."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.engine.events import Card
from agents.engine.roles import Plan, Request, RoleCall
from agents.engine.speaker import PlanSpeaker, ShownEvent, SpeechCompleted, SpeechPiece
from agents.llm import base
from agents.llm.base import TextPiece
from agents.llm.offline import OfflineBackend, split_pieces
from agents.llm.token_usage import Usage
from tests.agents.engine.stage import role


class Verdict(BaseModel):
    correct: bool


async def pieces(plan: Plan, *, backend: OfflineBackend | None = None) -> list[SpeechPiece]:
    call = RoleCall(role=role("tutor", plan=plan), request=Request(), plan=plan)
    return [piece async for piece in PlanSpeaker(backend or OfflineBackend()).stream(call)]


@given(st.text())
def test_pieces_joined_are_exactly_the_text(text: str) -> None:
    assert "".join(split_pieces(text)) == text


@given(st.text(alphabet="ab \n\t"))
def test_piece_has_three_words_at_most(text: str) -> None:
    assert all(len(piece) >= 1 and len(piece.split()) <= 3 for piece in split_pieces(text))


async def test_events_stand_where_the_plan_has_them() -> None:
    card = Card(kind="picture", id="1")
    said = await pieces(Plan(say=("See:", card, "one half.")))
    assert said[:-1] == [TextPiece("See:"), ShownEvent(card), TextPiece("one half.")]


async def test_last_piece_is_the_plans_result_and_no_guess_at_tokens() -> None:
    said = await pieces(Plan(result=Verdict(correct=True)))
    assert said == [SpeechCompleted(result=Verdict(correct=True), usage=Usage(backend="offline"))]
    assert (said[0].usage.input_tokens, said[0].usage.output_tokens) == (None, None)  # type: ignore[union-attr]  # As asserted.


async def test_loop_is_handed_back_after_each_piece() -> None:
    heard: list[str] = []

    async def listen(name: str) -> None:
        call = RoleCall(role=role("tutor"), request=Request(), plan=Plan(say=("one two three four",)))
        async for piece in PlanSpeaker(OfflineBackend()).stream(call):
            if isinstance(piece, TextPiece):
                heard.append(name)

    await asyncio.gather(listen("a"), listen("b"))
    assert heard == ["a", "b", "a", "b"]


def test_offline_works_where_outside_calls_are_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "outside_calls_allowed", False)
    OfflineBackend().refuse_forbidden_call()
