"""Painters of the choice of a game and of its set-up."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from messages import N, capitalise, join
from rules.engine import Option, Rules
from ui.i18n.language import current_language
from ui.screen.drawing.forms import (
    Centred,
    Column,
    Either,
    Flip,
    Form,
    Grid,
    HandFlip,
    HandRow,
    Heading,
    ItemList,
    Row,
    lays_out,
)
from ui.screen.drawing.nodes import (
    GAP,
    TOUCH,
    Button,
    CardPanel,
    Icon,
    Node,
    QrCode,
    SeatMark,
    Space,
    Text,
    note,
)
from ui.screen.drawing.theme import FOUL, MUTED, RAISED, SEAT_MARKS, TEXT
from ui.screen.pages import home as home_page
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.guests import TITLE as WHO_IS_HERE
from ui.screen.pages.hall import ChosenPairing
from ui.screen.pages.home import (
    LAST_GAME_ANSWER,
    ON_HOME_PAGE,
    RESUME_ANSWER,
    TURNED_ANSWER,
    ChosenGame,
    GameMenu,
    GamesPage,
    HomeTool,
    SetUpPage,
    ToolsPage,
    max_seats,
    set_up_page,
)
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.pages.question import step_value
from ui.screen.pages.tournament import ToTournament
from ui.screen.views import Reply
from ui.text import game_words, labels

CHOOSE_GAME = N("Choose a game")
SCAN_TO_JOIN = N("Scan to join.")
TOOLS, RANDOM_GAME = N("Tools"), N("Random game")
SEATS_TURNED = N("Rotate seats")

TOOL_ICONS = MappingProxyType(
    {
        HomeTool.PRACTISE: "aim",
        HomeTool.CLASS: "cards",
        HomeTool.CALCULATOR: "sums",
        HomeTool.ZONES: "frame",
        HomeTool.TOURNAMENT: "crown",
        HomeTool.PAST_MATCHES: "clock",
        HomeTool.AWARDS: "star",
        HomeTool.NETWORK: "phone",
        HomeTool.NETWORK_ON: "phone",
        HomeTool.HALL: "waves",
        HomeTool.HALL_ON: "waves",
        HomeTool.SETTINGS: "gear",
    }
)
"""The icon of each tool."""

FEWER_PLAYERS, MORE_PLAYERS = N("Fewer players"), N("More players")


@lays_out(GamesPage)
def lay_out_games(page: GamesPage) -> Form:
    """Return a card for each game, what most people come for above them, and what else there is below."""
    view = page.view
    games: Node = ItemList(page, view.games, partial(_game_card, view), (26, 36), 60, across=(3, 2))
    if view.join is not None and view.join.url:
        games = Flip(games, _join_code(view.join))
    if view.can_go_back:
        return Form(CHOOSE_GAME, games, back=Reply("back"))
    banners, foot = _banners(view), 1.1 * TOUCH
    foot_length = (foot, foot if view.tournament is None else 2 * foot + GAP)
    if HomeTool.LANGUAGE not in view.tools and not banners:
        return Form(CHOOSE_GAME, games, foot=_foot(view), foot_length=foot_length)
    return Form("", _bar(view, banners), games, foot=_foot(view), foot_length=foot_length)


def _join_code(address: JoinAddress) -> Either:
    """Return the QR code by which people say that they are here; a touch shows it larger, and who is."""
    code, words = QrCode(address.url, Reply(HomeTool.GUESTS), WHO_IS_HERE), Text(SCAN_TO_JOIN, "small", lines=3)
    return Either(Column(code, replace(words, length=12)), Row(code, words), length=(34, 29))


def _game_card(view: GameMenu, game: Rules) -> CardPanel:
    """Return a game's picture, its title, and its number of players, age and time."""
    icons = [Icon(name, mark.colour) for name, mark in zip(game.picture, SEAT_MARKS, strict=False)]
    facts = home_page.short_facts(game, max_seats(game, view.seat_limit))
    words = Column(Row(*icons), Text(game.title, "title", lines=1, length=7.5), note(facts, lines=2, align="centre"))
    return CardPanel(words, set_up_page(view, game), game.title, down=1.4)


def _bar(view: GameMenu, banners: Sequence[Button]) -> HandRow:
    """Return the instruction and, if languages can be chosen, the globe with the current one's code: whoever can't read
    this page finds it by its icon. What can be gone on with takes the instruction's place."""
    high, stacked = 1.1 * TOUCH, len(banners) > 1
    globe = Button(
        current_language().upper(),
        Reply(HomeTool.LANGUAGE),
        "globe",
        size="body",
        icon_only=bool(banners),
        length=(high, TOUCH if stacked else high) if banners else 24,
    )
    turned = Button(SEATS_TURNED, Reply(TURNED_ANSWER), "swap", size="body", length=24)
    return HandRow(
        None if banners else Centred(Heading(CHOOSE_GAME), 7.5),
        globe if HomeTool.LANGUAGE in view.tools else None,
        turned if view.last and not view.unfinished else None,
        HandFlip(*banners) if banners else None,
        length=(high, 2.04 * TOUCH + GAP if stacked else high),  # two rows, not a pixel less than a finger needs
    )


def _banners(view: GameMenu) -> list[Button]:
    """Return what can be gone on with, the most urgent last."""
    offers: list[tuple[str, Reply, str]] = []
    if view.unfinished:
        offers.append((view.unfinished, Reply(RESUME_ANSWER), "forward"))
    elif view.last:
        offers.append((view.last, Reply(LAST_GAME_ANSWER), "again"))
    if view.offer is not None:
        offers.append((view.offer.players, Reply(ChosenPairing(view.offer.id)), "forward"))
    return [
        Button(label, reply, icon, size="body", main=number == len(offers))
        for number, (label, reply, icon) in enumerate(offers, 1)
    ]


def _foot(view: GameMenu) -> tuple[Node, ...] | Either:
    """Return the buttons below the games: the tournament that goes on, a random game, who is here, and the tools."""
    chance = Button(RANDOM_GAME, Reply(HomeTool.RANDOM), "dice", size="body")
    guests = Button(game_words.value_text(HomeTool.GUESTS), Reply(HomeTool.GUESTS), "cat", size="body")
    tools = Button(TOOLS, ToolsPage(view), "grid", size="body")
    buttons = (
        chance if HomeTool.RANDOM in view.tools else None,
        guests if HomeTool.GUESTS in view.tools else None,
        tools if set(view.tools) - set(ON_HOME_PAGE) else None,
    )
    running = view.tournament
    if running is None:
        return tuple(button for button in buttons if button is not None)
    tournament = Button(running.title, Reply(ToTournament(running.number)), "crown", size="body")
    return Either(HandRow(replace(tournament, share=2), *buttons), Column(tournament, HandRow(*buttons)))


@lays_out(ToolsPage)
def lay_out_tools(page: ToolsPage) -> Form:
    """Return what the box can do besides playing: an icon with a word each."""
    tools = [_tool_card(tool) for tool in page.view.tools if tool not in ON_HOME_PAGE]
    return Form(TOOLS, Grid(tools, (3, 2), most=(20, 24)), back=GamesPage(page.view))


def _tool_card(tool: HomeTool) -> CardPanel:
    label = game_words.value_text(tool)
    words = Text(label, lines=2, align="left")
    return CardPanel(Row(Icon(TOOL_ICONS[tool], length=7), words), Reply(tool), label, fill=RAISED)


@lays_out(SetUpPage)
def lay_out_set_up(page: SetUpPage) -> Column:
    """Return one game: the number of players, its options, and the button that starts it."""
    view, problem, explanation = page.view, page.problem, page.explanation
    leads_to_games = len(view.games) > 1 or bool(view.tools)
    back = Button(
        labels.GAMES if leads_to_games else labels.BACK,
        GamesPage(view) if leads_to_games else Reply("back"),
        "back",
        size="body",
        leads_back=True,
        length=30,
    )
    title = Text(home_page.set_up_title(page), "title", lines=2, align="left", fits=True)
    bar = Row(back if leads_to_games or view.can_go_back else None, title, gap=2 * GAP, length=1.1 * TOUCH)
    text = capitalise(N(page.game.description)) if problem is None else capitalise(join([problem, "."], ""))
    facts = home_page.time_and_age(page.game) if problem is None else ""
    about = Column(
        Text(text, "small", MUTED if problem is None else FOUL, lines=6, align="left", vertical_align="top"),
        note(facts, TEXT, lines=1) if facts else None,
        length=(30 if page.game.variation is None else 27, 25),
        gap=0,
    )
    chosen = Reply(ChosenGame(page.game.name, page.seats, dict(page.options)))
    start = Button(home_page.start_label(view), chosen, main=problem is None, enabled=problem is None, share=3)
    how_to = Button(HOW_TO_PLAY, explanation, size="body") if explanation is not None else None
    variation = _variation(page)
    others = (
        Column(how_to, variation, share=2 if variation is None else 3)
        if how_to is not None or variation is not None
        else None
    )
    buttons = Row(others, start, length=(1.5 * TOUCH, 1.6 * TOUCH) if variation is None else 2.2 * TOUCH + GAP)
    options = ItemList(page, page.shown_options, partial(_option_card, page), (20, 25), 30, share=(5, 1))
    count = _player_count(page)
    aside = Column(about, count, buttons, share=3)
    return Column(bar, Either(HandRow(options, aside, gap=2 * GAP), Column(about, count, options, buttons)))


def _variation(page: SetUpPage) -> Button | None:
    """Return the button that starts the game's variation; None if there is none, or a tournament wants the set-up."""
    variation = page.game.variation
    if variation is None or page.view.for_tournament:
        return None
    varied = replace(page, options={**page.options, **variation.options})
    chosen = Reply(ChosenGame(page.game.name, page.seats, dict(varied.options)))
    return Button(variation.title, chosen, size="body", enabled=varied.problem is None)


def _player_count(page: SetUpPage) -> CardPanel:
    least, most = page.game.min_players, max_seats(page.game, page.view.seat_limit)

    def change(seats: int, icon: str, label: str) -> Button:
        enabled = least <= seats <= most
        return Button(label, replace(page, seats=seats), icon, icon_only=True, enabled=enabled, repeats=True, share=4)

    fewer, more = change(page.seats - 1, "minus", FEWER_PLAYERS), change(page.seats + 1, "plus", MORE_PLAYERS)
    marks = [SeatMark(seat, length=5) for seat in range(1, page.seats + 1)] if page.seats <= len(SEAT_MARKS) else []
    words = Column(
        note(home_page.players_label(page.view), lines=1, align="centre"),
        Row(fewer, Text(str(page.seats), 16, lines=1, share=5), more),
        Row(Space(), *marks, Space(), gap=1, length=6),
        gap=0.8,
    )
    return CardPanel(words, down=0.8, length=(30, 36))


def _option_card(page: SetUpPage, option: Option) -> CardPanel:
    value, text = page.options[option.name], page.game.text

    def step(by: int, icon: str) -> Button:
        after = step_value(option.allowed, value, by)
        label, changed = home_page.option_change(option, after, text), page.with_option(option.name, after)
        return Button(label, changed, icon, icon_only=True, enabled=after != value, repeats=True)

    shown = Text(home_page.option_value(option, value, text), lines=2)
    before, after = step(-1, "back"), step(1, "forward")
    has_choice = before.enabled or after.enabled
    words = Column(
        Text(home_page.option_name(option, text), lines=1, align="left", length=5.6),
        note(home_page.option_about(option), lines=5),
        gap=0,
    )
    control = Column(
        shown, Row(before, after, gap=1, length=TOUCH) if has_choice else None, gap=0, length=2 * TOUCH + 4
    )
    return CardPanel(Row(words, control))
