"""The texts of filming agreed throws."""

import statistics
from collections.abc import Mapping, Sequence

from messages import N
from rules.engine import Seat
from ui.i18n.language import ngettext, t
from ui.screen.pages.filming.view import Agreement, FilmingMenu, FilmingStep, ThrowCall
from ui.text.verdicts import COUNT_WORDS

TITLE = N("Film throws")
INTRODUCTION = N(
    "In ten minutes: throw on the count, mark in the images when each hand showed, and see how right the box is at "
    "your table."
)
STEP_NAMES = {
    FilmingStep.AGREE: N("Agree"),
    FilmingStep.FILM: N("Film"),
    FilmingStep.LABEL: N("Mark"),
    FilmingStep.MEASURE: N("Compare"),
}
STEP_DETAILS = {
    FilmingStep.AGREE: N("what is filmed, and what for"),
    FilmingStep.FILM: N("agreed throws on the count"),
    FilmingStep.LABEL: N("when each hand showed, frame by frame"),
    FilmingStep.MEASURE: N("what the box reads, with your marks"),
}
STEP_ICONS = {
    FilmingStep.AGREE: "shield",
    FilmingStep.FILM: "eye",
    FilmingStep.LABEL: "pencil",
    FilmingStep.MEASURE: "sums",
}
NEW = N("New filming")
DELETE = N("Delete everything")
BACK, GO_ON, STOP, SKIP = N("Back"), N("Go on"), N("Stop for now"), N("Skip")
CONSENT_TITLE = N("Before you are filmed")
FILMED = N("Only your zones are filmed, while you throw: hands and arms, no sound. Keep faces out of them.")
KEPT = N("The clips stay on this box, in {folder}. Your names are not stored.")
NOTHING_SENT = N("Nothing is sent. Whoever owns the box can give the folder to the Throwlock project by hand.")
DELETED = N("“Delete everything” deletes the clips for good, at any time, except copies given away before.")
GUARDIANS = N("For a player under age, a parent or guardian agrees. Whoever doesn’t agree is not filmed.")
LICENCE_TITLE = N("Who may use the clips?")
PUBLIC = N("Everybody")
PUBLIC_DETAIL = N("Public domain (CC0): anybody may use, change and publish them. That can’t be taken back.")
PROJECT = N("Only Throwlock")
PROJECT_DETAIL = N("To test and improve this project, not to be published or passed on.")
AGREEMENT_TITLE = N("Does everybody agree?")
TOUCH_YOUR_FIELD = N("Touch your field.")
AGREE = N("I agree")
GUARDIAN_AGREES = N("I’m under age: my guardian agrees")
DISAGREE = N("No, don’t film me")
FILM_IT = N("Film it")
FILM_AGAIN = N("Film the last one again")
FIRST_TAKE = N("A fist on every word, your throw on {call} Then hold still for two seconds.", call=COUNT_WORDS[-1])
REPORT_TITLE = N("How right the box was")
NOTHING_MARKED = N("Nothing is marked that could be compared.")
READ_RIGHT, MISREAD = N("Read as you marked it"), N("Read as another throw")
HAND_TIME, DIFFERENCE = N("Time of a hand"), N("Time between two hands")
ACCUSED, CAUGHT = N("Honest, yet accused"), N("Late on your marks, and found")


def step_state(menu: FilmingMenu, step: FilmingStep) -> str:
    """How far a step is."""
    progress = menu.progress[step]
    if not progress.done:
        return t(STEP_DETAILS[step])
    match step:
        case FilmingStep.AGREE:
            return ngettext("{count} player has agreed", "{count} players have agreed", progress.done)
        case FilmingStep.FILM:
            return t("{done} of {total} filmed", done=progress.done, total=progress.total)
        case FilmingStep.LABEL:
            return t("{done} of {total} hands marked", done=progress.done, total=progress.total)
        case FilmingStep.MEASURE:
            return t("done")


def size_text(menu: FilmingMenu) -> str:
    """How much has been filmed, and where it is."""
    return t("{size} MB in {folder}", size=menu.size_mb, folder=menu.folder)


def consent_lines(folder: str) -> tuple[tuple[str, str], ...]:
    """What players agree to: an icon and a sentence each."""
    return (
        ("frame", FILMED),
        ("level", N(KEPT, folder=folder)),
        ("shield", NOTHING_SENT),
        ("erase", DELETED),
        ("heart", GUARDIANS),
    )


def consent_text(folder: str, public: bool) -> str:
    """Everything that players agree to as one text, in the language on the screen."""
    sentences = [t(sentence) for _, sentence in consent_lines(folder)]
    sentences.append(f"{t(LICENCE_TITLE)} {t(PUBLIC if public else PROJECT)}: {t(licence_detail(public))}")
    return " ".join(sentences)


def licence_detail(public: bool) -> str:
    """What the chosen licence means."""
    return PUBLIC_DETAIL if public else PROJECT_DETAIL


def agreement_state(answers: Mapping[Seat, Agreement | None], seat: Seat) -> str:
    """A seat's answer in a word or two."""
    if seat not in answers:
        return t("not yet")
    return {None: t("not filmed"), "player": t("agrees"), "guardian": t("guardian agrees")}[answers[seat]]


def seat_question(player: str) -> str:
    """The question to one player."""
    return t("{player}: do you agree?", player=player)


def take_title(number: int, total: int) -> str:
    """Which throw is next."""
    return t("Throw {number} of {total}", number=number, total=total)


def call_hand(call: ThrowCall) -> str:
    """Which hand throws."""
    return t("left hand") if call.left_hand else t("right hand")


def call_time(call: ThrowCall) -> str:
    """When a player throws."""
    return (
        t("LATE: one beat after {call}", call=t(COUNT_WORDS[-1]))
        if call.late
        else t("on {call}", call=t(COUNT_WORDS[-1]))
    )


def share_text(count: int, total: int) -> str:
    """How many of how many; a dash where there are none."""
    return N("{count} of {total}", count=count, total=total) if total else "–"


def errors_text(errors_ms: Sequence[float]) -> str:
    """The median and the worst of errors in ms; a dash where there are none."""
    if not errors_ms:
        return "–"
    return N(
        "half within {median} ms, all within {worst} ms",
        median=round(statistics.median(errors_ms)),
        worst=round(max(errors_ms)),
    )


def frame_note(frame_ms: float) -> str:
    """How fine marks are."""
    return N("Between two frames are {ms} ms: marks by eye are no finer than that.", ms=round(frame_ms))
