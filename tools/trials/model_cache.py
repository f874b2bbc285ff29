"""A judge that remembers on disk what the hand model found in an image, for trials that judge the same pictures again
after a change of what is made of them."""

import hashlib
import sqlite3
import threading
from pathlib import Path

import platformdirs

from device.camera.frames import Pixels
from vision.hands.model_process import WORKER_MODULE, ModelProcess
from vision.lock.judge import Judge

CACHE_FILE = platformdirs.user_cache_path("throwlock") / "hand-model.sqlite"
"""The default file. It may be deleted at any time."""
LOCK_WAIT_S = 60.0
"""How long to wait for another process that writes to the file."""
_SWITCHING_TO_WAL = threading.Lock()
"""SQLite does not wait for another connection that does the same."""


class CachedModelProcess(ModelProcess):
    """A hand model's process that is started only for images whose hands are not yet in ``path``: a table from the
    digest of an image, what is asked about it, the model file and its settings to the hands found."""

    def __init__(self, path: Path = CACHE_FILE) -> None:
        super().__init__()
        self._settings: list[tuple[Path, int, float]] = []
        self._digests: list[bytes] = []
        self._loaded: dict[int, int] = {}
        self._cache_lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._cache = sqlite3.connect(path, timeout=LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
        with _SWITCHING_TO_WAL:
            self._cache.execute("PRAGMA journal_mode = WAL")
        self._cache.execute("PRAGMA synchronous = OFF")
        self._cache.execute("CREATE TABLE IF NOT EXISTS detection (image BLOB PRIMARY KEY, hands BLOB) WITHOUT ROWID")

    def load(self, path: Path, hands: int, confidence: float) -> int:
        """Return the number for ``detect`` of a model file, which is loaded with the first image not in the cache."""
        self._settings.append((path, hands, confidence))
        model = hashlib.sha256(path.read_bytes()).hexdigest()
        self._digests.append(f"{model} {hands} {confidence} {WORKER_MODULE}".encode())
        return len(self._settings) - 1

    def _call(self, operation: str, number: int, image: Pixels, *arguments: object) -> bytes:
        what = "" if operation == "detect" else f"{operation} {arguments}"
        key = self._digests[number] + f"{what}{image.shape}".encode() + image.tobytes()
        digest = hashlib.sha256(key).digest()
        with self._cache_lock:
            row = self._cache.execute("SELECT hands FROM detection WHERE image = ?", (digest,)).fetchone()
            if row is not None:
                return bytes(row[0])
            if number not in self._loaded:
                self._loaded[number] = super().load(*self._settings[number])
            hands = super()._call(operation, self._loaded[number], image, *arguments)
            self._cache.execute("INSERT OR REPLACE INTO detection VALUES (?, ?)", (digest, hands))
        return hands

    def close(self) -> None:
        """End the process and close the file. Closing twice is fine."""
        super().close()
        self._cache.close()


class CachedJudge(Judge):
    """A ``Judge`` whose hand models keep what they find in ``path``.

    Raises:
        ModelError: The hand model is missing.
    """

    def __init__(self, seats: int = 2, path: Path = CACHE_FILE) -> None:
        self._cache_path = path
        super().__init__(seats)

    def _load_models(self, process: ModelProcess) -> None:
        cached = CachedModelProcess(self._cache_path)
        self._processes[self._processes.index(process)] = cached
        super()._load_models(cached)
