"""Run ``throwlock`` as ``python -m throwlock``."""

from throwlock.cli.main import main

main()
