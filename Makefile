# `make play` and `make test` set up what they need, on any machine with Python 3.11 or newer. `make help` lists the rest.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
CODE := $(wildcard src tests tools bench examples hatch_build.py)
TYPED := $(wildcard src tests tools bench hatch_build.py)
LOWEST := .venv-lowest
# What runs without Node and a browser.
LIBRARY := $(filter-out tests/browser/ tests/translation/ tests/docs/,$(sort $(dir $(wildcard tests/*/test_*.py)))) \
	tests/test_cli.py tests/test_play.py tests/test_testing.py
LOCK := $(BIN)/uv pip compile --upgrade --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url

# Programs start in half the time from what Python has compiled once.
unexport PYTHONDONTWRITEBYTECODE

# The theme announces its successor at every build.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help play test test-lowest setup setup-play lint format types client docs rulings pictures strategies bench coverage lock clean python

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

play: setup-play ## set up, then play; what coach and review need comes afterwards, in the background
	@$(PYTHON) tools/setup.py --engine >/dev/null 2>&1 & exec $(BIN)/flip7 serve --open

test: setup ## set up, then lint, types, tests and docs
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(TYPED)
	$(BIN)/mkdocs build --strict
	$(BIN)/pytest

setup: python ## make or refresh .venv for development
	@$(PYTHON) tools/setup.py

setup-play: python
	@$(PYTHON) tools/setup.py --play

python:
	@test -n "$(PYTHON)" || { echo "flip7 needs Python 3.11 or newer, and there is none on the PATH;" \
		"install one, or name it: make PYTHON=/path/to/python3 play" >&2; exit 1; }

lint: setup ## find what ruff minds
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

format: setup ## lay the code out, and mend what ruff can mend
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

types: setup ## check the types
	$(BIN)/mypy $(TYPED)

client: setup ## build the browser client, if web/ has changed

docs: setup ## build the documentation into site/
	$(BIN)/mkdocs build --strict

strategies: setup ## train the nets of the strategies again, in some minutes
	$(BIN)/python -m flip7.strategy.training
	$(BIN)/python -m tools.ladder

rulings: setup ## write docs/rulings.md anew from the rulebook in the code
	$(BIN)/python -m tools.docs rulings

pictures: setup ## take the pictures of the documentation anew, and its samples of output
	$(BIN)/python -m tools.docs samples
	$(BIN)/python -m tools.pictures

bench: setup ## measure the speed
	$(BIN)/python -m bench

coverage: setup ## run the tests and show the lines they miss
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 0
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lock: setup ## pin the newest versions of all dependencies anew
	$(LOCK) pyproject.toml --all-extras --group dev --output-file requirements/dev.txt
	$(LOCK) pyproject.toml --extra server --group build --constraint requirements/dev.txt --output-file requirements/play.txt
	$(LOCK) pyproject.toml --extra sim --constraint requirements/dev.txt --output-file requirements/engine.txt
	$(LOCK) --group node --output-file requirements/node.txt

test-lowest: setup ## run the library's and the server's tests with the lowest versions that pyproject.toml allows
	rm -rf $(LOWEST)
	$(BIN)/uv venv --quiet --python 3.11 $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST) --resolution lowest-direct -r pyproject.toml --all-extras --group dev
	$(BIN)/uv pip install --quiet --python $(LOWEST) --no-deps --no-build-isolation --editable .
	$(LOWEST)/bin/pytest $(LIBRARY)

clean: ## remove everything that was made here
	rm -rf .venv .venv-lowest site dist build .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	rm -rf web/dist src/flip7/server/static
	find . \( -name __pycache__ -o -name node_modules -o -name '*.egg-info' \) -type d -prune -exec rm -rf {} +
	find . -name '*.py[cod]' -delete
