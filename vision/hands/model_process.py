"""A process for the hand model: there mediapipe can't use the network (``device.system.sandbox``), doesn't hold up the
screen's thread, and can't end the box. Images go through shared memory, hands come back through a pipe."""

import json
import logging
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from device.system.processes import describe_exit
from device.system.sandbox import start_sandboxed
from messages import N
from vision.hands.model import ModelError, sandbox_error
from vision.hands.worker import EMBEDDING, FAILED, HAND, OK

logger = logging.getLogger(__name__)

WORKER_MODULE = "vision.hands.model_worker"
LOAD_LIMIT_S = 120.0
"""Time for starting the process and loading a model, from a slow memory card too."""
RELOAD_LIMIT_S = 20.0
"""The same within a round, for models that were loaded before: their files are in memory."""
DETECTION_LIMIT_S = 10.0
"""Time for one image, of which a Raspberry Pi needs less than a hundredth."""
EXTRA_S = 2.0
"""How much longer than its limit a call is waited for: at the limit the process ends itself."""
HELD_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Signals that reach the process along with this one, which decides when it ends: a round in progress is finished."""


class ModelAbortError(ModelError):
    """mediapipe ended its process, or did not answer in time. The message says how."""


class _WorkerDiedError(Exception):
    """The process ended or was ended.

    Attributes:
        why: How, for a screen.
        status: As ``subprocess`` gives it; None if it was ended because it did not answer.
    """

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.why, self.status = why, status


@dataclass
class _Worker:
    """A running process, the ends of its pipes, and the memory that images go through."""

    process: "subprocess.Popen[bytes]"
    requests: Connection
    responses: Connection
    memory_fd: int
    memory: NDArray[np.uint8]

    def ask(self, limit_s: float, *request: object) -> bytes:
        """Return the response to a request. Raises _WorkerDiedError."""
        try:
            self.requests.send_bytes(json.dumps([limit_s, *request]).encode())
            if self.responses.poll(limit_s + EXTRA_S):
                return self.responses.recv_bytes()
            self.process.kill()
            raise _silent_worker(limit_s)
        except (EOFError, OSError):
            raise _dead_worker(self.process, limit_s) from None

    def write_image(self, image: Pixels) -> None:
        """Copy an image into the shared memory."""
        if image.size > self.memory.size:
            os.ftruncate(self.memory_fd, image.size)
            self.memory = np.frombuffer(mmap.mmap(self.memory_fd, 0), np.uint8)
        self.memory[: image.size].reshape(image.shape)[:] = image

    def stop(self) -> None:
        """End the process and release everything."""
        self.requests.close()
        self.responses.close()
        os.close(self.memory_fd)
        try:
            self.process.wait(EXTRA_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _silent_worker(limit_s: float) -> _WorkerDiedError:
    return _WorkerDiedError(N("no answer in {limit} s", limit=f"{limit_s:.0f}"))


def _dead_worker(process: "subprocess.Popen[bytes]", limit_s: float) -> _WorkerDiedError:
    try:
        status = process.wait(EXTRA_S)
    except subprocess.TimeoutExpired:
        return _WorkerDiedError(N("its pipe was closed"))
    return _silent_worker(limit_s) if status == -signal.SIGALRM else _WorkerDiedError(describe_exit(status), status)


def _start_worker() -> _Worker:
    """Start a process with the priority of this thread. Raises ModelError."""
    try:
        with ExitStack() as on_error, ExitStack() as at_end:
            memory_fd = _open_memory()
            on_error.callback(os.close, memory_fd)
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_SIGNALS)  # the process is born with it
            at_end.callback(signal.pthread_sigmask, signal.SIG_SETMASK, mask)
            process, requests, responses = start_sandboxed(WORKER_MODULE, memory_fd, pass_fds=(memory_fd,))
            on_error.pop_all()
    except OSError as error:
        raise ModelError(
            N("The hand model’s process can’t be started ({why}): try again.", why=error.strerror)
        ) from error
    return _Worker(process, requests, responses, memory_fd, np.zeros(0, np.uint8))


def _open_memory() -> int:
    """Return the file descriptor of memory without a name: it goes when the last process that uses it ends."""
    if sys.platform == "linux":
        return os.memfd_create("hand-model")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _error_of(response: bytes, path: str) -> ModelError:
    kind, _, why = response.removeprefix(FAILED).decode(errors="replace").partition("\n")
    if kind == "ImportError":
        return ModelError(
            N("mediapipe can’t be imported ({why}): install Throwlock again.", why=why),
            terminal_hint=" pip installs it.",
        )
    if kind == "OSError":
        return ModelError(
            N("mediapipe’s library can’t be loaded ({why}): install what it names (Debian: libegl1 libgles2).", why=why)
        )
    return ModelError(N("The hand model at {path} can’t be used ({why}).", path=path, why=why))


LOAD_ADVICE = {
    -signal.SIGILL: N("its wheel is built for newer processors than this one, such as a Raspberry Pi 5’s"),
    -signal.SIGKILL: N("memory may be short, so end other programs"),
}
"""What to say of a process that a signal ended while it loaded mediapipe, by its status."""


def _load_error(died: _WorkerDiedError) -> ModelError:
    """Return the error of a process that ended before it could answer."""
    if died.status is not None and (error := sandbox_error(died.status)):
        return error
    advice = LOAD_ADVICE.get(died.status or 0, N("install Throwlock again"))
    return ModelAbortError(N("mediapipe stopped while it was loaded ({why}): {advice}.", why=died.why, advice=advice))


class ModelProcess:
    """A process with any number of hand models, one call at a time. It is started with the first model, and once again
    in every call in which it ends. It ends with this process, however that ends. Where LiteRT fails, or ends the
    process since it is built for newer processors, hands can't be tracked, and everything else works.

    Args:
        threads: In how many threads LiteRT computes. mediapipe uses one.
    """

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.tracking_error: Exception | None = None
        """Why ``track`` can't be used in the process that runs, if it can't: known when a model is loaded."""
        self._tries_litert = True
        self._lock = threading.Lock()
        self._models: list[tuple[str, int, float]] = []
        self._worker: _Worker | None = None
        self._finalizer: weakref.finalize[[], ModelProcess] | None = None
        self._is_closed = False

    @property
    def can_track(self) -> bool:
        """Whether ``track`` can be used."""
        return self.tracking_error is None

    @property
    def pid(self) -> int | None:
        """The process's id; None while it does not run."""
        return self._worker.process.pid if self._worker else None

    def load(self, path: Path, hands: int, confidence: float) -> int:
        """Load a model file, and return its number for ``detect``.

        Raises:
            ModelError: It can't be loaded.
        """
        with self._lock:
            model = (str(path), hands, confidence)
            try:
                if self._worker is None:
                    self._load_again()
                self._load(model, LOAD_LIMIT_S)
            except _WorkerDiedError as died:
                raise _load_error(died) from None
            if not self._models:
                self._tries_litert = self.can_track
            self._models.append(model)
            return len(self._models) - 1

    def detect(self, number: int, image: Pixels) -> NDArray[np.void]:
        """Return the hands (``HAND``) in an R, G, B image (height, width, 3).

        Raises:
            ModelError: mediapipe failed, and once more in a new process.
        """
        return np.frombuffer(self._call("detect", number, image), HAND)

    def track(self, number: int, image: Pixels, landmarks: NDArray[np.float64]) -> NDArray[np.void]:
        """Return the hand (``HAND``) in an R, G, B image that was at ``landmarks`` (21, 2; shares of the image) in one
        taken shortly before or after; none where it is not found there. Raises ModelError."""
        return np.frombuffer(self._call("track", number, image, landmarks.tolist()), HAND)

    def embed(self, number: int, image: Pixels, landmarks: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the embedding (n,) of the hand at ``landmarks`` (21, 2; shares of the image) in an R, G, B image:
        what the hand model computes landmarks from. Raises ModelError."""
        return np.frombuffer(self._call("embed", number, image, landmarks.tolist()), EMBEDDING).astype(float)

    def _call(self, operation: str, number: int, image: Pixels, *arguments: object) -> bytes:
        with self._lock:
            try:
                return self._ask_about(image, operation, number, arguments)
            except _WorkerDiedError as died:
                logger.warning("the hand model's process ended (%s) and is started again", died)
            try:
                self._load_again()
                return self._ask_about(image, operation, number, arguments)
            except _WorkerDiedError as died:
                raise ModelAbortError(N("The hand model stopped twice ({why}): try again.", why=died.why)) from None

    def close(self) -> None:
        """End the process. Closing twice is fine."""
        with self._lock:
            self._is_closed = True
            self._stop()

    def _load(self, model: tuple[str, int, float], limit_s: float) -> None:
        if self._is_closed:
            raise RuntimeError("the hand model is closed")
        is_new = self._worker is None
        if is_new:
            if self._tries_litert:
                self.tracking_error = None
            self._start()
        try:
            if self.can_track:
                self._ask(model[0], limit_s, "load_reader", model[0], self.threads)
        except (_WorkerDiedError, ModelError) as error:
            if not is_new:
                raise
            logger.warning("LiteRT can't be used (%s): hands are searched in every frame", error)
            self.tracking_error = error
            self._stop()
            self._start()
        self._ask(model[0], limit_s, "load", *model)

    def _start(self) -> None:
        self._worker = _start_worker()
        self._finalizer = weakref.finalize(self, self._worker.stop)

    def _load_again(self) -> None:
        """Load all models in a new process: all of them, or it is stopped, since they are known by their numbers. Where
        LiteRT fails, which has run before, it is tried again in the next process."""
        try:
            for model in self._models:
                self._load(model, RELOAD_LIMIT_S)
        except BaseException:
            self._stop()
            raise

    def _ask_about(self, image: Pixels, operation: str, number: int, arguments: tuple[object, ...]) -> bytes:
        if self._worker is None:
            raise RuntimeError("the hand model is closed") if self._is_closed else _WorkerDiedError("it was stopped")
        self._worker.write_image(image)
        path = self._models[number][0]
        return self._ask(path, DETECTION_LIMIT_S, operation, number, image.shape[0], image.shape[1], *arguments)

    def _ask(self, path: str, limit_s: float, *request: object) -> bytes:
        assert self._worker is not None
        try:
            response = self._worker.ask(limit_s, *request)
        except BaseException:  # after an interrupt its response would be taken for the next one's
            self._stop()
            raise
        if not response.startswith(OK):
            raise _error_of(response, path)
        return response[1:]

    def _stop(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._worker = self._finalizer = None
