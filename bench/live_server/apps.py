"""Puts the simulated team in the lessons' place."""

import asyncio
import os
from typing import Any

from django.apps import AppConfig


class ServedConfig(AppConfig):
    name = "bench.live_server"

    def ready(self) -> None:
        from agents.engine.registry import roles
        from bench.live_server.simulated_team import ROLES, SimulatedTurnHandler
        from conversations.turns.handler import register_turn_handler

        roles.update({role.name: role for role in ROLES})
        register_turn_handler(SimulatedTurnHandler())
        if os.environ.get("BENCH_RUNNER") == "langgraph":
            from bench.live_server.langgraph_runner import run
            from conversations.turns import supervisor

            supervisor.run = run  # type: ignore[assignment]  # What it does not need it swallows.
        if os.environ.get("BENCH_STALLS"):
            self._watch_the_loop()

    def _watch_the_loop(self) -> None:
        from bench.live_server.loop_stalls import record_stalls
        from learnagent.operations import lifespan

        class Upkeep(lifespan.ServerLifespan):
            def __init__(self, **options: Any) -> None:
                super().__init__(**options)
                self._tasks.append(asyncio.create_task(record_stalls()))

        lifespan.ServerLifespan = Upkeep  # type: ignore[misc]
