"""Explains a match's game to the people who play it, as they play it: with hands, with cards, or on the screen."""

from throwlock.house_rules import HouseRules, ThrowWith
from throwlock.replay.config import MatchConfig
from throwlock.table_setup.cameras import CameraKind
from ui.screen.pages.how_to_play import HowToPlayPage, ThrowMethod, ThrowSetting, explain_class, explain_game
from ui.screen.views import Press


def throw_setting(camera: str, house_rules: HouseRules) -> ThrowSetting:
    """Return how people throw at a ``camera``."""
    method = ThrowMethod.CARDS if house_rules.throw_with is ThrowWith.CARDS else ThrowMethod.HANDS
    if camera == CameraKind.NONE:
        method = ThrowMethod.SCREEN
    return ThrowSetting(method, house_rules.window_ms, house_rules.card_window_ms)


def explain_match(config: MatchConfig, then: Press, *, in_class: bool = False) -> HowToPlayPage | None:
    """Return the page that explains a match's game and leads to ``then``; None if there is none."""
    if in_class:
        return explain_class(config.game, then)
    return explain_game(config.game, throw_setting(config.camera, config.house_rules), then)
