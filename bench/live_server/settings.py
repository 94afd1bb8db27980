"""The product's settings, but for who answers, and for limits that a single machine playing many people would meet."""

from learnagent.settings import *  # noqa: F403  # The product is measured, not a copy of its settings.
from learnagent.settings import AGENTS, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "bench.live_server"]
LLMS = {alias: {"BACKEND": "bench.live_server.simulated_team.SimulatedTeam"} for alias in ("strong", "fast", "vision")}
AGENTS = AGENTS | {"turns_per_minute": 0, "panels_per_minute": 0}
