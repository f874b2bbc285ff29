"""The texts of a tournament's pages."""

from messages import N, join, ngettext_lazy
from rules.text import list_names
from rules.tournaments.events import Fixture, Format, NoShow, PlayerWithdrawn
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.tournament.view import KNOCKOUT_STAGES, ConfirmPage, FixturePage, TournamentAction, TournamentView
from ui.text.tournaments import (
    FORMAT_SENTENCES,
    TIE_BREAK_HEADINGS,
    TIE_BREAK_NAMES,
    TIE_BREAK_SENTENCES,
    TournamentSummary,
)

PLAY = N("Play")
PREVIOUS_ROUND, NEXT_ROUND = N("Previous round"), N("Next round")
STANDINGS = N("Standings")
PLAYERS = N("Players")
NO_MATCHES = N("There is no match yet: a tournament needs two players.")
GIVEN_UP = N("The tournament was given up.")
OPEN_PLACE = N("open", "nobody yet")
INTERRUPTED = N("Interrupted: it goes on where it was.")
MATCH_GIVEN_UP = N("It was given up, and is played from the beginning.")
DRAWN_AGAIN = N("It was drawn, and is played again.")
CHOOSE_WINNER = N("Play it here, or touch who won elsewhere.")
CORRECT_WINNER = N("Is that wrong? Touch who won.")
NOT_COME = N("Did not come")
LEFT = N("left", "a player who withdrew")
ADD_PLAYER = N("Add a player")
GIVE_UP = N("Give the tournament up")
WITHDRAW_HELP = N("Touch a player who leaves the tournament.")
HOW_POINTS_COUNT = N("How points count")
MATCH_POINTS = N("A win is 1 point, a draw ½, a bye 1.")
TABLE_POINTS = N("Everybody you leave behind you at your table is 1 point, everybody level with you ½.")
KNOCKOUT_ORDER = N("Whoever got further is ahead; players who went out in the same round share a place.")
PREVIOUS_TABLE, NEXT_TABLE = N("Previous table"), N("Next table")
COLUMN_HEADINGS = (N("Pts", "heading"), N("W", "heading: won"), N("D", "heading: drawn"), N("L", "heading: lost"))
WITHDRAWN_SENTENCE = N("In brackets: players who left the tournament.")
HEADINGS_SENTENCE = N("Pts: points · W: won · D: drawn · L: lost")
THEN = N("At equal points these count, in this order:")


def title(summary: TournamentSummary) -> str:
    """Return what people call a tournament."""
    return summary.heading or N(summary.title)


def won_text(summary: TournamentSummary) -> str:
    """Return who has won: "Ada wins", "Ada and Ben share the title"."""
    names = summary.champion_names
    if len(summary.champions) > 1:
        return N("{names} share the title", names=names)
    return N("{name} wins", name=names) if names else N("Nobody has won.")


def prize_text(summary: TournamentSummary) -> str:
    """Return what the champions have won, and who is second and third."""
    count = ngettext_lazy("{count} player", "{count} players", len(summary.names))
    parts: list[str] = [join([title(summary), count], " · ")]
    _, rows = summary.tables[-1]
    names = dict(enumerate(summary.names, 1))
    for place in (2, 3):
        there = [row.player for row in rows if row.place == place and not row.withdrawn]
        if there:
            parts.append(join([f"{place}. ", list_names(there, names)], ""))
    return join(parts, "\n")


def round_title(summary: TournamentSummary, fixtures: tuple[Fixture, ...]) -> str:
    """Return the name of a round, of all groups together."""
    first = fixtures[0]
    return N("Round {number}", number=first.round) if first.stage == "G" else summary.round_title(first)


def next_heading(view: TournamentView, fixture: Fixture) -> str:
    """Return what is above the names of the next match."""
    return join([N("Next", "match"), view.summary.round_title(fixture)], " · ")


def play_label(note: str) -> str:
    """Return the label of the button that plays a match, given its note."""
    return common_strings.GO_ON if note == INTERRUPTED else PLAY


def enter_label(page: FixturePage) -> str:
    """Return the label of the button that enters, or corrects, a result."""
    names = dict(enumerate(page.back.view.summary.names, 1))
    if not page.winners:
        return N("Enter the result") if page.fixture.stage in KNOCKOUT_STAGES else N("Drawn", "a match")
    if len(page.winners) > 1:
        return N("{names} drew", names=list_names(page.winners, names))
    return N("{name} won", name=names[page.winners[0]])


def confirm_texts(page: ConfirmPage) -> tuple[str, str, str]:
    """Return the question, what happens, and the label of the button."""
    answer = page.reply.value
    view = page.back.back.view
    event = answer.event if isinstance(answer, TournamentAction) else None
    match event:
        case PlayerWithdrawn(player=player):
            name = view.summary.name(player)
            text = N("Whoever still has to play against {name} wins without a match. This can’t be undone.", name=name)
            return N("Does {name} leave the tournament?", name=name), text, N("{name} leaves", name=name)
        case NoShow(player=player):
            name = view.summary.name(player)
            table = view.summary.format is Format.TABLES
            text = (
                N("The others at the table play without {name}.", name=name)
                if table
                else N("The opponent of {name} wins without a match.", name=name)
            )
            return N("Did {name} not come?", name=name), text, NOT_COME
    text = N("What was played stays in past matches. This can’t be undone.")
    return N("Give the tournament up?"), text, GIVE_UP


def points_lines(summary: TournamentSummary, table: int) -> list[str]:
    """Return how points and tie-breaks count in a table, a sentence each."""
    rows = summary.tables[table][1]
    breaks = list(rows[0].tie_breaks) if rows else []
    lines: list[str] = [TABLE_POINTS if summary.format is Format.TABLES else MATCH_POINTS]
    if not breaks:
        lines = [FORMAT_SENTENCES[summary.format], KNOCKOUT_ORDER]
    lines += [THEN] if breaks else []
    for name in breaks:
        heading, full = TIE_BREAK_HEADINGS[name], TIE_BREAK_NAMES[name]
        names = full if heading == full else join([heading, full], " · ")
        lines.append(join([names, TIE_BREAK_SENTENCES[name]], ": "))
    if any(row.withdrawn for row in rows):
        lines.append(WITHDRAWN_SENTENCE)
    return [HEADINGS_SENTENCE, *lines]
