"""``python -m tools.soak``: see ``tools.soak.curve``."""

from tools.soak.curve import main

if __name__ == "__main__":
    main()
