"""Runs a module with the patience that an emulated processor needs: ``python -m slowly MODULE …``."""

import runpy
import sys

from device.media import decoder
from device.sound import voice
from device.system import sandbox
from vision.hands import model_process

PATIENCE_S = 1800.0

if __name__ == "__main__":
    decoder.ANSWER_LIMIT_S = voice.RENDER_TIMEOUT_S = sandbox.SANDBOX_TIMEOUT_S = PATIENCE_S
    model_process.LOAD_LIMIT_S = model_process.RELOAD_LIMIT_S = model_process.DETECTION_LIMIT_S = PATIENCE_S
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
