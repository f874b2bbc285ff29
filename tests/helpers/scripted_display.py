"""Displays whose people answer by a script: with values, or by touching the targets with certain labels."""

from collections.abc import Callable
from typing import Any

from device.camera.frames import Size
from tests.helpers.page_rules import drawn
from ui.screen.core.display import NullDisplay, WindowClosedError
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.canvas import Canvas
from ui.screen.views import Answer, InteractiveView, Reply

Touch = Callable[[Any], Answer]


class ScriptedDisplay(NullDisplay):
    """Gives the next of ``answers`` to each view, a value or a function of the view, and keeps the views."""

    def __init__(self, *answers: Answer | Touch) -> None:
        self.answers = list(answers)
        self.seen: list[Any] = []

    def ask(self, view: InteractiveView) -> Answer:
        self.seen.append(view)
        answer = self.answers.pop(0)
        return answer(view) if callable(answer) else answer


def touch_labels(
    view: InteractiveView,
    labels: list[str],
    size: Size = PANEL_SIZES[0],
    on_page: Callable[[Canvas], None] = lambda canvas: None,
) -> Answer:
    """Touch the targets with the next of ``labels``, which are used up, until a page replies. Raises WindowClosedError
    where there is no label left or nothing to touch."""
    page = view.first_page()
    while True:
        canvas = drawn(page, size)
        on_page(canvas)
        if not labels or not canvas.targets:
            raise WindowClosedError
        label = labels.pop(0)
        target = next((target for target in canvas.targets if target.label == label), None)
        assert target is not None, f"no {label!r} among {[target.label for target in canvas.targets]}"
        answer = page.press(target.press)
        if isinstance(answer, Reply):
            return answer.value
        page = answer
