# Everything happens in .venv; nothing else is touched. PYTHON=python3.12 make test chooses another interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint format bench docs clean

run: $(VENV)/ready-to-run
	$(BIN)/joust run configs/quickstart.yaml --overwrite

test: $(VENV)/ready-to-test
	$(BIN)/pytest

lint: $(VENV)/ready-to-test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(VENV)/ready-to-test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(VENV)/ready-to-test
	@echo "make bench: measures this machine; it should have nothing else to do (make bench NAME=referee: one of them)"
	$(BIN)/python -m benchmarks $(NAME)

docs: $(VENV)/ready-to-test
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) site build dist *.egg-info bots/*/_compiled.* .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: expected Python 3.11 or newer, got $$($(PYTHON) --version 2>&1); try PYTHON=python3.12 make"; exit 2; }
	$(PYTHON) -m venv $(VENV)

# what is compiled when the project is installed, if there is a compiler
KERNELS := $(wildcard setup.py bots/*/_kernels/*.py)

$(VENV)/ready-to-run: pyproject.toml $(KERNELS) | $(BIN)/python
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/ready-to-test: pyproject.toml $(KERNELS) | $(BIN)/python
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/ready-to-run
