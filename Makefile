# Every target sets up what it needs, so the first one in a fresh clone takes a minute or two.
# To override: PYTHON (3.11 or newer, for .venv), CHROMIUM (for the browser tests) and
# LOCK (empty: the newest versions instead of the locked ones).

export PYTHON CHROMIUM
# npm then trusts the certificates that the system trusts, as pip does.
export NODE_USE_SYSTEM_CA := 1
# Without bytecode every start of Python takes three times as long.
unexport PYTHONDONTWRITEBYTECODE

LOCK      := packaging/requirements-dev.txt

VENV      := .venv
BIN       := $(VENV)/bin
PY        := $(BIN)/python
INSTALLED := $(VENV)/.installed
# npm's packages: what builds the page, and beside it what tests it.
BUILDERS  := js/node_modules/esbuild/package.json
TESTERS   := js/node_modules/vitest/package.json
STATIC    := conformal_roc_widget/static
# What is called by name (npm, and node in its scripts) is the environment's: tools/programs.py.
export PATH := $(CURDIR)/$(BIN):$(PATH)
NPM       := cd js && npm
PYTEST     = $(PY) -m pytest --nbval --nbval-current-env
# Notebooks take longest, so they begin. Each process has a core, and more threads would only get
# into each other's way. One that is ended because a test hangs ends the run: pytest-xdist would begin that
# test again and again.
PARALLEL = -n auto --dist loadfile --max-worker-restart 0
ON_ALL_CORES = --ignore=tests/browser $(PARALLEL) notebooks tests
# A browser and a JupyterLab a process: more than four would need more memory than cores. They begin
# with the files that take longest, as tests/browser/conftest.py lists them.
IN_BROWSERS = $(PARALLEL) --maxprocesses 4 --no-loadscope-reorder tests/browser
ONE_THREAD = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
CHECKS    := lint typecheck
# Their table, and studies of coverage, which take hours.
NO_BENCHMARKS := $(addprefix benchmarks/,table.py ideal_curve.py real_tables.py any_threshold.py scores_alone.py comparison.py score_laws.py resumed.py sharper_bands.py until_when.py whom_rows_stand_for.py labels_to_come.py)
# Before any test: whoever has none and cannot have one is told so at once.
WITH_BROWSER = browser="$$($(PY) tests/browser/chromium.py)" && export CHROMIUM="$$browser"

# A checkout that is read-only once it is set up: only the caches of the tools are written.
ifneq (,$(shell test -w . || echo read-only))
CACHES := $(shell mktemp -d)
export RUFF_CACHE_DIR := $(CACHES)/ruff
export MYPY_CACHE_DIR := $(CACHES)/mypy
export PYTEST_ADDOPTS += -o cache_dir=$(CACHES)/pytest
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help lab watch test test-thorough test-all test-python test-js test-notebooks notebooks test-browser \
        test-elsewhere test-prescott test-floor test-ceiling test-newest mutants lint lint-python lint-js typecheck typecheck-python \
        typecheck-js format bench screenshot docs \
        setup build lock dist audit clean

help: ## show this list
	@echo "Each target first sets up what it needs: .venv, npm packages, bundle, browser."
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: build ## open the quickstart in JupyterLab, or print its address where no browser opens
	@$(PY) tools/serve.py notebooks/quickstart.ipynb

watch: build ## the same for work on the page: rebuilt and reloaded at each change in js/src
	@$(PY) tools/serve.py --watch notebooks/quickstart.ipynb

# The browser's tests mostly wait: they run beside the rest, and say afterwards what they found.
define ALL_TESTS
@$(WITH_BROWSER) && found="$$(mktemp)" && echo "==> Testing the widget in JupyterLab and other places, beside the rest" && \
{ $(ONE_THREAD) $(PYTEST) $(1) $(IN_BROWSERS) >"$$found" 2>&1 & } && browser=$$! && trap "kill $$browser 2>/dev/null; rm -f '$$found'" EXIT && \
{ failed=; \
  $(MAKE) --no-print-directory --keep-going $(CHECKS) test-js || failed="lint, types or the page's parts; "; \
  echo "==> Testing the Python side and the notebooks"; \
  $(ONE_THREAD) $(PYTEST) $(1) $(ON_ALL_CORES) || failed="$${failed}the Python side or the notebooks; "; \
  wait $$browser || failed="$${failed}JupyterLab and other places; "; \
  echo "==> In JupyterLab and other places:"; cat "$$found"; \
  test -z "$$failed" || { echo "==> Failed, see above: $${failed%; }"; exit 1; }; }
endef

test: $(TESTERS) build ## lint, types and all tests but the thorough and the slow ones
	$(call ALL_TESTS)

test-thorough: $(TESTERS) build ## what `make test` has a quick part of; CI runs both
	@echo "==> Testing thoroughly"
	@$(WITH_BROWSER) && export $(ONE_THREAD) && { failed=; ($(NPM) run --silent test:thorough) || failed=1; \
	$(PYTEST) -m "thorough and not slow" $(PARALLEL) --maxprocesses 4 notebooks tests || failed=1; test -z "$$failed"; }

test-all: export THOROUGH := 1
test-all: $(TESTERS) build ## the same with the thorough and the slow tests
	$(call ALL_TESTS,-m "")

test-python: build ## run the Python tests
	@echo "==> Testing the Python side"
	@$(ONE_THREAD) $(PYTEST) --ignore=tests/browser $(PARALLEL) tests

test-js: $(TESTERS) build ## run the page's unit tests (TESTS=test/shown: those of a folder)
	@echo "==> Testing the page's parts"
	@export $(ONE_THREAD) && $(NPM) run --silent test -- $(TESTS)

test-notebooks: build ## run the notebooks and compare every output
	@$(PYTEST) notebooks

notebooks: build ## run the notebooks and keep their new outputs
	@$(PY) tools/execute.py notebooks/*.ipynb

test-browser: $(TESTERS) build ## drive the widget in a real JupyterLab and Chromium
	@$(WITH_BROWSER) && $(ONE_THREAD) $(PYTEST) $(IN_BROWSERS)

NUMERIC   := $(addprefix tests/,tables calibration reliability comparators evaluation simulation test_estimator.py) notebooks

test-elsewhere: build ## run tests and notebooks as on other processors, in other locales and time zones
	@$(PY) tools/elsewhere.py

test-prescott: build ## the numeric tests and the notebooks with the kernels of an old processor
	@$(PY) tools/elsewhere.py --only Prescott $(NUMERIC)

# The floor is of what an installation brings. What tests it, and the places to run it, are the newest;
# so are the stubs, hence no lint and types.
test-floor: $(INSTALLED) ## make test, without lint and types, with the oldest supported versions in build/floor
	@rm -rf build/floor && mkdir -p build
	@$(BIN)/uv pip compile -q --no-deps --resolution lowest-direct --extra bands pyproject.toml -o build/floor.txt
	@export PYTHON=$${PYTHON:-python3.11} UV_CONSTRAINT="$(CURDIR)/build/floor.txt"; \
	$(MAKE) --no-print-directory VENV=build/floor LOCK= CHECKS= test

test-ceiling: ## make test with the newest versions, unlocked, in build/ceiling
	@rm -rf build/ceiling
	@$(MAKE) --no-print-directory VENV=build/ceiling LOCK= test

# Its stubs and warnings are other ones than those of the Python that .venv has.
test-newest: ## lint, types and Python tests with the newest other Python that is here, in build/newest
	@python="$$(tools/find-python --newest)" || { echo "There is no Python here but the one of .venv." >&2; exit 1; }; \
	rm -rf build/newest && mkdir -p build && \
	$(MAKE) --no-print-directory --keep-going VENV=build/newest PYTHON="$$python" lint-python typecheck-python test-python

MUTANTS_MEET := tests/calibration tests/evaluation tests/comparators tests/wire

mutants: $(INSTALLED) ## which changes of a FILE no test sees (TESTS: those that are run)
	@test -f "$(FILE)" || { echo "make mutants FILE=conformal_roc_widget/calibration/quantiles.py" >&2; exit 1; }
	@$(ONE_THREAD) $(PY) tools/mutants.py "$(FILE)" $(or $(TESTS),$(MUTANTS_MEET))

lint: lint-python lint-js ## ruff and biome

lint-python: $(INSTALLED)
	@echo "==> Checking style"
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .

lint-js: $(TESTERS)
	@$(NPM) run --silent lint

typecheck: typecheck-python typecheck-js ## mypy (strict) and tsc

typecheck-python: $(INSTALLED)
	@echo "==> Checking types"
	@$(BIN)/mypy --no-error-summary

typecheck-js: $(TESTERS)
	@$(NPM) run --silent typecheck

format: setup ## mend what ruff and biome can mend
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .
	@$(NPM) exec -- biome check --write .

bench: build ## measure, as ratios against their limits; one table at the end
	@export BENCH_ROWS="$$(mktemp)"; \
	for file in $(filter-out $(NO_BENCHMARKS),$(wildcard benchmarks/*.py)); do \
	    echo "==> $$file"; $(PY) $$file || failed=1; \
	done; \
	echo "==> All of it"; $(PY) benchmarks/table.py "$$BENCH_ROWS"; \
	rm "$$BENCH_ROWS"; test -z "$$failed"

screenshot: build ## make the pictures of README and gallery
	@$(WITH_BROWSER) && PYTHONPATH=tests $(PY) tests/browser/screenshot.py

docs: build ## build the documentation site into build/docs; warnings are errors
	@$(PY) tools/line_counts.py
	@$(PY) tools/write_docs.py build/docs-source
	@$(PY) -m properdocs build --config-file docs/properdocs.yml --strict --quiet
	@echo "==> build/docs/index.html"

setup: $(INSTALLED) $(TESTERS) ## make .venv and js/node_modules

build: $(INSTALLED) $(STATIC)/widget.js $(STATIC)/widget.css ## build the page's bundle, if it is stale

lock: $(INSTALLED) ## renew the locks: packaging/requirements-dev.txt and js/package-lock.json
	@$(PY) tools/lock.py

dist: $(INSTALLED) $(BUILDERS) ## build wheel and sdist into dist/
	@echo "==> Building wheel and sdist"
	@rm -rf dist
	@$(PY) -m build --no-isolation --outdir dist . >$(VENV)/dist.log 2>&1 || { cat $(VENV)/dist.log; exit 1; }
	@$(PY) -m twine check --strict dist/*

# A package that the service does not know fails too: else an unreachable one would look clean.
audit: $(INSTALLED) ## ask PyPI and npm for known vulnerabilities of what is installed here
	@$(BIN)/uv pip freeze -q --python $(PY) --exclude-editable >$(VENV)/installed.txt
	@$(BIN)/uvx pip-audit --strict --disable-pip --no-deps -r $(VENV)/installed.txt && $(NPM) audit || { \
	    echo "==> Something was found, or a service was not reached and nothing is known: see above"; \
	    exit 1; }

clean: ## remove everything that was built or installed here
	rm -rf .venv js/node_modules js/coverage $(STATIC) dist build test-results \
	    .hypothesis .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(PY):
	@test -w . || { echo "$(CURDIR) cannot be written to, and all that make sets up goes into it:" \
	    "copy it, for example with  cp -r '$(CURDIR)' ~/conformal_roc_widget" >&2; exit 1; }
	@python="$$(tools/find-python)" && \
	    echo "==> Creating the virtual environment in $(VENV) ($$("$$python" --version))" && \
	    "$$python" -m venv --clear $(VENV)

$(INSTALLED): pyproject.toml $(LOCK) tools/install | $(PY)
	@echo "==> Installing the package and its tools into $(VENV)"
	@tools/install $(VENV) $(LOCK)
	@touch $@

NPM_CI = $(NPM) ci --loglevel=error --no-audit --no-fund --no-update-notifier

# Each begins by removing all that is there. So where the tests' are wanted or lie there, they come with the others.
$(BUILDERS): js/package.json js/package-lock.json | $(INSTALLED)
	@if test -e $(TESTERS); then $(MAKE) --no-print-directory $(TESTERS); else \
	    echo "==> Installing the npm packages that build the page"; \
	    $(NPM_CI) --omit=dev >/dev/null; fi
	@touch $@

$(TESTERS): js/package.json js/package-lock.json | $(INSTALLED)
	@echo "==> Installing the npm packages that build and test the page"
	@$(NPM_CI) >/dev/null
	@touch $(BUILDERS) $@

$(STATIC)/widget.js: $(BUILDERS) conformal_roc_widget/words.json conformal_roc_widget/promises.json conformal_roc_widget/shown/theme.json $(shell find js -maxdepth 1 -type f) $(shell find js/src)
	@echo "==> Building the page's bundle"
	@$(NPM) run --silent build
	@touch $(STATIC)/widget.js $(STATIC)/widget.css

$(STATIC)/widget.css: $(STATIC)/widget.js
	@test -e $@ || { rm $<; $(MAKE) --no-print-directory $<; }
