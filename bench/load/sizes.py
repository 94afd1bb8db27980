"""How long the parts of the benchmark run, by the environment."""

import os
from typing import Final

SECONDS: Final = float(os.environ.get("BENCH_LOAD_SECONDS", "8"))
"""Each load that has no length of its own."""
SOAK_MINUTES: Final = float(os.environ.get("BENCH_LOAD_SOAK_MINUTES", "0.5"))
