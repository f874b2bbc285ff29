"""Runs ``throwlock`` with the arguments given, with the patience that an emulated processor needs."""

from throwlock.cli.main import main
from vision.hands import model_process

model_process.LOAD_LIMIT_S = model_process.RELOAD_LIMIT_S = model_process.DETECTION_LIMIT_S = 900.0

if __name__ == "__main__":
    main()
