"""Run ``throwlock`` as ``python -m throwlock``."""

from throwlock.cli.start import main

main()
