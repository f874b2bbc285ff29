"""The texts of a player's page."""

from messages import N
from ui.screen.pages.player.view import PlayerTab

TAB_LABELS = {
    PlayerTab.THROWS: N("Throws"),
    PlayerTab.HABITS: N("Habits"),
    PlayerTab.OPPONENTS: N("Opponents"),
}
NO_THROWS = N("No throw has counted yet.")
NO_OPPONENTS = N("No finished match with anybody else yet.")
