"""What people see."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting does not belong on our terminal
