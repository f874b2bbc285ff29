"""Runs one match: opens what it needs, plays it and shows the result."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from enum import StrEnum

import click

from device.system.clock import Clock
from messages import N
from rules.record.round import FoulRule
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.match.match import Match, RestartError
from throwlock.match.pause import ask_for_phones
from throwlock.match.reveal import CLASS_PACE, MatchOutput, Pace
from throwlock.match.terminal_display import print_attendance
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.tournaments import keep_draw
from throwlock.review.statistics.pages import offers_awards, open_awards
from throwlock.session import AssignSeats, Services, Session, open_session
from throwlock.sources import is_class, with_cards_if_simulated
from throwlock.table_setup.cameras import CameraKind
from throwlock.table_setup.class_names import with_class_names
from throwlock.tables.presence import NobodyThereError
from throwlock.tables.source import BackToSetUpError, PeopleLeftError
from ui.screen.core.display import Display
from ui.screen.pages.common import DISPUTE_ANSWER, TAKE_HOME_ANSWER, UNDO_ANSWER
from ui.screen.pages.result import AWARDS_ANSWER, MatchResult
from ui.screen.pages.tournament import ToTournament
from ui.text import verdicts


class NextStep(StrEnum):
    """A choice at the end of a match, or when it can't be played. The values are the answers of the pages."""

    HOME = "home"
    SET_UP = "set up"
    RETRY = "try again"
    WITHOUT_CAMERA = "play without the camera"
    NEW_JOURNAL = "begin a new journal"


RunMatch = Callable[[LaunchOptions, MatchConfig, AssignSeats | None], object]
"""Plays one match and returns what people chose at its end; SET_UP if they went back from assigning seats; HOME, or the
match's tournament, if they left it; HOME if nobody was there any more."""

MAX_STARS = 5
"""The most stars that a child reads at a glance."""
DEMO_RESULT_S = 15.0
"""Seconds the demo's result stays on the screen if nobody touches it."""


def run_match(
    options: LaunchOptions,
    config: MatchConfig,
    open_display: Callable[[], Display],
    clock: Clock,
    assign_seats: AssignSeats | None = None,
    services: Services | None = None,
) -> object:
    """Play one match, the unfinished one or a new one, and return what people chose at its end.

    ``assign_seats`` is called before a new match.
    """
    if not options.is_new_journal() and not options.new:
        with JournalReader(options.journal) as reader:
            unfinished = unfinished_match(reader, config)
        if unfinished:
            config, assign_seats = replace(unfinished, camera=config.camera), None
    if is_class(options, config):
        config, assign_seats = with_class_names(config, options.journal), None
    config, services = with_cards_if_simulated(config), services or Services()
    try:
        with open_session(options, config, open_display, clock, assign_seats, services) as session:
            return _play(options, session, services)
    except BackToSetUpError:
        if config.tournament is None and config.hall is None:
            return NextStep.SET_UP
        return ToTournament(config.tournament.tournament) if config.tournament else NextStep.HOME
    except PeopleLeftError:
        return ToTournament(config.tournament.tournament) if config.tournament else NextStep.HOME
    except NobodyThereError:
        if not options.people_answer:
            raise
        return NextStep.HOME


def _play(options: LaunchOptions, session: Session, services: Services) -> object:
    journal, config = session.journal, session.config
    assert journal is not None  # only practice has none
    in_class = is_class(options, config)
    if in_class and session.camera and options.headless:
        print_attendance(session.camera, session.clock, config.names)
    for_children = options.settings.screen.children and can_be_for_children(config)
    pace = CLASS_PACE if in_class and not options.headless else Pace()
    if options.headless and (in_class or CameraKind.of(config.camera) is CameraKind.CLIP):
        pace = Pace(0.0, 0.0)
    if not options.headless and not in_class and not for_children:
        pace = replace(pace, slow_motion=options.settings.screen.slow_motion)
    wants_phones = services.pads.needs_phones and (in_class or session.source.asks_people(config.game))
    if wants_phones and not ask_for_phones(session.display, services.pads):
        raise NobodyThereError(N("nobody is there to join with a phone"))
    number = resume_or_begin(journal, config, new=options.new)
    output = MatchOutput(
        session.display,
        session.clock,
        click.echo,
        pace,
        session.sound,
        quiet=in_class,
        people_answer=options.people_answer,
        clips=services.clips,
        for_children=for_children,
    )
    with closing(FrameKeeper(journal.path, options.settings.clips)) as frame_keeper:
        keeper = None if in_class else frame_keeper  # of a class, nobody's face is kept
        while True:
            match = Match(journal, number, session.source, output, keeper)
            session.display.menu = match.pause_page
            try:
                return play_to_end(options, session.display, match)
            except RestartError:
                number = journal.start_match(config.start_event(), config.names)


def can_be_for_children(config: MatchConfig) -> bool:
    """Return whether a match can be shown without fouls and numbers: its points are a few rounds won, and every foul is
    thrown again."""
    game, rules = config.game, config.house_rules
    has_stars = game.rules.winning_score is not None and game.rules.winning_score(game.setup) <= MAX_STARS
    return has_stars and rules.on_foul is FoulRule.REPLAY and not rules.forfeit_after


def play_to_end(options: LaunchOptions, display: Display, match: Match) -> object:
    """Play a match to its end, show the result and return what people choose next. They may dispute the last rounds, or
    take back what they entered last; the match then resumes if that changed it."""
    while True:
        result = match.play()
        sentence = verdicts.result_sentence(result, match.names)
        view = MatchResult(
            match.players(),
            result,
            sentence,
            can_undo=match.can_undo and not match.quiet,
            proof_code="" if match.output.for_children else match.proof_code,
            match_number=match.number,
            tournament=match.tournament,
            in_hall=match.in_hall,
            deciding=None if match.output.for_children else match.deciding_round(),
        )
        if not options.people_answer:
            display.show(view)
            return None
        if match.quiet:
            return display.ask(view)
        seconds = DEMO_RESULT_S if options.demo else None
        has_awards = not options.demo and not match.output.for_children and offers_awards(options.journal)
        can_take_home = view.deciding is not None and match.output.can_share
        view = replace(
            view,
            seconds_left=seconds,
            can_dispute=match.can_dispute,
            has_awards=has_awards,
            can_take_home=can_take_home,
        )
        while (chosen := display.ask(view)) in (AWARDS_ANSWER, TAKE_HOME_ANSWER):
            if chosen == TAKE_HOME_ANSWER:
                match.until_pause(match.take_clip_home)
            else:
                open_awards(display, options.journal)
        if chosen == UNDO_ANSWER:
            match.until_pause(match.undo)
        elif chosen == DISPUTE_ANSWER:
            match.until_pause(match.dispute)
        else:
            return chosen


def runner_on(display: Display, clock: Clock, services: Services | None = None) -> RunMatch:
    """Return what plays a match on ``display``."""
    return lambda options, config, assign_seats: run_match(
        options, config, lambda: display, clock, assign_seats, services
    )


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
