"""Files from elsewhere: regular files are read up to a size, everything else is refused without waiting."""

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.system import input_files as limits
from device.system.input_files import open_input_file, read_input_file


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    """A pipe with something in it, so that reading a few bytes of it would not wait."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    os.write(handle, b"from a pipe")
    yield path
    os.close(handle)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 1024)
    (tmp_path / "link").symlink_to(path)
    for name in (path, tmp_path / "link"):
        assert read_input_file(name, 1024) == b"x" * 1024
    path.write_bytes(b"x" * 1025)
    with pytest.raises(OSError, match="larger than 1 KiB"):
        read_input_file(path, 1024)


def test_a_large_file_is_not_read_at_all(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 2**40)  # more than any memory
    with pytest.raises(OSError, match="larger than 3 MiB") as error:
        read_input_file(path, 3 * 2**20)
    assert (error.value.errno, error.value.filename) == (errno.EFBIG, str(path))


def test_lying_file_size_is_limited() -> None:
    path = Path("/proc/self/maps")  # its size is 0
    assert path.stat().st_size == 0
    with pytest.raises(OSError, match="larger than"):
        read_input_file(path, 100)


def test_a_pipe_is_refused_with_and_without_a_writer(pipe: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "silent")
    for path in (pipe, tmp_path / "silent"):
        with pytest.raises(OSError, match="a pipe or device, not a file"):
            read_input_file(path, 4)
        with pytest.raises(OSError, match="a pipe or device, not a file"):
            open_input_file(path)


def test_a_device_and_a_socket_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")
    for path in (tmp_path / "zero", Path("/dev/null")):
        with pytest.raises(OSError, match="a pipe or device, not a file"):
            read_input_file(path, 4)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="No such device or address"):
            read_input_file(tmp_path / "socket", 4)


def test_folders_and_missing_files_have_the_systems_words(tmp_path: Path) -> None:
    for check in (open_input_file, lambda path: read_input_file(path, 4)):
        with pytest.raises(IsADirectoryError, match="Is a directory"):
            check(tmp_path)
        with pytest.raises(FileNotFoundError):
            check(tmp_path / "none")


def test_nothing_stays_open(tmp_path: Path, pipe: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"12345")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (tmp_path / "a.txt", pipe, tmp_path):
        with pytest.raises(OSError):
            read_input_file(path, 4)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_limits_are_documented() -> None:
    table = Path("docs/command-line.md").read_text(encoding="utf-8").partition("## Limits of files")[2]
    picture, recording, match, text, names, engine = [line for line in table.splitlines() if line.startswith("| ")][2:]
    assert f"{limits.MAX_PICTURE_BYTES >> 20} MiB, {limits.MAX_PICTURE_PIXELS // 10**6} megapixels" in picture
    assert f"at most {limits.MAX_PICTURE_ASPECT} times as long" in picture
    assert f"up to {limits.MAX_CLIP_FRAME_PIXELS:,} pixels" in recording
    assert f"{limits.MAX_CLIP_FRAMES:,} frames, {limits.MAX_CLIP_BYTES // 10**6:,} MB decoded" in recording
    assert f"{limits.MAX_CLIP_SIDE} pixels long, {limits.MIN_CLIP_SIDE} where" in recording
    assert f"{limits.MAX_DECODER_BYTES >> 20:,} MiB of memory" in recording
    assert f"{limits.MAX_MATCH_BYTES >> 20} MiB, {limits.MAX_MATCH_VALUES:,} values" in match
    assert f"{limits.MAX_MATCH_NESTING} levels of JSON, {limits.MAX_MATCH_DIGITS} digits" in match
    assert f"{limits.MAX_NAMES_BYTES >> 20} MiB" in names
    assert f"{limits.MAX_TEXT_BYTES >> 10} KiB" in text and f"{limits.MAX_ENGINE_LINE_BYTES >> 20} MiB" in engine
