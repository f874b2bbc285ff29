"""The texts of the pause page."""

from messages import N

PAUSE_LABEL = N("Pause")
PAUSED = N("Paused")
GO_ON = N("Go on")
THROW_CANCELLED = N("This throw doesn’t count. You throw again when you go on.")
HANDED_OVER_AGAIN = N("The screen is handed over again when you go on.")
TIME_STOPPED = N("The clock has stopped.")
UNDO_LABEL = N("Undo the last answers")
PHONES_LABEL = N("Play with phones")
RESTART_LABEL = N("Start this match again")
PLAYERS_LABEL = N("Who comes or goes")
END_GAME_LABEL = N("End the game")
LEAVE_LABEL = N("Leave")
LEAVE_TITLE = N("Leave the match?")
LEAVE_TEXT = N("It is saved. You can go on with it from the home page, or give it up now.")
LEAVE_TOURNAMENT_TEXT = N(
    "It is saved. You can go on with it from the tournament, or give it up now: then it is played again from the "
    "beginning."
)
LEAVE_FOR_NOW = N("Leave for now")
GIVE_UP = N("Give it up")
RESTART_TITLE = N("Start again from the beginning?")
RESTART_TEXT = N("The match so far is given up, and the same players start a new one.")
START_AGAIN = N("Start again")
STOP_PRACTICE = N("Stop practising")
STOP_FILMING = N("Stop filming")
BACK = N("Back")
