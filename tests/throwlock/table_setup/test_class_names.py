"""Lists of a class's names: what is read, and what is refused in one line."""

import os
from pathlib import Path

import pytest

from throwlock.table_setup.class_names import NamesFileError, read_names


@pytest.mark.parametrize("text", ["Ada\nBen\n", "\ufeffAda\r\n\r\n  Ben  ", "Ada\n\x07\nBen"])
def test_names_are_read_one_per_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "names.txt").write_bytes(text.encode())
    assert read_names(tmp_path / "names.txt") == ("Ada", "Ben")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfeA", "is not UTF-8 text"),
        (b"Ada\n" * 120, "has 120 names: there are cards for 99 students"),
        (b"\n" * (64 * 2**10 + 1), r"can't be read \(larger than 64 KiB\)"),
    ],
)
def test_a_file_that_is_no_list_of_names_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "names.txt").write_bytes(content)
    with pytest.raises(NamesFileError, match=rf"names\.txt {message}"):
        read_names(tmp_path / "names.txt")


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "names.txt")
    with pytest.raises(NamesFileError, match=r"can't be read \(a pipe or device, not a file\)"):
        read_names(tmp_path / "names.txt")
