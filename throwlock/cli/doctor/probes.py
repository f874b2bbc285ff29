"""The probes that ``throwlock doctor`` runs in a subprocess because they may hang or abort: the hand model, a camera,
the screen, the sound device; and what runs one.
``python -m throwlock.cli.doctor.probes camera 0`` prints its results as JSON lines."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from device.system.processes import describe_exit
from errors import ThrowlockError

if TYPE_CHECKING:
    from device.camera.frames import Frame
    from device.camera.picamera import Picamera
    from device.system.clock import Clock

BLACK_LEVEL = 8.0
"""Brightness of an image (of 255, see ``bright_level``) below which it is black."""
MEASURED_NS = 2_000_000_000
"""How long a Pi's camera is measured."""
ProbeOutput = dict[str, Any]


class RecognitionError(ThrowlockError):
    """The hand model runs, and reads rendered hands wrongly."""


def hand() -> Iterator[ProbeOutput]:
    """Recognise the hands in ``throws.jpg``: one for each throw, of the simulated table. Importing mediapipe would
    prove nothing: it loads its library at its first use. Yield its version, why LiteRT does not run (or None), and the
    throws.

    Raises:
        ModelError: The hand model is missing or does not run here.
        RecognitionError: It reads other throws than are shown.
    """
    from vision.hands.detector import HandDetector  # noqa: PLC0415 - needs numpy
    from vision.hands.shapes import read_hand  # noqa: PLC0415
    from vision.hands.stills import read_image  # noqa: PLC0415 - needs OpenCV

    yield {"mediapipe": version("mediapipe")}
    throws = ["rock", "paper", "scissors"]
    image = read_image(Path(__file__).with_name("throws.jpg"))
    side = image.shape[1] // len(throws)
    seen = []
    with HandDetector() as detector:
        yield {"tracking_error": detector.tracking_error and str(detector.tracking_error)}
        for i in range(len(throws)):
            hands = detector.detect(image[:, i * side : (i + 1) * side])
            seen.append(str(read_hand(hands[0]).throw) if hands else "no hand")
    if seen != throws:
        raise RecognitionError(f"rendered {', '.join(throws)} read as {', '.join(seen)}")
    yield {"recognised": throws}


def camera(index: str) -> Iterator[ProbeOutput]:
    """Open camera ``index`` with the box's settings and take an image. Raises CameraError."""
    from device.system.clock import MonotonicClock  # noqa: PLC0415
    from throwlock.table_setup.cameras import open_camera  # noqa: PLC0415 - needs OpenCV

    opened = open_camera(f"usb:{index}", clock := MonotonicClock(), seats=2, seed=0)
    opened.start()
    clock.wait_until(clock.now_ns() + 500_000_000)  # the first images have been read by now
    frame = opened.latest()
    yield {"size": frame.size, "fps": opened.fps, "light": light_of(frame)}
    opened.stop()


def picamera(index: str) -> Iterator[ProbeOutput]:
    """Open the Pi's camera ``index`` with the box's settings and run it for two seconds. Raises CameraError."""
    from device.camera.picamera import Picamera  # noqa: PLC0415 - needs OpenCV
    from device.system.clock import MonotonicClock  # noqa: PLC0415
    from throwlock.table_setup.cameras import open_camera  # noqa: PLC0415 - needs OpenCV

    opened = open_camera(f"picamera2:{index}", clock := MonotonicClock(), seats=2, seed=0)
    assert isinstance(opened, Picamera)
    yield from measure_camera(opened, clock)


def light_of(frame: "Frame") -> Literal["bright", "dim", "black"]:
    """Return how much light a camera's image has."""
    from vision.hands.limits import DIM_LEVEL, bright_level  # noqa: PLC0415 - needs numpy

    level = bright_level(frame.grey())
    return "black" if level < BLACK_LEVEL else "dim" if level < DIM_LEVEL else "bright"


def measure_camera(camera: "Picamera", clock: "Clock") -> Iterator[ProbeOutput]:
    """Run a Pi's camera for ``MEASURED_NS``: yield its frame rate (per second), dropped frames and exposure."""
    camera.start()
    try:
        camera.lock_exposure()
        since_ns = clock.now_ns()
        clock.wait_until(since_ns + MEASURED_NS)
        frames = camera.frames_between(since_ns, since_ns + MEASURED_NS)
        yield {
            "sensor": camera.sensor,
            "mode": camera.mode.size if camera.mode else camera.size,
            "size": camera.size,
            "fps": round(len(frames) * 1e9 / MEASURED_NS, 1),
            "asked": round(camera.fps, 1),
            "dropped": camera.dropped,
            "exposure_ms": frames[-1].exposure_ns / 1e6,
            "readout_ms": camera.readout_ns / 1e6 if camera.readout_known else None,
            "light": light_of(frames[-1]),
        }
    finally:
        camera.stop()


def screen() -> Iterator[ProbeOutput]:
    """Open the display. Raises pygame.error if there is none."""
    import pygame  # noqa: PLC0415 - needs its libraries

    from ui.screen.core.screen import choose_screen  # noqa: PLC0415 - needs pygame

    choose_screen()
    pygame.display.init()
    yield {"driver": pygame.display.get_driver(), "sizes": pygame.display.get_desktop_sizes()}
    pygame.display.quit()


def sound() -> Iterator[ProbeOutput]:
    """Open the sound device. Raises SoundError if it can't be opened."""
    from device.sound.loudspeaker import missing_device_reason, open_mixer  # noqa: PLC0415 - needs pygame's libraries

    if why := missing_device_reason():
        yield {"none": why}
        return
    yield {"driver": open_mixer()}


def voice() -> Iterator[ProbeOutput]:
    """Speak in every language, without a sound, and yield the program's version. Raises VoiceError."""
    from device.sound.voice import VOICES, Voice, find_voice_program  # noqa: PLC0415 - needs numpy
    from vision.hands.model import cache_directory  # noqa: PLC0415 - as above

    program = find_voice_program()
    if program is None:
        yield {"none": "espeak-ng is not installed"}
        return
    voices = [Voice(program, language, cache_directory()) for language in VOICES]
    for installed in voices:
        installed.say("1, 2, 3")
    yield {"version": voices[0].version, "languages": list(VOICES)}


def seats() -> Iterator[ProbeOutput]:
    """Open the seats' buttons and lights, and yield what is missing of each.

    Raises:
        SettingsError: The settings can't be read.
        ButtonError: The pins are not available.
    """
    from device.gpio.gpiozero_devices import open_pin_factory  # noqa: PLC0415 - needs its library
    from device.system.clock import MonotonicClock  # noqa: PLC0415 - as below
    from throwlock.settings.model import read_settings  # noqa: PLC0415
    from throwlock.table_setup.seat_io import find_missing_hardware  # noqa: PLC0415

    yield find_missing_hardware(read_settings(), MonotonicClock(), open_pin_factory())


@dataclass(frozen=True)
class ProbeResult:
    """The result of a probe."""

    status: int | None
    """Its exit status; None: it timed out."""
    found: Mapping[str, Any]
    """The JSON objects it printed."""
    error: str
    """Its last line on standard error."""

    @property
    def why(self) -> str:
        """The reason for the failure."""
        if self.status is None:
            return "it did not answer in time"
        if self.status < 0:
            return f"it ends the whole process ({describe_exit(self.status)})"
        return self.error or f"exit status {self.status}"


RunProbe = Callable[[Sequence[str], float], ProbeResult]
"""Runs a probe with its arguments and a timeout in seconds."""


def run_probe(args: Sequence[str], seconds: float, module: str = "throwlock.cli.doctor.probes") -> ProbeResult:
    """Run a probe of ``module`` in a subprocess. One that can't be killed (its driver hangs) is left behind."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        command = [sys.executable, "-m", module, *args]
        quiet = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=quiet)
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            _kill(process)
        except BaseException:  # an interrupt: nothing is left running
            _kill(process)
            raise
        out.seek(0)
        err.seek(0)
        output: dict[str, Any] = {}
        for line in out:
            with suppress(ValueError, TypeError):  # a library's own line
                output |= json.loads(line)
        errors = [line.strip() for line in err if line.strip()]
        return ProbeResult(status, output, errors[-1][:200] if errors else "")


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.returncode = -signal.SIGKILL  # or Python waits for it at its own end


PROBES: Mapping[str, Callable[..., Iterator[ProbeOutput]]] = {
    probe.__name__: probe for probe in (hand, camera, picamera, screen, sound, voice, seats)
}


def main(args: Sequence[str], known: Mapping[str, Callable[..., Iterator[ProbeOutput]]] = PROBES) -> int:
    """Run the probe ``args[0]`` of ``known``. Return 1, with a line on standard error, if it fails."""
    try:
        for output in known[args[0]](*args[1:]):
            print(json.dumps(output), flush=True)
    except Exception as error:
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
