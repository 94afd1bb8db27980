"""Imports the packages that run the embedded models."""

import importlib
from contextlib import suppress


def import_runtimes() -> None:
    """Import NumPy and ONNX Runtime, if they are installed. Takes a fifth of a second; call it before threads start.

    Two threads that import them at once leave NumPy half imported, and no model runs until the process ends.
    """
    for package in ("numpy", "onnxruntime"):
        with suppress(ImportError):
            importlib.import_module(package)
