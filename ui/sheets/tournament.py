"""A tournament to print: its bracket as a tree, its other matches round by round, and its tables."""

from collections.abc import Sequence
from dataclasses import replace

from rules.tournaments.fixture import Fixture
from rules.tournaments.standings import StandingsRow
from ui.i18n.language import render, t
from ui.sheets.paper import GREY, Paper, SheetDocument
from ui.text.names import printed_name
from ui.text.tournaments import FORMAT_NAMES, TIE_BREAK_NAMES, TournamentSummary, points_text, tie_break_columns

MARGIN_MM = 14.0
TITLE_MM, TEXT_MM = 5.0, 2.6
"""Height of the capitals of the title and of the text."""
LINE_MM = 6.5
MATCHES_PER_SHEET = 16
"""Matches of the first round of a bracket on one sheet."""


def make_tournament(paper: Paper, summary: TournamentSummary) -> SheetDocument:
    """Return the sheets of a tournament, in the current language."""
    names = tuple(printed_name(render(name)) for name in summary.names)
    return _TournamentSheets(paper, replace(summary, names=names, heading=printed_name(render(summary.heading)))).sheets


class _TournamentSheets:
    """Draws a tournament from top to bottom; ``y`` is where the next line goes."""

    def __init__(self, paper: Paper, summary: TournamentSummary) -> None:
        self.paper, self.summary = paper, summary
        self.sheets = SheetDocument(paper, t("Tournament"))
        bracket = [rounds for rounds in summary.rounds() if rounds[1][0].stage == "K"]
        self._draw_tables()
        if bracket:
            self._draw_bracket(bracket)
        self._draw_rounds([rounds for rounds in summary.rounds() if rounds[1][0].stage != "K"])

    def _add_page(self, heading: str) -> None:
        self.sheets.add_plain_page()
        width = self.paper.width - 2 * MARGIN_MM
        title = f"{render(self.summary.heading or self.summary.title)} · {render(FORMAT_NAMES[self.summary.format])}"
        self.sheets.text(title, self.paper.width / 2, MARGIN_MM, TITLE_MM, width)
        self.sheets.text(heading, self.paper.width / 2, MARGIN_MM + 9, TEXT_MM, width, GREY // 2)
        self.y = MARGIN_MM + 20

    def _text_from(self, text: str, x: float, y: float, width: float, shade: int = 0) -> None:
        """Draw text that begins at ``x``, made narrower to fit."""
        self.sheets.text(render(text), x, y, TEXT_MM, width, shade, left=True)

    def _draw_tables(self) -> None:
        champions = self.summary.champion_names
        self._add_page(t("Won by {names}", names=render(champions)) if champions else t("Standings"))
        for heading, lines in self.summary.tables:
            self._break_if_needed(3)
            self._text_from(heading, MARGIN_MM, self.y, 80)
            self.y += LINE_MM
            breaks = tie_break_columns(lines, besides_won=True)
            columns = [
                t("Points"),
                t("Won"),
                t("Drawn"),
                t("Lost"),
                *(render(TIE_BREAK_NAMES[tie_break]) for tie_break in breaks),
            ]
            self._row("", t("Name"), columns, GREY // 2)
            for line in lines:
                self._break_if_needed(1)
                self._row(f"{line.place}.", self.summary.name(line.player), _cells(line, breaks))
            self.y += LINE_MM

    def _row(self, place: str, name: str, cells: Sequence[str], shade: int = 0) -> None:
        self._text_from(place, MARGIN_MM, self.y, 9, shade)
        self._text_from(name, MARGIN_MM + 10, self.y, 58, shade)
        width = (self.paper.width - 2 * MARGIN_MM - 70) / max(1, len(cells))
        for n, cell in enumerate(cells):
            self._text_from(cell, MARGIN_MM + 70 + n * width, self.y, width - 2, shade)
        self.y += LINE_MM

    def _break_if_needed(self, lines: int) -> None:
        if self.y + lines * LINE_MM > self.paper.height - MARGIN_MM:
            self._add_page(t("Standings"))

    def _draw_bracket(self, rounds: Sequence[tuple[str, tuple[Fixture, ...]]]) -> None:
        """Draw the bracket, a part of its first round on each sheet with what follows from it, and then the rest."""
        parts = -(-len(rounds[0][1]) // MATCHES_PER_SHEET)
        whole = next((n for n, (_, matches) in enumerate(rounds) if len(matches) < parts), len(rounds))
        for part in range(parts):
            self._draw_tree(
                [(title, _share(matches, part, parts)) for title, matches in rounds[:whole]],
                t("Bracket, sheet {number} of {all}", number=part + 1, all=parts + 1) if parts > 1 else t("Bracket"),
            )
        if whole < len(rounds):
            last = t("Bracket, sheet {number} of {all}", number=parts + 1, all=parts + 1)
            self._draw_tree(rounds[whole:], last)

    def _draw_tree(self, rounds: Sequence[tuple[str, tuple[Fixture, ...]]], heading: str) -> None:
        self._add_page(heading)
        width = (self.paper.width - 2 * MARGIN_MM) / (len(rounds) + 1)
        top, height = self.y + LINE_MM, self.paper.height - MARGIN_MM - self.y - LINE_MM
        for column, (title, matches) in enumerate(rounds):
            x, row = MARGIN_MM + column * width, height / len(matches)
            self._text_from(title, x, self.y, width - 3, GREY // 2)
            for n, fixture in enumerate(matches):
                middle, reach = top + (n + 0.5) * row, row / 4
                for player, y in zip(fixture.players, (middle - reach, middle + reach), strict=True):
                    winner = fixture.outcome is not None and player in fixture.outcome.winners
                    shade = 0 if winner or fixture.outcome is None else GREY
                    self._text_from(self.summary.name(player), x, y - 2.2, width - 3, shade)
                    self.sheets.line((x, y), (x + width - 1.5, y), 0.3)
                self.sheets.line((x + width - 1.5, middle - reach), (x + width - 1.5, middle + reach), 0.3)
                self.sheets.line((x + width - 1.5, middle), (x + width, middle), 0.3)
        if len(rounds[-1][1]) == 1 and (outcome := rounds[-1][1][0].outcome):
            x = MARGIN_MM + len(rounds) * width
            self._text_from(self.summary.name(outcome.winners[0]), x + 1, top + height / 2 - 2.2, width - 1)

    def _draw_rounds(self, rounds: Sequence[tuple[str, tuple[Fixture, ...]]]) -> None:
        if rounds:
            self._add_page(t("Matches"))
        for title, matches in rounds:
            if self.y + 3 * LINE_MM > self.paper.height - MARGIN_MM:
                self._add_page(t("Matches"))
            self._text_from(title, MARGIN_MM, self.y, 100, GREY // 2)
            self.y += LINE_MM
            for fixture in matches:
                if self.y + LINE_MM > self.paper.height - MARGIN_MM:
                    self._add_page(t("Matches"))
                half = (self.paper.width - 2 * MARGIN_MM) * 0.6
                self._text_from(self.summary.against(fixture), MARGIN_MM, self.y, half - 3)
                self._text_from(self.summary.result(fixture), MARGIN_MM + half, self.y, half * 0.6)
                self.y += LINE_MM
            self.y += LINE_MM / 2


def _share(matches: tuple[Fixture, ...], part: int, parts: int) -> tuple[Fixture, ...]:
    size = len(matches) // parts
    return matches[part * size : (part + 1) * size]


def _cells(line: StandingsRow, breaks: Sequence[str]) -> list[str]:
    numbers = [points_text(line.points), str(line.wins), str(line.draws), str(line.losses)]
    return [*numbers, *(points_text(line.tie_breaks[tie_break]) for tie_break in breaks)]
