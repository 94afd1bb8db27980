"""Structured output: by the provider's schema mode, else by JSON mode, else by instructions."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from pydantic import BaseModel, ValidationError

from agents.errors import LLMError, LLMInvalidOutput, LLMRejected, LLMTruncated, LLMUnavailable
from agents.llm.base import AnswerEnd, AnswerPiece, ChatText, LLMBackend, ModelRequest, OutputShape, TextPiece
from agents.llm.json_extraction import find_json_objects
from agents.llm.strict_schemas import strict_schema
from agents.llm.wrappers.base import BackendWrapper

SHAPES_BY_STRICTNESS: tuple[OutputShape, ...] = ("schema", "json", "text")
SCHEMA_INSTRUCTION = "Answer with one JSON object and nothing else. It must match this JSON schema:\n{schema}"
REPAIR_INSTRUCTION = "That is invalid: {fault}\nAnswer again with the whole corrected JSON object and nothing else."
MAX_FAULTS = 5
ANSWER_CHARACTERS = 20_000
"""Most characters of an invalid answer that the model is shown again."""
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


class StructuredBackend(BackendWrapper):
    """Enforces a result's schema as strictly as the server can, and asks once for a repair."""

    def __init__(self, inner: LLMBackend) -> None:
        super().__init__(inner)
        self.proven = False
        """The server has accepted a schema before: if it fails now, the schema is not the cause."""

    def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        return self.inner.stream(asked) if asked.schema is None else self._parsed(asked, asked.schema)

    async def _parsed(self, asked: ModelRequest, schema: type[BaseModel]) -> AsyncGenerator[AnswerPiece]:
        shape, text, ended = await self._answer(asked)
        usage = ended.usage
        result, fault = parse_result(schema, text)
        if result is None:
            again = (
                ChatText(author="team", text=text[:ANSWER_CHARACTERS] or "{}"),
                ChatText(author="learner", text=fault),
            )
            text, ended = await self._asked_in(shape, replace(asked, messages=(*asked.messages, *again)))
            usage = usage.plus(ended.usage)
            result, _fault = parse_result(schema, text)
        if result is None:
            raise LLMInvalidOutput
        yield AnswerEnd(stop=ended.stop, usage=usage, parsed=result)

    async def _answer(self, asked: ModelRequest) -> tuple[OutputShape, str, AnswerEnd]:
        """Ask in the strictest shape that the server accepts; a rejected shape is not tried again."""
        refusal: LLMError | None = None
        for shape in SHAPES_BY_STRICTNESS[SHAPES_BY_STRICTNESS.index(self.abilities.shape) :]:
            try:
                text, ended = await self._asked_in(shape, asked)
            except (LLMRejected, LLMUnavailable) as error:
                if refusal is not None and error.status == 500:
                    raise refusal from None
                if not self._may_be_the_shape(shape, error):
                    raise
                refusal = refusal or error
                continue
            if refusal is not None:
                self.abilities.shape = shape
            self.proven = self.proven or shape == "schema"
            return shape, text, ended
        assert refusal is not None
        raise refusal

    def _may_be_the_shape(self, shape: OutputShape, error: LLMError) -> bool:
        """Return whether the shape may have caused the failure; some servers report that as an internal error."""
        if type(error) is LLMRejected:
            return shape != "text" and error.status in (400, 404, 422)
        return shape != "text" and error.status in (500, 501) and not self.proven

    async def _asked_in(self, shape: OutputShape, asked: ModelRequest) -> tuple[str, AnswerEnd]:
        """Return what the model wrote, and how it ended."""
        if shape != "schema" and asked.schema is not None:
            words = SCHEMA_INSTRUCTION.format(schema=json.dumps(strict_schema(asked.schema), ensure_ascii=False))
            asked = replace(asked, system="\n\n".join(filter(None, (asked.system, words))))
        written: list[str] = []
        async with aclosing(self.inner.stream(replace(asked, shape=shape))) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextPiece):
                    written.append(piece.text)
                elif isinstance(piece, AnswerEnd):
                    return "".join(written), piece
        raise LLMTruncated


def parse_result(schema: type[BaseModel], text: str) -> tuple[BaseModel | None, str]:
    """Return the result parsed from a model's text, or None and the error for the model."""
    fault = "There is no JSON object in it."
    for found in find_json_objects(text):
        try:
            return schema.model_validate_json(_NUL.sub(r"\1", found)), ""
        except ValidationError as error:
            if found.startswith("{"):
                fault = describe_faults(error)
    return None, REPAIR_INSTRUCTION.format(fault=fault)


def describe_faults(error: ValidationError) -> str:
    """Return what is wrong with a result, worded for the model."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:MAX_FAULTS]
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the object'}: {each['msg']}" for each in faults)[:1_000]
