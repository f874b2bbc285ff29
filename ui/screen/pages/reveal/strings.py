"""What the reveal says."""

from ui.i18n.language import N

NO_THROW = N("NO THROW")
