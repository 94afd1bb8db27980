"""Import a package in a fresh process: CPU time and memory over those of a bare interpreter with asyncio."""

import json
import subprocess
import sys

MEASURE = """
import asyncio, json, resource, sys
from importlib import import_module
from time import process_time
memory, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps({
    "cpu_ms": (process_time() - started) * 1e3,
    "memory_mb": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024,
}))
"""


def _imported(*modules: str) -> dict[str, float]:
    command = [sys.executable, "-c", MEASURE, *modules]
    figures: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return figures


def ours() -> dict[str, float]:
    return _imported(
        "agents.engine.runner",
        "agents.engine.graph",
        "agents.engine.registry",
        "agents.llm.offline",
        "agents.llm.prompt",
    )


def django_and_channels() -> dict[str, float]:
    return _imported("django.core.handlers.asgi", "django.db.models", "channels.generic.websocket")


def pydantic() -> dict[str, float]:
    return _imported("pydantic")


def langgraph() -> dict[str, float]:
    return _imported("langgraph.graph")
