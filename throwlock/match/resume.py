"""Which match is played: the unfinished one of a journal, or a new one."""

from messages import N
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.tournaments import keep_draw


def unfinished_match(journal: JournalReader, config: MatchConfig) -> MatchConfig | None:
    """Return the configuration of the journal's unfinished match, if there is one.

    Raises:
        JournalError: It is another game than that of ``config``, which must not replace it by mistake.
    """
    number = journal.unfinished_match()
    if number is None:
        return None
    unfinished = config_from_events(journal.events(number))
    name, setup = unfinished.game.rules.name, unfinished.game.setup
    if (name, setup) != (config.game.rules.name, config.game.setup):
        only_options = name == config.game.rules.name and setup.seats == config.game.setup.seats
        fields = {"path": journal.path, "game": name, "seats": setup.seats}
        raise JournalError(
            N("{path} has an unfinished match of {game} for {seats} with other options", **fields)
            if only_options
            else N("{path} has an unfinished match of {game} for {seats}", **fields),
            terminal_hint=": play that one to its end, give it up with --new, or name another --journal",
            screen_hint=N("finish that match first"),
        )
    return unfinished


def resume_or_begin(journal: Journal, config: MatchConfig, *, new: bool = False) -> int:
    """Return the number of the match to play: the unfinished one, or a new one begun with ``config``.

    ``new`` gives up the unfinished match.

    Raises:
        JournalError: The unfinished match is another game than that of ``config``.
        TournamentError: Its tournament has no place for the match.
    """
    number = journal.unfinished_match()
    if number is not None and not new:
        unfinished_match(journal, config)
        return number
    if number is not None:
        journal.append(number, MatchAbandoned())
    if config.tournament is not None:
        keep_draw(journal, config.tournament)
    return journal.start_match(config.start_event(), config.names)
