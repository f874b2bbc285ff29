"""What a box sends to the hub: whatever is lost, repeated or forgotten, the hub's copy ends equal to the journal."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from throwlock.hall.event_sender import ASK_AGAIN_AFTER_S, MAX_RESEND_AFTER_S, RESEND_AFTER_S, EventSender
from throwlock.hall.protocol import MAX_BATCH_EVENTS, Acknowledgement, EventBatch, Hello, StreamEvent, decode, encode
from throwlock.journal.hash_chain import event_hash, origin_hash

AT = "2026-05-01T12:00:00.000+00:00"


class Stream:
    """A JournalStream in memory, of events that are each other's."""

    def __init__(self, count: int = 0, name: str = "a") -> None:
        self.journal = origin_hash(name)
        self.events: list[StreamEvent] = []
        self.sendable: int | None = None
        self.grow(count)

    def grow(self, count: int, body: str = "{}") -> None:
        for _ in range(count):
            number = len(self.events) + 1
            before = self.events[-1].hash if self.events else self.journal
            values = (number, 1, AT, "answered", body, before)
            self.events.append(
                StreamEvent(
                    number=number, match=1, at=AT, kind="answered", body=body, previous_hash=before,
                    hash=event_hash(*values),
                )
            )  # fmt: skip

    @property
    def newest(self) -> tuple[int, str]:
        number = len(self.events) if self.sendable is None else self.sendable
        return number, self.hash_of(number) or ""

    def hash_of(self, number: int) -> str | None:
        if number == 0:
            return self.journal
        return self.events[number - 1].hash if number <= len(self.events) else None

    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
        return self.events[first - 1 : min(first - 1 + count, self.newest[0])]


@dataclass
class Hub:
    """A hub that stores what follows what it has, checking as the real one does."""

    journal: str
    events: list[StreamEvent] = field(default_factory=list)

    def take(self, message: Hello | EventBatch) -> Acknowledgement:
        read = decode("hello" if isinstance(message, Hello) else "events", encode(message))
        if isinstance(read, EventBatch):
            for event in read.events:
                if event.number == len(self.events) + 1:
                    assert event.previous_hash == (self.events[-1].hash if self.events else self.journal)
                    self.events.append(event)
                elif event.number <= len(self.events):
                    assert self.events[event.number - 1] == event
        return self.acknowledge()

    def acknowledge(self) -> Acknowledgement:
        newest = self.events[-1].hash if self.events else self.journal
        return Acknowledgement(journal=self.journal, number=len(self.events), hash=newest)


def sender_of(stream: Stream) -> EventSender:
    sender = EventSender(stream)
    sender.connect()
    return sender


def test_nothing_is_sent_without_a_connection_or_a_journal() -> None:
    sender = EventSender(Stream(3))
    assert sender.next_message(0.0) is None
    stream = Stream()
    stream.journal = ""
    assert sender_of(stream).next_message(0.0) is None


def test_a_box_says_hello_and_then_sends_what_the_hub_has_not() -> None:
    stream = Stream(5)
    sender, hub = sender_of(stream), Hub(stream.journal, Stream(5).events[:3])
    hello = sender.next_message(0.0)
    assert hello == Hello(journal=stream.journal, number=5, hash=stream.events[4].hash)
    assert sender.next_message(1.0) is None, "it waits for the answer"
    assert isinstance(hello, Hello)
    sender.receive(hub.take(hello), 1.0)
    batch = sender.next_message(1.0)
    assert isinstance(batch, EventBatch) and [event.number for event in batch.events] == [4, 5]
    sender.receive(hub.take(batch), 1.0)
    assert sender.next_message(100.0) is None and sender.stored_number == 5


def test_an_idle_box_asks_what_the_hub_has() -> None:
    stream = Stream(5)
    sender, hub = sender_of(stream), Hub(stream.journal)
    while (message := sender.next_message(1.0)) is not None:
        sender.receive(hub.take(message), 1.0)
    del hub.events[2:]  # its database was put back
    assert sender.next_message(ASK_AGAIN_AFTER_S) is None
    message = sender.next_message(ASK_AGAIN_AFTER_S + 1.0)
    assert isinstance(message, Hello)
    while message is not None:
        sender.receive(hub.take(message), ASK_AGAIN_AFTER_S + 1.0)
        message = sender.next_message(ASK_AGAIN_AFTER_S + 1.0)
    assert hub.events == stream.events


def test_batches_have_a_limit_in_events_and_in_bytes() -> None:
    stream = Stream(MAX_BATCH_EVENTS + 1)
    sender = sender_of(stream)
    sender.next_message(0.0)
    sender.receive(Hub(stream.journal).acknowledge(), 0.0)
    batch = sender.next_message(0.0)
    assert isinstance(batch, EventBatch) and len(batch.events) == MAX_BATCH_EVENTS
    large = Stream()
    large.grow(3, '"' + "x" * 600_000 + '"')
    sender = sender_of(large)
    sender.next_message(0.0)
    sender.receive(Hub(large.journal).acknowledge(), 0.0)
    batch = sender.next_message(0.0)
    assert isinstance(batch, EventBatch) and len(batch.events) == 1, "one always goes"


def test_the_same_goes_again_later_and_later_while_nobody_answers() -> None:
    stream = Stream(2)
    sender = sender_of(stream)
    sender.next_message(0.0)
    sender.receive(Hub(stream.journal).acknowledge(), 0.0)
    first = sender.next_message(0.0)
    stream.grow(1)
    sent, at_s = [0.0], 0.0
    while len(sent) < 6:
        at_s += 1.0
        if (message := sender.next_message(at_s)) is not None:
            assert message == first and sender.is_unanswered
            sent.append(at_s)
    assert [after - before for before, after in itertools.pairwise(sent)] == [
        RESEND_AFTER_S,
        *(min(RESEND_AFTER_S * 2**n, MAX_RESEND_AFTER_S) for n in range(1, 5)),
    ]


def test_a_hub_that_has_forgotten_gets_it_again() -> None:
    stream = Stream(6)
    sender, hub = sender_of(stream), Hub(stream.journal)
    for _ in range(2):
        message = sender.next_message(0.0)
        assert message is not None
        sender.receive(hub.take(message), 0.0)
    del hub.events[2:]
    sender.receive(hub.acknowledge(), 1.0)
    batch = sender.next_message(1.0)
    assert isinstance(batch, EventBatch) and batch.events[0].number == 3


def test_an_answer_that_comes_twice_does_not_make_two_batches_of_each() -> None:
    stream = Stream(3 * MAX_BATCH_EVENTS)
    sender, hub = sender_of(stream), Hub(stream.journal)
    sender.next_message(0.0)
    sender.receive(hub.acknowledge(), 0.0)
    batch = sender.next_message(0.0)
    assert isinstance(batch, EventBatch)
    answer = hub.take(batch)
    sender.receive(answer, 0.0)
    assert sender.next_message(0.0) is not None
    sender.receive(answer, 0.0)
    assert sender.next_message(0.0) is None


def test_with_a_problem_nothing_but_hellos_until_it_is_settled() -> None:
    stream = Stream(4)
    sender, hub = sender_of(stream), Hub(stream.journal)
    sender.next_message(0.0)
    sender.receive(hub.acknowledge().model_copy(update={"problem": "rewritten"}), 0.0)
    problems = [sender.problem]
    assert sender.next_message(0.0) is None
    sent = [sender.next_message(float(second)) for second in range(1, 200)]
    hellos = [message for message in sent if message is not None]
    assert hellos and all(isinstance(message, Hello) for message in hellos) and len(hellos) < 10
    sender.receive(hub.acknowledge(), 200.0)
    problems.append(sender.problem)
    assert problems == ["rewritten", ""] and isinstance(sender.next_message(200.0), EventBatch)


def test_an_unknown_stored_event_is_answered_with_what_was_acknowledged() -> None:
    stream = Stream(4)
    sender, stored = sender_of(stream), Hub(stream.journal, Stream(5).events).acknowledge()
    sender.next_message(0.0)
    sender.receive(stored, 0.0)
    hello = sender.next_message(0.0)
    assert isinstance(hello, Hello) and (hello.number, hello.stored) == (4, 5)
    sender.receive(stored, 0.0)
    assert sender.next_message(0.0) is None, "not again at once, or two who disagree would flood the hall"
    assert isinstance(sender.next_message(RESEND_AFTER_S), Hello)


def test_a_new_journal_is_a_new_stream() -> None:
    stream = Stream(4)
    sender, hub = sender_of(stream), Hub(stream.journal)
    sender.next_message(0.0)
    old = hub.acknowledge()
    other = Stream(2, "b")
    stream.journal, stream.events = other.journal, other.events
    hello = sender.next_message(0.0)
    assert isinstance(hello, Hello) and (hello.journal, hello.number) == (other.journal, 2)
    sender.receive(old, 0.0)
    assert sender.next_message(0.0) is None and sender.stored_number is None, "an answer about the old journal"


def test_what_may_not_be_sent_is_not_sent() -> None:
    stream = Stream(4)
    stream.sendable = 2
    sender, hub = sender_of(stream), Hub(stream.journal)
    for _ in range(4):
        message = sender.next_message(0.0)
        if message is not None:
            sender.receive(hub.take(message), 0.0)
    assert len(hub.events) == 2
    stream.sendable = None
    message = sender.next_message(0.0)
    assert isinstance(message, EventBatch) and [event.number for event in message.events] == [3, 4]


STEPS_WITHOUT_NUMBER = ("publish", "lose message", "answer", "lose answer", "repeat answer", "cut")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.integers(1, 450)),
        st.tuples(st.just("forget"), st.integers(0, 500)),
        st.tuples(st.just("wait"), st.sampled_from([1, 10, 60])),
        st.tuples(st.sampled_from(STEPS_WITHOUT_NUMBER), st.just(0)),
    ),
    max_size=60,
)  # fmt: skip


@dataclass
class Hall:
    """A box and a hub, and the answers that are on their way."""

    stream: Stream = field(default_factory=lambda: Stream(3))
    answers: list[Acknowledgement] = field(default_factory=list)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.sender, self.hub = sender_of(self.stream), Hub(self.stream.journal)

    def take_step(self, what: str, number: int) -> None:
        match what:
            case "grow":
                self.stream.grow(number)
            case "forget":
                del self.hub.events[number:]
            case "wait":
                self.now_s += number
            case "publish" | "lose message" if (message := self.sender.next_message(self.now_s)) is not None:
                self.answers += [self.hub.take(message)] if what == "publish" else []
            case "cut":
                self.sender.disconnect()
                self.sender.connect()
        if self.answers and what in ("answer", "lose answer", "repeat answer"):
            answer = self.answers[0] if what == "repeat answer" else self.answers.pop(0)
            if what != "lose answer":
                self.sender.receive(answer, self.now_s)

    def settle(self) -> None:
        """Let nothing be lost from now on, until the box has asked again."""
        turns = len(self.stream.events) // MAX_BATCH_EVENTS + len(self.answers) + 5
        for _ in range(turns + round(ASK_AGAIN_AFTER_S / MAX_RESEND_AFTER_S)):
            self.now_s += MAX_RESEND_AFTER_S
            self.take_step("publish", 0)
            while self.answers:
                self.take_step("answer", 0)


@given(STEPS)
@settings(max_examples=150, deadline=None)
def test_hub_ends_with_the_journal_whatever_is_lost(steps: list[tuple[str, int]]) -> None:
    hall = Hall()
    for what, number in steps:
        hall.take_step(what, number)
    hall.settle()
    assert hall.hub.events == hall.stream.events and hall.sender.stored_number == len(hall.stream.events)
