"""Habits of picamera2 that its adapter has to cope with. The same checks run on the fake, and on the real library over
libcamera's virtual camera."""

import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

CAPTURE_TIMEOUT_S = 0.5
BLOCK_TIMEOUT_S = 1.0
"""What blocks is still there after this time."""
STOP_TIMEOUT_S = 60.0
"""``stop`` takes less on every machine, unless it blocks."""


def check_habits(library: Any, block_frames: Callable[[bool], None]) -> None:
    """Check all of them. ``block_frames`` makes frames stay away, or come again.

    Raises:
        AssertionError: The library has another habit.
    """
    check_timed_out_capture(library, block_frames)
    check_exception_in_callback(library)
    check_open_camera(library)
    check_raw_stream(library)


def check_timed_out_capture(library: Any, block_frames: Callable[[bool], None]) -> None:
    """A capture that timed out blocks ``stop`` for ever; ``close`` releases the camera all the same."""
    camera = start_camera(library)
    assert "SensorTimestamp" in camera.capture_metadata(wait=5)
    block_frames(True)
    assert not captures(camera)
    assert stop_blocks(camera)
    camera.cancel_all_and_flush()
    camera.close()
    block_frames(False)
    camera = start_camera(library)
    block_frames(True)
    assert not captures(camera)
    camera.cancel_all_and_flush()
    assert not stop_blocks(camera, STOP_TIMEOUT_S)
    camera.close()
    block_frames(False)


def check_exception_in_callback(library: Any) -> None:
    """An exception in the callback ends the frames and makes ``stop`` block for ever; ``close`` releases the camera."""

    def fail(request: Any) -> None:
        raise ValueError("a bad frame")

    camera = start_camera(library)
    camera.pre_callback = fail
    assert not captures(camera)
    camera.cancel_all_and_flush()
    assert stop_blocks(camera)
    camera.close()
    start_camera(library).close()


def check_open_camera(library: Any) -> None:
    """A camera that is open can't be opened again, and refuses a control that it doesn't have."""
    camera = start_camera(library)
    assert raises_runtime_error(lambda: library.Picamera2(0))
    assert raises_runtime_error(lambda: camera.set_controls({"Colour": 1}))
    camera.close()
    camera.close()
    library.Picamera2(0).close()


def check_raw_stream(library: Any) -> None:
    """A Raspberry Pi's camera has a raw stream unless it is declined, and a small one only if wanted."""
    with patch.object(library.Picamera2, "_is_rpi_camera", lambda camera: True, create=True):
        camera = library.Picamera2(0)
        assert camera.create_video_configuration(main={})["raw"] is not None
        config = camera.create_video_configuration(main={}, raw=None)
        assert config["raw"] is None and config["lores"] is None
        camera.close()


def start_camera(library: Any) -> Any:
    """Open, configure and start camera 0."""
    camera = library.Picamera2(0)
    camera.configure(camera.create_video_configuration(main={"size": (1280, 720), "format": "YUV420"}, queue=False))
    camera.start()
    return camera


def captures(camera: Any) -> bool:
    """Whether a capture ends in time."""
    try:
        camera.capture_metadata(wait=CAPTURE_TIMEOUT_S)
    except TimeoutError:
        return False
    return True


def stop_blocks(camera: Any, timeout_s: float = BLOCK_TIMEOUT_S) -> bool:
    """Whether ``stop`` does not return in ``timeout_s``."""

    def stop() -> None:
        try:
            camera.stop()
        except BaseException:  # it is cancelled later
            return

    thread = threading.Thread(target=stop, daemon=True)
    thread.start()
    thread.join(timeout_s)
    return thread.is_alive()


def raises_runtime_error(action: Callable[[], Any]) -> bool:
    """Whether ``action`` raises RuntimeError."""
    try:
        action()
    except RuntimeError:
        return True
    return False
