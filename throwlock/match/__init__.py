"""A match while it is played: prompts, pause, disputes, practice, slow motion."""
