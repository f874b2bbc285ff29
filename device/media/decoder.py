"""Decodes files from elsewhere in a process of its own (``device.media.worker``), with little memory, without the
network and without files: a damaged or hostile one ends that process at most."""

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.system.input_files import MAX_DECODER_BYTES, open_input_file
from device.system.processes import describe_exit
from device.system.sandbox import SandboxStatus, start_sandboxed
from errors import ThrowlockError
from messages import N, shorten

WORKER_MODULE = "device.media.worker"
ANSWER_LIMIT_S = 120.0
"""Time for the first picture of a recording, and from one to the next."""
EXIT_LIMIT_S = 2.0
"""How long a process is waited for that has closed its pipe."""
PIPE_BYTES = 2**20
"""Bytes that the process sends before it waits: a picture has three times as many."""
MAX_DETAIL_LENGTH = 200
"""Letters of what an error quotes of a file, without control characters."""
READ, IMAGE, DONE = b"r", b"i", b"d"
"""The first byte of what the process sends: see ``device.media.worker``."""
Reader = Callable[[int, int], bytes]
"""Returns the bytes of a file from a position on, at most as many as asked for."""
REASONS = {
    "no video": N("{path} is not a readable video, or was cut short: use a whole MP4, MOV, MKV or AVI file"),
    "no pictures": N(
        "{path} has no picture that can be decoded, or was cut short: use a whole MP4, MOV, MKV or AVI file"
    ),
    "sound only": N("{path} has sound only, no picture: use a video"),
    "codec": N("{path} is stored in a format that can’t be decoded here ({codec}): save it as H.264 in an MP4 file"),
    "size": N("{path} has frames of {size} pixels: 7680×4320 is the most"),
    "memory": N("{path} needs too much memory to be decoded: save it smaller, 1920×1080 for example"),
    "no times": N("{path} doesn’t say when its pictures were taken: use the recording as the camera saved it"),
    "speed": N(
        "{path} says {tagged:.0f} pictures a second and has {stored:.0f}, filmed in slow motion or in the dark: film "
        "without slow motion, in more light"
    ),
    "cut": N("{path} has a cut at {at:.2f} s, and times across it aren’t known: use the recording as it was filmed"),
    "damaged": N("{path} is damaged at {at:.2f} s: copy it again"),
    "too long": N("{path} is too long to be read as a whole: cut it to the throw"),
    "ends": N("{path} ends at {end:.2f} s, before {start:.2f} s"),
    "decoder": N("{path} can’t be decoded ({why}): save it as H.264 in an MP4 file"),
    "damaged picture": N("{path} is damaged or cut short: copy it again."),
    "picture": N("{path} can’t be read as an image: {why}."),
    "ended": N("{path} can’t be decoded ({why}): copy it again, or save it as H.264 in an MP4 file"),
    "silent": N("{path} takes too long to decode: cut it to the throw"),
    "no library": N("{path} isn’t decoded, since the decoder can’t be kept from the network: install libseccomp2"),
    "no filter": N(
        "{path} isn’t decoded, since the decoder can’t be kept from the network: the kernel accepts no filter of "
        "system calls (seccomp). Run Throwlock outside of this container or emulator"
    ),
    "not started": N("{path} can’t be decoded ({why}): try again"),
}
"""Why a file can't be decoded. ``path``, ``why`` and the other fields are filled in by a MediaDecoder."""


class MediaError(ThrowlockError):
    """A file can't be decoded. The one-line message says which, why, and what helps.

    Attributes:
        reason: The key of the message in ``REASONS``.
    """

    def __init__(self, path: Path, reason: str, **details: object) -> None:
        super().__init__(N(str(REASONS[reason]), path=path, **details))
        self.reason = reason


@dataclass(frozen=True)
class DecodedImage:
    """A picture, or one of a recording."""

    bgr: NDArray[np.uint8]
    """Blue, green and red (height, width, 3), read-only."""
    details: Sequence[int]
    """Of a recording: the number of the picture, counted from 0, and when it was recorded, in ns."""


class MediaDecoder:
    """A process that decodes one file after another. It is started when first needed, and again after it has ended; it
    ends with this process, however that ends. Threads wait for each other.

    Args:
        memory_bytes: How much memory it may use.
    """

    def __init__(self, memory_bytes: int = MAX_DECODER_BYTES) -> None:
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._worker: _DecoderProcess | None = None

    def decode(self, path: Path, kind: str, *options: object) -> tuple[list[DecodedImage], dict[str, Any]]:
        """Return a file's pictures, and what else is known of them; see ``device.media.worker`` for the kinds, their
        options and what is known.

        Raises:
            OSError: The file can't be opened, or is no regular file. ``strerror`` says why.
            MediaError: It can't be decoded.
        """
        with open_input_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            return self._ask(
                path, size, lambda position, count: os.pread(file.fileno(), count, position), kind, *options
            )

    def decode_picture(self, name: str, content: bytes) -> DecodedImage:
        """Return the picture that a file named ``name`` with this content has. Raises MediaError."""
        (image,), _ = self._ask(
            Path(name), len(content), lambda position, count: content[position : position + count], "picture"
        )
        return image

    def _ask(
        self, path: Path, size: int, read: Reader, kind: str, *options: object
    ) -> tuple[list[DecodedImage], dict[str, Any]]:
        with self._lock:
            if self._worker is None:
                self._worker = _start_decoder(path, self._memory_bytes)
            try:
                return self._worker.ask(path, size, read, kind, *options)
            except MediaError as error:
                if not self._worker.is_idle:
                    self.close()
                raise error
            except BaseException:  # after an interrupt its answer would be taken for the next one's
                self.close()
                raise

    def close(self) -> None:
        """End the process, if it runs."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()


class _DecoderProcess:
    """A running process, and the ends of its pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]", requests: Connection, responses: Connection) -> None:
        self._process, self._requests, self._responses = process, requests, responses
        self.is_idle = True
        """Whether it waits for a file."""
        self.stop = weakref.finalize(self, _stop_worker, process, requests, responses)

    def ask(
        self, path: Path, size: int, read: Reader, kind: str, *options: object
    ) -> tuple[list[DecodedImage], dict[str, Any]]:
        self.is_idle = False
        images: list[DecodedImage] = []
        deadline = time.monotonic() + ANSWER_LIMIT_S
        try:
            self._requests.send_bytes(json.dumps([kind, size, *options]).encode())
            while True:
                if not self._responses.poll(deadline - time.monotonic()):
                    raise MediaError(path, "silent")
                message = self._responses.recv_bytes()
                tag, content = message[:1], memoryview(message)[1:]
                if tag == READ:
                    position, count = json.loads(bytes(content))
                    self._requests.send_bytes(read(position, count))
                elif tag == IMAGE:
                    images.append(_read_image(message))
                    deadline = time.monotonic() + ANSWER_LIMIT_S
                else:
                    self.is_idle = True
                    answer = json.loads(bytes(content))
                    if tag == DONE:
                        return images, answer
                    details = {
                        key: shorten(detail, MAX_DETAIL_LENGTH) if isinstance(detail, str) else detail
                        for key, detail in answer[1].items()
                    }
                    raise MediaError(path, answer[0], **details)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise _ended_error(self._process, path) from None


def _read_image(message: bytes) -> DecodedImage:
    line = message.index(b"\n")
    width, height, *details = json.loads(message[1:line])
    pixels = np.frombuffer(message, np.uint8, offset=line + 1)
    return DecodedImage(pixels.reshape(height, width, 3), details)


def _start_decoder(path: Path, memory_bytes: int) -> _DecoderProcess:
    """Start a process, whose first file is ``path``. Raises MediaError."""
    try:
        # a key that interrupts this process does not reach a process of another session
        process, requests, responses = start_sandboxed(WORKER_MODULE, memory_bytes, start_new_session=True)
    except OSError as error:
        raise MediaError(path, "not started", why=error.strerror) from error
    if sys.platform == "linux":
        with suppress(OSError):  # a user's pipes may be used up
            fcntl.fcntl(responses.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return _DecoderProcess(process, requests, responses)


def _stop_worker(process: "subprocess.Popen[bytes]", requests: Connection, responses: Connection) -> None:
    requests.close()
    responses.close()
    process.kill()
    process.wait()


def _ended_error(process: "subprocess.Popen[bytes]", path: Path) -> MediaError:
    """Return the error of a process that has ended, or has closed its pipe."""
    try:
        status = process.wait(EXIT_LIMIT_S)
    except subprocess.TimeoutExpired:
        return MediaError(path, "ended", why=N("its pipe was closed"))
    reasons: dict[int, str] = {SandboxStatus.NO_LIBRARY: "no library", SandboxStatus.REFUSED: "no filter"}
    if status in reasons:
        return MediaError(path, reasons[status])
    return MediaError(path, "ended", why=describe_exit(status))


@cache
def shared_decoder() -> MediaDecoder:
    """Return the decoder of this process."""
    return MediaDecoder()
