"""The texts of clips; a module of its own, so that the server needs no pygame."""

from messages import N, join
from rules.record.judgement import Verdict
from ui.web.views import RoundLine, RoundPage

NO_PICTURES = N("There are no pictures of this round to make a clip from.")


def clip_title(page: RoundPage) -> str:
    """Return the game and the round in it; many rounds are named after their game."""
    game, title = N(page.match.title), page.line.title
    return title if str(title).startswith(str(game)) else join([game, title], " · ")


def clip_sentence(line: RoundLine) -> str:
    """Return what a round came to: the verdict if something was wrong, or else what the game made of it; and what
    everybody agreed on."""
    too_close = any(seat.verdict == Verdict.TOO_CLOSE for seat in line.seats)
    wrong = line.void or line.has_foul or too_close or not line.outcome
    disputes = [one.sentence for one in line.disputes if one.sentence]
    return join([line.sentence if wrong else line.outcome[0], *disputes])
