"""Everything people can answer, and the press that answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine import Seat, Value
from ui.screen.pages.dispute.view import AgreedCorrection
from ui.screen.pages.home.view import ChosenGame
from ui.screen.pages.seating.view import SeatingAnswer
from ui.screen.pages.settings.view import SettingsAnswer
from ui.screen.pages.zones.view import ZonesAnswer

Answer = ChosenGame | SeatingAnswer | SettingsAnswer | ZonesAnswer | AgreedCorrection | Value | Mapping[Seat, Value]
"""What a view is answered with."""


@dataclass(frozen=True)
class Reply:
    """Press: answer the view."""

    value: Answer
