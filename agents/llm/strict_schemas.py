"""JSON schemas for providers' strict mode: a subset of the standard, with every property required."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

UNSUPPORTED_BOUNDS = {
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "format", "minItems", "maxItems", "uniqueItems",
}  # fmt: skip
"""Keywords that not every provider enforces. They go into the description; we validate the answer ourselves."""
LEFT_OUT = {"title", "default", "examples", "discriminator"}


@cache
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return a result's schema for strict mode. Always the same object: do not modify it."""
    schema = _strict(model.model_json_schema())
    assert isinstance(schema, dict)
    return schema


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    strict = {
        ("anyOf" if word == "oneOf" else word): _strict_value(word, value)
        for word, value in schema.items()
        if word not in UNSUPPORTED_BOUNDS | LEFT_OUT
    }
    if "properties" in schema:
        strict |= {"additionalProperties": False, "required": list(schema["properties"])}
    if bounds := [f"{word}: {schema[word]}" for word in schema if word in UNSUPPORTED_BOUNDS]:
        strict["description"] = " ".join(filter(None, (schema.get("description"), f"({', '.join(bounds)})")))
    return strict


def _strict_value(word: str, value: Any) -> Any:
    if word in ("properties", "$defs"):
        return {name: _strict(each) for name, each in value.items()}
    return value if word in ("enum", "const", "required") else _strict(value)
