"""A result has its shape, however little the server helps, or it is none."""

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from agents.errors import LLMError, LLMInvalidOutput, LLMKeyRejected, LLMRejected, LLMUnavailable
from agents.llm.base import AnswerEnd, ChatText, ModelRequest, TextPiece
from agents.llm.json_extraction import find_json_objects
from agents.llm.strict_schemas import strict_schema
from agents.llm.token_usage import Usage
from agents.llm.wrappers.structured_output import StructuredBackend, parse_result
from tests.agents.llm.conftest import backend_for
from tests.agents.llm.jumping_clock import heard
from tests.agents.llm.played_backend import USAGE, PlayedBackend
from tests.provider import Answer, Provider


class Verdict(BaseModel):
    kind: Literal["right", "wrong"]
    score: int = Field(ge=0, le=10)


RIGHT = '{"kind": "right", "score": 7}'
WRONG_SHAPE = '{"kind": "maybe", "score": 70}'
VERDICT = Verdict(kind="right", score=7)
REFUSED = {status: LLMRejected(status=status) for status in (400, 404, 422)} | {500: LLMUnavailable(status=500)}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
PROSE = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"])).filter(
    lambda text: "<think" not in text
)


def asked(**fields: Any) -> ModelRequest:
    said = (ChatText(author="learner", text="A half."),)
    return ModelRequest(**{"agent": "judge", "system": "Judge it.", "messages": said, "schema": Verdict, **fields})


async def result_of(
    backend: Any, question: ModelRequest | None = None
) -> tuple[AnswerEnd | None, type[LLMError] | None]:
    pieces, error = await heard(StructuredBackend(backend).stream(question or asked()))
    assert all(isinstance(piece, AnswerEnd) for piece in pieces)
    return (pieces[-1] if pieces else None), type(error) if error else None  # type: ignore[return-value]  # As asserted.


async def test_result_is_read_and_nothing_of_it_is_said() -> None:
    ended, _error = await result_of(PlayedBackend(['{"kind": "ri', 'ght", "score": 7}']))
    assert ended is not None
    assert (ended.parsed, ended.usage) == (VERDICT, USAGE)


async def test_question_without_a_shape_passes_untouched() -> None:
    backend = PlayedBackend(["Hello."])
    stream = StructuredBackend(backend).stream(asked(schema=None))
    assert [piece async for piece in stream] == [TextPiece("Hello."), AnswerEnd(usage=USAGE)]
    assert backend.asked == [asked(schema=None)]


async def test_wrong_shape_is_asked_for_once_more_with_what_is_wrong() -> None:
    backend = PlayedBackend([WRONG_SHAPE], [RIGHT])
    ended, _error = await result_of(backend)
    assert ended is not None
    assert ended.parsed == VERDICT
    assert ended.usage == Usage(backend="played", model="m", input_tokens=20, output_tokens=10, cost_usd=1.0)
    *before, answer, repair = backend.asked[1].messages
    assert (tuple(before), answer) == (asked().messages, ChatText(author="team", text=WRONG_SHAPE))
    assert isinstance(repair, ChatText)
    assert "kind: Input should be 'right' or 'wrong'; score: Input should be less than or equal to 10" in repair.text


@pytest.mark.parametrize("answer", [WRONG_SHAPE, "I would rather not.", "", "[]", RIGHT[:-1]])
async def test_answer_that_stays_wrong_is_no_result(answer: str) -> None:
    backend = PlayedBackend([answer])
    assert await result_of(backend) == (None, LLMInvalidOutput)
    assert len(backend.asked) == 2


@pytest.mark.parametrize("status", REFUSED)
async def test_server_that_refuses_a_shape_is_not_asked_for_it_again(status: int) -> None:
    backend = PlayedBackend([REFUSED[status]], [RIGHT])
    structured = StructuredBackend(backend)
    for _ in range(2):
        pieces, error = await heard(structured.stream(asked()))
        assert error is None
        assert isinstance(pieces[-1], AnswerEnd)
        assert pieces[-1].parsed == VERDICT
    assert [each.shape for each in backend.asked] == ["schema", "json", "json"]
    assert '"required": ["kind", "score"]' in backend.asked[1].system
    assert "schema" not in backend.asked[0].system


async def test_way_down_ends_with_words() -> None:
    backend = PlayedBackend([REFUSED[400]], [REFUSED[422]], [f"Here you are:\n```json\n{RIGHT}\n```"])
    ended, _error = await result_of(backend)
    assert ended is not None
    assert ended.parsed == VERDICT
    assert [each.shape for each in backend.asked] == ["schema", "json", "text"]
    assert backend.abilities.shape == "text"


async def test_server_that_refuses_everything_has_lost_nothing() -> None:
    """V5: a request refused for another reason teaches nothing about shapes."""
    backend = PlayedBackend([REFUSED[400]])
    assert await result_of(backend) == (None, LLMRejected)
    assert (len(backend.asked), backend.abilities.shape) == (3, "schema")


async def test_outage_makes_two_requests_at_most() -> None:
    """V4: a 500 may mean that a server knows no schemas; two of them mean that it is down."""
    backend = PlayedBackend([REFUSED[500]])
    assert await result_of(backend) == (None, LLMUnavailable)
    assert (len(backend.asked), backend.abilities.shape) == (2, "schema")


async def test_outage_of_a_server_known_to_take_schemas_makes_one_request() -> None:
    """V4, V17."""
    backend = PlayedBackend([RIGHT], [REFUSED[500]])
    structured = StructuredBackend(backend)
    await heard(structured.stream(asked()))
    _pieces, error = await heard(structured.stream(asked()))
    assert (type(error), len(backend.asked)) == (LLMUnavailable, 2)


@pytest.mark.parametrize("error", [LLMKeyRejected(status=401), LLMUnavailable(status=503), LLMUnavailable()])
async def test_failure_that_no_shape_can_cause_ends_it(error: LLMError) -> None:
    backend = PlayedBackend([error])
    assert await result_of(backend) == (None, type(error))
    assert len(backend.asked) == 1


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
@pytest.mark.parametrize("refuses_with", [None, 400, 500])
async def test_real_servers_give_a_result_each_in_its_way(wire: str, refuses_with: int | None) -> None:
    """The shape's whole way: with schemas, with a plain refusal, and with a fault in its place."""
    with Provider(schema=refuses_with is None, refuses_with=refuses_with or 400) as provider:
        backend = backend_for(wire, provider)
        structured = StructuredBackend(backend)
        for _ in range(2):
            pieces, error = await heard(structured.stream(asked()))
            assert error is None
            assert isinstance(pieces[-1], AnswerEnd)
            assert pieces[-1].parsed == Verdict(kind="right", score=0)
        await backend.aclose()
        assert provider.attempts == (2 if refuses_with is None else 3)


async def test_real_server_repairs_what_it_wrote() -> None:
    with Provider() as provider:
        provider.script("Judge it.", Answer(text=f"Sure! {WRONG_SHAPE}"), Answer(text=RIGHT))
        backend = backend_for("openai", provider)
        ended, _error = await result_of(backend)
        await backend.aclose()
    assert ended is not None
    assert ended.parsed == VERDICT


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        f"\n {RIGHT}\n",
        f"```json\n{RIGHT}\n```",
        f"```\n{RIGHT}```",
        f"Here it is: {RIGHT} I hope that helps {{really}}.",
        f'First I thought {{"kind": "wrong", "score": 1}}, but no: {RIGHT}',
        f'<think>{{"kind": "wrong", "score": 1}}</think>{RIGHT}',
        f"A set {{1, 2}} and \\frac{{1}}{{2}}: {RIGHT}",
        f"{RIGHT}\n{WRONG_SHAPE}",
    ],
)
def test_result_is_found_among_other_things(text: str) -> None:
    assert parse_result(Verdict, text) == (VERDICT, "")


@given(PROSE, OBJECTS, PROSE)
def test_object_is_found_in_any_prose(before: str, value: dict[str, Any], after: str) -> None:
    written = json.dumps(value)
    assert written in list(find_json_objects(f"{before}\n{written}\n{after}"))


@given(OBJECTS, st.sampled_from(["json", "", "JSON"]))
def test_object_is_found_in_a_fence(value: dict[str, Any], language: str) -> None:
    written = json.dumps(value, indent=2)
    assert written in list(find_json_objects(f"```{language}\n{written}\n```"))


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    result, fault = parse_result(Verdict, text)
    assert result is None
    assert fault


@pytest.mark.parametrize("text", ["{" * 200_000, '{"a":' * 50_000, "[" * 200_000, "<think>" * 30_000])
def test_text_written_to_be_slow_is_read(text: str) -> None:
    assert parse_result(Verdict, text)[0] is None


def test_nul_is_left_out() -> None:
    class Note(BaseModel):
        text: str

    assert parse_result(Note, r'{"text": "a\u0000b\\u0000"}')[0] == Note(text="ab\\u0000")


def test_strict_schema_requires_everything_and_tells_bounds_in_words() -> None:
    class Part(BaseModel):
        name: str = Field(default="", max_length=5, description="A word.")

    class Whole(BaseModel):
        title: str
        default: int = 3
        parts: list[Part] = Field(min_length=2)
        either: int | None = None

    schema = strict_schema(Whole)
    assert schema["required"] == ["title", "default", "parts", "either"]
    assert schema["properties"] == {
        "title": {"type": "string"},
        "default": {"type": "integer"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}, "description": "(minItems: 2)"},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }
    assert schema["$defs"]["Part"] == {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "A word. (maxLength: 5)"}},
        "required": ["name"],
        "additionalProperties": False,
    }
