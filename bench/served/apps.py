"""Puts the simulated team in the lessons' place."""

import asyncio
import os
from typing import Any

from django.apps import AppConfig


class ServedConfig(AppConfig):
    name = "bench.served"

    def ready(self) -> None:
        from agents.engine.registry import roles
        from bench.served.team import ROLES, LightHost
        from conversations.turns.handler import register_turn_handler

        roles.update({role.name: role for role in ROLES})
        register_turn_handler(LightHost())
        if os.environ.get("BENCH_RUNNER") == "langgraph":
            from bench.served.twin import run
            from conversations.turns import supervisor

            supervisor.run = run  # type: ignore[assignment]  # What it does not need it swallows.
        if os.environ.get("BENCH_STALLS"):
            self._watch_the_loop()

    def _watch_the_loop(self) -> None:
        from bench.served.stalls import beat
        from learnagent.operations import lifespan

        class Upkeep(lifespan.ServerLifespan):
            def __init__(self, **options: Any) -> None:
                super().__init__(**options)
                self._tasks.append(asyncio.create_task(beat()))

        lifespan.ServerLifespan = Upkeep  # type: ignore[misc]
