"""Sentences about games: the parts they are made of (names, throws, cards, points), and the words that all games share.

A game's own words are in its ``GameText``.
"""

from collections.abc import Iterable, Mapping, Sequence

from messages import LazyText, N, join, ngettext_lazy
from rules.engine import (
    NO_TEXT,
    FactValue,
    FactValues,
    GameEvent,
    GameText,
    Json,
    Names,
    Seat,
    SentenceMaker,
)
from rules.engine.scoreboard import OUT, ROUND, THROWS, WINS, FactForm, ShownFact
from rules.events import KnockedOut
from rules.throws import Throw

NO_THROW = N("no throw")
THROW_WORDS: Mapping[str, LazyText] = {Throw.ROCK: N("rock"), Throw.PAPER: N("paper"), Throw.SCISSORS: N("scissors")}
"""The throws as words within a sentence."""
MAX_LISTED_NAMES = 8
"""In a sentence about an event, more players than this are counted, not named."""
PLAYER_FACTS = ("south", "north", "loser")
"""The facts of events that are shown as players where they are seats' numbers."""


def throw_word(throw: Throw | None) -> LazyText:
    """Return a throw as a word within a sentence, "no throw" for none."""
    return THROW_WORDS[throw] if throw else NO_THROW


def card_word(word: object) -> str:
    """Return a throw or a card named as in the rules as a word of a sentence, "no throw" for none."""
    return THROW_WORDS.get(str(word), str(word)) if word else NO_THROW


def seat_name(seat: Seat, names: Names) -> str:
    """Return the player's name, "Seat 3" where it is unknown."""
    return names.get(seat) or N("Seat {seat}", seat=seat)


def list_names(seats: Sequence[Seat], names: Names) -> str:
    """Return the players of ``seats``: "Ada, Ben and Cy"."""
    return join_names([seat_name(seat, names) for seat in seats])


def join_names(names: Sequence[str]) -> str:
    """Join names: "Ada, Ben and Cy"."""
    if len(names) < 2:
        return names[0] if names else N("nobody")
    return N("{some} and {last}", some=join(names[:-1], ", "), last=names[-1])


def list_or_count_names(seats: Sequence[Seat], names: Names) -> str:
    """Return the players of ``seats``, or "12 players" where they are many."""
    if len(seats) <= MAX_LISTED_NAMES:
        return list_names(seats, names)
    return ngettext_lazy("{count} player", "{count} players", len(seats))


def points_text(points: int, unit: str = "point") -> LazyText:
    """Return "3 points", or "3 chips" where the ``unit`` is "chip"."""
    return chips_text(points) if unit == "chip" else ngettext_lazy("{count} point", "{count} points", points)


def chips_text(chips: int) -> LazyText:
    """Return "3 chips"."""
    return ngettext_lazy("{count} chip", "{count} chips", chips)


def cards_text(cards: Mapping[Throw, int] | Mapping[str, FactValue]) -> str:
    """Return how many there are of each card: "3 rock, 3 paper, 3 scissors"."""
    return join([join([str(count), card_word(card)]) for card, count in cards.items() if count], ", ")


def by_seat_text(facts: Mapping[Seat, FactValue], names: Names) -> LazyText:
    """Return a number or a throw that each seat has: "Ada 3, Ben 5", "Ada rock, Ben paper"."""
    return join_counts(
        (seat_name(seat, names), fact if isinstance(fact, int) else card_word(fact)) for seat, fact in facts.items()
    )


def join_counts(counts: Iterable[tuple[str, object]]) -> LazyText:
    """Return names with a number or a word each: "Ada 3, Ben 5", "Player 1: 3, Player 2: 5"."""
    return join([_join_count(name, count) for name, count in counts], ", ")


def _join_count(name: str, count: object) -> LazyText:
    if not isinstance(count, str) and name[-1:].isdigit():
        return N("{name}: {count}", name=name, count=count)
    return join([name, count if isinstance(count, str) else str(count)])


def join_clauses(clauses: Sequence[str]) -> LazyText:
    """Return the clauses as one sentence: "Ada bets 5; Ben bets 10."."""
    return join([join_items(clauses), "."], "")


def join_items(items: Sequence[str]) -> str:
    """Return the items with semicolons between them, which have a space before them in French."""
    if len(items) < 2:
        return items[0] if items else ""
    return N("{item}; {more}", item=items[0], more=join_items(items[1:]))


def as_int(fact: Json) -> int:
    """Return a fact that is a whole number; 0 for any other."""
    return fact if isinstance(fact, int) else 0


def as_list(fact: Json) -> Sequence[Json]:
    """Return a fact that is a list; an empty one for any other."""
    return fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()


def as_mapping(fact: Json) -> Mapping[str, Json]:
    """Return a fact that has values by name, such as by seat; an empty one for any other."""
    return fact if isinstance(fact, Mapping) else {}


def fill(message: str, facts: FactValues, names: Names, text: GameText = NO_TEXT, **values: object) -> LazyText:
    """Return ``message`` with an event's facts and further ``values`` in its braces.

    {name} is the player of the event's "seat", {who} those of its "seats" or "pair", and so are the facts in
    ``PLAYER_FACTS``. {chips} is a number of chips; a fact by seat is "Ada 3, Ben 5" or "Ada rock, Ben paper", by card
    "3 rock, 2 paper". Any other fact is called as in the event, and has its word in ``text`` if it is one.
    """
    filled = {name: _fact_text(name, fact, names, text) for name, fact in facts.items() if f"{{{name}}}" in message}
    if isinstance(seat := facts.get("seat"), int):
        filled["name"] = seat_name(seat, names)
    if seats := _seats(facts.get("seats", facts.get("pair"))):
        filled["who"] = list_or_count_names(seats, names)
    return N(message, **filled | values)


def _seats(fact: FactValue) -> list[Seat]:
    listed = fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    return [seat for seat in listed if isinstance(seat, int)]


def _fact_text(name: str, fact: FactValue, names: Names, text: GameText) -> object:
    if isinstance(fact, int) and name in PLAYER_FACTS:
        return seat_name(fact, names)
    if isinstance(fact, int) and name == "chips":
        return chips_text(fact)
    if isinstance(fact, Mapping):
        by_seat = {seat: value for seat, value in fact.items() if isinstance(seat, int)}
        return by_seat_text(by_seat, names) if len(by_seat) == len(fact) else cards_text(_by_name(fact))
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        items = [_fact_text(name, item, names, text) for item in fact]
        return join([item if isinstance(item, str) else str(item) for item in items], ", ")
    if fact is None or isinstance(fact, bool):
        return SHARED_TEXT.words[{None: "none", True: "yes", False: "no"}[fact]]
    return game_word(fact, text) or fact if isinstance(fact, str) else fact


def _by_name(fact: Mapping[Seat, FactValue] | Mapping[str, FactValue]) -> dict[str, FactValue]:
    return {str(name): value for name, value in fact.items()}


def template(message: str, **renamed: str) -> SentenceMaker:
    """Make sentences by ``fill``, where a field has another name than its fact: ``piles="cards"``."""

    def sentence(event: GameEvent, names: Names) -> str:
        return fill(message, {**event.values, **{to: event.values[fact] for to, fact in renamed.items()}}, names)

    return sentence


def template_by(fact: str, messages: Mapping[str | bool, str]) -> SentenceMaker:
    """Make sentences by ``fill`` from the message for the event's ``fact``."""
    return lambda event, names: fill(messages[event.values[fact]], event.values, names)


def about_players(singular: str, plural: str, seats: Sequence[Seat], names: Names, **fields: object) -> list[str]:
    """Return a sentence about ``seats``, {who} in it, as a list; an empty list if there are none."""
    if not seats:
        return []
    return [ngettext_lazy(singular, plural, len(seats), who=list_or_count_names(seats, names), **fields)]


def _knock_out(event: KnockedOut, names: Names) -> list[str]:
    throws = by_seat_text(event.throws, names)
    return about_players("{who} drops out ({throws}).", "{who} drop out ({throws}).", event.seats, names, throws=throws)


def _knock_outs(events: Sequence[KnockedOut], names: Names) -> list[str]:
    seats = [seat for event in events for seat in event.seats]
    return about_players("{who} drops out.", "{who} drop out.", seats, names)


def game_word(name: str, text: GameText) -> str | None:
    """Return the word for a name in a game's code, as written within a line; None if there is none."""
    return text.words.get(name) or SHARED_TEXT.words.get(name)


def shown_fact(name: str, kind: str, text: GameText) -> ShownFact | None:
    """Return how the scoreboard shows the fact ``name`` of an event or prompt of that ``kind``, or of a "result"; None
    if it doesn't."""
    for declared in (text.scoreboard, SHARED_TEXT.scoreboard):
        for key in (f"{kind}.{name}", name):
            if key in declared:
                return declared[key]
    return None


def fact_label(name: str, kind: str, text: GameText) -> str:
    """Return what the fact ``name`` of an event or prompt of that ``kind`` is called: its declared label, or its word;
    its own name without either."""
    shown = shown_fact(name, kind, text) or ShownFact()
    return shown.label or game_word(shown.name or name, text) or name


SHARED_TEXT = GameText(
    sentences={
        "tie": N("Tie ({throws}). Throw again."),
        "won": N("{name} wins ({throws})."),
        "out": _knock_out,
        "score": N("Score: {scores}."),
    },
    summaries={"tie": lambda events, names: [N("Tie. Throw again.")], "out": _knock_outs},
    headings={
        "score": N("Score"),
        "scored": N("Score"),
        "tie": N("Tie"),
        "foul": N("Foul"),
        "won": N("Won"),
        "out": N("Out"),
    },
    words={
        **THROW_WORDS,
        "yes": N("yes"),
        "seen": N("Got it"),
        "no": N("no"),
        "on": N("on"),
        "off": N("off"),
        "none": N("none"),
        "leave": N("leave"),
        "place": N("place a card"),
        "throw": N("throw"),
        "throws": N("throws"),
        "round": N("round"),
        "rounds": N("rounds"),
        "turn": N("turn", "of a game"),
        "turns": N("turns", "of a game"),
        "game": N("game"),
        "games": N("games"),
        "goal": N("goal"),
        "of": N("of", "so many"),
        "option": N("option"),
        "outcome": N("outcome"),
        "reason": N("reason"),
        "draw": N("draw", "nobody wins"),
        "cards": N("cards"),
        "hand": N("hand", "of cards"),
        "box": N("box", "who draws cards"),
        "table": N("table", "who draws cards"),
    },
    scoreboard={
        "round": ROUND,
        "throws": THROWS,
        "won.seat": WINS,
        "out.seats": OUT,
        "cards in hand": ShownFact(label=N("Your cards"), icon="cards", form=FactForm.HAND),
        "face down": ShownFact(label=N("Face down"), form=FactForm.THROW),
    },
)
"""The words that all games share."""
