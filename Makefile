# Throwlock: `make demo` plays, `make test` tests; each does all its own set-up in .venv.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3 python3.14,$(shell $(p) -c 'import sys; print(sys.executable) if sys.version_info >= (3, 11) else None' 2>/dev/null)) python3)
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: demo test lint bench pictures clean

demo: $(VENV)/installed
	@$(BIN)/python -m vision.hands.model
	@$(BIN)/throwlock demo $(ARGS)

test: $(VENV)/tested
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

bench: $(VENV)/installed
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m tools.bench.verdict $(ARGS)
	$(BIN)/python -m tools.bench.review
	$(BIN)/python -m tools.bench.screen
	$(BIN)/python -m tools.bench.cue
	$(BIN)/python -m tools.bench.cards
	$(BIN)/python -m tools.bench.classroom
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m tools.bench.perft

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The screens as pictures, as the README shows them.
pictures: $(VENV)/installed
	$(BIN)/python -m tools.gallery.gallery build/pictures

$(VENV)/installed: pyproject.toml
	@$(PYTHON) throwlock/cli/doctor/system_packages.py
	@echo "Setting up $(VENV) (once, a minute or two) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/tested: $(VENV)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) build dist throwlock-demo
