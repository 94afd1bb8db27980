"""The smallest value that a JSON schema allows."""

import json
from typing import Any


def smallest_value(schema: dict[str, Any], *, text: str = "…") -> Any:
    """Return a value that fits: first alternatives, least numbers, shortest lists, nothing that is not required.

    `text` stands in every string that can be any.
    """
    return _smallest(schema, schema, text)


def _smallest(schema: dict[str, Any], root: dict[str, Any], text: str) -> Any:
    if "$ref" in schema:
        return _smallest(_followed(schema["$ref"], root), root, text)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            # What refers to itself ends where it does not.
            return _smallest(min(schema[word], key=lambda part: "$ref" in part), root, text)
    kind = schema.get("type", "object" if "properties" in schema else "null")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _smallest(properties.get(name, {}), root, text) for name in schema.get("required", ())}
    if kind == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})] * schema.get("minItems", 0)
        return [_smallest(item, root, text) for item in items]
    return _smallest_plain(kind, schema, text)


def _smallest_plain(kind: str, schema: dict[str, Any], text: str) -> Any:
    match kind:
        case "string":
            return text.ljust(schema.get("minLength", 0), "…")[: schema.get("maxLength")]
        case "integer":
            return schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        case "number":
            return schema.get("minimum", schema.get("exclusiveMinimum", -0.5) + 0.5)
        case "boolean":
            return False
        case _:
            return None


def _followed(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    assert isinstance(found, dict)
    return found


def schema_in(text: str) -> dict[str, Any] | None:
    """Return the first JSON schema of an object that stands in the text: what a server without schemas is told."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0 and '"properties"' in text[start:]:
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            if isinstance(value, dict) and ("properties" in value or "$defs" in value):
                return value
        start = text.find("{", end)
    return None
