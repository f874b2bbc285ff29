"""What a second screen in a browser is sent: scenes with their texts in the screen's language. Every message is made
from these classes, so nothing else can be in it. Times named ``..._at_ms`` are of the box's monotonic clock, those
named ``..._ms`` without ``at`` are lengths, or count from the first hand."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(max_length=2000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerPart(_Part):
    """A player. ``facts`` are what everybody may know, such as an open bet; ``state`` is whether an answer is in."""

    seat: int
    name: Text
    score: Text = ""
    facts: tuple[Text, ...] = ()
    state: Text = ""
    place: int | None = None
    won: bool = False


class ThrowPart(_Part):
    """A throw: its icon and its word."""

    icon: Literal["rock", "paper", "scissors", "nothing"]
    word: Text


class SeatPart(_Part):
    """What one seat showed. ``image`` and ``proof`` are names of pictures; ``after_first_ms`` is None for a hand that
    showed nothing."""

    player: PlayerPart
    throws: tuple[ThrowPart, ...]
    verdict: Text
    kind: Literal["good", "foul", "doubt"]
    time: Text
    after_first_ms: float | None
    won: bool = False
    image: str = ""
    proof: str = ""


class CountScene(_Part):
    """The count. ``words_at_ms`` are the times of its words; the last is the call to throw. The page counts by itself
    from one message on."""

    kind: Literal["count"] = "count"
    title: Text
    words: tuple[Text, ...]
    words_at_ms: tuple[float, ...]
    players: tuple[PlayerPart, ...]
    throwing: tuple[int, ...] = ()
    facts: tuple[Text, ...] = ()
    note: Text = ""


class JudgingScene(_Part):
    """The box reads the hands."""

    kind: Literal["judging"] = "judging"
    text: Text
    players: tuple[PlayerPart, ...]


class RevealScene(_Part):
    """Everybody's throw. The timeline runs from the first hand to the lock, after ``window_ms``."""

    kind: Literal["reveal"] = "reveal"
    sentence: Text
    seats: tuple[SeatPart, ...]
    window_ms: float
    lock_label: Text
    pairs: tuple[tuple[ThrowPart, ThrowPart], ...] = ()


class FramesPart(_Part):
    """A seat's hand in each frame of a round, as names of pictures."""

    seat: int
    images: tuple[str, ...]


class SlowMotionScene(_Part):
    """A round in slow motion. ``course`` are (ms since it was shown, ms after the first hand), between which time runs
    evenly: it stands still where the second number stays. ``frame_times_ms`` are after the first hand."""

    kind: Literal["slow motion"] = "slow motion"
    title: Text
    seats: tuple[SeatPart, ...]
    window_ms: float
    lock_label: Text
    frame_times_ms: tuple[float, ...]
    frames: tuple[FramesPart, ...]
    course: tuple[tuple[float, float], ...]


class PiecePart(_Part):
    """A piece on the board: its icon, its side (0: South), and how many sheets a stack has."""

    icon: str
    side: int
    sheets: int = 1


class SpacePart(_Part):
    """A space of the board, with its centre in units of its width."""

    x: float
    y: float
    piece: PiecePart | None = None
    is_last: bool = False


class FigurePart(_Part):
    """How many of a class threw what, and what came of it."""

    throw: ThrowPart
    count: int
    won: int
    tied: int
    lost: int


class ScoresScene(_Part):
    """What happened, and the scores; of more players than fit, the first, and how many ``more`` there are."""

    kind: Literal["scores"] = "scores"
    sentences: tuple[Text, ...]
    players: tuple[PlayerPart, ...]
    facts: tuple[Text, ...] = ()
    more: Text = ""
    board: tuple[SpacePart, ...] = ()
    figures: tuple[FigurePart, ...] = ()
    figure_labels: tuple[Text, ...] = ()


class CardPart(_Part):
    """A card of a showdown. What it is is sent once it is turned."""

    player: PlayerPart
    claim: ThrowPart | None
    label: Text
    is_turned: bool
    card: ThrowPart | None = None
    bluff: Text = ""
    won: Text = ""


class ShowdownScene(_Part):
    """A showdown, as far as it has gone."""

    kind: Literal["showdown"] = "showdown"
    sentence: Text
    cards: tuple[CardPart, ...]


class ResultScene(_Part):
    """The end of a match."""

    kind: Literal["result"] = "result"
    sentence: Text
    players: tuple[PlayerPart, ...]
    more: Text = ""


class ChoosingScene(_Part):
    """Somebody is choosing at the touchscreen, or on a phone."""

    kind: Literal["choosing"] = "choosing"
    text: Text
    players: tuple[PlayerPart, ...]


class IdleScene(_Part):
    """Nobody plays: the page shows slides, or else the ``text``."""

    kind: Literal["idle"] = "idle"
    title: Text
    text: Text


Scene = Annotated[
    CountScene
    | JudgingScene
    | RevealScene
    | SlowMotionScene
    | ScoresScene
    | ShowdownScene
    | ResultScene
    | ChoosingScene
    | IdleScene,
    Field(discriminator="kind"),
]


class SceneMessage(_Part):
    """One message of the stream. The touchscreen has shown the scene since ``shown_at_ms``; its pictures are in
    ``folder``."""

    number: int
    folder: str
    shown_at_ms: float
    language: str
    scene: Scene


class RoundSlide(_Part):
    """One of the evening's best rounds; ``why`` says what was special. Its pictures are in ``folder``."""

    folder: str
    kind: Literal["round"] = "round"
    why: Text
    reveal: RevealScene


class TablePart(_Part):
    """A table of a tournament: rows of place, name and points."""

    heading: Text
    rows: tuple[tuple[Text, Text, Text], ...]


class FixturePart(_Part):
    """A fixture: who plays, and what came of it ("": not yet)."""

    players: Text
    result: Text


class BracketPart(_Part):
    """A round of a tournament."""

    title: Text
    fixtures: tuple[FixturePart, ...]


class TournamentSlide(_Part):
    """How a tournament stands: the newest rounds of its bracket, and its tables."""

    kind: Literal["tournament"] = "tournament"
    title: Text
    rounds: tuple[BracketPart, ...]
    tables: tuple[TablePart, ...]
    champions: Text = ""


class Slides(_Part):
    """What a second screen shows while nobody plays."""

    slides: tuple[Annotated[RoundSlide | TournamentSlide, Field(discriminator="kind")], ...]
