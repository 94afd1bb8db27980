"""The API's descriptions as a client checks answers by them."""

from typing import Any

from jsonschema import Draft202012Validator

from learnagent.api.asyncapi import asyncapi
from learnagent.api.openapi import openapi


def faults_in(told: Any, schema: str, *, described: dict[str, Any] | None = None) -> list[str]:
    """Return what of an answer or a frame is not as its named schema says."""
    components = {"components": (described or openapi())["components"]}
    validator = Draft202012Validator({"$ref": f"#/components/schemas/{schema}", **components})
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(told)]


def faults_in_frame(frame: dict[str, Any]) -> list[str]:
    """Return what of a frame from the server is not as the socket's description says, unnamed fields included."""
    described = asyncapi()
    messages = {each["name"]: each["title"] for each in described["components"]["messages"].values()}
    name = messages[frame["type"]]
    schema = described["components"]["schemas"][name]
    unnamed = [] if frame["type"] == "card" else sorted(frame.keys() - schema["properties"].keys())
    return faults_in(frame, name, described=described) + [f"{field} is not described" for field in unnamed]
