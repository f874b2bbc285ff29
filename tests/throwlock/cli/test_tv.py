"""``throwlock tv`` opens an installed browser full screen, or says in one line what is wrong."""

from pathlib import Path

import pytest

from throwlock.cli.main import run_command
from throwlock.cli.options import UsageError
from throwlock.cli.tv import browser_command, second_screen_url


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://192.168.1.5:8321/tv/CDFGHJKM", "http://192.168.1.5:8321/tv/CDFGHJKM"),
        ("192.168.1.5:9000/tv", "http://192.168.1.5:9000/tv"),
        ("box.local", "http://box.local:8321/tv"),
        ("http://box.local/tv/CDFG-HJKM/", "http://box.local:8321/tv/CDFG-HJKM"),
    ],
)
def test_addresses_as_people_type_them(address: str, url: str) -> None:
    assert second_screen_url(address) == url


@pytest.mark.parametrize(
    "address", ["https://box.local/tv", "box.local/pad", "file:///etc/passwd", "--kiosk", "a b", ""]
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match="type it as the box shows it"):
        second_screen_url(address)


@pytest.mark.parametrize(("name", "flag"), [("chromium", "--kiosk"), ("firefox", "--kiosk")])
def test_the_browser_is_opened_full_screen(
    name: str, flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program = tmp_path / name
    program.write_text(f'#!/bin/sh\necho "$@" > {said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.setenv("DISPLAY", ":99")
    assert run_command(["tv", "box.local/tv/CDFGHJKM"]) == 0
    words = said.read_text().split()
    assert flag in words and words[-1] == "http://box.local:8321/tv/CDFGHJKM"


def test_what_is_missing_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}")
    with pytest.raises(UsageError, match="no browser was found"):
        browser_command("http://box.local:8321/tv", "profile")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert run_command(["tv", "box.local"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
