"""People who hold a tournament from the home page to its champions by touch alone."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rules.tournaments.fixture import Format
from tests.helpers.sensible_people import SensiblePeople
from ui.screen.core.display import WindowClosedError
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.history import HistoryList
from ui.screen.pages.home import ChosenGame, GamesPage, SetUpPage, ToolsPage
from ui.screen.pages.new_tournament import EntrantKeyboardPage, EntrantsPage, FormatPage, SeedsPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.tournament import PlayFixture, ToTournament, TournamentRoundPage
from ui.screen.views import Answer, Reply, View
from ui.text.tournaments import FORMAT_NAMES


def reply_of(target: Target) -> Answer:
    """Return what a target replies; None if it leads to a page."""
    return target.press.value if isinstance(target.press, Reply) else None


def no_target(page: View, canvas: Canvas) -> Target | None:
    """Leave the choice to the others."""
    del page, canvas
    return None


@dataclass
class TournamentPeople(SensiblePeople):
    """People who set a tournament of ``format`` up for ``players``, play every match that comes next, and go home once
    it is over. ``at_tournament`` may choose what to touch on its page instead: it gets the page and its targets."""

    format: Format = Format.KNOCKOUT
    players: tuple[str, ...] = ("Ada", "Ben", "Cy", "Dora")
    at_tournament: Callable[[View, Canvas], Target | None] = no_target
    next_fixtures: list[str] = field(default_factory=list)
    """What came next, each time they saw the tournament's page."""
    _begun: bool = False

    def choose(self, page: View, canvas: Canvas) -> Target:
        wanted = self.at_tournament(page, canvas) or self._tournament_target(page, canvas)
        if wanted is not None:
            self.pages.add(type(page).__name__)
            return wanted
        return super().choose(page, canvas)

    def _tournament_target(  # noqa: PLR0911, PLR0912 - one return for each kind of page
        self, page: View, canvas: Canvas
    ) -> Target | None:
        def reply(value: object) -> Target:
            return next(one for one in canvas.targets if reply_of(one) == value)

        def labelled(label: str) -> Target:
            return next(one for one in canvas.targets if one.label == label)

        match page:
            case GamesPage() if not page.view.for_tournament:
                if self.has_won:
                    raise WindowClosedError("all went home")
                return next(one for one in canvas.targets if isinstance(one.press, ToolsPage))
            case ToolsPage():
                return reply("tournament")
            case HistoryList():
                if self.has_won:
                    return reply("home")
                lines = [one for one in canvas.targets if isinstance(reply_of(one), int)]
                return lines[0] if lines and self._begun else reply("new")
            case SetUpPage():
                if page.seats == self.seats and not any(self._missing(page, name) for name in self.options):
                    return next(one for one in canvas.targets if isinstance(reply_of(one), ChosenGame))
            case FormatPage():
                return labelled(str(FORMAT_NAMES[self.format]))
            case EntrantsPage():
                missing = [name for name in self.players if name not in page.draft.names]
                known = [one for one in canvas.targets if one.label in missing]
                if known or not missing:
                    return known[0] if known else labelled("Go on")
                return labelled("Write a name")
            case EntrantKeyboardPage():
                missing = [name for name in self.players if name not in page.back.draft.names]
                name = missing[0]
                if page.text == name:
                    return labelled("One more" if len(missing) > 1 else "Done")
                return labelled(name[len(page.text)])
            case SeedsPage():
                self._begun = True
                return labelled("Draw")
            case TournamentRoundPage():
                play = [one for one in canvas.targets if one.main and isinstance(reply_of(one), PlayFixture)]
                self.has_won = not play
                self.next_fixtures += [str(page.view.ready[0].id)] if play else []
                return play[0] if play else reply("back")
            case MatchResult():
                return next(one for one in canvas.targets if isinstance(reply_of(one), ToTournament))
        return None
