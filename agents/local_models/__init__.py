"""Models that run in this process: sentence embeddings and cached inference."""

import os

# ONNX Runtime would send Microsoft what it runs, and keep it meanwhile below the home folder.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
