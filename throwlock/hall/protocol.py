"""The messages between a box and the hub of its hall, and their MQTT topics: docs/hall-protocol.md describes them."""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Base64Bytes, Field, TypeAdapter, ValidationError, model_validator

from errors import ThrowlockError
from messages import N, shorten
from rules.record.event import Answer, EventNumber, HallPlayerId, PairingId, Record, Word
from throwlock.journal.events import Commitment, EvidenceName, Hash
from throwlock.journal.hash_chain import event_hash

TOPIC_PREFIX: Final = "hall/1"
"""Of the topics that only Throwlock has, with the protocol's version. The box's state has Homie's topics."""
HOMIE_PREFIX: Final = "homie/5"
HUB_GROUP: Final = "hub"
"""The shared subscription of the hubs: the broker gives each message to one of them."""
MAX_BATCH_EVENTS = 200
MAX_MESSAGE_BYTES = 4_000_000
"""Of a payload; the broker refuses more."""

BoxId = Annotated[str, Field(pattern=r"^[a-z0-9](-?[a-z0-9]){0,31}$", description="a box, as a Homie device id")]


class MessageError(ThrowlockError, ValueError):
    """A message is not in the protocol's form. The message says where."""


class Hello(Record):
    """A box has connected, and this is its journal as far as it may be sent; also after every ``stored`` that does not
    fit it."""

    journal: Annotated[Hash, Field(description="the hash of the journal's id, the previous_hash of its first event")]
    number: Annotated[int, Field(ge=0, le=2**53 - 1, description="of the newest event; 0: there is none")]
    hash: Annotated[Hash, Field(description="of the newest event; of none: the same as journal")]
    stored: Annotated[
        int,
        Field(
            ge=0,
            le=2**53 - 1,
            description="the number in the newest ``stored`` of this journal that the box has received; 0: none yet. "
            "It tells a journal that was cut from an old hello that comes late",
        ),
    ] = 0


class StreamEvent(Record):
    """An event as the journal stores it, with which its hash can be checked."""

    number: EventNumber
    match: Annotated[int, Field(ge=0, le=2**53 - 1, description="0: of no match")]
    at: Annotated[str, Field(max_length=40, description="ISO 8601 in UTC")]
    kind: Word
    body: Annotated[str, Field(max_length=1_000_000, description="the JSON text that is hashed")]
    previous_hash: Hash
    hash: Hash

    def has_valid_hash(self) -> bool:
        """Whether its hash is that of what it contains."""
        return self.hash == event_hash(self.number, self.match, self.at, self.kind, self.body, self.previous_hash)


class EventBatch(Record):
    """Consecutive events of a journal. The box sends the next when the hub has stored these, or again after a while."""

    journal: Hash
    events: Annotated[tuple[StreamEvent, ...], Field(min_length=1, max_length=MAX_BATCH_EVENTS)]

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        for before, after in zip(self.events, self.events[1:], strict=False):
            if after.number != before.number + 1 or after.previous_hash != before.hash:
                raise ValueError(f"event {after.number} does not follow event {before.number}")
        return self


Problem = Literal["", "rewritten", "cut", "forged", "unknown box"]


class Acknowledgement(Record):
    """What the hub's database has of a journal: the answer to every ``Hello`` and ``EventBatch``. The box sends on from
    the event after it. With a ``problem`` the hub takes nothing more of this journal until the organiser decides."""

    journal: Hash
    number: Annotated[int, Field(ge=0, le=2**53 - 1, description="of the newest event stored; 0: there is none")]
    hash: Annotated[Hash, Field(description="of that event; of none: the same as journal")]
    problem: Annotated[
        Problem,
        Field(
            description="rewritten: another event is stored in that place; cut: the box has fewer events than are "
            "stored; forged: an event's hash is not that of its content; unknown box: nobody has added it to the hall"
        ),
    ] = ""


class Picture(Record):
    """A piece of evidence of an event, only from boxes where somebody has switched pictures on for this hall. The
    event's body has the commitment, which the hub checks."""

    journal: Hash
    event: EventNumber
    name: EvidenceName
    media_type: Literal["image/jpeg", "image/svg+xml"]
    commitment: Commitment
    salt: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    data: Annotated[Base64Bytes, Field(max_length=MAX_MESSAGE_BYTES)]


class HallPlayer(Record):
    """A player, as the box shows them."""

    id: HallPlayerId
    name: Annotated[str, Field(min_length=1, max_length=100)]


class Pairing(Record):
    """A match to be played at a box. The first event of its match names it (``MatchStarted.hall``)."""

    id: PairingId
    tournament: Annotated[str, Field(max_length=100, description="what people call it")]
    round: Annotated[int, Field(ge=0, le=1000, description="its round, from 1; 0: it has none")] = 0
    game: Word
    options: dict[Word, Answer]
    players: Annotated[tuple[HallPlayer, ...], Field(min_length=2, max_length=8, description="in seat order")]


class Pairings(Record):
    """All that is to be played at a box, the next first; retained, so that a box that connects has it."""

    table: Annotated[str, Field(max_length=40, description="what the hall calls the box's table")]
    pairings: Annotated[tuple[Pairing, ...], Field(max_length=32)] = ()


Message = Hello | EventBatch | Acknowledgement | Picture | Pairings
TOPIC_MESSAGES: Final[dict[str, type[Message]]] = {
    "hello": Hello,
    "events": EventBatch,
    "pictures": Picture,
    "stored": Acknowledgement,
    "pairings": Pairings,
}
"""The model of each topic below ``hall/1/BOX/``. The box publishes the first three, the hub the other two, which
only that box can read; all with QoS 1."""


def topic(box: str, name: str) -> str:
    """Return the topic of a kind of message, a key of ``TOPIC_MESSAGES``, of one box ("+": of all)."""
    return f"{TOPIC_PREFIX}/{box}/{name}"


def shared_topic(box: str, name: str, group: str = HUB_GROUP) -> str:
    """Return the subscription by which the hubs of a group share a kind of messages of a box ("+": of all)."""
    return f"$share/{group}/{topic(box, name)}"


def parse_topic(text: str) -> tuple[str, str]:
    """Return the box and the kind of message of a topic. Raises MessageError if it is none of ours."""
    prefix, _, rest = text.rpartition("/")
    prefix, _, box = prefix.rpartition("/")
    if prefix != TOPIC_PREFIX or rest not in TOPIC_MESSAGES:
        raise MessageError(N("{topic} is not a topic of the hall", topic=shorten(text)))
    return box, rest


def encode(message: Message) -> bytes:
    """Return a message as its payload: JSON."""
    return message.model_dump_json().encode()


def decode(name: str, payload: bytes) -> Message:
    """Read the payload of a topic, a key of ``TOPIC_MESSAGES``. Raises MessageError."""
    if len(payload) > MAX_MESSAGE_BYTES:
        raise MessageError(N("a message of {count} bytes is too large", count=len(payload)))
    try:
        return TOPIC_MESSAGES[name].model_validate_json(payload)
    except ValidationError as error:
        first = error.errors()[0]
        where = shorten(".".join(map(str, first["loc"])))
        raise MessageError(N("message {name}: {where}: {why}", name=name, where=where, why=first["msg"])) from error


def schema() -> dict[str, Any]:
    """Return all messages as JSON Schema 2020-12, by topic."""
    adapter: TypeAdapter[Any] = TypeAdapter(Message)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The messages between a Throwlock box and the hub of its hall, by the last part of their topic",
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{model.__name__}"} for name, model in TOPIC_MESSAGES.items()},
        "additionalProperties": False,
        "$defs": adapter.json_schema(mode="serialization")["$defs"],
    }
