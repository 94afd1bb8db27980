"""The API's descriptions as a client checks answers by them."""

from typing import Any

from jsonschema import Draft202012Validator

from learnagent.api.asyncapi import build_asyncapi
from learnagent.api.openapi import build_openapi


def schema_errors(told: Any, schema: str, *, described: dict[str, Any] | None = None) -> list[str]:
    """Return what of an answer or a frame is not as its named schema says."""
    components = {"components": (described or build_openapi())["components"]}
    validator = Draft202012Validator({"$ref": f"#/components/schemas/{schema}", **components})
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(told)]


def frame_schema_errors(frame: dict[str, Any], *, channel: str = "session") -> list[str]:
    """Return what of a frame from the server is not as its socket's description says, unnamed fields included."""
    described = build_asyncapi()
    named = (described["components"]["messages"][each] for each in described["channels"][channel]["messages"])
    messages = {each["name"]: each["title"] for each in named}
    name = messages[frame["type"]]
    schema = described["components"]["schemas"][name]
    unnamed = [] if frame["type"] == "card" else sorted(frame.keys() - schema["properties"].keys())
    return schema_errors(frame, name, described=described) + [f"{field} is not described" for field in unnamed]
