# `make demo` plays, `make test` tests, `make lint` checks style, types and layers; each sets up .venv by itself.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3 python3.14,$(shell $(p) -c 'import sys; print(sys.executable) if sys.version_info >= (3, 11) else None' 2>/dev/null)) python3)
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

# Tests start hundreds of processes, each of which would compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test slow-test lint catalogues lock audit aarch64-check wheel-test release camera-test box-test machine-test pi-test hall-demo hall-test fuzz
.PHONY: oldest-test run-oldest-test mutation soak bench pictures site clean

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard ui/i18n/languages/*.po))

demo: $(VENV)/installed $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	@$(BIN)/throwlock demo $(ARGS)

# Three processes, also on two cores: tests of servers and browsers wait for these more than they compute.
test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not slow" $(ARGS)

# The tests that take two seconds or more each, `make test` leaves them out: whole programs, real clips and pictures.
slow-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow $(ARGS)

# The tests of the hand model with the oldest packages a box installs, those of a Raspberry Pi 4: their numpy, OpenCV and
# mediapipe lack what newer ones have.
oldest-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	@if $(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then \
		$(MAKE) --no-print-directory run-oldest-test; \
		else echo "oldest-test is skipped: requirements/bookworm-pi-4.lock is for Python 3.11"; fi

run-oldest-test: build/oldest/installed
	PYTHONPATH=$(CURDIR)/build/oldest/packages $(BIN)/python -m pytest -n 2 --dist worksteal \
		tests/vision/hands $(ARGS)

build/oldest/installed: requirements/bookworm-pi-4.lock $(VENV)/installed
	@mkdir -p build/oldest
	$(call install,$(BIN)/python,$<) --target build/oldest/packages --upgrade 2>build/oldest/log || { cat build/oldest/log; exit 1; }
	@touch $@

bench: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	$(BIN)/python -m tools.bench.verdict $(ARGS)
	$(BIN)/python -m tools.bench.live
	-$(BIN)/python -m tools.bench.slow_processor
	$(BIN)/python -m tools.bench.review
	$(BIN)/python -m tools.bench.screen
	$(BIN)/python -m tools.bench.screen_pages
	$(BIN)/python -m tools.bench.cue
	$(BIN)/python -m tools.bench.speech
	$(BIN)/python -m tools.bench.cards
	$(BIN)/python -m tools.bench.classroom
	$(BIN)/python -m tools.bench.perft
	$(BIN)/python -m tools.bench.journal
	$(BIN)/python -m tools.bench.resume
	$(BIN)/python -m tools.bench.hall --short
	$(BIN)/python -m tools.bench.startup

# A thousand matches in one process, then a thousand with kills, clock jumps and disk errors: measurements/2026-11/soak-test.md. Or as
# in MATCHES=100 ARGS="--seed 7 --minutes 30".
MATCHES ?= 1000

soak: $(VENV)/tested $(CATALOGUES)
	$(BIN)/python -m tools.soak --matches $(MATCHES)
	$(BIN)/python -m tools.soak.faults --matches $(MATCHES) $(ARGS)

# A whole hall on this machine: a broker, a database, a hub, eight simulated boxes and a Swiss of sixteen players. Needs
# Debian's packages mosquitto and postgresql.
hall-demo: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m tools.hall.demo $(ARGS)

# A hall whose broker, database, hubs and network fail under load: measurements/2026-11/hall-load.md. Five minutes.
hall-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m tools.hall.faults $(ARGS)

# Format, style, types and layers.
lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.old_browsers

# Translations as the program reads them. Installing compiles them too.
catalogues: $(CATALOGUES)

%.mo: %.po | $(VENV)/installed
	@$(BIN)/python hatch_build.py $<

# Write the locks anew: exactly what is installed, with hashes, for both processors. Versions change only if they have
# to; ARGS=--upgrade takes the newest that pyproject.toml allows. Only wheels, so that installing runs nobody's code.
LOCK_TOOL = build/lock/bin/uv pip compile --quiet --generate-hashes --no-build --custom-compile-command 'make lock' $(ARGS)
LOCK = $(LOCK_TOOL) --extra setup pyproject.toml
BOX = $(LOCK) --python-platform aarch64-manylinux_2_36

lock:
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.13,<0.14'
	$(LOCK) --universal --python-version 3.11 --extra simulated --extra parquet --extra hub --extra test \
		-o requirements/test.lock
	$(LOCK) --universal --python-version 3.11 --extra simulated -o requirements/demo.lock
	$(LOCK) --universal --python-version 3.11 --extra hub -o requirements/hub.lock
	echo 'mutmut>=3.8,<4' | $(LOCK_TOOL) --universal --python-version 3.11 -c requirements/test.lock \
		-o requirements/mutation.txt -
	echo 'cyclonedx-bom>=7,<8' | $(LOCK_TOOL) --universal --python-version 3.11 -o requirements/release.txt -
	printf '%s\n' 'mkdocs-material>=9.7,<10' 'mkdocstrings[python]>=1,<2' 'mkdocs-click>=0.9,<1' \
		'axe-playwright-python>=0.1.8,<0.2' | \
		$(LOCK_TOOL) --universal --python-version 3.11 -c requirements/test.lock \
		$(patsubst %,--no-emit-package %,playwright greenlet) -o requirements/site.txt -
	$(BOX) --python-version 3.11 -c requirements/bookworm.in -o requirements/bookworm.lock
	$(BOX) --python-version 3.11 -c requirements/bookworm.in --override requirements/bookworm-pi-4.in \
		-o requirements/bookworm-pi-4.lock
	$(BOX) --python-version 3.13 -c requirements/trixie.in -o requirements/trixie.lock
	@for lock in requirements/*.lock; do \
		python=3.11; case "$$lock" in */trixie.lock) python=3.13 ;; esac; \
		build/lock/bin/uv pip compile --quiet --universal --python-version "$$python" --no-deps --no-build \
			--format pylock.toml -o "build/lock/pylock.$$(basename "$$lock" .lock).toml" "$$lock" || exit 1; \
	done
	@build/lock/bin/python -m tools.lock_ages build/lock/pylock.*.toml

# Has a version in a lock a known vulnerability? pip-audit has an environment of its own, made with the pip of the lock.
audit: $(VENV)/installed
	@$(PYTHON) -m venv --without-pip build/audit
	@$(BIN)/python -m pip --python build/audit install --quiet --disable-pip-version-check 'pip-audit>=2.10,<3'
	@$(BIN)/python -m tools.audit $(ARGS)

# Can a Raspberry Pi install the locks? Downloads what it would, for each board and system; needs no Pi.
aarch64-check: $(VENV)/installed
	@$(BIN)/python -m tools.aarch64_wheels

# The wheel in an environment of its own, with no checkout around: the demo plays from it.
wheel-test: $(VENV)/tested
	rm -rf build/wheel-test
	$(BIN)/python -m hatchling build -t wheel -d build/wheel-test
	$(PYTHON) -m venv build/wheel-test/venv
	$(call install,build/wheel-test/venv/bin/python,requirements/demo.lock)
	build/wheel-test/venv/bin/python -m pip install --quiet --disable-pip-version-check \
		"$$(ls build/wheel-test/*.whl)[simulated]"
	mkdir build/wheel-test/empty
	cd build/wheel-test/empty && ../venv/bin/throwlock demo --headless --seed 1
	cd build/wheel-test/empty && ../venv/bin/throwlock verify throwlock-demo/demo.journal

# Everything that a release publishes, in dist/: built twice and compared, installed, played with. CONTRIBUTING.md says how
# a release is made.
release: $(VENV)/installed build/release/tools/installed
	@$(BIN)/python -m vision.hands.model
	@$(BIN)/python -m tools.release

build/release/tools/installed: requirements/release.txt
	@$(PYTHON) -m venv build/release/tools
	$(call install,build/release/tools/bin/python,$<)
	@touch $@

# Runs the picamera2 adapter on the real library over libcamera's virtual camera; needs root, debootstrap and gcc.
camera-test:
	@tests/real_camera/run $(ARGS)

# The installed box in a booted Debian: its installer, its unit, whole matches and faults; needs root and debootstrap.
box-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	@tests/box/run $(ARGS)

# The installed box as a whole machine in QEMU: screen, touch, buttons, lights, power cuts; needs root and debootstrap:
# docs/machine-test.md. Every scenario with ARGS=--long, on 64-bit ARM with ARGS=--arm64.
machine-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	@tests/machine/run $(ARGS)

# The box's programs on emulated processors of Raspberry Pis, with the packages of their locks; needs root, debootstrap and
# binfmt_misc: docs/pi-test.md. Some checks of one board: as in BOARD=pi-4 ARGS="judge imports".
pi-test: $(VENV)/tested $(CATALOGUES)
	@$(BIN)/python -m vision.hands.model
	@tests/pi/run $(ARGS)

# Fuzz import, engine, notation, cards and recordings, a minute each, or as in ARGS="engine --minutes 5 --seed 1":
# measurements/2026-11/fuzzing.md.
fuzz: $(VENV)/tested build/fuzz/installed $(CATALOGUES)
	@PYTHONPATH=$(CURDIR)/build/fuzz/packages $(BIN)/python -m tools.fuzz $(ARGS)

build/fuzz/installed: requirements/fuzz.txt $(VENV)/installed
	@$(BIN)/python -m pip install -qqq --disable-pip-version-check --require-hashes --only-binary :all: --upgrade \
		--target build/fuzz/packages --requirement $< || \
		{ echo "atheris can't be installed: it has wheels only for Linux on x86-64 and Python 3.11 to 3.14"; exit 1; }
	@touch $@

# Do the tests notice a changed line of the rules, the lock or the journal? Some of them, as in ARGS="rules.tr.*", or all
# in a night: measurements/2026-11/mutation-testing.md.
mutation: $(VENV)/tested build/mutation/installed $(CATALOGUES)
	@PYTHONPATH=$(CURDIR)/build/mutation/packages $(BIN)/python -m mutmut run $(ARGS)

build/mutation/installed: requirements/mutation.txt $(VENV)/installed
	$(call install,$(BIN)/python,$<) --target build/mutation/packages --upgrade
	@touch $@

# The screens as pictures, as the README shows them.
pictures: $(VENV)/installed $(CATALOGUES)
	$(BIN)/python -m tools.gallery build/pictures
	$(BIN)/python -m tools.docs.round_animation docs/pictures/round.webp

# The documents as a site, in build/site/html. A link or an anchor that leads nowhere ends it.
site: $(VENV)/installed build/site/installed $(CATALOGUES)
	@$(BIN)/python -m tools.docs.site build/site/pages
	@PYTHONPATH=$(CURDIR)/build/site/packages:$(CURDIR) NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The site begins at build/site/html/index.html"

build/site/installed: requirements/site.txt $(VENV)/installed
	$(call install,$(BIN)/python,$<) --no-deps --target build/site/packages --upgrade
	@touch $@

# Install what a lock names into the environment of a Python, and check its hashes.
install = @$(1) -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement $(2)
# Install this checkout itself, with the build backend of the lock.
editable = @$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

$(VENV)/installed: pyproject.toml requirements/demo.lock
	@$(PYTHON) throwlock/cli/doctor/system_packages.py
	@echo "Setting up $(VENV) (once, a minute or two) …"
	@$(PYTHON) -m venv $(VENV)
	$(call install,$(BIN)/python,requirements/demo.lock)
	$(editable)
	@touch $@

$(VENV)/tested: $(VENV)/installed requirements/test.lock
	$(call install,$(BIN)/python,requirements/test.lock)
	@touch $@

clean:
	rm -rf $(VENV) build dist throwlock-demo
