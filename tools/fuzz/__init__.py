"""Coverage-guided fuzzing with atheris: ``make fuzz``; see docs/fuzzing.md."""
