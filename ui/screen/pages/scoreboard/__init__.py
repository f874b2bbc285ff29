"""How things stand, drawn on several pages."""
