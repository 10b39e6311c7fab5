# `make run` on a fresh machine is all it takes; `make` alone lists the rest.

MINEBOT := .venv/bin/minebot
PYTHON := .venv/bin/python

# Where Windows' Python is laid out (2 GB), once a machine.
WINDOWS_PYTHON ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/minebot/windows-python

.DEFAULT_GOAL := help
.PHONY: help install install-test compiled run test test-windows test-all fuzz check lint pin soak themes train recordings picture docs benchmarks clean

help: ## list these
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## install minebot into .venv, and the system packages that are missing
	@./install.sh

install-test:
	@./install.sh --test

# The user's own display, else a virtual one of ours, else no window at all: pixels drawn in memory.
run: install ## play three beginner games in the built-in window
	@if ! $(MINEBOT) doctor --only opencv >/dev/null; then $(MINEBOT) doctor --only opencv; exit 1; fi; \
	how=; \
	if ! $(MINEBOT) doctor --only tkinter --only display >/dev/null; then \
	    how=--headless; \
	    if ! $(MINEBOT) doctor --only tkinter --only virtual-screen; then \
	        how=--virtual; \
	        echo "No window can be had here (see above): playing the same window drawn in memory (--virtual)."; \
	    fi; \
	fi >&2; \
	exec $(MINEBOT) run --practice $$how --games 3

# The solver compiles itself once for each version of its sources: before the tests, whose limits are for what is
# compiled.
compiled: install-test
	@$(PYTHON) -m tests.compiled

test: install-test ## run every test, real windows included
	@$(PYTHON) -m tests.everything

test-windows: install-test ## run the tests and play live games under Windows' Python, with Wine: 20 minutes to an hour
	tests/windows_python/layout/lay_out.sh $(WINDOWS_PYTHON)
	$(PYTHON) -m tests.windows_python $(WINDOWS_PYTHON)

fuzz: compiled ## try 2,000 odd inputs and 100 kills: what is taken badly, and what is left behind
	$(PYTHON) -m tests.fuzz
	$(PYTHON) -m tests.kills 100

test-all: test fuzz ## run what make test runs, and what takes long
	$(PYTHON) -m pytest -n auto --dist worksteal -m sweep
	$(MAKE) test-windows

check: lint compiled ## ruff, mypy and the quick tests without windows: under a minute
	$(PYTHON) -m pytest -q -n auto --dist worksteal -m "not windows and not slow and not sweep"

# What Windows runs is checked beside the rest, as Windows sees it.
lint: install-test ## ruff and mypy
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy --platform win32 --cache-dir .mypy_cache/win32 bot & windows=$$!; \
	$(PYTHON) -m mypy; here=$$?; wait $$windows && exit $$here

pin: install-test ## check that reading and playing are what they were (tests/pin)
	@$(PYTHON) -m tests.pin check

soak: compiled ## play 1,000 games on real windows, and let things happen to them: hours, resumable
	$(PYTHON) -m tests.soak

themes: install-test ## cut the pictures of templates/ from running windows again, and draw the others
	$(PYTHON) -m theming.cut
	$(PYTHON) -m theming.draw_themes

train: install-test ## make the learned weights again from nothing, into build/training: two hours of one core
	$(PYTHON) -m training.train --out build/training

recordings: install-test ## play the games of recordings/ again, on real windows
	PYTHONPATH=. $(PYTHON) tests/windows/ship_recordings.py

picture: install ## draw the pictures of the README and of docs/ again
	$(MINEBOT) replay winmine-expert-won --show 24 --out docs/pictures/at_work.png
	$(MINEBOT) replay winmine-expert-won --gif docs/pictures/at_work.gif --no-overlay --speed 0.25
	$(PYTHON) docs/draw_pictures.py
	$(PYTHON) docs/draw_strength.py

docs: install ## build the pages of docs/ into build/docs
	@$(PYTHON) -m pip install --disable-pip-version-check -q -e '.[docs]'
	$(PYTHON) docs/write_options.py --check
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build

benchmarks: install-test ## time what has to be fast
	@for script in benchmarks/*.py; do echo "$$script"; $(PYTHON) $$script || exit 1; done

clean: ## remove .venv and all that was made by running
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
