"""``throwlock tv`` opens an installed browser full screen, or says in one line what is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from throwlock.cli.main import run_command
from throwlock.cli.options import UsageError
from throwlock.cli.tv import browser_command, is_snap, second_screen_url


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://192.168.1.5:8321/tv/CDFGHJKM", "http://192.168.1.5:8321/tv/CDFGHJKM"),
        ("192.168.1.5:9000/tv", "http://192.168.1.5:9000/tv"),
        ("box.local", "http://box.local:8321/tv"),
        ("http://box.local/tv/CDFG-HJKM/", "http://box.local:8321/tv/CDFG-HJKM"),
        ("box.local.", "http://box.local.:8321/tv"),
        ("[fd00::20]:9000/tv", "http://[fd00::20]:9000/tv"),
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


def install_browser(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a shell script the only browser, on a desktop."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("DISPLAY", ":99")
    return program


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_the_browser_is_opened_full_screen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f'for last; do :; done\necho "$@" > {tmp_path}/said\n/bin/cat "${{last#file://}}" > {tmp_path}/page'
    install_browser(tmp_path, name, script, monkeypatch)
    assert run_command(["tv", "box.local/tv/CDFGHJKM"]) == 0
    words = (tmp_path / "said").read_text().split()
    assert "--kiosk" in words and words[-1].startswith("file:///")
    assert "url=http://box.local:8321/tv/CDFGHJKM" in (tmp_path / "page").read_text()


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_no_process_has_the_code_among_its_arguments(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"/bin/cat /proc/$$/cmdline /proc/$PPID/cmdline > {tmp_path}/arguments"
    install_browser(tmp_path, name, script, monkeypatch)
    program = "from throwlock.cli.main import main; main()"
    subprocess.run([sys.executable, "-c", program, "tv", "box.local/tv/CDFGHJKM"], check=True)
    arguments = (tmp_path / "arguments").read_text().split("\0")
    assert "box.local/tv/********" in arguments and "--kiosk" in arguments
    assert not [argument for argument in arguments if "CDFGHJKM" in argument]


def test_the_page_leads_to_the_box_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_browser(tmp_path, "chromium", "", monkeypatch)
    assert "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE box.local" in browser_command(
        "http://box.local:8321/tv", tmp_path
    )
    assert "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE fd00::20" in browser_command(
        "http://[fd00::20]:8321/tv", tmp_path
    )


def test_a_browser_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_browser(tmp_path, "chromium", "echo starting\necho 'no usable sandbox!' >&2\necho\nexit 3", monkeypatch)
    assert run_command(["tv", "box.local"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "chromium failed (exit status 3: no usable sandbox!)" in said


@pytest.mark.parametrize("script", ['exec /snap/bin/chromium "$@"', "exec snap run firefox"])
def test_a_snap_says_why_it_cannot(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_browser(tmp_path, "chromium-browser", script, monkeypatch)
    with pytest.raises(UsageError, match=r"chromium-browser is a snap.*open http://box.local:8321/tv in it") as error:
        browser_command("http://box.local:8321/tv/CDFGHJKM", tmp_path)
    assert "CDFGHJKM" not in str(error.value)
    other = install_browser(tmp_path, "firefox-esr", "", monkeypatch)
    assert browser_command("http://box.local:8321/tv", tmp_path)[0] == str(other), "another browser can"


def test_a_link_to_snap_is_one(tmp_path: Path) -> None:
    (tmp_path / "snap").write_bytes(b"\x7fELF")
    (tmp_path / "chromium").symlink_to(tmp_path / "snap")
    assert is_snap(tmp_path / "chromium")
    (tmp_path / "firefox").write_bytes(b"\x7fELF /snap/")
    assert not is_snap(tmp_path / "firefox"), "only a script stands for one"


def test_what_is_missing_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}")
    with pytest.raises(UsageError, match="no browser was found"):
        browser_command("http://box.local:8321/tv", tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert run_command(["tv", "box.local"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
