"""Every screen with sample data, at both panels' sizes and a larger one: ``python -m tools.gallery.gallery DIR``. For
reviewers, for the README's pictures, and for the tests that compare pictures."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from device.camera.frames import Pixels
from rules.board.board import RECONSTRUCTION, Board
from rules.board.notation import read_position, read_space, write_move, write_space
from rules.engine import Ask, Choices, Json, Option, Options, Result, Rules, Say, Script, Setup, Span
from rules.throws import Throw
from tools.gallery.cards import card_pages
from tools.gallery.classroom import room_pages
from tools.gallery.group_questions import gather_pages
from tools.gallery.people import NAMES, WORDS, crop, players, reveal, table
from tools.gallery.practice import practise_pages
from tools.gallery.printed_board import watching_pages
from tools.gallery.rounds import moment_pages
from ui.screen.core.page_stack import Count, Keys, Page, Pick, Press, Set, first_page, next_page
from ui.screen.core.png_display import SIZES, picture, save
from ui.screen.pages.ask import view as ask_view
from ui.screen.pages.ask.view import Put, Reply, Take, entry
from ui.screen.pages.dispute.view import Look, Propose, Seek
from ui.screen.pages.history.view import Network, Past, PastLine, Served
from ui.screen.pages.seating.view import Accents, Case, Letter, Sitting, Swap, ToSeat, Write
from ui.screen.pages.settings.view import Adjust, Languages, Setting, Settings
from ui.screen.pages.views import (
    Cadence,
    Calculating,
    Choosing,
    Corrected,
    DisputedSeat,
    Disputing,
    Ended,
    Judging,
    Notice,
    Player,
    Question,
    Reveal,
    Told,
    View,
)
from ui.screen.pages.zones.view import HoldingOut, Shift, Shot, Zoning, next_zones, zones_page

__all__ = ["NAMES", "WORDS", "crop", "players", "reveal", "table"]

TOOLS = ("practise", "class", "calculator", "zones", "past matches", "review on the network", "settings", "language")
HANDS = Choices(("right", "left"))
LARGE = (1280, 720)
"""A larger screen than the two panels."""
YES_NO = Choices((True, False))
WISHES = Choices(("on", "off", "don't care"))


def games() -> tuple[Rules, ...]:
    """Two games like the box's own, without their scripts."""
    best = Option("best_of", Choices((1, 3, 5, 7)), 3, "How many decisive rounds a match has at most.")
    risk = Option("risk_rounds", YES_NO, True, "Offer each pair Risk Rounds after its Primary game.")
    goal = Option("goal", Span(50, 200, 10), 100, "The points that win Risk Rounds at once.")
    tie = Option("after_a_tie", Choices(("same bets", "ask again")), "same bets", "What a tie does to the bets.")
    window = Option("window_ms", Span(100, 400, 50), 150, "Milliseconds from the first hand to the lock.")
    about = "Three decisive rounds, five points each; then, for those who dare, bets up to a hundred points."
    return (
        Rules("classic", "Classic", 1, 2, 8, "Best of three, or one of many chosen by throwing.", (best,), _never),
        Rules("redeux", "RPS Redeux", 1, 2, 8, about, (risk, goal, tie, best, window), _never),
    )


def bet(count: int, seat: int = 1, *, sealed: bool = True) -> Question:
    """A sealed bet in steps of five."""
    ask = Ask(
        "bet", {seat: Span(0, 95, 5)}, sealed, 20, 0, about=MappingProxyType({"phase": "risk rounds", "round": 3})
    )
    return Question(tuple(Player(p.seat, p.name, 95) for p in players(count)), ask, seat, 14.0)


def choice(values: tuple[str | int | bool, ...], kind: str, count: int = 2) -> Question:
    """A question with its answers listed."""
    return Question(players(count), Ask(kind, {2: Choices(values)}), 2)


CLAIMS = MappingProxyType({"1": "rock", "2": "paper", "3": "scissors", "5": "rock"})
POSITION = (
    "F1@1,-6 F1@5,-6 S1@4,-4 S1@3,-1 P1111110101101@-1,-2 P1@2,-2 P01@2,0 S0@1,1 R0@-2,2 P0@-1,2 P0110@0,2 "
    "R1@-2,-1 P00@-3,3 S0@-4,4 R0@0,4 F0@-5,5 F0@-1,5 to-move=0 lost=0,1"
)
"""A position in which every piece and every mark is to be seen."""
BOARD = Board(RECONSTRUCTION)
SET_UP = " ".join(f"{token}@{write_space(space, BOARD)}" for space, token in BOARD.set_up.items())


def future(kind: str, options: Options, *, secret: bool = False, seat: int = 4) -> Question:
    """A question like those of a game with claims and chips."""
    people = tuple(Player(p.seat, p.name, 3 * p.seat) for p in players(6))
    about: dict[str, Json] = {"turn": 3, "lap": 2, "pot": 17, "claims": CLAIMS}
    return Question(people, Ask(kind, {seat: options}, secret=secret, about=about), seat)


def moving(text: str, last: str | None = None, seconds_left: float | None = None) -> Question:
    """A question for a move on the board, with all that are legal."""
    position = read_position(text.partition(" lost=")[0])
    moves = Choices(tuple(write_move(move, position.reach.board) for move in position.moves()))
    seat = 2 - position.to_move
    about: dict[str, Json] = {"position": text, "south": 2, "north": 1, "last": last}
    return Question(players(2, scores=False), Ask("move", {seat: moves}, about=about), seat, seconds_left)


def board_pages() -> dict[str, View | Page]:
    """The board: nothing taken up, each kind of piece taken up, moves proposed, and a move told."""
    start = moving(SET_UP.replace("-3,3", "-3,2") + " to-move=1", "-3,3>-3,2", 41.0)
    here = first_page(moving(POSITION, "2,-3>2,-2"))

    def taken(space: str, *then: Press) -> Page:
        page = here
        return _after(page, Take(read_space(space, BOARD)), *then)

    return {
        "board": start,
        "board-rock": taken("-2,2"),
        "board-scissors": taken("1,1"),
        "board-stack": taken("0,2"),
        "board-theirs": taken("-1,-2"),
        "board-flag": taken("-5,5"),
        "board-costs": taken("-2,2", ask_view.Propose("-2,2>-1,2")),
        "board-takes": taken("-2,2", ask_view.Propose("-2,2>-2,-1")),
        "board-spread": taken("0,2", ask_view.Propose("0,2*W")),
        "board-told": Told(
            players(2),
            Say("moved", {"move": "2,-3>2,-2", "position": POSITION, "south": 2, "north": 1}),
            ("Ann moves a Paper from i6 to h7.", "It takes a Rock of South's."),
        ),
    }


@dataclass(frozen=True)
class SampleBattles:
    """Battles of a sample round."""

    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class SampleLine:
    """One move of a sample round."""

    move: Throw
    against: Mapping[Throw, str]
    each: SampleBattles
    all: SampleBattles
    outcome: str | None


@dataclass(frozen=True)
class SampleRound:
    """A round like those the calculator reckons, its numbers as long as they get."""

    lines: tuple[SampleLine, ...]
    total: SampleBattles
    players: int
    battles: int


def reckon(counts: Mapping[Throw, int], inverted: bool, count: bool) -> SampleRound:
    """Stands for the calculator: numbers of the right length, not the right ones."""
    results = ("tie", "loss", "win")
    lines = tuple(
        SampleLine(
            move,
            {other: results[(place - other_place) % 3] for other_place, other in enumerate(Throw)},
            SampleBattles(counts[move], 2 * counts[move], 0),
            SampleBattles(counts[move] ** 2, 2 * counts[move] ** 2, 0),
            results[place] if counts[move] else None,
        )
        for place, move in enumerate(Throw)
    )
    everybody = sum(counts.values())
    most = everybody**2 // 2
    return SampleRound(lines, SampleBattles(most, most, most), everybody, most)


def past_pages() -> dict[str, View | Page]:
    """Past matches, a match's rounds, a round that is looked back at, and the review on the network."""
    matches = tuple(
        PastLine(title, f"{played}: 5 rounds, 1 foul, 1 dispute, 2 to look at", "21 Nov 2026, 12:49", number)
        for number, (title, played) in enumerate(
            (("RPS Redeux", "Ann (won) and Bartholomew"), ("Classic", "Ann, Bartholomew, Chidi, Dolores and Emil")) * 4
        )
    )
    sentences = ("Paper beats rock: Ann wins 20 points.", "Bartholomew was late: 212 ms after the first hand.")
    rounds = tuple(PastLine(f"Throw {n + 1}", sentences[n % 2], ("", "to look at")[n % 2], n) for n in range(5))
    came = (
        PastLine("", sentences[0]),
        PastLine("Ann", "Bets 10; points: 35 before, 55 after"),
        PastLine("Disputed 12:51", "The verdict stands."),
    )
    back = replace(disputing(2, earlier=True), past=True, title="RPS Redeux · Throw 3")
    marked = replace(disputing(8, later=True), past=True, void=False, mark="to look at")
    served = Served(("http://192.168.178.23:8321", "http://10.0.0.7:8321"), "CDFG-HJKM")
    return {
        "past-matches": Past("Past matches", matches, ("home", "marked"), 1, True),
        "past-none": Past("Past matches", (), ("home",), empty="No match has been played yet."),
        "past-match": Past("RPS Redeux · Ann and Bartholomew", rounds, ("back",), told="21 November 2026 · Ann wins"),
        "past-story": Past("RPS Redeux · Throw 3", came, ("back",)),
        "past-round-2": back,
        "past-round-8": marked,
        "past-gone": replace(back, times_ms=(), sentence="Bartholomew was late. Its pictures were deleted."),
        "past-hand": _after(first_page(replace(marked, seats=_settled(marked))), Look(2)),
        "network-off": Network(lambda: None),
        "network-on": Network(lambda: served, served),
        "network-renewed": Network(lambda: served, replace(served, addresses=(), renewed=True)),
    }


def _settled(view: Disputing) -> tuple[DisputedSeat, ...]:
    """The seats of a round that is only looked back at: nothing to choose."""
    return tuple(replace(seat, choices=()) for seat in view.seats)


def calculator_pages() -> dict[str, View | Page]:
    """The calculator: nothing entered, as much as there can be, and its keys."""
    view = Calculating(reckon)
    full = _after(first_page(view), *(Count(move, view.most) for move in Throw), Set("count", True))
    keys = _after(full, Keys(Throw.PAPER), Count(Throw.PAPER, 949_062))
    return {"calculator": view, "calculator-full": full, "calculator-keys": keys}


def disputing(count: int, *, earlier: bool = False, later: bool = False) -> Disputing:
    """A round looked at again: every hand opens from a fist when it is shown."""
    seen = reveal(count).seats
    seats = tuple(
        DisputedSeat(
            replace(one.player, fouls=int(one.foul)),
            one.verdict,
            None if one.throw is None else str(one.throw),
            one.foul,
            None if one.after_first_ms is None else one.after_first_ms + 12,
            6.5 if one.throw is Throw.ROCK else 2.4,
            (*map(str, Throw), None),
        )
        for one in seen
    )
    times = tuple(round(-330 + 1000 * number / 60, 1) for number in range(48))

    def picture(seat: int, number: int) -> Pixels:
        one = seats[seat - 1]
        opened = one.shown_ms is not None and times[number] >= one.shown_ms
        return crop(seen[seat - 1].throw if opened else Throw.ROCK, seat)

    sentence = "Bartholomew was late: scissors 212 ms after the first hand. The round is thrown again."
    return Disputing("Risk rounds, round 3", sentence, seats, 12.0, 162.0, times, picture, True, earlier, later)


def dispute_pages() -> dict[str, View | Page]:
    """A dispute: the evidence, one hand, what is to be agreed on, and a round of which no picture is kept."""
    pages: dict[str, View | Page] = {f"dispute-{count}": disputing(count, earlier=True) for count in (2, 3, 8)}
    counts = replace(disputing(2, earlier=True, later=True), void=False)
    hand = _after(first_page(disputing(2)), Look(2), Seek(29))
    return pages | {
        "dispute-counts": _after(first_page(counts), Seek(12)),
        "dispute-gone": replace(disputing(8), times_ms=()),
        "dispute-hand": hand,
        "dispute-agree": _after(hand, Propose(Corrected(2, "scissors"))),
        "dispute-void": _after(first_page(counts), Propose(Corrected(None))),
        "told-touch-3": Told(fouled(3), Say("score", {}), ("Paper beats rock", "Ann wins 20 points"), seconds_left=2.0),
        "cadence-fouls-8": Cadence(fouled(8), "RPS Redeux · Round 3", WORDS, 2, 0.5),
        "judging-fouls-2": Judging(fouled(2)),
        "ended-touch-2": Ended(fouled(2), Result((2,), {1: 35, 2: 70}), f"{NAMES[1]} wins", can_dispute=True),
        "reveal-touch-2": replace(with_fouls(2), seconds_left=3.0),
        "reveal-touch-8": replace(with_fouls(8), seconds_left=3.0),
    }


def fouled(count: int) -> tuple[Player, ...]:
    """Some players with points and fouls."""
    return tuple(replace(player, fouls=player.seat % 3) for player in players(count))


def with_fouls(count: int) -> Reveal:
    """A reveal with everybody's fouls so far."""
    shown = reveal(count)
    seats = tuple(replace(one, player=player) for one, player in zip(shown.seats, fouled(count), strict=True))
    return replace(shown, seats=seats)


def zone_pages() -> dict[str, View | Page]:
    """Zones over the live picture: as hands gave them, two that overlap, evenly spread, and hands held out."""
    shot = Shot(table(3))
    even = tuple((column / 4, row / 2, 0.25, 0.5) for row in (0, 1) for column in range(4))
    three = ((0.03, 0.2, 0.3, 0.6), (0.36, 0.25, 0.28, 0.5), (0.66, 0.2, 0.3, 0.6))
    wrong = "the zones of seats 1 and 2 overlap: a hand there would count for both"
    view = Zoning(three, lambda: shot, lambda zones: wrong if zones[0][0] > 0.1 else None, even, names=NAMES[:3])
    page = replace(zones_page(replace(view, said="3 hands were found. Are their zones right?")), shot=shot)
    eight = replace(zones_page(replace(view, zones=even, names=())), shot=shot, seat=6)
    return {
        "zones": page,
        "zones-overlap": next_zones(page, Shift(1, (0.2, 0.2, 0.3, 0.6))),
        "zones-even": eight,
        "zones-no-picture": replace(eight, shot=None),
        "holding-out": HoldingOut(
            "Everybody: hold one open hand where you will throw", lambda: shot, count=3, shot=shot
        ),
        "keep-still": HoldingOut("Keep still: the box looks for every hand", lambda: shot, shot=shot),
    }


def seating_pages() -> dict[str, View | Page]:
    """Sitting down: the plan with two and with eight, somebody changing places, the names for a seat, the letters."""
    known = ("Zoë", "Maximilian", "Ørjan", "Chloé", *NAMES[2:], "Ibrahim", "Jürgen", "Kiri", "Łucja", "Mei", "Noor")
    eight = tuple(((column + 0.5) / 4, (row + 0.5) / 2) for row in (0, 1) for column in range(4))
    two = Sitting("RPS Redeux", ("Ann", ""), known, ((0.25, 0.5), (0.75, 0.5)))
    many = Sitting("Battle", NAMES, known, eight)
    names = _after(first_page(two), ToSeat(2))
    letters = _after(names, Write(), *map(Letter, "Jürgen-Łuk"))
    return {
        "sitting": two,
        "sitting-8": many,
        "sitting-moving": _after(first_page(many), ToSeat(6), Swap()),
        "sitting-names": names,
        "sitting-nobody-known": _after(first_page(Sitting("Classic", ("", ""), (), two.places)), ToSeat(1)),
        "sitting-letters": letters,
        "sitting-accents": _after(letters, Accents(), Case()),
    }


def settings_pages() -> dict[str, View | Page]:
    """Settings: words and numbers, one of them changed; a file that can't be read; the languages."""
    shown = (
        Setting("screen", "language", "the language of the screen", "en", Choices(("en", "de", "fr"))),
        Setting("screen", "handed", "the hand that touches: its side has the main buttons", "left", HANDS),
        Setting("sound", "on", "whether the box beats the count and sounds lock, foul and win", True, YES_NO),
        Setting("sound", "volume", "how loud, of 100", 80, Span(0, 100, 10)),
        Setting("house", "window_ms", "ms from the first hand to the lock", 150, Span(50, 2000, 50), given=True),
        Setting("house", "on_foul", "what becomes of a foul", "stand", Choices(("replay", "stand", "forfeit"))),
        Setting("house", "forfeit_after", "fouls of a player that are thrown again", 3, Span(0, 99)),
        Setting("house", "beat_ms", "ms between the words of the count", 600, Span(300, 2000, 50)),
        Setting("buttons", "on", "whether the seats have buttons and lights", False, YES_NO),
    )
    kept = "Kept in ~/.config/throwlock/throwlock.toml"
    view = Settings(shown, "screen", kept)
    house = replace(view, part="house")
    broken = "throwlock.toml can’t be read (line 3): correct it, or delete it"
    return {
        "settings": view,
        "settings-house": _after(first_page(house), Adjust("house.beat_ms", 650)),
        "settings-broken": replace(house, told=broken, wrong=True),
        "languages": Languages({"en": "English", "de": "Deutsch", "fr": "Français"}, "de"),
    }


def fault_pages() -> dict[str, View | Page]:
    """What people are told where a match can't be played, with what they can do."""
    without = ("try again", "play without the camera", "home")
    camera = "No camera usb:0: plug one in, try another number, or play with --camera simulated"
    model = "The hand model can’t be fetched (no network): connect this machine once, then start again"
    journal = "/home/throwlock/.local/share/throwlock/throwlock.journal"
    broken = f"{journal} is damaged (file is not a database): keep the file, and go on with --journal and a new name"
    return {
        "fault-camera": Notice("The camera", camera, without),
        "fault-model": Notice("The hand model", model, without),
        "fault-disk": Notice("The journal", f"The disk of {journal} is full: free some space", ("try again", "home")),
        "fault-journal": Notice("The journal", broken, ("try again", "begin a new journal", "home")),
    }


def samples() -> dict[str, View | Page]:
    """Every kind of screen by name, with two and with eight players where that matters."""
    choosing = Choosing(games())
    put = _after(entry(bet(2)), Put(45))
    shown: dict[str, View | Page] = {
        "choosing": choosing,
        "choosing-many": Choosing(games() * 4, ("calculator",)),
        "choosing-tools": Choosing(games() * 3, TOOLS),
        "set-up": _after(first_page(choosing), Pick("redeux")),
        "bet-sealed": first_page(bet(2)),
        "bet-entry": put,
        "yes-no": choice((True, False), "risk"),
        "throw": choice(tuple(Throw), "throw"),
        "listed": choice(tuple(f"card {n}" for n in range(1, 10)), "discard_a_card"),
        "single": choice(("down",), "place"),
        "claim": future("claim", Choices(tuple(Throw))),
        "act": future("act", Choices(("fold", "bet"))),
        "chips": future("bet", Span(1, 12)),
        "card-secret": future("place", Choices(tuple(Throw)), secret=True),
        "card": entry(future("place", Choices((*Throw, Throw.ROCK, Throw.ROCK)), secret=True)),
        "wish": Question(
            players(8),
            Ask("wish", {3: WISHES}, seconds=20, about={"option": "blitz", "means": "selection lasts 3 s"}),
            3,
            9,
        ),
        "table": choice(("stay", "leave", "reset", "wish"), "table"),
        "hundred": choice(tuple(range(1, 101)), "number", 8),
        "question": Notice("Zones", "How many will sit at the table?", tuple("2345678")),
        "notice": Notice(
            "The camera is gone",
            "The USB camera 0 stopped sending pictures. Plug it in again, then touch “try again”; the match goes on "
            "where it was.",
            ("try again", "leave"),
        ),
    }
    shown |= (
        card_pages(players(8))
        | gather_pages(players(8))
        | fault_pages()
        | seating_pages()
        | settings_pages()
        | moment_pages()
        | practise_pages()
        | room_pages(WORDS)
        | watching_pages(POSITION, SET_UP)
        | past_pages()
        | zone_pages()
        | board_pages()
        | dispute_pages()
        | calculator_pages()
    )
    for count in (2, 3, 8):
        people = players(count)
        shown |= {
            f"cadence-ready-{count}": Cadence(people, "RPS Redeux · Round 3", WORDS, -1, 0.4),
            f"cadence-{count}": Cadence(people, "RPS Redeux · Round 3", WORDS, 2, 0.5, preview=table(count)),
            f"cadence-again-{count}": Cadence(
                people, "RPS Redeux · Round 3", WORDS, 1, 0.2, again="Bartholomew was late: thrown again"
            ),
            f"cadence-go-{count}": Cadence(people, "RPS Redeux · Round 3", WORDS, 3, preview=table(count)),
            f"judging-{count}": Judging(people, table(count), lambda: 0.6, 0.6),
            f"reveal-{count}": reveal(count),
            f"told-{count}": Told(
                people,
                Say("score", {"scores": {"1": 35}}),
                ("Ann bet 10, Bartholomew nothing", "Paper beats rock", "Ann wins 20 points"),
            ),
            f"ended-{count}": Ended(people, Result((2,), {p.seat: p.score or 0 for p in people}), f"{NAMES[1]} wins"),
        }
    return shown


def main(directory: Path) -> None:
    """Write every sample at every size into ``directory``."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, view in samples().items():
        for width, height in (*SIZES, LARGE):
            save(picture(view, (width, height)), directory / f"{name}-{width}x{height}.png")


def _after(page: Page, *presses: Press) -> Page:
    for press in presses:
        after = next_page(page, press)
        page = page if isinstance(after, Reply) else after
    return page


def _never(setup: Setup) -> Script:
    raise NotImplementedError(f"a sample game is not for playing ({setup})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.gallery.gallery DIR")
    main(Path(sys.argv[1]))
