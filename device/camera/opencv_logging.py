"""Keeps OpenCV's and FFmpeg's log lines off the terminal: the cameras raise errors of their own."""

import os

import cv2


def silence_opencv() -> None:
    """Silence both. Call it before opening a capture, which is when FFmpeg reads its log level."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    if hasattr(cv2, "setLogLevel"):  # OpenCV 4
        cv2.setLogLevel(0)
    else:  # OpenCV 5
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
