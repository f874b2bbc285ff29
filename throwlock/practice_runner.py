"""Runs practice at a camera: finds the zone, then plays against the box."""

from collections.abc import Callable
from functools import partial

from device.camera.base import CameraError
from device.system.clock import Clock, MonotonicClock
from messages import N, capitalise
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match.explanation import throw_setting
from throwlock.match.pause import pause_page
from throwlock.match.practice import PRACTICE_GAME, Commitment, PracticeSession, commit
from throwlock.replay.config import MatchConfig
from throwlock.session import Services, open_session
from ui.screen.core.display import Display
from ui.screen.pages.countdown import Preparing
from ui.screen.pages.how_to_play import explain_practice
from ui.screen.pages.notice import Notice
from ui.screen.pages.practice import TITLE, PracticeScore
from ui.text.verdicts import YOU
from vision.hands.model import ModelError
from vision.zones import ZoneError


def run_practice(
    options: LaunchOptions,
    display: Display,
    clock: Clock,
    seed: int = 0,
    draw: Callable[[], Commitment] = commit,
    services: Services | None = None,
) -> PracticeScore:
    """Practise at the camera of ``options`` until people stop, and return the score.

    If the zone is not known, it is set up first. At a simulated table a simulated player throws.

    Raises:
        CameraError: The camera does not run, or is a clip.
        ZoneError: The options' zones are not zones.
        ModelError: There is no hand model.
        WindowClosedError: People closed the window.
    """
    if options.camera.startswith("clip:"):
        raise CameraError(
            N("a clip shows the same throw every time, so nobody can practise with it: use another camera")
        )
    display.show(Preparing(TITLE))
    rules = HouseRules(**options.settings.rules.model_dump())
    config = MatchConfig(PRACTICE_GAME, (str(YOU),), rules, seed, options.camera)
    with open_session(options, config, lambda: display, clock, services=services, journaled=False) as session:
        explain = partial(explain_practice, throw_setting(options.camera, rules))
        session.display.menu = partial(pause_page, explain=explain)
        return PracticeSession(session.source, session.display, clock, session.sound, draw, explain).play()


def practise_from_home(options: LaunchOptions, display: Display, seed: int, services: Services) -> None:
    """Practise from the home page; show any error on the screen. Raises WindowClosedError."""
    try:
        run_practice(options, display, MonotonicClock(), seed, services=services)
    except (CameraError, ZoneError, ModelError) as error:
        display.ask(Notice(TITLE, capitalise(error.text)))
