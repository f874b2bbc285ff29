"""People at the home page, by a script, and the session they are in."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig
from throwlock.session import AssignSeats
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.home import ChosenGame

CLASSIC = ChosenGame("classic", 2, {"best_of": 1})


class People:
    """A display whose people answer each kind of view with a value, the next of a list, or a function's result. When a
    list is used up, they close the window."""

    def __init__(self, answers: dict[type, Any]) -> None:
        self.answers = answers
        self.seen: list[Any] = []

    def show(self, view: Any) -> None:
        self.seen.append(view)

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        answer = self.answers.get(type(view))
        if isinstance(answer, list):
            if not answer:
                raise WindowClosedError
            answer = answer.pop(0)
        return answer(view) if callable(answer) else answer

    def of(self, kind: type) -> list[Any]:
        return [view for view in self.seen if isinstance(view, kind)]


def make_session(
    people: People, tmp_path: Path, run_one: Callable[..., object], names: Sequence[str] = (), **options: Any
) -> list[MatchConfig]:
    """Run a session until the window is closed; return the matches that began."""
    began: list[MatchConfig] = []

    def recording_run_match(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        began.append(config)
        return run_one(options, config, assign_seats)

    launch = LaunchOptions(tmp_path / "session.journal", options.pop("camera", "usb:0"), **options)
    with pytest.raises(WindowClosedError):
        GameSession(launch, people, recording_run_match, names, 0).run(None)
    return began
