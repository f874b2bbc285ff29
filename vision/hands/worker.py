"""The program of a ModelProcess: a ``Worker`` takes requests from one pipe and writes the responses to another.

A request is a line of JSON: ``[limit_s, "load_reader", path, threads]``, which ``track`` needs, ``[limit_s, "load",
path, hands, confidence]``, or for the image at the start of the memory and the model loaded as ``number``-th
(from 0) ``[limit_s, "detect", number, height, width]``, ``[limit_s, "track", number, height, width, landmarks]`` or
``[limit_s, "embed", number, height, width, landmarks]``. The response is ``OK`` and an array of ``HAND``, for "embed"
of ``EMBEDDING``, or ``FAILED``, the kind of error, a line feed and its message. Nothing is unpickled, on either
side."""

import mmap
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from json import loads
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

HAND = np.dtype([("landmarks", "f8", (21, 2)), ("world", "f8", (21, 3)), ("is_right", "?"), ("score", "f8")])
"""A hand in a response; its landmarks are fractions of the image."""
EMBEDDING = np.dtype("f4")
"""An element of an embedding in a response."""
OK, FAILED = b"+", b"-"


class Worker(ABC):
    """The models that are loaded, and the memory that images come in."""

    def __init__(self, memory_fd: int) -> None:
        self._memory_fd = memory_fd
        self._memory = np.zeros(0, np.uint8)

    @abstractmethod
    def load_reader(self, path: str, threads: int) -> bytes:
        """Load the network that reads a hand where it was, to compute in ``threads``, and try it."""

    @abstractmethod
    def load(self, path: str, hands: int, confidence: float) -> bytes:
        """Load a model; its number is the next one."""

    @abstractmethod
    def detect(self, number: int, height: int, width: int) -> bytes:
        """Return the hands in the image, the model's best first."""

    @abstractmethod
    def track(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        """Return the hand that was at ``landmarks``, if it still is."""

    @abstractmethod
    def embed(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        """Return the embedding of the hand at ``landmarks``."""

    def read_image(self, height: int, width: int) -> NDArray[np.uint8]:
        """Return the image in the shared memory."""
        size = height * width * 3
        if size > self._memory.size:  # it has grown
            self._memory = np.frombuffer(mmap.mmap(self._memory_fd, 0, prot=mmap.PROT_READ), np.uint8)
        return self._memory[:size].reshape(height, width, 3)

    def answer(self, request: bytes) -> bytes:
        """Return the response to a request. A call that takes longer than its limit ends the process."""
        limit_s, operation, *arguments = loads(request)
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            operations: dict[str, Callable[..., bytes]] = {
                "load_reader": self.load_reader,
                "load": self.load,
                "detect": self.detect,
                "track": self.track,
                "embed": self.embed,
            }
            return OK + operations[operation](*arguments)
        except Exception as error:
            why = " ".join(str(error).split()) or type(error).__name__
            return FAILED + f"{_error_kind(error)}\n{why}".encode()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _error_kind(error: Exception) -> str:
    kinds = (ImportError, OSError)  # OSError: the shared library, or one it needs
    return next((kind.__name__ for kind in kinds if isinstance(error, kind)), "")


def main(make_worker: Callable[[int], Worker]) -> None:
    """Answer requests until their pipe is closed, at the latest when the other process ends."""
    requests_fd, responses_fd, memory_fd = map(int, sys.argv[1:])
    requests, responses = Connection(requests_fd, writable=False), Connection(responses_fd, readable=False)
    worker = make_worker(memory_fd)
    try:
        while True:
            responses.send_bytes(worker.answer(requests.recv_bytes()))
    except (EOFError, OSError):
        os._exit(0)  # nothing to save; mediapipe's own way out takes long and may fail
