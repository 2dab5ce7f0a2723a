# The commands of the project; `make help` lists them.
#
# The environment is .venv, made with the first suitable Python. To choose one yourself:
#     make test PYTHON=python3.13

PYTHON ?=
JOBS ?= auto

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
ENVIRONMENT := PYTHON='$(PYTHON)' sh .ci/environment

# Rings one and two, which do no I/O, and the rules alone (they are measured for coverage).
RULES := $(wildcard sorcel_pi/rules tests/rules)
PURE := $(RULES) $(wildcard sorcel_pi/table tests/table) tests/test_layers.py

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test test-kernel test-pico kicad quick lint soak bench pictures tune puzzles openings \
	engine-wheels clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

play:  ## set up what is needed and play on a board on the screen
	@$(ENVIRONMENT) runtime
	@$(BIN)/sorcel play

test: lint  ## set up what is needed and run the whole suite (at most 15 minutes on two cores)
	@bash .ci/system-packages
	$(PYTEST) -n $(JOBS) $(RULES) --cov --cov-report=term-missing
	$(PYTEST) -n $(JOBS) $(addprefix --ignore=,$(RULES))

test-kernel:  ## only the drivers on a real kernel with simulated hardware (in a virtual machine)
	@$(ENVIRONMENT) test
	@bash .ci/system-packages
	$(PYTEST) -s -m kernel tests/kernel

kicad:  ## row boards of many sizes by KiCad's own checks (needs kicad-cli 9, which says if missing)
	@$(ENVIRONMENT) test
	$(BIN)/python -m tests.pack.kicad

test-pico:  ## only the firmware on an emulated Pico (needs Node.js, and SORCEL_PICO_UF2 to name MicroPython's UF2)
	@$(ENVIRONMENT) test
	@! command -v npm >/dev/null || npm ci --silent --no-audit --no-fund --prefix tests/pico/emulator
	$(PYTEST) -n $(JOBS) -m "pico and not slow" tests/pico

quick:  ## only the pure part: rules, table, layers (at most 60 seconds)
	@$(ENVIRONMENT) test
	$(PYTEST) -n $(JOBS) $(PURE)

lint:  ## ruff (lint and format) and mypy --strict
	@$(ENVIRONMENT) test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict

soak:  ## the slow tests, and the property tests with many more examples
	@$(ENVIRONMENT) test
	HYPOTHESIS_PROFILE=soak $(PYTEST) -n $(JOBS) -m "slow or hypothesis"

bench:  ## measure the speed of the rules beside python-chess
	@$(ENVIRONMENT) test
	$(BIN)/python -m tests.bench

pictures:  ## take the pictures of the page in docs/pictures and print the rules anew, in a browser
	@$(ENVIRONMENT) test
	SORCEL_SHOTS=build/shots $(PYTEST) tests/web -k "pictures_of_the_readme or rules_are_printed"
	cp build/shots/page.png build/shots/page-phone.png docs/pictures
	cp build/shots/sorcel-rules-*.pdf sorcel_pi/rulebook

# The tools below think with the engine in C, which they find beside its source.
ENGINE := PYTHONPATH=engine $(BIN)/python -m
WHEELS := linux-x86_64 linux-aarch64 linux-armv7 musl-x86_64 musl-aarch64 macos-x86_64 macos-arm64 windows-amd64

engine/sorcel_engine/libsorcel_engine.so: engine/sorcel_engine/engine.c
	cc -std=c11 -O3 -shared -fPIC -fvisibility=hidden -Wall -Wextra -o $@ $<

tune: engine/sorcel_engine/libsorcel_engine.so  ## learn new weights of the engine by self-play; taken only if they gain
	@$(ENVIRONMENT) test
	$(ENGINE) tests.engine.tune

puzzles: engine/sorcel_engine/libsorcel_engine.so  ## make the engine's puzzles anew, from its games
	@$(ENVIRONMENT) test
	$(ENGINE) tests.engine.mine puzzles

openings: engine/sorcel_engine/libsorcel_engine.so  ## make the engine's fair first turns anew, from its games
	@$(ENVIRONMENT) test
	$(ENGINE) tests.engine.mine openings

engine-wheels:  ## build the wheels of the engine in C for all machines (with ziglang, 411 MB)
	@test -d .venv-wheels || $(BIN)/python -m venv .venv-wheels
	.venv-wheels/bin/pip install --quiet "build>=1.2" "hatchling>=1.26" "ziglang>=0.13"
	for target in $(WHEELS); do \
		SORCEL_ENGINE_TARGET=$$target .venv-wheels/bin/python -m build --wheel --no-isolation \
			--outdir build/wheels engine || exit 1; \
	done

clean:  ## remove the environment and everything that was made
	rm -rf .venv .venv-wheels engine/sorcel_engine/*.so .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find sorcel_pi tests -name __pycache__ -type d -prune -exec rm -rf {} +
