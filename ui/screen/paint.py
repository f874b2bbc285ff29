"""The one way from a view to a picture: ``paint`` finds the painter of a view or page and tells what can be
touched."""

import pygame

from ui.screen import paint_ask, paint_round, paint_story
from ui.screen.canvas import Canvas, Target
from ui.screen.dialogue import EntryPage, GamesPage, HandOverPage, Page, SetUpPage, first_page
from ui.screen.views import Cadence, Choosing, Ended, Judging, Notice, Question, Reveal, Told, View


def paint(surface: pygame.Surface, view: View | Page) -> list[Target]:
    """Draw ``view`` over all of ``surface``; a view people answer is drawn with its first page. Pure but for the
    surface: the same view gives the same picture. Needs no display."""
    return draw(surface, view).targets


def draw(surface: pygame.Surface, view: View | Page) -> Canvas:
    """As ``paint``, but returns the canvas, which knows every text as well."""
    canvas = Canvas(surface)
    match view:
        case Choosing() | Question():
            return draw(surface, first_page(view))
        case GamesPage():
            paint_ask.games(canvas, view)
        case SetUpPage():
            paint_ask.set_up(canvas, view)
        case HandOverPage():
            paint_ask.hand_over(canvas, view)
        case EntryPage():
            paint_ask.entry(canvas, view)
        case Cadence():
            paint_round.cadence(canvas, view)
        case Judging():
            paint_round.judging(canvas, view)
        case Reveal():
            paint_round.reveal(canvas, view)
        case Told():
            paint_story.told(canvas, view)
        case Ended():
            paint_story.ended(canvas, view)
        case Notice():
            paint_story.notice(canvas, view)
    return canvas
