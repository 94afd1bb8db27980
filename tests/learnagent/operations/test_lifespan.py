"""What a serving process does at its start."""

import subprocess
import sys

SERVING = """
import asyncio, os, sys, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "learnagent.settings"
import django
django.setup()
from learnagent.operations.lifespan import ServerLifespan
async def begin():
    before, threads = "numpy" in sys.modules, threading.active_count()
    lifespan = ServerLifespan()
    # No task has run yet.
    print(before, *(each in sys.modules for each in ("numpy", "onnxruntime")), threading.active_count() - threads)
    os._exit(0)
sys.stdout.reconfigure(line_buffering=True)
asyncio.run(begin())
"""


def test_packages_that_run_models_are_imported_before_the_first_task() -> None:
    ran = subprocess.run([sys.executable, "-c", SERVING], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True", "True", "0"]
