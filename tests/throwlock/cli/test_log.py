"""Logging: how much of it ``-v`` shows, and how systemd's journal gets it."""

import logging
import re
from collections.abc import Iterator

import pytest

from throwlock.cli.main import PACKAGES, configure_logging, run_command


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for package in PACKAGES:
        logging.getLogger(package).setLevel(logging.NOTSET)


@pytest.mark.parametrize(("verbosity", "shown"), [(0, "W"), (1, "IW"), (2, "DIW"), (5, "DIW")])
def test_each_v_shows_one_level_more(verbosity: int, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(verbosity, {})
    log = logging.getLogger("device.camera.usb")
    log.debug("D")
    log.info("I")
    log.warning("W")
    logging.getLogger("some.library").info("library")
    assert [line[-1] for line in capsys.readouterr().err.splitlines()] == list(shown)


def test_the_terminal_gets_time_level_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(0, {})
    logging.getLogger("throwlock.session").warning("a message")
    line = capsys.readouterr().err
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} WARNING throwlock\.session: a message\n", line)


def test_systemd_gets_a_priority_on_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(1, {"JOURNAL_STREAM": "8:1234"})
    log = logging.getLogger("throwlock.session")
    log.info("a message")
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("an error")
    first, *others = capsys.readouterr().err.splitlines()
    assert first == "<6>throwlock.session: a message"
    assert len(others) > 2 and all(line.startswith("<3>") for line in others)


def test_the_command_line_takes_v(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["-v", "games"]) == 0
    assert logging.getLogger("throwlock").level == logging.INFO
    capsys.readouterr()
