# `make demo` plays, `make test` tests, `make lint` checks style, types and layers; each sets up .venv by itself.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3 python3.14,$(shell $(p) -c 'import sys; print(sys.executable) if sys.version_info >= (3, 11) else None' 2>/dev/null)) python3)
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: demo test lint wheel-test camera-test bench pictures clean

demo: $(VENV)/installed
	@$(BIN)/python -m vision.hands.model
	@$(BIN)/throwlock demo $(ARGS)

test: $(VENV)/tested
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

bench: $(VENV)/tested
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m tools.bench.verdict $(ARGS)
	$(BIN)/python -m tools.bench.review
	$(BIN)/python -m tools.bench.screen
	$(BIN)/python -m tools.bench.cue
	$(BIN)/python -m tools.bench.cards
	$(BIN)/python -m tools.bench.classroom
	$(BIN)/python -m tools.bench.perft
	$(BIN)/python -m tools.bench.journal
	$(BIN)/python -m tools.bench.startup

# Format, style, types and layers.
lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# The wheel in an environment of its own, with no checkout around: the demo plays from it.
wheel-test: $(VENV)/tested
	rm -rf build/wheel-test
	$(BIN)/python -m hatchling build -t wheel -d build/wheel-test
	$(PYTHON) -m venv build/wheel-test/venv
	build/wheel-test/venv/bin/python -m pip install --quiet --disable-pip-version-check build/wheel-test/*.whl
	mkdir build/wheel-test/empty
	cd build/wheel-test/empty && ../venv/bin/throwlock demo --headless --seed 1
	cd build/wheel-test/empty && ../venv/bin/throwlock verify throwlock-demo/demo.journal

# Runs the picamera2 adapter on the real library over libcamera's virtual camera; needs root, debootstrap and gcc.
camera-test:
	@tests/real_camera/run $(ARGS)

# The screens as pictures, as the README shows them.
pictures: $(VENV)/installed
	$(BIN)/python -m tools.gallery build/pictures
	$(BIN)/python -m tools.docs.round_animation docs/pictures/round.webp

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
