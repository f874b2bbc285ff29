"""What the organiser sees and does: the pages' ``HallDesk`` over the hub's database, in one transaction for each
request."""

import random
from collections.abc import Sequence
from typing import Any

import psycopg
from pydantic import ValidationError

from rules.catalogue import GAMES, find_game
from rules.tournaments.events import Format, TournamentError
from throwlock.hub.pages.access import renew_code, set_public
from throwlock.hub.pages.tournament_pages import read_progress, tournament_page
from throwlock.hub.pairings import give, read_boxes
from throwlock.hub.players import (
    add_players,
    check_everybody_out,
    check_in,
    find_player,
    forget_player,
    read_names,
    read_players,
    rename_player,
)
from throwlock.hub.store import settle_problem
from throwlock.hub.tournament_log import (
    HallPlayerEntered,
    LogBody,
    MatchCounted,
    MatchResultTaken,
    PairingGiven,
    PairingTakenBack,
)
from throwlock.hub.tournaments import (
    FORGOTTEN_NAME,
    HallTournament,
    decide,
    read_hall_tournament,
    start_tournament,
)
from throwlock.journal.events import (
    MAX_TITLE_LENGTH,
    Corrected,
    DisputeRejected,
    TournamentAbandoned,
    TournamentCorrected,
    TournamentDrawn,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
    decode_body,
)
from throwlock.replay.ratings import MatchOfTwo, Rating, rate
from ui.web.hall.view import (
    ORGANISER_PATH,
    BoxLine,
    DeskTournament,
    DisputeLine,
    GameChoice,
    LogLine,
    NewTournament,
    PlayerLine,
    ProblemLine,
    TournamentLine,
)

MAX_DISPUTES = 200
MAX_LOG_LINES = 100
MAX_LISTED_TOURNAMENTS = 100


class Desk:
    """See ui.web.hall.view.HallDesk. ``by`` is noted with what is decided."""

    def __init__(self, connection: psycopg.Connection[Any], by: str) -> None:
        self._connection, self._by = connection, by

    # what there is

    def boxes(self) -> Sequence[BoxLine]:
        """See HallDesk."""
        pairings = {box.id: box.open_pairings for box in read_boxes(self._connection)}
        rows = self._connection.execute(
            "SELECT id, table_name, state, properties, seen_at, behind, problem FROM box_status "
            "ORDER BY length(table_name), table_name, id"
        )
        return [
            BoxLine(
                id=box,
                table=table,
                state=state,
                seen_at=seen_at,
                match=str(properties.get("box/match", "")),
                camera=str(properties.get("box/camera", "")),
                version=str(properties.get("box/version", "")),
                temperature=str(properties.get("box/temperature", "")),
                review=_address(properties),
                open_pairings=pairings[box],
                behind=behind,
                problem=problem,
            )
            for box, table, state, properties, seen_at, behind, problem in rows
        ]

    def players(self) -> Sequence[PlayerLine]:
        """See HallDesk."""
        return [
            PlayerLine(one.id, one.name, one.code, one.checked_in_at is not None)
            for one in read_players(self._connection)
        ]

    def tournaments(self) -> Sequence[TournamentLine]:
        """See HallDesk."""
        rows = self._connection.execute(
            "SELECT id, body::text, at, is_over FROM tournament JOIN tournament_event ON tournament = id "
            "WHERE number = 1 ORDER BY id DESC LIMIT %s",
            (MAX_LISTED_TOURNAMENTS,),
        )
        found = []
        for number, text, at, is_over in rows:
            body = TournamentStarted.model_validate_json(text)
            title = body.title or (GAMES[body.game].title if body.game in GAMES else body.game)
            found.append(TournamentLine(number, title, at, "over" if is_over else "going on"))
        return found

    def tournament(self, number: int) -> DeskTournament:
        """See HallDesk."""
        found = read_hall_tournament(self._connection, number)
        boxes = {box.id: box for box in read_boxes(self._connection, with_removed=True)}
        page = tournament_page(found, boxes, read_progress(self._connection))
        state = found.record.state

        def at_table(given: PairingGiven) -> str:
            table = boxes[given.box].table_name if given.box in boxes else given.box
            return f"{table}, match {given.fixture} ({page.summary.against(state.fixture(given.fixture))})"

        late = [f"{at_table(one)} ended again, too late: its first result stays" for one in found.late]
        unfitting = [f"{_describe(found, entry.body)}: this does not fit: {why}" for entry, why in found.unfitting]
        return DeskTournament(
            page=page,
            ready=found.ready,
            finished=tuple(one for one in state.fixtures if one.outcome is not None and not one.is_bye),
            remaining=state.remaining,
            can_enter=state.can_enter,
            is_automatic=found.is_automatic,
            taken_back=tuple(
                (one.pairing, f"{at_table(one)} was played although it was taken back.") for one in found.taken_back
            ),
            late=(*late, *unfitting),
            log=tuple(
                LogLine(entry.at, entry.by, _describe(found, entry.body))
                for entry in found.log[: -MAX_LOG_LINES - 1 : -1]
            ),
        )

    def disputes(self) -> Sequence[DisputeLine]:
        """See HallDesk."""
        rows = self._connection.execute(
            """SELECT event.at, pairing_match.tournament, event.kind, event.body::text, event.journal, pairing.players,
                box.table_name, box.properties, started.body ->> 'title', started.body ->> 'game'
            FROM pairing_match
            JOIN event USING (journal, match)
            JOIN pairing ON pairing.id = pairing_match.pairing
            JOIN box ON box.id = pairing.box
            JOIN tournament_event AS started ON started.tournament = pairing_match.tournament AND started.number = 1
            WHERE event.kind IN ('corrected', 'dispute_rejected') AND event.understood
            ORDER BY event.at DESC NULLS LAST, event.journal, event.number DESC LIMIT %s""",
            (MAX_DISPUTES,),
        ).fetchall()
        names = read_names(self._connection)
        pictures = self._pictures([row[4] for row in rows])
        found = []
        for at, tournament, kind, text, journal, players, table, properties, title, game in rows:
            body = decode_body(kind, text)
            assert isinstance(body, Corrected | DisputeRejected)
            known = [names.get(player) or FORGOTTEN_NAME for player in players]
            address = _address(properties)
            found.append(
                DisputeLine(
                    at=at,
                    tournament=tournament,
                    title=title or find_game(game).title,
                    table=table,
                    players=" – ".join(known),
                    text=_dispute_text(body, known),
                    review=f"{address.rstrip('/')}/round/{body.round}" if address else "",
                    pictures=tuple(
                        (f"{ORGANISER_PATH}/picture/{journal}/{body.round}/{name}", name)
                        for name in pictures.get((journal, body.round), ())
                    ),
                )
            )
        return found

    def _pictures(self, journals: list[int]) -> dict[tuple[int, int], list[str]]:
        found: dict[tuple[int, int], list[str]] = {}
        for journal, event, name in self._connection.execute(
            "SELECT journal, event, name FROM picture WHERE journal = ANY (%s) ORDER BY name", (journals,)
        ):
            found.setdefault((journal, event), []).append(name)
        return found

    def picture(self, journal: int, event: int, name: str) -> tuple[str, bytes] | None:
        """See HallDesk."""
        row = self._connection.execute(
            "SELECT media_type, data FROM picture WHERE journal = %s AND event = %s AND name = %s",
            (journal, event, name.replace("\0", "")),
        ).fetchone()
        return (str(row[0]), bytes(row[1])) if row else None

    def problems(self) -> Sequence[ProblemLine]:
        """See HallDesk."""
        rows = self._connection.execute(
            """SELECT DISTINCT ON (journal.id) journal.id, table_name, problem.kind, problem.number, found_at
            FROM problem JOIN journal ON journal.id = problem.journal JOIN box ON box.id = journal.box
            WHERE settled_at IS NULL AND replaced_at IS NULL ORDER BY journal.id, problem.id"""
        )
        return [ProblemLine(*row) for row in rows]

    def games(self) -> Sequence[GameChoice]:
        """See HallDesk."""
        return [GameChoice(one.name, one.title, one.options) for one in GAMES.values()]

    def ratings(self) -> Sequence[tuple[str, float, float, int]]:
        """See HallDesk."""
        return [(one.name, one.strength, one.error, one.matches) for one in self._ratings({})]

    def _ratings(self, names: dict[str, str]) -> Sequence[Rating]:
        """Return the ratings over all tournaments, the best first; with ``names`` instead of the players' own."""
        known = {key: name for key, name in read_names(self._connection).items() if name}
        matches = []
        for (number,) in self._connection.execute("SELECT id FROM tournament ORDER BY id").fetchall():
            found = read_hall_tournament(self._connection, number)
            for fixture, given in found.pairings.items():
                outcome = found.record.state.fixture(fixture).outcome
                keys = [found.record.keys[player - 1] for player in given.players]
                if outcome is not None and not outcome.absent and len(keys) == 2 and known.keys() >= {*keys}:
                    winners = frozenset(found.record.keys[player - 1] for player in outcome.winners)
                    matches.append(MatchOfTwo((keys[0], keys[1]), winners))
        return rate(matches, names or known)

    # players

    def add_players(self, names: Sequence[str]) -> None:
        """See HallDesk."""
        for player in add_players(self._connection, names):
            check_in(self._connection, player, present=True)

    def check_in(self, text: str) -> str:
        """See HallDesk."""
        player = find_player(self._connection, text)
        check_in(self._connection, player.id, present=True)
        return player.name

    def set_present(self, player: str, *, present: bool) -> None:
        """See HallDesk."""
        check_in(self._connection, player, present=present)

    def check_everybody_out(self) -> None:
        """See HallDesk."""
        check_everybody_out(self._connection)

    def rename(self, player: str, name: str) -> None:
        """See HallDesk."""
        rename_player(self._connection, player, name)

    def forget(self, player: str) -> None:
        """See HallDesk."""
        forget_player(self._connection, player)

    # tournaments

    def start(self, new: NewTournament) -> int:
        """See HallDesk."""
        if len(new.title) > MAX_TITLE_LENGTH or not new.title.isprintable():
            raise TournamentError(f"a title has at most {MAX_TITLE_LENGTH} letters that can be shown")
        rules = find_game(new.game)
        known = {option.name: option for option in rules.options}
        form = Format(new.format)
        body = TournamentStarted(
            title=new.title,
            game=new.game,
            options={name: known[name].parse(value) for name, value in new.options.items()},
            format=form,
            rounds=new.rounds,
            group_size=max(2, new.group_size),
            qualifiers=max(1, new.qualifiers),
            table_size=max(3, new.table_size) if form is Format.TABLES else 2,
        )
        players = (
            add_players(self._connection, new.names)
            if new.names
            else [one.id for one in read_players(self._connection) if one.checked_in_at is not None]
        )
        if len(set(players)) < len(players):
            raise TournamentError("two players have the same name: tell them apart")
        if new.seeding == "random":
            random.SystemRandom().shuffle(players)
        elif new.seeding == "rating":
            order = [one.name for one in self._ratings({key: key for key in read_names(self._connection)})]
            players.sort(key=lambda key: order.index(key) if key in order else len(order))
        number = start_tournament(self._connection, body, players, self._by)
        self.set_automatic(number, automatic=new.is_automatic)
        return number

    def set_automatic(self, number: int, *, automatic: bool) -> None:
        """See HallDesk."""
        self._connection.execute("UPDATE tournament SET is_automatic = %s WHERE id = %s", (automatic, number))

    def give(self, number: int, fixture: str, box: str) -> None:
        """See HallDesk."""
        give(self._connection, number, fixture, box, self._by)

    def take_back(self, number: int, pairing: str) -> None:
        """See HallDesk."""
        self._decide(number, PairingTakenBack, pairing=pairing)

    def count(self, number: int, pairing: str) -> None:
        """See HallDesk."""
        self._decide(number, MatchCounted, pairing=pairing)

    def enter_result(self, number: int, fixture: str, winners: tuple[int, ...]) -> None:
        """See HallDesk."""
        self._decide(number, TournamentResult, tournament=number, fixture=fixture, winners=winners)

    def note_no_show(self, number: int, fixture: str, player: int) -> None:
        """See HallDesk."""
        self._decide(number, TournamentNoShow, tournament=number, fixture=fixture, player=player)

    def withdraw(self, number: int, player: int) -> None:
        """See HallDesk."""
        self._decide(number, TournamentPlayerWithdrawn, tournament=number, player=player)

    def enter(self, number: int, name: str) -> None:
        """See HallDesk."""
        self._decide(number, HallPlayerEntered, player=find_player(self._connection, name).id)

    def abandon(self, number: int) -> None:
        """See HallDesk."""
        self._decide(number, TournamentAbandoned, tournament=number)

    def _decide(self, number: int, kind: type[LogBody], **fields: object) -> None:
        try:
            body = kind.model_validate(fields)
        except ValidationError:  # a form that was made by hand
            raise TournamentError("there is no such match, player or table") from None
        decide(self._connection, number, body, self._by)

    # the hall

    def settle(self, journal: int, note: str, *, replace: bool) -> None:
        """See HallDesk."""
        if journal not in [one.journal for one in self.problems()]:
            raise TournamentError("this problem is settled already")
        settle_problem(self._connection, journal, note, replace=replace)

    def set_public(self, *, public: bool) -> None:
        """See HallDesk."""
        set_public(self._connection, public=public)

    def renew_code(self) -> None:
        """See HallDesk."""
        renew_code(self._connection)


def _address(properties: dict[str, Any]) -> str:
    """Return the address of a box's review pages, "" if they are off. A box can send any text: only what a link to a
    web page can have is taken."""
    address = str(properties.get("box/review", ""))
    return address if address.startswith(("http://", "https://")) and len(address) < 200 else ""


def _dispute_text(body: Corrected | DisputeRejected, names: Sequence[str]) -> str:
    if not body.text and isinstance(body, Corrected):
        if body.seat is None:
            return "the round does not count"
        name = names[body.seat - 1] if body.seat <= len(names) else f"seat {body.seat}"
        return f"{name}: {body.previous or 'no throw'}, corrected to {body.to or 'no throw'}"
    text = body.text
    for seat, name in enumerate(names, 1):
        text = text.replace(f"{{{seat}}}", name)
    return text or "the verdict stands"


def _describe(found: HallTournament, body: LogBody) -> str:  # noqa: PLR0911 - one return for each kind of event
    """Return what was decided in words."""
    record = found.record

    def names(players: Sequence[int]) -> str:
        return ", ".join(str(record.name(one)) for one in players if 0 < one <= len(record.names))

    def fixture_of(pairing: str) -> str:
        of = [entry.body for entry in found.log if isinstance(entry.body, PairingGiven)]
        return next((one.fixture for one in of if one.pairing == pairing), "")

    match body:
        case TournamentStarted():
            return "The tournament began"
        case HallPlayerEntered(player=player):
            return f"{record.name(record.keys.index(player) + 1)} entered" if player in record.keys else "Entered"
        case TournamentPlayerWithdrawn(player=player):
            return f"{names([player])} withdrew"
        case TournamentDrawn(draw=key):
            return f"Drawn: {key}"
        case TournamentResult(fixture=fixture, winners=winners):
            return f"{fixture}: result entered, {names(winners)}"
        case TournamentCorrected(fixture=fixture, winners=winners):
            return f"{fixture}: corrected to {names(winners)}"
        case TournamentNoShow(fixture=fixture, player=player):
            return f"{fixture}: {names([player])} did not come"
        case PairingGiven(fixture=fixture, box=box, players=players):
            return f"{fixture}: {names(players)} given to {box}"
        case PairingTakenBack(pairing=pairing):
            return f"{fixture_of(pairing)}: taken back"
        case MatchCounted(pairing=pairing):
            return f"{fixture_of(pairing)}: counted although it was taken back"
        case MatchResultTaken(pairing=pairing):
            return f"{fixture_of(pairing)}: its match ended again with another result"
    return "The tournament was given up"
