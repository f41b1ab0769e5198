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
	$(BIN)/properdocs build --strict

clean:
	rm -rf $(VENV) site build dist *.egg-info bots/*/_compiled.* .mypy_cache .pytest_cache .ruff_cache .hypothesis

WANTED := install Python 3.11 or newer, or choose one: make PYTHON=python3.12

# pip comes last into an environment: one that was left half-made has none, and is made again
$(BIN)/pip:
	@$(PYTHON) -c '' 2>/dev/null || { echo "make: cannot run $(PYTHON); $(WANTED)"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: $(PYTHON) is $$($(PYTHON) --version 2>&1); $(WANTED)"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "make: $(PYTHON) lacks venv or ensurepip; install them (Debian and Ubuntu: apt install $(notdir $(PYTHON))-venv)"; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 2; }

PIP_INSTALL := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable
# pip would use one core, and compile what is never or seldom imported too; some packages have files that are no Python
SELDOM := site-packages/(.*/tests|networkx|pip|pkg_resources|pygments|setuptools)/
BYTECODE := $(BIN)/python -m compileall -qq -j 0 -x '$(SELDOM)' $(VENV)/lib || true
# what is compiled when the project is installed, if there is a compiler
KERNELS := $(wildcard setup.py bots/*/_kernels/*.py)

$(VENV)/ready-to-run: pyproject.toml $(KERNELS) | $(BIN)/pip
	@echo "make: installing into $(VENV), about a minute"
	@$(PIP_INSTALL) .
	@$(BYTECODE)
	@touch $@

$(VENV)/ready-to-test: pyproject.toml $(KERNELS) | $(BIN)/pip
	@echo "make: installing into $(VENV) with what the tests need, about two minutes"
	@$(PIP_INSTALL) '.[dev]'
	@$(BYTECODE)
	@touch $@ $(VENV)/ready-to-run
