"""The headings of a class's figures: how many threw what, and what came of it."""

from messages import N
from ui.screen.pages.fact_words import OUTCOME_WORDS

FIGURE_HEADINGS = (N("Throw"), N("Players"), *OUTCOME_WORDS.values())
