"""The scoreboard, drawn on several pages."""
