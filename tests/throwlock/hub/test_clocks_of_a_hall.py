"""The clocks of a hall's box and of its hub jump while they are linked: the link stays, no event is lost or stored
twice, and the organiser stays logged in. A hall whose certificate is not valid yet in 1970 is joined once the clock is
set."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.helpers.faked_box import LIBRARY, FakedBox
from tests.helpers.hall_broker import HallBroker, HallCopy, ScriptedHub, prepare_hall
from tests.helpers.hall_pages import PASSWORD
from tests.helpers.waiting import wait_until
from throwlock.hall.membership import write_membership
from throwlock.hub.pages.access import set_password
from throwlock.hub.store import compare_journal
from tools.hall.servers import Mosquitto

CLOCK_TIMES = (
    "1970-01-01 00:00:20",
    "2026-10-19 18:00:00",
    "2026-10-20 18:00:00",
    "2026-10-19 18:00:10",
    "1970-01-01 00:00:30",
    "2026-10-19 17:59:55",
)
CONNECTED = ["connected", ""]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LIBRARY is None, reason="Debian's libfaketime is not installed"),
]


@pytest.fixture
def broker(dsn: str, tmp_path: Path) -> Iterator[Mosquitto]:
    """The broker of a hall whose folder is ``hall``, with one box."""
    with prepare_hall(tmp_path / "hall", dsn, tmp_path / "broker") as server:
        yield server


@pytest.mark.parametrize("who", ["box", "hub"])
def test_a_link_outlasts_every_jump(broker: Mosquitto, database: psycopg.Connection, tmp_path: Path, who: str) -> None:
    set_password(database, PASSWORD)
    database.commit()
    hall = tmp_path / "hall"
    with ExitStack() as stack:
        sides = {}
        for side in ("hub", "box"):
            (tmp_path / side).mkdir()
            sides[side] = stack.enter_context(FakedBox(tmp_path / side, CLOCK_TIMES[0]))
        box = sides["box"]
        address = sides["hub"].ask("run_hub", str(hall))
        organiser = stack.enter_context(
            httpx.Client(base_url=address, headers={"origin": address}, trust_env=False, timeout=60)
        )
        assert organiser.post("/login", data={"code": PASSWORD}).headers["location"] == "/organise"
        box.ask("join", str(hall / "boxes/box-1.toml"))

        def has_stored(events: object) -> bool:
            (count,) = database.execute("SELECT count(*) FROM event").fetchone() or (0,)
            database.rollback()
            return bool(count == events)

        for moment in CLOCK_TIMES:
            sides[who].set_clock(moment)
            box.ask("play", 3)
            events = box.ask("sendable")
            wait_until(partial(has_stored, events), f"{events} events at the hub at {moment}")
            assert box.ask("hall") == CONNECTED
            assert organiser.get("/organise").status_code == 200, moment
        compared = compare_journal(database, "box-1", box.journal)
        assert (compared.stored_events, compared.difference) == (events, ""), "each is stored once, as it is"
        joined = (broker.folder / "log").read_text().count(" as box-1 ")
    assert joined == 1, "the box has connected once"


def test_a_certificate_that_is_not_valid_in_1970_is_told_until_the_clock_is_set(servers: None, tmp_path: Path) -> None:
    with HallBroker(tmp_path / "broker") as broker, FakedBox(tmp_path, CLOCK_TIMES[0]) as box:
        copy = HallCopy()
        hub = ScriptedHub(broker, copy)
        file = tmp_path / "hall.toml"
        write_membership(file, broker.membership)
        box.ask("play", 1)
        box.ask("join", str(file))
        wait_until(lambda: box.ask("hall")[0] == "refused", "an answer of the broker")
        told = box.ask("hall")[1]
        assert "1970-01-01" in told and "\n" not in told
        box.set_clock(datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"))
        wait_until(lambda: box.ask("hall") == CONNECTED, "a link")
        box.ask("play", 6)
        events = box.ask("sendable")
        assert events
        hub.wait_until(lambda: any(len(stored) == events for stored in copy.journals.values()))
        hub.stop()
