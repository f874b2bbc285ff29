"""The pads of a match: which phone has which seat, what its seat is asked, and what it has answered."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock
from typing import Protocol

from errors import ThrowlockError
from messages import N, join
from rules.engine import AllowedValues, IntRange, Seat, Value
from rules.text import throw_word
from throwlock.pads.audience import NOBODY, Audience
from throwlock.pads.guests import GuestBook
from throwlock.pads.view import Activity, PadQuestion, PadState
from ui.screen.pages.board_position import BoardPosition, position_from_facts
from ui.screen.pages.classroom import PlayerStanding, ThrowCount, count_throws, player_standing
from ui.screen.pages.common import JoinAddress, Player, players_by_place
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.guests import Guesser, Guest, GuestsStatus
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Presence
from ui.screen.pages.pause import PausePage
from ui.screen.pages.phones import PhonesPage, PhonesStatus, PhoneState, SeatPhone
from ui.screen.pages.question import SEEN_REPLY, BoardPage, Question, answer_values, new_draft
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import Facts, own_facts, prompt_facts
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.tournament import TournamentView
from ui.screen.views import Page, View
from ui.text.names import normalise_name
from ui.web.live import Viewers

LOST_AFTER_S = 6.0
"""Seconds without a request after which a phone counts as away; its page makes one every two while it is looked at."""
FORGOTTEN_AFTER_S = 3600.0
"""Seconds without a request after which a phone has lost its seat."""
MAX_PHONES = 150
"""Phones whose page is kept up to date at once: a class and its guests."""


class PadNetwork(Protocol):
    """What puts the pads on the network: ``throwlock.web``, which the tables can't import."""

    @property
    def is_on(self) -> bool:
        """Whether phones can reach the pads."""

    def join_address(self) -> JoinAddress | None:
        """Return where phones join; None while they can't."""

    def switch_on(self) -> ThrowlockError | None:
        """Put the pads on the network. Return what went wrong, if anything."""

    def second_screen_page(self, back: Page) -> Page:
        """Return the page that says where a second screen is opened; it leads ``back``."""


@dataclass
class _Phone:
    """A phone that has joined."""

    last_seen_s: float
    """When it last made a request."""
    seat: Seat | None = None
    at_screen: bool = False
    """Whether its seat answers on the touchscreen."""


@dataclass(frozen=True)
class _PublicState:
    """What everybody sees."""

    activity: Activity = Activity.NOTHING
    """What the box does."""
    players: tuple[Player, ...] = ()
    facts: Facts = ()
    """Those about the table."""
    board: BoardPosition | None = None
    """The board, in its game."""
    lines: tuple[str, ...] = ()
    """The last result."""
    standings: tuple[tuple[Seat, PlayerStanding], ...] = ()
    """Those of a class."""
    figures: tuple[ThrowCount, ...] = ()
    """Those of a class."""
    unseen: frozenset[Seat] = frozenset()
    """The seats of which the last judged round has no throw."""


class PadTable:
    """Whom the phones answer to. The match's thread opens it and passes what the box shows; the window's thread polls
    it for answers; phones come in other threads. ``now`` returns a monotonic time in s.

    ``phone`` identifies a phone's session. What can't be done any more, because the box has gone on meanwhile, does
    nothing: the phone's next page shows how things are.

    A phone can take a seat only while the touchscreen shows the page for that, so that everybody sees who takes which
    seat.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.network: PadNetwork | None = None
        """What puts the pads on the network; None where nothing does."""
        self.viewers = Viewers(MAX_PHONES)
        """The phones whose page is looked at."""
        self._now = now
        self._lock = RLock()
        self._phones: dict[str, _Phone] = {}
        self._book = GuestBook(now)
        self._audience = Audience()
        self._tournament: TournamentView | None = None
        self._names: dict[Seat, str] = {}
        self._is_open = self._in_class = False
        self._public = _PublicState()
        self._number = 0
        self._page: GroupQuestionPage | None = None
        """The question on the screen."""
        self._answers: dict[Seat, Value] = {}
        self._boards: dict[Seat, BoardPage] = {}
        """What was touched on the board on a seat's phone."""
        self._last_answers: dict[Seat, tuple[Question, Value]] = {}
        self._own_facts: dict[Seat, Facts] = {}
        """What each seat alone knows, as far as it is still true."""
        self._shown: set[Seat] = set()
        """The seats whose phone has got the question."""
        self._polled: object = None
        """What phones show of the question, when it was polled last."""

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change what phones show, one thread at a time, and have them look at it."""
        with self._lock:
            yield
        self.viewers.wake()

    def best_guessers(self) -> tuple[Guesser, ...]:
        """Return who of the audience has guessed in the newest match, the best first; nobody while guessing is off."""
        with self._lock:
            return self._audience.table() if self._audience.is_on else ()

    # the match

    @property
    def is_on(self) -> bool:
        """Whether phones can answer: a match is played, and the network is on."""
        return self._is_open and self.network is not None and self.network.is_on

    def open(self, names: Sequence[str], *, in_class: bool = False, has_rounds: bool = True) -> None:
        """Begin a match; ``has_rounds``: of a game in which somebody wins each round, which the audience may guess. A
        phone keeps its seat if that still has the same name; guests get the seats with theirs."""
        with self._changing():
            before, self._names = self._names, dict(enumerate(names, 1))
            for phone in self._phones.values():
                if phone.seat is not None and self._names.get(phone.seat) != before.get(phone.seat):
                    phone.seat = None
                phone.at_screen = False
            self._is_open, self._in_class = True, in_class
            self._tournament = None  # what was next is played now
            self._last_answers.clear()
            self._own_facts = {}
            self._seat_guests()
            self._audience.begin_match(takes_guesses=has_rounds and not in_class)
            players = tuple(Player(seat, name) for seat, name in self._names.items())
            self._public, self._page = _PublicState(Activity.WATCHING, players), None

    def close(self) -> None:
        """End the match."""
        with self._changing():
            self._is_open, self._page = False, None
            self._own_facts = {}  # of a match that was left
            self._public = replace(self._public, activity=Activity.NOTHING, facts=(), board=None)

    def show_tournament(self, tournament: TournamentView | None) -> None:
        """Take note of the tournament whose next match comes; None: its page is closed."""
        with self._changing():
            self._tournament = tournament

    def forget_phones(self) -> None:
        """Take all seats back, and forget who is here: phones can't reach the pads any more."""
        with self._changing():
            self._phones.clear()
            self._forget_guests()

    @property
    def needs_phones(self) -> bool:
        """Whether phones can answer, and none has a seat yet."""
        with self._lock:
            return self.is_on and not any(phone.seat is not None for phone in self._phones.values())

    def status(self) -> PhonesStatus:
        """Return where phones join, and who has one."""
        with self._lock:
            address = None if self.network is None else self.network.join_address()
            seats = tuple(SeatPhone(seat, name, self._phone_state(seat)) for seat, name in self._names.items())
            return PhonesStatus(address, seats, self._in_class, self._audience.is_on)

    def remove_phone(self, seat: Seat) -> None:
        """Give a seat back to the touchscreen."""
        with self._changing():
            for phone in self._phones.values():
                if phone.seat == seat:
                    phone.seat = None

    def show(self, view: View) -> None:
        """Take note of what the touchscreen shows to everybody."""
        with self._changing():
            self._public = _after(self._public, view)
            self._audience.show(view)
            self._note_own_facts(view)

    def _note_own_facts(self, view: View) -> None:
        """Note what each seat alone knows at a question; nothing of it is true any more when cards are turned over."""
        match view.view if isinstance(view, GroupQuestionPage) else view:
            case GroupQuestion(prompt=prompt) as view:
                private_facts = {seat: own_facts(prompt, seat) for seat in prompt.own_facts}
                self._own_facts = self._own_facts | private_facts if view.only_tells else private_facts
            case Showdown() | MatchResult():
                self._own_facts = {}

    def begin_question(self, view: GroupQuestion) -> GroupQuestion:
        """Return a question as phones can answer it as well; one that a camera answers is returned as it is."""
        if view.poll_answers is not None:
            return view
        with self._changing():
            self._number += 1
            self._answers.clear()
            self._boards.clear()
            self._shown.clear()
        return replace(view, poll_answers=self.poll)

    def resume_question(self, page: GroupQuestionPage) -> GroupQuestionPage:
        """Return the page of a question, after a pause, as phones can answer it as well. A seat that has got a phone
        meanwhile leaves the touchscreen."""
        with self._changing():
            own_page = None if _screen_seat(page) in self._answering_seats() else page.own_page
            page = replace(page, view=self.begin_question(page.view), own_page=own_page)
            self._page = page if page.view.poll_answers == self.poll else None
            return page

    def end_question(self) -> None:
        """Take no more answers: the question is answered, or interrupted."""
        with self._changing():
            if self._page is not None and self._page.view.prompt.is_secret and not self._page.view.only_tells:
                for seat in self._page.view.prompt.seats:
                    self._own_facts.pop(seat, None)  # until the next question has the cards as they are now
            self._page = None
            self._audience.end_question()

    def poll(self, page: GroupQuestionPage) -> LiveAnswers:
        """Return the phones' answers by now. A seat that answers on the touchscreen does not answer on its phone."""
        with self._lock:
            self._page = page
            for phone in self._phones.values():
                if phone.seat is not None and phone.seat == _screen_seat(page):
                    phone.at_screen = True
            phones = self._answering_seats()
            states = tuple(page.seat_state(seat) for seat in page.view.prompt.seats)
            shown, self._polled = self._polled, (self._number, states, phones, _screen_seat(page))
            answers = LiveAnswers(dict(self._answers), phones=phones, on_phone=phones & self._shown)
        if shown != self._polled:
            self.viewers.wake()
        return answers

    # the guests

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Everybody who is here, in the order in which they came."""
        return self.guests_status().guests

    def guests_status(self) -> GuestsStatus:
        """Return where people join, and who is here."""
        with self._lock:
            self._forget_absent()
            address = None if self.network is None else self.network.join_address()
            return GuestsStatus(address, self._book.guests, self._audience.is_on)

    def introduce(self, phone: str, name: str, picture: str, colour: int) -> None:
        """Note who holds a phone. While the touchscreen shows who takes which seat, they get the one with their
        name."""
        with self._lock:
            if not self._book.lets_through(phone):
                return
        with self._changing():
            self._find(phone)
            self._book.introduce(phone, name, picture, colour)
            if self._can_join:
                self._seat_guests()

    def forget_guest(self, phone: str | None) -> None:
        """Forget who holds a phone; None: nobody. It keeps its seat."""
        with self._changing():
            self._forget_guests(phone or "")

    def forget_guest_named(self, name: str) -> None:
        """Forget whoever has this name."""
        self.forget_guest(self._book.phone_of(name))

    def forget_guests(self) -> None:
        """Forget everybody who is here. Seats keep their phones."""
        with self._changing():
            self._forget_guests()

    def _forget_guests(self, *phones: str) -> None:
        """Forget who holds these phones; without any, everybody."""
        for phone in phones or self._book.phones:
            self._book.forget(phone)
            self._audience.forget(phone)

    def guess(self, phone: str, winner: Seat) -> None:
        """Take one of the audience's guess who wins the next round, or NOBODY. Nobody is woken: phones look by
        themselves from time to time, so that no number of guesses keeps the box busy."""
        with self._lock:
            guest = self._audience_guest(phone)
            if guest is not None and (winner in self._names or winner == NOBODY) and self._book.lets_through(phone):
                self._audience.guess(phone, guest, winner)

    def react(self, phone: str, icon: str) -> None:
        """Take one of the audience's reaction, as quietly."""
        with self._lock:
            if self._audience_guest(phone) is not None and self._book.lets_through(phone):
                self._audience.react(icon)

    def switch_audience(self) -> None:
        """Let the audience guess and react, or stop that."""
        with self._changing():
            self._audience.is_on = not self._audience.is_on

    def _audience_guest(self, phone: str) -> Guest | None:
        """Return who of the audience holds a phone; None if nobody does: there is none, or the phone has a seat."""
        known, watches = self._phones.get(phone), self._is_open and not self._in_class
        return self._book.of_phone(phone) if watches and known is not None and known.seat is None else None

    def _seat_guests(self) -> None:
        """Give guests the seats with their names that no phone has."""
        seats = {} if self._in_class else {normalise_name(name): seat for seat, name in self._names.items()}
        for guest in self._book.guests:
            seat, phone = seats.get(normalise_name(guest.name)), self._book.phone_of(guest.name)
            if seat is not None and phone is not None and self._phone_state(seat) != "here":
                self.remove_phone(seat)
                self._find(phone).seat = seat

    # the phones

    def note_presence(self, phone: str) -> None:
        """Note that somebody looks at the phone."""
        with self._lock:
            looking = self._find(phone)
            is_back, looking.last_seen_s = not self._is_here(looking), self._now()
        if is_back:
            self.viewers.wake()

    def state(self, phone: str) -> PadState:
        """Return what the phone may know."""
        with self._lock:
            return self._state_for(phone)

    def take_seat(self, phone: str, seat: Seat) -> None:
        """Give the phone a seat that no other has."""
        with self._changing():
            joining = self._find(phone)
            if self._can_join and seat in self._names and (self._in_class or self._phone_state(seat) != "here"):
                if not self._in_class:
                    self.remove_phone(seat)
                joining.seat, joining.at_screen = seat, False
                self._last_answers.pop(seat, None)

    def leave_seat(self, phone: str) -> None:
        """Give the phone's seat back to the touchscreen."""
        with self._changing():
            self._find(phone).seat = None

    def return_to_phone(self, phone: str) -> None:
        """Answer on the phone again after its seat answered on the touchscreen."""
        with self._changing():
            returning = self._find(phone)
            if returning.seat != _screen_seat(self._page):
                returning.at_screen = False

    def touch_board(self, phone: str, number: int, touched: str) -> None:
        """Take a touch on the board of question ``number``: on a space, by its name, on a direction to spread the
        selected stack in, or on what can be answered instead of a move."""
        with self._changing():
            asked = self._question_for(self._find(phone))
            if asked is None or asked.number != number or asked.board is None:
                return
            board, names = asked.board, asked.board.position.board.space_names
            spread = next((move for move in board.selected_moves if move.spread == touched), None)
            if spread is not None:
                board = board.propose(spread)
            elif touched in board.others:
                board = board.propose_other(touched)
            elif touched in names:
                board = board.touch(names.index(touched))
            self._boards[asked.question.seat] = board

    def answer(self, phone: str, number: int, value: str) -> None:
        """Answer question ``number``: ``value`` is an integer, or the place of a listed value, from 0."""
        with self._changing():
            asked = self._question_for(self._find(phone))
            if asked is not None and asked.number == number:
                seat = asked.question.seat
                answer = parse_value(asked.question.prompt.seats[seat], value)
                if answer is not None:
                    self._answers[seat] = answer
                    if answer != SEEN_REPLY:
                        self._last_answers[seat] = asked.question, answer

    @property
    def _can_join(self) -> bool:
        return self._is_open and (self._in_class or self._public.activity is Activity.JOINING)

    def _find(self, phone: str) -> _Phone:
        """Return the phone."""
        self._forget_absent()
        return self._phones.setdefault(phone, _Phone(self._now()))

    def _forget_absent(self) -> None:
        """Forget the phones that have been away for long, and who held them."""
        oldest_s = self._now() - FORGOTTEN_AFTER_S
        for session in [session for session, known in self._phones.items() if known.last_seen_s <= oldest_s]:
            del self._phones[session]
            self._forget_guests(session)

    def _is_here(self, phone: _Phone) -> bool:
        return self._now() - phone.last_seen_s < LOST_AFTER_S

    def _answers_for_seat(self, phone: _Phone) -> bool:
        return not self._in_class and self._is_here(phone) and not phone.at_screen

    def _answering_seats(self) -> frozenset[Seat]:
        seats = (phone.seat for phone in self._phones.values() if self._answers_for_seat(phone))
        return frozenset(seat for seat in seats if seat is not None)

    def _phone_state(self, seat: Seat) -> PhoneState:
        phone = next((phone for phone in self._phones.values() if phone.seat == seat), None)
        return "none" if phone is None else "here" if self._is_here(phone) else "away"

    def _question_for(self, phone: _Phone) -> PadQuestion | None:
        """Return the question to a phone's seat, without anything that only other seats may see."""
        page, seat = self._page, phone.seat
        if page is None or seat not in page.waiting or seat in self._answers or not self._answers_for_seat(phone):
            return None
        left = page.clocks.left_s.get(seat, page.view.seconds)
        question = page.view.question_for(seat)
        draft = self._boards.get(seat) or new_draft(question)
        return PadQuestion(self._number, question, left, draft if isinstance(draft, BoardPage) else None)

    def _state_for(self, session: str) -> PadState:
        phone = self._find(session)
        page, public, seat = self._page, self._public, phone.seat
        question = self._question_for(phone)
        if question is not None:
            self._shown.add(question.question.seat)
        taken = frozenset(held for held in self._names if not self._in_class and self._phone_state(held) == "here")
        asked = {} if page is None else {waiting: page.seat_state(waiting) for waiting in page.view.prompt.seats}
        return PadState(
            activity=public.activity,
            names=self._names,
            in_class=self._in_class,
            seat=seat,
            at_screen=phone.at_screen,
            can_return_to_phone=phone.at_screen and seat != _screen_seat(page),
            can_join=self._can_join,
            taken=taken,
            players=public.players,
            facts=public.facts,
            board=public.board,
            own_facts=() if seat is None or self._in_class else self._own_facts.get(seat, ()),
            lines=public.lines,
            asked=asked | dict.fromkeys(self._answers.keys() & asked.keys(), "in"),
            only_tells=page is not None and page.view.only_tells,
            question=question,
            last_answer=self._last_answers.get(seat) if seat is not None and not phone.at_screen else None,
            standing=dict(public.standings).get(seat) if seat is not None else None,
            figures=public.figures,
            is_unseen=seat in public.unseen,
            guest=self._book.of_phone(session),
            typed_name=self._book.typed_name(session),
            guests=self._book.guests,
            tournament=self._tournament,
            audience=self._audience.state(session) if self._audience.is_on and not self._in_class else None,
        )


def parse_value(options: AllowedValues, text: str) -> Value:
    """Return the answer that a phone sent: an integer, or the place of a listed value, from 0; None if it is neither,
    or not allowed."""
    if not (text.isascii() and text.removeprefix("-").isdecimal() and len(text) <= 18):
        return None
    number = int(text)
    if isinstance(options, IntRange):
        return number if options.allows(number) else None
    values = answer_values(options)
    return values[number] if 0 <= number < len(values) else None


def _screen_seat(page: GroupQuestionPage | None) -> Seat | None:
    return None if page is None or page.own_page is None else page.own_page.view.seat


def _after(before: _PublicState, view: View) -> _PublicState:
    """Return what everybody knows once the touchscreen shows ``view``."""
    match view:
        case GroupQuestionPage():
            return _after(before, view.view)
        case GroupQuestion():
            return replace(
                before,
                activity=Activity.QUESTION,
                players=players_by_place(view.players),
                facts=prompt_facts(view.prompt).table,
                board=position_from_facts(view.prompt.about) or before.board,
            )
        case GameMessage():
            standings = tuple((player.seat, player_standing(player.facts)) for player in view.players)
            figures = count_throws(tuple(standing for _, standing in standings), view.facts)
            lines = view.sentences or before.lines
            return _PublicState(
                Activity.WATCHING,
                players_by_place(view.players),
                view.facts,
                position_from_facts(view.event.values) or before.board,
                lines,
                standings,
                figures,
                before.unseen,
            )
        case Reveal():
            throws = join(
                [
                    N("{name}: {throw}", name=seat.player.name, throw=throw_word(seat.last_throw))
                    for seat in view.seats
                    if seat.last_throw is not None
                ],
                " · ",
            )
            standings = tuple((seat.seat, PlayerStanding(seat.last_throw, seat.outcome)) for seat in view.seats)
            unseen = frozenset(
                seat.seat for seat in view.seats if seat.last_throw is None and seat.seat in view.pictures
            )
            # In a class each phone shows its own throw.
            lines = (view.sentence,) if view.in_class else (throws, view.sentence)
            return replace(
                before,
                activity=Activity.WATCHING,
                players=players_by_place(view.players),
                lines=lines,
                standings=standings,
                figures=(),
                unseen=unseen,
            )
        case MatchResult():
            players = players_by_place(view.players, view.result.winners)
            return replace(before, activity=Activity.OVER, players=players, facts=(), lines=(view.sentence,))
    activities = {PhonesPage: Activity.JOINING, PausePage: Activity.PAUSED, Presence: Activity.PRESENCE}
    return replace(before, activity=activities.get(type(view), Activity.WATCHING))
