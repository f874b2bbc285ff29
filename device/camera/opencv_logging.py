"""Keeps OpenCV's and FFmpeg's own log lines off people's terminals: faults are said by us, in words."""

import os

import cv2


def quiet_opencv() -> None:
    """Silence both; to be called before a capture is opened, which is when FFmpeg's level is read."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    if hasattr(cv2, "setLogLevel"):  # OpenCV 4
        cv2.setLogLevel(0)
    else:  # OpenCV 5
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
