"""Tests of the store with the real PostgreSQL: each event once and in order, and nothing that does not fit."""

import json
import threading
from base64 import b64encode
from collections.abc import Sequence

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.hall_streams import (
    AT,
    add_boxes,
    answer_hello,
    answers,
    batch,
    bodies,
    chain,
    ended,
    hello,
    origin,
    started,
    store_batch,
    stored_events,
)
from throwlock.hall.protocol import Picture, StreamEvent
from throwlock.hub.database import connect
from throwlock.hub.players import add_players, forget_player
from throwlock.hub.quota import EVENT_ROW_BYTES
from throwlock.hub.store import (
    Arrival,
    PictureRefusedError,
    reread_events,
    settle_problem,
    store_messages,
    store_picture,
    store_states,
)
from throwlock.journal.events import Answered, Deleted, DisputeRejected, EvidenceRecord, MatchAbandoned, encode_body
from throwlock.journal.hash_chain import SaltedData, event_hash, evidence_commitment

BOX, JOURNAL = "box-1", origin()


@pytest.fixture
def hall(database: psycopg.Connection) -> psycopg.Connection:
    add_boxes(database, BOX, "box-2")
    return database


def problems(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT kind, number, stored_hash, told_hash FROM problem WHERE settled_at IS NULL ORDER BY id"
    ).fetchall()


def rewritten(events: Sequence[StreamEvent], number: int) -> list[StreamEvent]:
    """Return the events with number ``number`` and all later ones written anew, with valid hashes."""
    return answers(len(events) - number + 1, JOURNAL, events[: number - 1], word="changed")


def forge_event(event: StreamEvent, **changed: object) -> StreamEvent:
    """Return an event with something changed, and its hash."""
    return event.model_copy(update=changed)


def sign_event(event: StreamEvent, **changed: object) -> StreamEvent:
    """Return an event with something changed, and the hash of that."""
    event = event.model_copy(update=changed)
    return event.model_copy(
        update={"hash": event_hash(event.number, event.match, event.at, event.kind, event.body, event.previous_hash)}
    )


@pytest.mark.parametrize(
    "parts", [[(0, 9)], [(0, 4), (4, 9)], [(0, 4), (0, 4), (4, 9)], [(0, 4), (2, 9), (3, 5)], [(0, 9), (0, 1), (8, 9)]]
)
def test_event_is_stored_once_however_often_it_comes(hall: psycopg.Connection, parts: list[tuple[int, int]]) -> None:
    events = answers(9, JOURNAL)
    newest = 0
    for first, last in parts:
        newest = max(newest, last)
        stored = store_batch(hall, BOX, batch(JOURNAL, events[first:last]))
        assert (stored.number, stored.hash, stored.problem) == (newest, events[newest - 1].hash, "")
    assert stored_events(hall, BOX, JOURNAL) == events


def test_nothing_is_stored_after_a_gap(hall: psycopg.Connection) -> None:
    events = answers(9, JOURNAL)
    assert store_batch(hall, BOX, batch(JOURNAL, events[4:])).number == 0
    assert stored_events(hall, BOX, JOURNAL) == []
    store_batch(hall, BOX, batch(JOURNAL, events[:3]))
    assert store_batch(hall, BOX, batch(JOURNAL, events[4:])).number == 3
    assert stored_events(hall, BOX, JOURNAL) == events[:3]
    assert problems(hall) == []
    row = hall.execute("SELECT number, behind FROM box_status WHERE id = 'box-1'").fetchone()
    assert row == (3, 6), "the box has nine"


def test_boxes_and_journals_are_apart(hall: psycopg.Connection) -> None:
    other = origin("another")
    streams = {("box-1", JOURNAL): 3, ("box-2", JOURNAL): 5, ("box-1", other): 2}
    for (box, journal), count in streams.items():
        assert store_batch(hall, box, batch(journal, answers(count, journal))).number == count
    for (box, journal), count in streams.items():
        assert stored_events(hall, box, journal) == answers(count, journal)


def test_unknown_box_is_told_so(hall: psycopg.Connection) -> None:
    stored = store_batch(hall, "box-9", batch(JOURNAL, answers(2, JOURNAL)))
    assert (stored.number, stored.hash, stored.problem) == (0, JOURNAL, "unknown box")
    assert hall.execute("SELECT count(*) FROM journal").fetchone() == (0,)


@pytest.mark.parametrize(
    "changed",
    [{"body": '{"answers":{"1":7},"prompt":"bet"}'}, {"at": AT.replace("18", "19")}, {"kind": "other"}, {"match": 2}],
    ids=["body", "time", "kind", "match"],
)
def test_forged_event_stops_its_journal(hall: psycopg.Connection, changed: dict[str, object]) -> None:
    events = answers(5, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events[:2]))
    wrong = forge_event(events[3], **changed)
    stored = store_batch(hall, BOX, batch(JOURNAL, [events[2], wrong, events[4]]))
    assert (stored.number, stored.hash, stored.problem) == (2, events[1].hash, "forged")
    assert problems(hall) == [("forged", 4, "", events[3].hash)]
    assert store_batch(hall, BOX, batch(JOURNAL, events[2:])).number == 2, "nothing more of it is taken"
    assert stored_events(hall, BOX, JOURNAL) == events[:2]
    assert len(problems(hall)) == 1


@pytest.mark.parametrize("changed", [2, 3, 4])
@pytest.mark.parametrize("first", [1, 2, 3, 4, 5])
def test_rewritten_journal_is_found_by_its_next_events(hall: psycopg.Connection, changed: int, first: int) -> None:
    events = answers(4, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    other = answers(3, JOURNAL, rewritten(events, changed))
    stored = store_batch(hall, BOX, batch(JOURNAL, other[first - 1 :]))
    assert (stored.number, stored.hash, stored.problem) == (4, events[3].hash, "rewritten")
    number = min(max(first, changed), 4)
    assert problems(hall) == [("rewritten", number, events[number - 1].hash, other[number - 1].hash)]
    assert stored_events(hall, BOX, JOURNAL) == events


def test_rewritten_journal_is_found_by_its_hello(hall: psycopg.Connection) -> None:
    events = answers(4, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    assert answer_hello(hall, BOX, hello(JOURNAL, events)).problem == ""
    assert answer_hello(hall, BOX, hello(JOURNAL, rewritten(events, 3))).problem == "rewritten"
    assert problems(hall) == [("rewritten", 4, events[3].hash, rewritten(events, 3)[3].hash)]


@pytest.mark.parametrize("left", [0, 1, 3])
def test_cut_journal_is_found_when_the_box_knows_what_is_stored(hall: psycopg.Connection, left: int) -> None:
    events = answers(4, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    assert answer_hello(hall, BOX, hello(JOURNAL, events[:left])).problem == "", "it may be an old message"
    assert answer_hello(hall, BOX, hello(JOURNAL, events[:left], stored=left)).problem == ""
    stored = answer_hello(hall, BOX, hello(JOURNAL, events[:left], stored=4))
    assert (stored.number, stored.problem) == (4, "cut")
    assert problems(hall) == [("cut", left, events[3].hash, events[left - 1].hash if left else JOURNAL)]


def test_old_messages_that_come_late_are_no_problem(hall: psycopg.Connection) -> None:
    events = answers(9, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    for count in range(9):
        assert answer_hello(hall, BOX, hello(JOURNAL, events[:count], stored=count)).problem == ""
        assert store_batch(hall, BOX, batch(JOURNAL, events[count : count + 2])).problem == ""
    assert stored_events(hall, BOX, JOURNAL) == events


def test_box_that_is_ahead_is_no_problem(hall: psycopg.Connection) -> None:
    """The hub has lost its memory: it was restored from a backup."""
    events = answers(9, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events[:3]))
    stored = answer_hello(hall, BOX, hello(JOURNAL, events, stored=9))
    assert (stored.number, stored.problem) == (3, "")


def test_messages_of_one_transaction_see_each_other(hall: psycopg.Connection) -> None:
    events = answers(9, JOURNAL)
    stored = store_messages(
        hall,
        [
            Arrival(BOX, hello(JOURNAL, events[:3])),
            Arrival(BOX, batch(JOURNAL, events[:3])),
            Arrival("box-2", hello(JOURNAL, [])),
            Arrival(BOX, batch(JOURNAL, events[1:6])),
            Arrival(BOX, hello(JOURNAL, events[:5])),
            Arrival(BOX, batch(JOURNAL, rewritten(events, 6)[5:])),
            Arrival(BOX, batch(JOURNAL, events[6:])),
        ],
    )
    assert [(one.number, one.problem) for one in stored] == [
        (0, ""), (3, ""), (0, ""), (6, ""), (6, ""), (6, "rewritten"), (6, "rewritten"),
    ]  # fmt: skip
    assert stored_events(hall, BOX, JOURNAL) == events[:6]
    assert problems(hall) == [("rewritten", 6, events[5].hash, rewritten(events, 6)[5].hash)]


def test_nothing_is_stored_before_the_transaction_is_committed(hall: psycopg.Connection) -> None:
    events = answers(3, JOURNAL)
    arrivals = [Arrival("box-2", batch(JOURNAL, events[:2])), Arrival(BOX, batch(JOURNAL, events))]
    with pytest.raises(ZeroDivisionError), hall.transaction():
        assert [one.number for one in store_messages(hall, arrivals)] == [2, 3]
        raise ZeroDivisionError
    assert stored_events(hall, BOX, JOURNAL) == stored_events(hall, "box-2", JOURNAL) == []
    assert hall.execute("SELECT count(*) FROM journal").fetchone() == (0,)


def test_settled_journal_goes_on(hall: psycopg.Connection) -> None:
    events = answers(6, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events[:4]))
    store_batch(hall, BOX, batch(JOURNAL, rewritten(events, 3)))
    settle(hall, replace=False)
    stored = store_batch(hall, BOX, batch(JOURNAL, events[4:]))
    assert (stored.number, stored.problem) == (6, "")
    assert hall.execute("SELECT note, settled_at IS NULL FROM problem").fetchall() == [("looked at it", False)]


def test_settled_journal_is_replaced_by_what_the_box_has(hall: psycopg.Connection) -> None:
    events = answers(6, JOURNAL)
    other = rewritten(events, 3)
    store_batch(hall, BOX, batch(JOURNAL, events[:4]))
    store_batch(hall, BOX, batch(JOURNAL, other))
    settle(hall, replace=True)
    assert answer_hello(hall, BOX, hello(JOURNAL, other, stored=4)).number == 0
    assert store_batch(hall, BOX, batch(JOURNAL, other)).problem == ""
    assert stored_events(hall, BOX, JOURNAL) == other
    assert hall.execute("SELECT count(*) FROM event").fetchone() == (10,), "what was stored is kept"


@pytest.mark.parametrize("left", [0, 2])
def test_settled_journal_that_was_cut_is_not_found_again(hall: psycopg.Connection, left: int) -> None:
    events = answers(4, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    assert answer_hello(hall, BOX, hello(JOURNAL, events[:left], stored=4)).problem == "cut"
    settle(hall, replace=False)
    assert answer_hello(hall, BOX, hello(JOURNAL, events[:left], stored=4)).problem == "cut", "nothing has changed"
    settle(hall, replace=True)
    assert answer_hello(hall, BOX, hello(JOURNAL, events[:left], stored=4)).problem == ""


def test_nothing_is_settled_while_its_box_is_stored(dsn: str, hall: psycopg.Connection) -> None:
    events = answers(4, JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    answer_hello(hall, BOX, hello(JOURNAL, [], stored=4))
    with connect(dsn) as other, other.transaction():
        store_messages(other, [Arrival(BOX, hello(origin("another"), []))])
        hall.execute("SET lock_timeout = '50ms'")
        hall.commit()
        with pytest.raises(psycopg.errors.LockNotAvailable):
            settle(hall, replace=False)


def settle(connection: psycopg.Connection, *, replace: bool) -> None:
    row = connection.execute("SELECT id FROM journal WHERE problem <> '' AND replaced_at IS NULL").fetchone()
    assert row is not None
    settle_problem(connection, row[0], "looked at it", replace=replace)
    connection.commit()


@pytest.mark.parametrize(
    ("changed", "is_stored", "is_understood"),
    [
        ({}, True, True),
        ({"kind": "of_a_newer_box"}, True, False),
        ({"body": '{"answers":{"1":1},"colour":"of a newer box","prompt":"bet"}'}, True, False),
        ({"body": '{"answers":{"1":"\\u0000"},"prompt":"bet"}'}, True, False),
        ({"body": '{"answers":{"1":"\\\\u0000"},"prompt":"bet"}'}, True, True),
        ({"body": '{"answers":{"1":"\\\\\\u0000"},"prompt":"bet"}'}, True, False),
        ({"kind": "new", "body": '{"deep":' + "[" * 150 + "]" * 150 + "}"}, True, False),
        ({"kind": "new", "body": '{"deep":' + "[" * 400_000 + "]" * 400_000 + "}"}, False, False),
        ({"kind": "new", "body": '{"a":NaN}'}, False, False),
        ({"body": "no JSON"}, False, False),
        ({"body": "[]"}, False, False),
        ({"kind": "with\0nul"}, False, False),
        ({"at": "yesterday"}, True, True),
        ({"at": "0001-01-01T00:00:00+14:00"}, True, True),
        ({"at": "2026-01-01\x0000:00:00+00:00"}, False, False),
    ],
)
def test_odd_event_is_kept_if_it_can_be(
    hall: psycopg.Connection, changed: dict[str, str], is_stored: bool, is_understood: bool
) -> None:
    event = sign_event(answers(1, JOURNAL)[0], **changed)
    stored = store_batch(hall, BOX, batch(JOURNAL, [event]))
    assert stored.problem == ("" if is_stored else "forged")
    assert stored_events(hall, BOX, JOURNAL) == ([event] if is_stored else [])
    found = hall.execute("SELECT understood FROM event").fetchall()
    assert found == ([(is_understood,)] if is_stored else [])
    assert hall.execute("SELECT body ->> 'prompt' FROM event WHERE understood").fetchall() is not None


def test_newer_boxs_events_are_read_again_by_a_newer_hub(
    hall: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = chain([(1, "of_a_newer_box", "{}"), (1, "answered", "{}")], JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    assert reread_events(hall) == 0
    monkeypatch.setattr("throwlock.hub.store.decode_body", lambda kind, body: None)
    assert reread_events(hall) == 2
    assert hall.execute("SELECT DISTINCT understood FROM event").fetchall() == [(True,)]


def test_result_is_the_newest_of_its_match(hall: psycopg.Connection) -> None:
    pairing, players = "a" * 32, ("b" * 32, "c" * 32)
    events = chain(bodies(1, started(pairing, players), ended(1)), JOURNAL)
    events = chain(bodies(3, started(), ended(2, (0, 2))), JOURNAL, events)
    store_batch(hall, BOX, batch(JOURNAL, events))
    query = "SELECT match, game, pairing, players, winners, scores, is_final FROM match_result ORDER BY match"
    second: tuple[object, ...] = (3, "classic", None, [], [2], {"1": 0, "2": 2}, True)
    assert hall.execute(query).fetchall() == [
        (1, "classic", pairing, list(players), [1], {"1": 2, "2": 1}, True), second,
    ]  # fmt: skip
    disputed = chain(bodies(1, Answered(prompt="throw", answers={})), JOURNAL, events)
    store_batch(hall, BOX, batch(JOURNAL, disputed))
    assert [row[-1] for row in hall.execute(query)] == [False, True]
    again = chain(bodies(1, ended(2, (1, 2)), DisputeRejected(round=2, text="")), JOURNAL, disputed)
    store_batch(hall, BOX, batch(JOURNAL, again))
    assert hall.execute(query).fetchall() == [
        (1, "classic", pairing, list(players), [2], {"1": 1, "2": 2}, True), second,
    ]  # fmt: skip


def test_abandoned_and_imported_matches_have_no_result(hall: psycopg.Connection) -> None:
    imported = json.loads(encode_body(started("a" * 32, ("b" * 32, "c" * 32))))
    imported["imported_from"] = {
        "journal": JOURNAL, "match": 1, "first_hash": JOURNAL, "last_event": 2, "last_hash": JOURNAL, "imported_at": AT,
    }  # fmt: skip
    events = chain([(1, "match_started", json.dumps(imported)), *bodies(1, ended(1))], JOURNAL)
    events = chain(bodies(3, started(), MatchAbandoned()), JOURNAL, events)
    assert store_batch(hall, BOX, batch(JOURNAL, events)).number == 4
    assert hall.execute("SELECT count(*) FROM event WHERE understood").fetchone() == (4,)
    assert hall.execute("SELECT * FROM match_result").fetchall() == []


def stored_bytes(hall: psycopg.Connection) -> int:
    row = hall.execute("SELECT stored_bytes FROM box WHERE id = %s", (BOX,)).fetchone()
    assert row is not None
    return int(row[0])


def test_what_is_stored_of_a_box_is_counted(hall: psycopg.Connection) -> None:
    events = answers(4, JOURNAL)
    for _ in range(2):
        store_batch(hall, BOX, batch(JOURNAL, events))
    assert stored_bytes(hall) == sum(len(event.body) + EVENT_ROW_BYTES for event in events)
    hall.execute("DELETE FROM event WHERE number = 4")
    assert stored_bytes(hall) == sum(len(event.body) + EVENT_ROW_BYTES for event in events[:3])


def test_hellos_of_ever_new_journals_leave_one_row(hall: psycopg.Connection) -> None:
    """And take away none of which anything is stored, or that has a problem."""
    store_batch(hall, BOX, batch(JOURNAL, answers(1, JOURNAL)))
    forged = answers(1, origin("forged"))[0].model_copy(update={"hash": origin("x")})
    store_batch(hall, BOX, batch(origin("forged"), [forged]))
    for number in range(20):
        answer_hello(hall, BOX, hello(origin(str(number)), []))
    rows = hall.execute("SELECT origin FROM journal WHERE box = %s ORDER BY id", (BOX,)).fetchall()
    assert rows == [(JOURNAL,), (origin("forged"),), (origin("19"),)]


DATA = b"\xff\xd8 an image"


def event_with_picture(event: int) -> tuple[Answered, Picture]:
    """Return an event with a picture, and the picture."""
    salt = "0" * 32
    commitment = evidence_commitment("lock.jpg", "image/jpeg", SaltedData(salt, DATA))
    record = EvidenceRecord(media_type="image/jpeg", commitment=commitment)
    picture = Picture(
        journal=JOURNAL, event=event, name="lock.jpg", media_type="image/jpeg", commitment=commitment, salt=salt,
        data=b64encode(DATA),
    )  # fmt: skip
    return Answered(prompt="throw", answers={}, evidence={"lock.jpg": record}), picture


def kept_pictures(connection: psycopg.Connection) -> list[int]:
    return [event for (event,) in connection.execute("SELECT event FROM picture ORDER BY journal, event")]


def test_pictures_go_with_those_of_their_box(hall: psycopg.Connection) -> None:
    answered, picture = event_with_picture(2)
    later = picture.model_copy(update={"event": 3})
    events = chain(bodies(1, started(), answered, answered), JOURNAL)
    deletion = chain([(0, "deleted", encode_body(Deleted(reason="requested", events=(2,))))], JOURNAL, events)[-1]
    store_batch(hall, "box-2", batch(JOURNAL, events))
    store_picture(hall, "box-2", picture)
    store_batch(hall, BOX, batch(JOURNAL, events))
    store_picture(hall, BOX, picture)
    store_picture(hall, BOX, later)
    assert kept_pictures(hall) == [2, 2, 3]
    store_batch(hall, BOX, batch(JOURNAL, [deletion]))
    assert kept_pictures(hall) == [2, 3], "another box’s stays"
    with pytest.raises(PictureRefusedError, match="deleted"):
        store_picture(hall, BOX, picture)
    assert kept_pictures(hall) == [2, 3]


def test_pictures_of_a_replaced_journal_go_too(hall: psycopg.Connection) -> None:
    answered, picture = event_with_picture(2)
    events = chain(bodies(1, started(), answered), JOURNAL)
    store_batch(hall, BOX, batch(JOURNAL, events))
    store_picture(hall, BOX, picture)
    (journal,) = next(iter(hall.execute("SELECT id FROM journal")))
    settle_problem(hall, journal, "", replace=True)
    deletion = chain([(0, "deleted", encode_body(Deleted(reason="space", events=(2,))))], JOURNAL, events)
    store_batch(hall, BOX, batch(JOURNAL, deletion))
    assert kept_pictures(hall) == []


def test_pictures_of_a_forgotten_player_s_matches_go(hall: psycopg.Connection) -> None:
    ada, ben, cy = add_players(hall, ("Ada", "Ben", "Cy"))
    answered, picture = event_with_picture(2)
    other = picture.model_copy(update={"event": 4})
    events = chain(bodies(1, started("a" * 32, (ada, ben)), answered), JOURNAL)
    events = chain(bodies(3, started("b" * 32, (ben, cy)), answered), JOURNAL, events)
    store_batch(hall, BOX, batch(JOURNAL, events))
    store_picture(hall, BOX, picture)
    store_picture(hall, BOX, other)
    forget_player(hall, ada)
    assert kept_pictures(hall) == [4]
    with pytest.raises(PictureRefusedError, match="deleted"):
        store_picture(hall, BOX, picture)


def test_picture_is_stored_if_its_event_has_it(hall: psycopg.Connection) -> None:
    body, picture = event_with_picture(1)
    with pytest.raises(PictureRefusedError, match="is not stored"):
        store_picture(hall, BOX, picture)
    store_batch(hall, BOX, batch(JOURNAL, chain(bodies(1, body), JOURNAL)))
    for _ in range(2):
        store_picture(hall, BOX, picture)
    assert hall.execute("SELECT event, name, media_type, data FROM picture").fetchall() == [
        (1, "lock.jpg", "image/jpeg", DATA)
    ]
    before = stored_bytes(hall)
    hall.execute("DELETE FROM picture")
    assert stored_bytes(hall) == before - len(DATA) - EVENT_ROW_BYTES
    store_picture(hall, BOX, picture, room=before - 1)
    assert hall.execute("SELECT count(*) FROM picture").fetchone() == (0,)
    assert hall.execute("SELECT excess FROM box_status WHERE id = %s", (BOX,)).fetchone() == ("full",)
    changes: list[dict[str, object]] = [
        {"data": b"another"}, {"name": "other.jpg"}, {"media_type": "image/svg+xml"}, {"salt": "1" * 32},
    ]  # fmt: skip
    for changed in changes:
        with pytest.raises(PictureRefusedError, match="no such evidence"):
            store_picture(hall, BOX, picture.model_copy(update=changed))
    with pytest.raises(PictureRefusedError, match="is not stored"):
        store_picture(hall, "box-2", picture)


def test_states_are_those_last_published(hall: psycopg.Connection) -> None:
    store_states(hall, {BOX: {"$state": "ready", "box/match": "classic"}, "box-9": {"$state": "ready"}})
    store_states(hall, {BOX: {"box/match": "", "$alert/hardware": "no lights"}})
    query = "SELECT state, properties FROM box WHERE id = 'box-1'"
    assert hall.execute(query).fetchone() == ("ready", {"box/match": "", "$alert/hardware": "no lights"})
    store_states(hall, {BOX: {"$state": "lost", "$alert/hardware": ""}})
    assert hall.execute(query).fetchone() == ("lost", {"box/match": ""})
    for number in range(100):
        store_states(hall, {BOX: {f"box/p{number}": "x"}})
    row = hall.execute(query).fetchone()
    assert row is not None and len(row[1]) == 64


Step = tuple[int, int, int, int]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=3),
    steps=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 11), st.integers(1, 6)), max_size=25),
    groups=st.lists(st.integers(1, 4), min_size=25, max_size=25),
)
def test_any_order_of_messages_ends_with_the_journals(
    hall: psycopg.Connection, lengths: list[int], steps: list[Step], groups: list[int]
) -> None:
    """Of several journals, sent and sent again to two hubs, and then from where each says it is."""
    hall.execute("TRUNCATE event, journal, problem, picture")
    hall.commit()
    journals = [origin(str(one)) for one in range(len(lengths))]
    streams = [answers(length, journal) for length, journal in zip(lengths, journals, strict=True)]
    with connect(str(hall.info.dsn)) as other:
        hubs = hall, other
        queues: tuple[list[Arrival], list[Arrival]] = ([], [])
        for place, (hub, stream, first, count) in enumerate(steps):
            events, journal = streams[stream % len(streams)], journals[stream % len(streams)]
            part = events[first % len(events) :][:count]
            message = hello(journal, events[: part[0].number]) if count == 6 else batch(journal, part)
            queues[hub].append(Arrival(BOX, message))
            if len(queues[hub]) >= groups[place]:
                store_messages(hubs[hub], queues[hub])
                queues[hub].clear()
        for connection, left in zip(hubs, queues, strict=True):
            store_messages(connection, left)
        for place, (events, journal) in enumerate(zip(streams, journals, strict=True)):
            stored = answer_hello(hubs[place % 2], BOX, hello(journal, events))
            if stored.number < len(events):
                stored = store_batch(hubs[place % 2], BOX, batch(journal, events[stored.number :]))
            assert (stored.number, stored.hash, stored.problem) == (len(events), events[-1].hash, "")
            assert stored_events(hall, BOX, journal) == events


def test_two_hubs_store_the_same_streams_at_once(dsn: str, hall: psycopg.Connection) -> None:
    """Each all events of both boxes, in batches of its own size, in the other order."""
    events = answers(120, JOURNAL)
    failures: list[BaseException] = []

    def store_all(boxes: Sequence[str], size: int) -> None:
        try:
            with connect(dsn) as connection:
                for first in range(0, len(events), size):
                    part = batch(JOURNAL, events[first : first + size])
                    store_messages(connection, [Arrival(box, part) for box in boxes])
        except BaseException as error:
            failures.append(error)

    threads = [
        threading.Thread(target=store_all, args=args)
        for args in ((("box-1", "box-2"), 3), (("box-2", "box-1"), 5), (("box-1",), 7), (("box-2",), 2))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for box in ("box-1", "box-2"):
        assert stored_events(hall, box, JOURNAL) == events
