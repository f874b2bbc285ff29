"""The texts of clips; a module of its own, so that the server needs no pygame."""

from messages import N, join
from rules.record.judgement import Verdict
from rules.record.round import RoundView
from ui.text.rounds import dispute_sentence, outcome_sentences, round_sentence, round_title
from ui.web.views import RoundPage

NO_PICTURES = N("There are no pictures of this round to make a clip from.")


def clip_title(page: RoundPage) -> str:
    """Return the game and the round in it; many rounds are named after their game."""
    game, title = N(page.match.title), round_title(page.line)
    return title if str(title).startswith(str(game)) else join([game, title], " · ")


def clip_sentence(line: RoundView) -> str:
    """Return what a round came to: the verdict if something was wrong, or else what the game made of it; and what
    everybody agreed on."""
    too_close = any(seat.verdict == Verdict.TOO_CLOSE for seat in line.seats)
    outcome = outcome_sentences(line)
    wrong = line.is_void or line.has_foul or too_close or not outcome
    disputes = [dispute_sentence(line, dispute) for dispute in line.disputes if dispute.text]
    return join([round_sentence(line) if wrong else outcome[0], *disputes])
