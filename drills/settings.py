"""The product's settings, but for a pace slow enough that a turn can be interrupted while it streams."""

import os

from agents.limits import ModelLimits
from agents.storage import transactions
from learnagent.configuration.environment import environment
from learnagent.settings import *  # noqa: F403  # A drill runs the product, not a copy of its settings.
from learnagent.settings import AGENTS, INSTALLED_APPS

if environment.provider == "offline" and not environment.LLM_BACKENDS:
    LLMS = {
        alias: {
            "BACKEND": "agents.llm.offline.OfflineBackend",
            "OPTIONS": {"pace_s": float(os.environ["DRILL_PACE_S"])},
        }
        for alias in ("strong", "fast", "vision", "offline")
    }
if "DRILL_FLUSH_S" in os.environ:
    AGENTS = AGENTS | {"flush_s": float(os.environ["DRILL_FLUSH_S"]), "flush_bytes": 10**9}
if os.environ.get("DRILL_NO_BREAKER"):
    AGENTS = AGENTS | {"model_limits": ModelLimits(failures=10**6, open_s=0.0, barred_s=0.0)}
transactions.raise_on_inference = True
EMBEDDED_WORKER = False
"""A drill counts the processes of a turn; nothing in it needs a job."""
if os.environ.get("DRILL_RING"):
    INSTALLED_APPS = [*INSTALLED_APPS, "drills.ring_tool.RingToolConfig"]
if os.environ.get("DRILL_PATIENCE"):
    INSTALLED_APPS = [*INSTALLED_APPS, "drills.panel.patience.PatientPanelConfig"]
    # Each run is to meet its fault: none finds the model left alone, or the retries used up, because of those before it.
    AGENTS = AGENTS | {
        "model_limits": ModelLimits(
            failures=10_000, open_s=0.0, barred_s=0.0, crowded_s=0.0, retries_saved=(10_000, 10_000)
        )
    }
if os.environ.get("DRILL_SEED"):
    INSTALLED_APPS = [*INSTALLED_APPS, "drills.scripted_learners.counted_turns.CountedTurnsConfig"]
