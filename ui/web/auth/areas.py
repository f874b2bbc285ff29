"""The paths of the pages that have a login of their own, or none."""

import re

JOIN_PATH, PAD_PATH = "/join", "/pad"
"""Where phones log in, and their pages."""
TV_LOGIN_PATH, TV_PATH = "/tv", "/watch"
"""Where a second screen logs in, and its pages."""
CLIP_PATH = "/clip"
"""The path of shared clips; what follows is the clip's token."""
SHARED_CLIP = re.compile(rf"{CLIP_PATH}/[A-Za-z0-9_-]{{22}}(?:/file)?", re.ASCII)
"""The paths that a token opens without an access code: a clip's page and its file."""
