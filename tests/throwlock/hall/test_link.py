"""A box's link to its hall, at a real broker with TLS, and what people are told when it can't be reached."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.hall_broker import HallBroker, ScriptedHub, write_authority
from tests.helpers.hall_links import drive, write_match
from tests.helpers.journal_events import NAMES, STARTED, answer_event, round_body
from throwlock.hall.connection import HallConnection
from throwlock.hall.event_sender import ASK_AGAIN_AFTER_S
from throwlock.hall.homie import BoxFacts
from throwlock.hall.link import FACTS_EVERY_S, HallLink
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import HallPlayer, Pairing, Pairings
from throwlock.journal.events import DisputeRejected, HallMatch, MatchAbandoned, MatchEnded, ResultRecord
from throwlock.journal.journal import Evidence, Journal, JournalReader
from ui.screen.pages.hall import HallState

FACTS = BoxFacts("1.2", "simulated", "", "48.2", "http://192.168.1.20:8321")


@pytest.fixture
def hub(broker: HallBroker) -> Iterator[ScriptedHub]:
    hub = ScriptedHub(broker)
    yield hub
    hub.stop()


class Clock:
    """The real time, and what a test adds to it."""

    def __init__(self) -> None:
        self.added_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.added_s


def link_to(membership: Membership, journal: Path, **more: object) -> HallLink:
    return HallLink(membership, journal, lambda: FACTS, **more)  # type: ignore[arg-type]


def hashes(journal: Path) -> list[str]:
    with JournalReader(journal) as reader:
        return [row.hash for row in reader.event_rows()]


def stored_hashes(hub: ScriptedHub) -> list[str]:
    return [event.hash for events in hub.copy.journals.values() for event in events]


def test_what_the_journal_has_committed_is_stored(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal = tmp_path / "one.journal"
    link = link_to(broker.membership, journal)
    drive(link, lambda: link.status.state == HallState.CONNECTED)
    assert not hub.received, "there is no journal"
    write_match(journal, 450)
    drive(link, lambda: link.status.unsent_events == 0)
    assert stored_hashes(hub) == hashes(journal)
    assert [name for name, _ in hub.received] == ["hello", "events", "events", "events"]
    assert link.status.is_answered and not link.status.problem
    with Journal(journal) as writer:
        writer.start_match(STARTED, NAMES)
        drive(link, lambda: stored_hashes(hub) == hashes(journal))
    link.stop()


def test_the_state_of_the_box_is_kept_by_the_broker(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal = tmp_path / "one.journal"
    clock, connections = Clock(), list[HallConnection]()

    def connect(membership: Membership, receive: Callable[[str, bytes], None], now_s: float) -> HallConnection:
        connections.append(HallConnection(membership, receive, now_s))
        return connections[-1]

    link = link_to(broker.membership, journal, connect=connect, now_s=clock)
    drive(link, lambda: hub.states.get("$state") == "ready")
    assert hub.state_log == ["init", "ready"]
    assert {name: hub.states[f"box/{name}"] for name in ("version", "camera", "temperature", "review")} == {
        "version": "1.2", "camera": "simulated", "temperature": "48.2", "review": "http://192.168.1.20:8321",
    }  # fmt: skip
    assert '"homie": "5.0"' in hub.states["$description"]
    with Journal(journal) as writer:
        writer.start_match(STARTED, NAMES)
        clock.added_s += FACTS_EVERY_S
        drive(link, lambda: hub.states["box/match"] == "1 classic")
    link.stop()
    hub.wait_until(lambda: hub.states["$state"] == "disconnected")
    link = link_to(broker.membership, journal, connect=connect)
    drive(link, lambda: hub.states["$state"] == "ready")
    connections[-1].drop()
    hub.wait_until(lambda: hub.states["$state"] == "lost")


@pytest.mark.slow
def test_broker_wiped_mid_batch_loses_nothing(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal, clock = tmp_path / "one.journal", Clock()
    write_match(journal, 250)
    link = link_to(broker.membership, journal, now_s=clock)
    hub.is_silent = True
    drive(link, lambda: hub.received)
    hub.is_silent = False
    clock.added_s += 60.0
    drive(link, lambda: len(stored_hashes(hub)) == 200)
    broker.kill()
    broker.wipe()
    write_match(journal, 5)
    clock.added_s += 60.0
    drive(link, lambda: "nothing answers at 127.0.0.1" in str(link.status.error))
    count = len(hashes(journal))
    assert link.status.state == HallState.UNREACHABLE
    assert link.status.unsent_events in (count - 200, count), "the box may have heard of the first batch or not"
    broker.start()
    clock.added_s += 60.0
    drive(link, lambda: link.status.unsent_events == 0 and link.status.state == HallState.CONNECTED)
    assert stored_hashes(hub) == hashes(journal)
    link.stop()


@pytest.mark.slow
def test_after_a_day_offline_everything_is_stored_once_and_in_order(
    broker: HallBroker, hub: ScriptedHub, tmp_path: Path
) -> None:
    journal, clock = tmp_path / "one.journal", Clock()
    broker.kill()
    link = link_to(broker.membership, journal, now_s=clock)
    for _ in range(24):
        write_match(journal, 4)
        link.turn()
        clock.added_s += 3600.0
    assert link.status.unsent_events is None, "what the hub has is not known"
    broker.start()
    drive(link, lambda: link.status.unsent_events == 0)
    assert stored_hashes(hub) == hashes(journal) and link.status.unsent_results == 0
    link.stop()


def test_a_journal_that_takes_the_place_of_another_is_sent_too(
    broker: HallBroker, hub: ScriptedHub, tmp_path: Path
) -> None:
    journal = tmp_path / "one.journal"
    write_match(journal, 3)
    link = link_to(broker.membership, journal)
    drive(link, lambda: link.status.unsent_events == 0)
    first = hashes(journal)
    journal.rename(tmp_path / "one.journal.broken-1")
    write_match(journal, 4)
    drive(link, lambda: len(hub.copy.journals) == 2 and link.status.unsent_events == 0)
    assert stored_hashes(hub) == [*first, *hashes(journal)]
    link.stop()


def test_a_hub_that_is_away_for_a_while(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal, clock = tmp_path / "one.journal", Clock()
    write_match(journal, 3)
    hub.is_silent = True
    link = link_to(broker.membership, journal, now_s=clock)
    drive(link, lambda: hub.received)
    assert link.status.state == HallState.CONNECTED and not link.status.is_answered
    hub.is_silent = False
    clock.added_s += 10.0
    drive(link, lambda: link.status.unsent_events == 0)
    assert stored_hashes(hub) == hashes(journal)
    link.stop()


def test_a_problem_is_told_until_the_organiser_settles_it(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal, clock = tmp_path / "one.journal", Clock()
    write_match(journal, 3)
    with JournalReader(journal) as reader:
        origin = reader.origin_hash()
    hub.copy.problems[origin] = "rewritten"
    link = link_to(broker.membership, journal, now_s=clock)
    drive(link, lambda: link.status.problem == "rewritten")
    del hub.copy.problems[origin]
    clock.added_s += 60.0
    drive(link, lambda: not link.status.problem and link.status.unsent_events == 0)
    link.stop()


def test_pairings_come_and_go(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    ada, ben = (HallPlayer(id=letter * 32, name=name) for letter, name in (("a", "Ada"), ("b", "Ben")))
    pairing = Pairing(id="1" * 32, tournament="Spring Cup", game="classic", options={}, players=(ada, ben))
    hub.publish(Pairings(table="Table 7", pairings=(pairing,)), "pairings", retain=True)
    link = link_to(broker.membership, tmp_path / "one.journal")
    drive(link, lambda: link.pairings.pairings == (pairing,))
    assert link.pairings.table == "Table 7"
    hub.publish(Pairings(table="Table 7"), "pairings", retain=True)
    drive(link, lambda: not link.pairings.pairings)
    hub.publish(Pairings(table="Table 7", pairings=(pairing,)), "pairings", retain=True)
    drive(link, lambda: link.pairings.pairings)
    with Journal(tmp_path / "one.journal") as writer:
        played = HallMatch(pairing=pairing.id, players=(ada.id, ben.id))
        match = writer.start_match(STARTED.model_copy(update={"hall": played}), NAMES)
        drive(link, lambda: link.status.unsent_events == 0)
        assert link.pairings.pairings, "it is being played, and may be given up"
        writer.append(match, MatchEnded(result=ResultRecord(winners=(1,), scores={1: 1, 2: 0})))
        drive(link, lambda: not link.pairings.pairings)
    link.stop()


def test_an_event_that_is_too_large_ends_the_stream_and_nothing_else(
    broker: HallBroker, hub: ScriptedHub, tmp_path: Path
) -> None:
    journal = tmp_path / "one.journal"
    link = link_to(broker.membership, journal)
    with Journal(journal) as writer:
        match = writer.start_match(STARTED, NAMES)
        writer.append(match, answer_event())
        writer.append(match, answer_event("x" * 1_000_001))
        writer.append(match, MatchAbandoned())
        drive(link, lambda: len(stored_hashes(hub)) == 2 and link.status.unsent_events == 0)
        writer.start_match(STARTED, NAMES)
        link.turn()
    assert link.status.state == HallState.CONNECTED and stored_hashes(hub) == hashes(journal)[:2]
    link.stop()


@pytest.mark.parametrize("switched_on", [True, False])
def test_dispute_pictures_are_sent_only_if_switched_on(
    switched_on: bool, broker: HallBroker, hub: ScriptedHub, tmp_path: Path
) -> None:
    journal = tmp_path / "one.journal"
    link = link_to(broker.membership, journal, pictures=switched_on)
    with Journal(journal) as writer:
        match = writer.start_match(STARTED, NAMES)
        for answers in ({1: "rock", 2: "paper"}, {1: "rock", 2: "rock"}):
            last = writer.append(match, round_body(answers=answers), [Evidence("lock.jpg", "image/jpeg", b"a picture")])
        drive(link, lambda: link.status.unsent_events == 0)
        writer.append(match, DisputeRejected(round=last.number, text="It stands."))
        drive(link, lambda: link.status.unsent_events == 0)
        writer.append(match, MatchAbandoned())
        drive(link, lambda: link.status.unsent_events == 0 and (hub.copy.pictures or not switched_on))
    pictures = [(one.event, one.name, one.data) for one in hub.copy.pictures]
    assert pictures == ([(last.number, "lock.jpg", b"a picture")] if switched_on else [])
    link.stop()


def test_a_hub_that_has_nothing_any_more_gets_everything_again(
    broker: HallBroker, hub: ScriptedHub, tmp_path: Path
) -> None:
    journal, clock = tmp_path / "one.journal", Clock()
    link = link_to(broker.membership, journal, pictures=True, now_s=clock)
    with Journal(journal) as writer:
        match = writer.start_match(STARTED, NAMES)
        drive(link, lambda: link.status.unsent_events == 0)
        disputed = writer.append(match, round_body(), [Evidence("lock.jpg", "image/jpeg", b"a picture")])
        writer.append(match, DisputeRejected(round=disputed.number, text="It stands."))
    drive(link, lambda: link.status.unsent_events == 0 and hub.copy.pictures)
    hub.copy.journals.clear()
    hub.copy.pictures.clear()
    clock.added_s += ASK_AGAIN_AFTER_S
    drive(link, lambda: stored_hashes(hub) == hashes(journal) and hub.copy.pictures)
    assert [picture.event for picture in hub.copy.pictures] == [disputed.number]
    link.stop()


def test_the_thread_ends_with_goodbye(broker: HallBroker, hub: ScriptedHub, tmp_path: Path) -> None:
    journal = tmp_path / "one.journal"
    write_match(journal, 3)
    link = link_to(broker.membership, journal)
    link.start()
    hub.wait_until(lambda: len(stored_hashes(hub)) == 5)
    link.stop()
    hub.wait_until(lambda: hub.state_log[-1] == "disconnected")
    assert "hall" not in {thread.name for thread in threading.enumerate()}


def failure(membership: Membership, folder: Path) -> tuple[HallState, str]:
    """Return what people are told of a hall that can't be reached."""
    link = link_to(membership, folder / "one.journal")
    drive(link, lambda: link.status.state != HallState.CONNECTING)
    link.stop()
    return link.status.state, str(link.status.error)


def test_a_wrong_password(broker: HallBroker, tmp_path: Path) -> None:
    told = failure(broker.membership.model_copy(update={"password": "guessed"}), tmp_path)
    assert told == (
        HallState.REFUSED, "the hall does not accept this box’s password: get its file from the hub again"
    )  # fmt: skip


def test_another_hall_at_the_same_address(broker: HallBroker, tmp_path: Path) -> None:
    write_authority(tmp_path, "other")
    other = (tmp_path / "other.crt").read_text()
    told = failure(broker.membership.model_copy(update={"ca": other}), tmp_path)
    assert told[0] == HallState.REFUSED and told[1].endswith("is not the hall of this file: get it from the hub again")


def test_a_certificate_for_another_name(servers: None, tmp_path: Path) -> None:
    with HallBroker(tmp_path / "broker", "DNS:hub.example") as broker:
        told = failure(broker.membership, tmp_path)
    assert told[0] == HallState.REFUSED and "is for another name" in told[1]


def test_a_clock_that_is_wrong(servers: None, tmp_path: Path) -> None:
    with HallBroker(tmp_path / "broker", days=0) as broker:
        told = failure(broker.membership, tmp_path)
    assert told[0] == HallState.REFUSED and "set the box’s clock" in told[1]


def test_unreachable_brokers_and_bad_files_are_explained(broker: HallBroker, tmp_path: Path) -> None:
    broker.stop()
    assert failure(broker.membership, tmp_path)[1].startswith("nothing answers at 127.0.0.1:")
    nowhere = broker.membership.model_copy(update={"host": "no.such.host.invalid"})
    assert failure(nowhere, tmp_path)[1] == "no.such.host.invalid is not found: connect the box to the hall’s network"
    bare = nowhere.model_copy(update={"ca": ""})
    assert "has no certificate" in failure(bare, tmp_path)[1], "its password is not sent in the clear"
    broken = nowhere.model_copy(update={"ca": "no certificate"})
    assert "can’t be read" in failure(broken, tmp_path)[1]
