"""Coverage-guided fuzzing with atheris: ``make fuzz``; see measurements/2026-11/fuzzing.md."""
