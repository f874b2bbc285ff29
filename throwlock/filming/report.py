"""The report on filmed throws in words: as a page of the screen, and as the README of their folder."""

from throwlock.filming.folder import LABELS_FILE, REPORT_FILE, TAKES_FILE, FilmingFolder
from throwlock.filming.measurement import Counted, Report
from ui.screen.pages import filming as filming_page
from ui.screen.pages.filming import FilmingReport

README = """\
# Filmed throws

{hands} throws of {people}, filmed by a Throwlock box from above, with the players' consent (`consent.json`).
Nobody is named. `LICENSE` says who may use them: {licence}.

- `take-NN-A-seat-S.avi`: the zone of seat S in take NN, Motion JPEG; A tells a take that was filmed again from before.
- `{labels}`: what people marked in each clip, in frames from 0: the first frame in which the shape begins to form, the
  first in which it is complete, and the last in which it is held. Of a rock, the first two are the frame in which the
  fist comes to rest. `kind` is *throw*, *none* (none of the three) or *unsure*.
- `{takes}`: what was agreed for each take, and when each frame was exposed, in ms after the cue.
- `{report}`: what the box read of each clip.

| compared with the marks | |
| --- | --- |
{rows}

Between two frames are {frame_ms:.0f} ms; marks by eye are no finer than that.
"""


def report_rows(report: Report) -> tuple[tuple[str, str, bool | None], ...]:
    """Return the table: what was measured, in words, and whether that is as it should be (None: there is no bound)."""

    def row(name: str, counted: Counted, is_good: bool) -> tuple[str, str, bool | None]:
        return name, filming_page.share_text(counted.count, counted.total), is_good if counted.total else None

    right, accused, caught = report.read_right, report.accused, report.caught
    return (
        row(filming_page.READ_RIGHT, right, right.count == right.total),
        row(filming_page.MISREAD, report.misread, report.misread.count == 0),
        (filming_page.HAND_TIME, filming_page.errors_text(report.errors_ms), None),
        (filming_page.DIFFERENCE, filming_page.errors_text(report.difference_errors_ms), None),
        row(filming_page.ACCUSED, accused, accused.count == 0),
        row(filming_page.CAUGHT, caught, caught.count == caught.total),
    )


def report_page(folder: FilmingFolder, report: Report) -> FilmingReport:
    """Return the report as a page."""
    note = filming_page.frame_note(report.frame_ms) if report.takes else filming_page.NOTHING_MARKED
    return FilmingReport(report_rows(report), note, str(folder.path))


def readme_text(folder: FilmingFolder, report: Report) -> str:
    """Return the folder's README, in English."""
    people = len(folder.consent.seats)
    return README.format(
        hands=sum(len(take.hands) for take in folder.takes),
        people="one person" if people == 1 else f"{people} people",
        licence=folder.consent.licence,
        labels=LABELS_FILE,
        takes=TAKES_FILE,
        report=REPORT_FILE,
        rows="\n".join(f"| {name} | {value} |" for name, value, _ in report_rows(report)),
        frame_ms=report.frame_ms,
    )
