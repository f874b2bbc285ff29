"""Runs a match: asks what the game asks, keeps every answer in the journal before anybody is told what came of it, and
goes on after a crash where it stopped."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.sound.sound import Tone
from device.system.clock import Clock
from errors import ThrowlockError
from rules.engine import BOX, Answers, Ask, IllegalAnswerError, Play, Result, Say, Seat, replay
from throwlock.journal import recovery
from throwlock.journal.journal import Event, Evidence, Journal, JournalError, JournalReader
from throwlock.journal.recovery import keep
from throwlock.match.answers import Answerers, Confidants, Witnesses
from throwlock.match.config import Billing, answers_in, billing_of
from throwlock.match.corrections import (
    CORRECTION,
    UPHELD,
    CorrectionError,
    as_json,
    correction,
    course_in,
    disputable,
    disputed,
    fouls_in,
)
from throwlock.match.dispute import ROUNDS, Films, evidence_view
from throwlock.match.random_answers import draw
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup.zone_monitor import ZoneWatch
from throwlock.tables.card_count import count_cards
from throwlock.tables.cards import CardTable
from throwlock.tables.hands import Round, Table
from throwlock.tables.no_camera import Unwatched
from ui.i18n.error_messages import told
from ui.i18n.language import N, Nn, capital, row
from ui.screen.core.display import Display
from ui.screen.pages.classroom.view import GO_ON
from ui.screen.pages.standing.view import beaten, outcomes, standing
from ui.screen.pages.views import DISPUTE, Corrected, Notice, Player, Reveal, Told
from ui.text import verdicts
from ui.text.zones import ASTRAY

PATIENCE = 5
"""Void rounds in a row in which a hand was missing or a camera failed, until the box asks whether people are there."""


class MatchError(ThrowlockError):
    """A match that can't go on by itself. The message says why; the journal has all that happened."""


@dataclass(frozen=True)
class Pace:
    """How long people are shown what happened, in seconds."""

    reveal_s: float = 3.5
    told_s: float = 2.5


class Match:
    """One match at a table, from its first question or from where the journal left it.

    ``announce`` takes every line for people who follow on the terminal.
    """

    def __init__(
        self,
        journal: Journal,
        number: int,
        table: Table | Unwatched,
        answerers: Answerers,
        announce: Callable[[str], None],
        pace: Pace | None = None,
    ) -> None:
        """Raises JournalError when match ``number`` of the journal can't be played on."""
        self.number = number
        self._journal = journal
        self._table = table
        self._answerers = answerers
        self._announce = announce
        self._pace = pace or Pace()
        self._display: Display = table.display
        self._clock: Clock = table.clock
        self._films = Films(journal.evidence)
        self._events = journal.events(number)
        self._billing = billing_of(self._events)
        self._missing = 0
        self._seen: tuple[Evidence, ...] = ()
        self._watch = ZoneWatch()
        self._said: set[str] = set()
        self._stand()
        self._take_up()

    def _stand(self) -> None:
        """Go to where the journal stands."""
        self._play = Play(self._billing.game)
        self._scores: dict[Seat, int] = {}
        try:
            for answers in answers_in(self._events):
                self._play.answer(answers)
        except IllegalAnswerError as error:
            raise JournalError(f"match {self.number} can't be played on: {error}") from error
        for said in self._play.said:
            self._note(said)
        self._fouls = fouls_in(self._events)
        last = next(event for event in reversed(self._events) if event.kind != UPHELD)
        void = last.kind == "void" or (last.kind == CORRECTION and last.body["answers"] is None)
        self._again: str | None = verdicts.named(last.body["sentence"], self.names) if void else None

    def _take_up(self) -> None:
        """Say that the match goes on, if it does."""
        throws = sum(1 for event in self._events if "judgement" in event.body)
        if isinstance(self._table.performers, SimulatedPlayers):
            self._table.performers.throws = throws
        if throws:
            self._announce(
                f"Match {self.number} goes on after {throws} {'throw' if throws == 1 else 'throws'}. {self._standing()}"
            )

    def play(self) -> Result:
        """Play to the end. Raises what camera, journal or display raise; the match can be taken up again."""
        if not self._play.said:
            self._tell(())
        elif len(self._events) == 1:
            self._tell(tuple(self._play.said))
        while self._play.asked is not None:
            if self._play.asked.kind == "throw" and isinstance(self._table, Table):
                self._throw(self._play.asked, self._table)
                self._advise()
            else:
                self._question(self._play.asked)
        result = self._play.result
        if result is None:
            raise MatchError("the game stopped without a result")
        self._write("ended", dict(result.as_json()))
        self._announce(verdicts.told_result(result, self.names))
        self._table.sound.play(Tone.WIN)
        return result

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return dict(enumerate(self._billing.names, 1))

    @property
    def game(self) -> str:
        """The game's title."""
        return self._billing.game.rules.title

    def players(self, news: Sequence[Say] = ()) -> tuple[Player, ...]:
        """Everybody, with their score so far, their fouls once throws are judged, and what else is so of them: what is
        asked about now, or with ``news`` all that those tell."""
        asked = self._play.asked
        how = standing(self._play.said, None if news else asked, news)
        watched = isinstance(self._table, Table) and asked is not None and asked.kind == "throw"
        throws = watched or any("judgement" in one.body for one in self._events)
        return tuple(
            Player(seat, name, self._scores.get(seat), self._fouls.get(seat, 0) if throws else None, how.of(seat))
            for seat, name in self.names.items()
        )

    def _question(self, ask: Ask) -> None:
        """What no camera sees: the box answers what is left to chance, the table the rest."""
        drawn: Answers = {BOX: draw(ask.seats[BOX], self._dice())} if BOX in ask.seats else {}
        rest = replace(ask, seats={seat: options for seat, options in ask.seats.items() if seat != BOX})
        given = self._given(rest) if rest.seats else {}
        self._seen = self._answerers.evidence() if given and isinstance(self._answerers, Witnesses) else ()
        if given:
            self._table.sound.play(Tone.IN)
        self._answered({**drawn, **given})

    def _given(self, ask: Ask) -> Answers:
        """What the table answers: a card that is laid is seen by the camera, where there is one."""
        if isinstance(self._table, CardTable) and self._table.lays(ask):
            self._table.tally = count_cards(self._billing.game, self._events)
            return self._table.lay(ask, self.players())
        return self._answerers.answer(ask, self.players(), len(self._events))

    def _dice(self) -> random.Random:
        """Chance: at a simulated table from the match's seed, so that it can be repeated; among people the machine's,
        which nobody can foretell."""
        if self._billing.camera == "simulated":
            return random.Random(f"{self._billing.seed}/{len(self._events)}")
        return random.SystemRandom()

    def _throw(self, ask: Ask, table: Table) -> None:
        """One count and what it gave: an answer, or a void round that is asked again."""
        if isinstance(table, CardTable):
            table.tally = count_cards(self._billing.game, self._events)
        thrown = table.throw(ask, self.players(), self._title(ask), self._again)
        self._watch.look(thrown.judgement)
        for seat in thrown.fouls:
            self._fouls[seat] = self._fouls.get(seat, 0) + 1
        if thrown.answers is not None:
            self._again = None
            self._answered(thrown.answers, thrown)
            return
        self._write("void", {"asked": ask.kind, **thrown.body}, thrown)
        self._again = thrown.reveal.sentence
        if not self._reveal(thrown):
            self._check_anybody_there(thrown)

    def _advise(self) -> None:
        """Tell people whose hand does not keep inside its zone, each once."""
        lines = self._watch.news(self.names)
        for line in lines:
            self._announce(f"  {line}")
        if lines:
            self._display.show(Notice(ASTRAY, row(lines), ()))
            self._wait(self._pace.reveal_s)

    def _answered(self, answers: Answers, thrown: Round | None = None) -> None:
        """Keep the answers, then show them and tell what came of them."""
        ask = self._play.asked
        if ask is None:
            raise MatchError("nothing was asked")
        ask.check(answers)  # an answer the game would refuse never reaches the disk
        body = {"asked": ask.kind, "answers": as_json(answers), **(thrown.body if thrown else {})}
        if ask.secret:
            body["secret"] = True
        self._write("answer", body, thrown)
        said = self._play.answer(answers)
        known = None
        if thrown:
            self._missing = 0
            open_to_all = [one for one in said if one.only is None]
            if self._reveal(thrown, open_to_all):
                return
            known = self._came_of(thrown, open_to_all)
        self._tell(said, known)

    def _write(self, kind: str, body: dict[str, object], thrown: Round | None = None) -> None:
        evidence = thrown.evidence if thrown else self._seen if kind == "answer" else ()
        kept = keep(self._journal, self._events, self._billing.names, kind, body, evidence)
        self._events, self.number = kept.events, kept.events[0].number
        self._films.renumber(kept.numbers)
        if thrown:
            self._films.keep(self._events[-1].number, thrown.film)
        if kept.told is not None and kept.told not in self._said:
            self._said.add(kept.told)
            self._announce(kept.told)
            self._display.show(Notice(recovery.TITLE, kept.told, ()))
            self._wait(self._pace.reveal_s)

    def _reveal(self, thrown: Round, said: Sequence[Say] = ()) -> bool:
        """Show what everybody threw, and what the game said to it. Whether people disputed it and the match took
        another course."""
        for seat in thrown.reveal.seats:
            shape = str(seat.throw) if seat.throw else "no throw"
            after = f" {seat.after_first_ms:+.0f} ms" if seat.after_first_ms is not None else ""
            self._announce(f"  {seat.player.name}: {shape}, {seat.verdict}{after}")
        if thrown.fouls or thrown.judgement.trouble is not None:
            self._announce(f"  {thrown.reveal.sentence}")
        if thrown.fouls:
            self._announce(f"  {self._fouls_told()}")
        players = {player.seat: player for player in self.players()}
        ends = outcomes(said)
        seats = tuple(
            replace(seat, player=replace(players[seat.player.seat], facts=()), outcome=ends.get(seat.player.seat))
            for seat in thrown.reveal.seats
        )
        wrong = thrown.fouls or thrown.judgement.trouble is not None
        self._table.sound.play(Tone.FOUL if wrong else Tone.LOCK)
        view = replace(thrown.reveal, seats=seats, sentence=self._came_of(thrown, said), beaten=beaten(said))
        return self._linger(view, self._pace.reveal_s)

    def _came_of(self, thrown: Round, said: Sequence[Say]) -> str:
        """What a reveal says of a round: what was wrong, or else what the game made of the throws."""
        wrong = thrown.fouls or thrown.judgement.trouble is not None
        return thrown.reveal.sentence if wrong else self._verdict(said) or thrown.reveal.sentence

    def _verdict(self, said: Sequence[Say]) -> str | None:
        """What the game made of the throws, in a sentence: what is told after the counts of a round, where it tells
        those first."""
        lines = next((verdicts.tell(one, self.names) for one in said if "throws" in one.facts), ())
        return lines[min(1, len(lines) - 1)] if lines else None

    def _linger(self, view: Reveal | Told, seconds: float) -> bool:
        """Show a view for so long, unless people go on or touch "dispute". Whether the match took another course."""
        until_ns = self._clock.now_ns() + round(seconds * 1e9)
        given = self._display.ask(replace(view, seconds_left=seconds))
        if given == DISPUTE and self.dispute():
            return True
        if given != GO_ON:
            self._clock.wait_until(until_ns)
        return False

    def _tell(self, said: Sequence[Say], known: str | None = None) -> None:
        """Tell what the game said, all of it on one page, but for the sentence ``known`` from the reveal."""
        for one in said:
            if one.only is not None and isinstance(self._answerers, Confidants):
                self._answerers.tell(one, self.players())
        said = [one for one in said if one.only is None]  # the table's screen and terminal are everybody's
        for one in said:
            self._note(one)
            for line in verdicts.tell(one, self.names):
                self._announce(line)
        told = [one for one in said if one.kind not in verdicts.BESIDE] or list(said)
        if told:
            lines = [line for one in told for line in verdicts.tell(one, self.names)]
            left = [line for line in lines if line != known]
            how = standing(self._play.said, None, said)
            page = Told(self.players(said), told[-1], tuple(left), how.table, known=not left and bool(lines))
            if self.can_dispute:
                self._linger(page, self._pace.told_s)
            else:
                self._display.show(page)
                self._wait(self._pace.told_s)

    def _note(self, said: Say) -> None:
        scores = said.facts.get("scores")
        if said.kind == "score" and isinstance(scores, dict):
            self._scores = {int(seat): int(points) for seat, points in scores.items()}

    def _check_anybody_there(self, thrown: Round) -> None:
        """Ask people to come back, or stop, when hands are missing, or the camera fails, round after round."""
        players = self._table.performers
        if isinstance(players, SimulatedPlayers) and players.shown(players.throws - 1) is not None:
            return  # acted out on request
        unseen = any(seat.verdict == "unseen" for seat in thrown.reveal.seats)
        self._missing = self._missing + 1 if unseen or thrown.judgement.trouble is not None else 0
        if self._missing < PATIENCE:
            return
        self._missing = 0
        text = Nn(
            "{count} round in a row a hand was not seen. Is everybody's hand in their zone, and the camera clear?",
            "{count} rounds in a row a hand was not seen. Is everybody's hand in their zone, and the camera clear?",
            PATIENCE,
        )
        if self._display.ask(Notice(N("Are you there?"), text, ("go on", "stop"))) == "stop":
            raise MatchError("stopped: hands were not seen; start again with the same journal to go on")

    def _wait(self, seconds: float) -> None:
        self._clock.wait_until(self._clock.now_ns() + round(seconds * 1e9))

    @property
    def can_dispute(self) -> bool:
        """Whether there is a round that people can look at again."""
        return bool(disputable(self._billing.game, self._events, 1))

    def dispute(self) -> bool:
        """Show people the evidence of the last rounds, and journal what they agree on. Whether the match took another
        course: then what came of it has been told, and ``play`` goes on from there."""
        at = 0
        while at < len(rounds := disputable(self._billing.game, self._events, ROUNDS)):
            thrown = next(event for event in self._events if event.number == rounds[at])
            title = self._title(disputed(self._billing.game, self._events, thrown.number))
            film = self._films.of(thrown)
            view = evidence_view(self._billing.game, self._events, thrown, film, self.players(), title)
            given = self._display.ask(replace(view, earlier=at + 1 < len(rounds), later=at > 0))
            if given in ("earlier", "later"):
                at += 1 if given == "earlier" else -1
            elif isinstance(given, Corrected):
                if self._correct(thrown, given, title):
                    return True
            else:
                sentence = verdicts.upheld(title)
                self._write(UPHELD, {"round": thrown.number, "sentence": sentence})
                self._announce(sentence)
                break
        return False

    def _correct(self, thrown: Event, agreed: Corrected, title: str) -> bool:
        """Keep a correction, then tell what the match comes to with it. Whether its course changed: it does not while
        another hand of a void round is still to be agreed on."""
        game = self._billing.game
        try:
            made = correction(game, self._events, thrown.number, agreed.seat, agreed.to)
        except CorrectionError as fault:
            self._announce(f"That can't be corrected: {fault}.")
            self._display.ask(Notice(N("That can't be corrected"), _sentence(fault)))
            return False
        before = course_in(self._events)
        who = None if agreed.seat is None else verdicts.places([agreed.seat])[agreed.seat]
        void = made.answers is None
        kept_as = verdicts.corrected(title, who, made.was, made.to, void, len(made.dropped))
        self._write(CORRECTION, {**made.body(), "by": "the table", "sentence": kept_as})
        sentence = verdicts.named(kept_as, self.names)
        self._stand()
        self._announce(sentence)
        self._display.ask(Notice(N("Corrected"), sentence))
        if void and agreed.seat is not None:
            return False
        unchanged = [answers for number, answers in before.items() if number < thrown.number]
        self._tell(self._play.said[len(replay(game, unchanged).said) :])
        return True

    def _title(self, ask: Ask) -> str:
        """The count's headline: what round this is."""
        return verdicts.headline(ask, self.game)

    def _standing(self) -> str:
        points = ", ".join(f"{self.names[seat]} {points}" for seat, points in self._scores.items()) or "No points yet."
        return f"{points} {self._fouls_told()}".strip()

    def _fouls_told(self) -> str:
        return verdicts.fouls({self.names[seat]: self._fouls[seat] for seat in sorted(self._fouls)})


def _sentence(fault: CorrectionError) -> str:
    """A fault as people at the screen read it."""
    return capital(row([told(str(fault)), "."], ""))


def left_off(journal: JournalReader, billing: Billing) -> Billing | None:
    """What the journal's match that was cut off was begun with, if there is one.

    Raises JournalError when that is another game than ``billing``, so that nothing is lost by mistake.
    """
    open_match = journal.unfinished()
    if open_match is None:
        return None
    there = billing_of(journal.events(open_match))
    if (there.game.rules.name, there.game.setup) != (billing.game.rules.name, billing.game.setup):
        same = there.game.rules.name == billing.game.rules.name
        raise JournalError(
            f"{journal.path} has an unfinished match of {there.game.rules.name} for {there.game.setup.seats}"
            f"{' with other options' if same and there.game.setup.seats == billing.game.setup.seats else ''}: "
            "play that one to its end, give it up with --new, or name another --journal"
        )
    return there


def take_up(journal: Journal, billing: Billing, *, new: bool = False) -> int:
    """The journal's match to play: the one that was cut off if there is one, else a new one begun with ``billing``.

    Raises JournalError as ``left_off`` does, unless it is to be given up for a ``new`` one.
    """
    open_match = journal.unfinished()
    if open_match is not None and not new:
        left_off(journal, billing)
        return open_match
    if open_match is not None:
        journal.append(open_match, "given up", {})
    return journal.begin(billing.body())
