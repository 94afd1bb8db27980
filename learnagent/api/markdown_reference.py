"""JSON Schemas and calls → Markdown that people read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def call_lines(title: str, call: Schema) -> list[str]:
    """Return one call of an OpenAPI description: what it does, takes and answers."""
    lines = [f"### {title}", "", f"{call['summary']}. {call.get('description', '')}".strip(), ""]
    parameters = [_parameter_row(each) for each in call["parameters"]]
    lines += table(("parameter", "type", "meaning"), parameters) if parameters else []
    for media_type, body in call.get("requestBody", {}).get("content", {}).items():
        lines += [f"Body: {type_of(body['schema'])} as `{media_type}`.", ""]
        if "properties" in body["schema"]:
            lines += _fields(body["schema"])
    answers = ((status, each) for status, each in call["responses"].items() if int(status) < 300)
    for status, each in answers:
        [(media_type, content)] = each["content"].items()
        stream = f", as a stream of the type `{media_type}`" if media_type != "application/json" else ""
        lines.append(f"Returns {status}: {type_of(content['schema'])}{stream}.")
    refused = ", ".join(str(status) for status in sorted(call["responses"]) if int(status) >= 300)
    return [*lines, "", f"Errors: {refused}, each with an [ErrorBody](#errorbody).", ""]


def _parameter_row(parameter: Schema) -> tuple[str, str, str]:
    kind = f"{parameter['in']}, {type_of(parameter['schema'])}{_optional_note(parameter['required'])}"
    return f"`{parameter['name']}`", kind, _describe_value(parameter["schema"])


def schema_lines(name: str, schema: Schema) -> list[str]:
    """Return an object's fields as a table under its name."""
    kind = schema.get("properties", {}).get("type", {}).get("const")
    title = f"{name}: `{kind}`" if kind else name
    fields = _fields(schema) if "properties" in schema else [f"Type: {type_of(schema)}.", ""]
    return [f"### {title}", "", schema.get("description", ""), "", *fields]


def _fields(schema: Schema) -> list[str]:
    required = schema.get("required", ())
    rows = [
        (f"`{name}`", f"{type_of(each)}{_optional_note(name in required)}", _describe_value(each))
        for name, each in schema["properties"].items()
    ]
    return table(("field", "type", "meaning"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table in Markdown, with an empty line after it."""
    listed = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in listed] + [""]


def type_of(schema: Schema) -> str:
    """Return what a value is, in words; a named schema as a link to where it stands."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return "[any event](#events)" if name == "Event" else f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(type_of(each) for each in schema["anyOf"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"list of {type_of(schema.get('items', {}))}"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"object of {type_of(schema['additionalProperties'])}"
        case "string":
            return {"uuid": "UUID", "binary": "file", "date-time": "time"}.get(schema.get("format", ""), "text")
        case str() as name:
            return name
        case _:
            return "anything"


def _anchor(name: str) -> str:
    return name.lower()


def _optional_note(required: bool) -> str:
    return "" if required else ", optional"


def _describe_value(schema: Schema) -> str:
    """Return what is said of a value, and how large it may be."""
    limits = [
        f"{words} {schema[name]}"
        for name, words in (("minimum", "at least"), ("maximum", "at most"), ("exclusiveMaximum", "below"))
        if name in schema
    ]
    if "default" in schema:
        limits.append(f"default {schema['default']!r}".replace("None", "null"))
    return (
        " ".join([schema.get("description", ""), f"({', '.join(limits)})" if limits else ""]).replace("\n", " ").strip()
    )
