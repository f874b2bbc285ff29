"""``throwlock join-hall`` and ``leave-hall``: what the box keeps, and one line for whatever is wrong."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.helpers.hall_broker import HallBroker, write_authority
from throwlock.cli.main import throwlock
from throwlock.hall.membership import Membership, read_membership, write_membership
from throwlock.settings.model import read_settings


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "box" / "throwlock.toml"
    file.parent.mkdir()
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(file))
    return file


def run(*arguments: str) -> Result:
    return CliRunner().invoke(throwlock, arguments)


def join(folder: Path, membership: Membership, *options: str) -> Result:
    write_membership(folder / "box-1.toml", membership)
    return run("join-hall", str(folder / "box-1.toml"), *options)


def test_a_box_joins_a_hall_and_leaves_it(broker: HallBroker, settings_file: Path, tmp_path: Path) -> None:
    done = join(tmp_path, broker.membership)
    kept = settings_file.with_name("hall.toml")
    assert done.exit_code == 0 and "box-1 of the hall A hall" in done.output
    assert "Switch the link on at the touchscreen" in done.output and not read_settings().hall.on
    assert read_membership(kept) == broker.membership and kept.stat().st_mode & 0o077 == 0
    assert join(tmp_path, broker.membership, "--on").exit_code == 0 and read_settings().hall.on
    assert run("leave-hall").exit_code == 0 and not kept.exists() and not read_settings().hall.on
    again = run("leave-hall")
    assert again.exit_code != 0 and "this box is part of no hall" in again.output


def test_joining_a_hall_that_is_off(broker: HallBroker, settings_file: Path, tmp_path: Path) -> None:
    wrong = join(tmp_path, broker.membership.model_copy(update={"password": "guessed"}))
    assert "does not accept this box’s password" in str(wrong.exception)
    write_authority(tmp_path, "other")
    other = join(tmp_path, broker.membership.model_copy(update={"ca": (tmp_path / "other.crt").read_text()}))
    assert "is not the hall of this file" in str(other.exception)
    nothing = run("join-hall", str(tmp_path / "none.toml"))
    assert "can’t be read (No such file or directory)" in str(nothing.exception)
    (tmp_path / "text.toml").write_text("hall = 'x'\n")
    assert "is no hall’s file (host)" in str(run("join-hall", str(tmp_path / "text.toml")).exception)
    assert not settings_file.with_name("hall.toml").exists(), "nothing is kept of a file that is wrong"
    broker.stop()
    away = join(tmp_path, broker.membership)
    assert away.exit_code == 0 and "It can't be reached now: nothing answers at 127.0.0.1" in away.output
    assert settings_file.with_name("hall.toml").exists()
