"""The texts of the reveal."""

from ui.i18n.language import N

NO_THROW = N("NO THROW")
