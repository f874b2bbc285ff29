"""What measures, trains or draws documents; not part of the installed package."""
