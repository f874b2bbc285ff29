"""Commands on matches that were played: review, export, import."""
