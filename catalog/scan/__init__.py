"""Reading cards off pictures: finding them, straightening them, and the numerals on them with their places."""

import os

# From 1.32 on, onnxruntime keeps an id of the device and reports its use to Microsoft unless this is set at its import.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
