"""A view that waits for an answer, and its current page."""

from dataclasses import dataclass, field

from ui.screen.views import InteractiveView, Page, Press, Reply


@dataclass
class Dialogue:
    """A view that waits for an answer, and its current page."""

    view: InteractiveView
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = self.view.first_page()

    def press(self, target: Press) -> Reply | None:
        """Press a target of the page. Return the reply if it was one."""
        return self.go_to(self.page.press(target))

    def go_to(self, page: Press) -> Reply | None:
        """Go to a page, or return the reply if it is one."""
        if isinstance(page, Reply):
            return page
        self.page = page
        return None
