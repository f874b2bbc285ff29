"""Every page of the screen with sample data as PNG images, at both panels' sizes and a larger one:
``python -m tools.gallery DIR``."""

import sys
from pathlib import Path

from ui.screen.core.page_stack import Page
from ui.screen.core.png_display import PANEL_SIZES, render_image, save_png
from ui.screen.pages.attract import samples as attract_samples
from ui.screen.pages.board import samples as board_samples
from ui.screen.pages.calculator import samples as calculator_samples
from ui.screen.pages.classroom import samples as classroom_samples
from ui.screen.pages.countdown import samples as countdown_samples
from ui.screen.pages.dispute import samples as dispute_samples
from ui.screen.pages.group_question import samples as group_question_samples
from ui.screen.pages.history import samples as history_samples
from ui.screen.pages.home import samples as home_samples
from ui.screen.pages.message import samples as message_samples
from ui.screen.pages.network import samples as network_samples
from ui.screen.pages.notice import samples as notice_samples
from ui.screen.pages.practice import samples as practice_samples
from ui.screen.pages.printed_board import samples as printed_board_samples
from ui.screen.pages.question import samples as question_samples
from ui.screen.pages.result import samples as result_samples
from ui.screen.pages.reveal import samples as reveal_samples
from ui.screen.pages.seating import samples as seating_samples
from ui.screen.pages.settings import samples as settings_samples
from ui.screen.pages.views import View
from ui.screen.pages.zones import samples as zones_samples

PAGES = (
    attract_samples,
    board_samples,
    calculator_samples,
    classroom_samples,
    countdown_samples,
    dispute_samples,
    group_question_samples,
    history_samples,
    home_samples,
    message_samples,
    network_samples,
    notice_samples,
    practice_samples,
    printed_board_samples,
    question_samples,
    result_samples,
    reveal_samples,
    seating_samples,
    settings_samples,
    zones_samples,
)
LARGE = (1280, 720)
"""A larger screen than the two panels."""


def samples() -> dict[str, View | Page]:
    """Return every page's samples by name."""
    return {name: view for page in PAGES for name, view in page.samples().items()}


def main(directory: Path) -> None:
    """Write every sample at every size into ``directory``."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, view in samples().items():
        for width, height in (*PANEL_SIZES, LARGE):
            save_png(render_image(view, (width, height)), directory / f"{name}-{width}x{height}.png")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.gallery DIR")
    main(Path(sys.argv[1]))
