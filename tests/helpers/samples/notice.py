"""Samples of notices: errors with what can be done about them, and a question."""

from throwlock.first_start import CAMERA, SET_UP, SKIP, SKIP_ALL
from ui.screen.pages.notice import Notice
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    without = ("try again", "play without the camera", "home")
    camera = "No camera usb:0: plug one in"
    model = "The hand model can’t be fetched (no network): connect this machine once, then start again"
    journal = "/home/throwlock/.local/share/throwlock/throwlock.journal"
    broken = f"{journal} is damaged (file is not a database). You can start a new journal; this one is kept."
    return {
        "notice-question": Notice("Zones", "How many will sit at the table?", (*"2345678", "back")),
        "notice": Notice(
            "The camera is gone",
            "The USB camera 0 stopped sending pictures. Plug it in again, then touch “try again”; the match goes on "
            "where it was.",
            ("try again", "leave"),
        ),
        "notice-keep": Notice(
            "Keep this?",
            "The screen is rotated. Without an answer it turns back.",
            ("keep it", "turn it back"),
            seconds_left=12,
        ),
        "notice-first-start": Notice(
            "2/6 · Camera",
            CAMERA[1],
            (SET_UP, SKIP, SKIP_ALL),
            icon="paper",
        ),
        "notice-camera": Notice("The camera", camera, without),
        "notice-model": Notice("The hand model", model, without),
        "notice-disk": Notice("The journal", f"The disk of {journal} is full: free some space", ("try again", "home")),
        "notice-journal": Notice("The journal", broken, ("try again", "begin a new journal", "home")),
    }
