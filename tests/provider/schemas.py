"""The smallest value that a JSON schema allows."""

import json
from typing import Any


def smallest(schema: dict[str, Any]) -> Any:
    """Return a value that fits: first alternatives, least numbers, shortest lists, nothing that is not required."""
    return _smallest(schema, schema)


def _smallest(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _smallest(_followed(schema["$ref"], root), root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return _smallest(schema[word][0], root)
    kind = schema.get("type", "object" if "properties" in schema else "null")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _smallest(properties.get(name, {}), root) for name in schema.get("required", ())}
    if kind == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})] * schema.get("minItems", 0)
        return [_smallest(item, root) for item in items]
    return _smallest_plain(kind, schema)


def _smallest_plain(kind: str, schema: dict[str, Any]) -> Any:
    match kind:
        case "string":
            return "…" * max(1, schema.get("minLength", 1))
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
            if isinstance(value, dict) and "properties" in value:
                return value
        start = text.find("{", end)
    return None
