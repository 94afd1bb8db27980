# Every word of the day's work: make run | install | cluster | test | test-pg | check | audit | bench | drill | nightly
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo .tools/bin/uv)
PYENV := $(or $(PYENV_ROOT),$(HOME)/.pyenv)
python = $$($(UV) python find '>=3.13,<3.14' 2>/dev/null || ls -d $(PYENV)/versions/3.13*/bin/python3.13 2>/dev/null | tail -1 | grep . || echo 3.13)
PYTHON := .venv/bin/python
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
# Whoever has nothing left to do takes from the other: the slow tests do not lie evenly.
PARALLEL := -n 2 --dist worksteal -q
UNIT := --ignore=tests/e2e -p no:playwright $(PARALLEL)
# Only the files that name the mark: to collect all takes longer than their tests.
DB := $(shell grep -rl --include='test_*.py' 'mark\.db\b' tests) $(PARALLEL) -m db
# Each alone leaves a core idle for much of its time. What one says comes when it is done; all are done before any fails.
# The tests are not run so: those in the browser have time limits that a busy machine would not keep.
TOGETHER = $(MAKE) --no-print-directory --jobs=2 --keep-going $(filter --output-sync,$(.FEATURES:%=--%))
# The optional parts, of those in pyproject.toml.
EXTRAS ?= vision
SYNC = $(UV) sync --quiet --locked $(EXTRAS:%=--extra %) -p "$(python)"
# A shell that keeps no bytecode would pay for it at each of the tests' many starts.
unexport PYTHONDONTWRITEBYTECODE

help:  ## what each word does
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

run: .venv/ready  ## install what is missing and serve on http://127.0.0.1:8000
	$(PYTHON) manage.py serve

# Compiled now: the program's own user may write nothing here.
install: $(filter .tools/bin/uv,$(UV))  ## install what a server needs, with the optional parts named in EXTRAS="vision speech …"
	$(SYNC) --no-default-groups --inexact --compile-bytecode
	$(PYTHON) -m compileall -q agents conversations learnagent tutoring
	touch .venv/ready

cluster: .venv/ready  ## two web processes, Celery, PostgreSQL and Redis on this machine, with their data in var-cluster
	$(SYNC) --no-default-groups --inexact --group servers
	$(PYTHON) -m deploy.cluster var-cluster

.tools/bin/uv:
	python3 -m venv .tools
	.tools/bin/pip install --quiet 'uv>=0.13,<0.14'

.venv/ready: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	$(SYNC) --no-default-groups --inexact
	touch $@

.venv/ready-dev: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	$(SYNC) --inexact
	touch $@ .venv/ready

test: .venv/ready-dev  ## the whole suite on SQLite, what is marked db on PostgreSQL too, the browser tests where Chromium is found
	$(PYTHON) -m pytest $(UNIT) --cov --cov-report=
	@$(PYTHON) -m tests.coverage_floors
	@if [ -n "$(CHROMIUM)" ]; then CHROMIUM="$(CHROMIUM)" $(PYTHON) -m pytest tests/e2e $(PARALLEL); \
	else echo "not run: the browser tests (tests/e2e), for want of Chromium; install it, or name it in CHROMIUM"; fi
	@$(PYTHON) -m tests.postgres $(PYTHON) -m pytest $(DB); code=$$?; \
	if [ $$code -eq 69 ]; then echo "not run: the tests marked db on PostgreSQL, for the reason above"; else exit $$code; fi

test-pg: .venv/ready-dev  ## the whole suite on PostgreSQL, which the tests bring along
	$(PYTHON) -m tests.postgres $(PYTHON) -m pytest $(UNIT)
	@if [ -n "$(CHROMIUM)" ]; then \
	CHROMIUM="$(CHROMIUM)" $(PYTHON) -m tests.postgres $(PYTHON) -m pytest tests/e2e $(PARALLEL); \
	else echo "not run: the browser tests (tests/e2e), for want of Chromium; install it, or name it in CHROMIUM"; fi

check: .venv/ready-dev  ## lint, format, types, Django's checks, missing migrations, tests that cannot be collected
	@$(TOGETHER) check-types check-all-else check-tests

# With a key of their own: the other commands make the data folder's meanwhile, and neither may read half of it.
check-types check-tests: export SECRET_KEY := $(shell printf %050d 0)

check-types:
	.venv/bin/mypy

# After a checkout this compiles the tests once, where it costs no time: each of two processes would compile all.
check-tests:
	$(PYTHON) -m pytest --collect-only -qqq

check-all-else:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	$(PYTHON) manage.py check
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) manage.py load_courses --check
	$(PYTHON) -m bench.understanding.line_budget

audit: $(filter .tools/bin/uv,$(UV))  ## known vulnerabilities in dependencies, by osv.dev or a mirror of it at AUDIT_URL
	$(UV) audit --frozen --no-default-groups --preview-features audit-command $(AUDIT_URL:%=--service-url %)

bench: .venv/ready  ## the benchmarks, or the one that NAME names
	$(SYNC) --inexact --group bench
	$(PYTHON) -m bench $(NAME)

drill: .venv/ready-dev  ## the fault drills, or the one that NAME names
	$(if $(filter api fuzz,$(NAME)),$(SYNC) --inexact --group $(NAME))
	$(PYTHON) -m drills $(NAME)

nightly: .venv/ready-dev  ## what takes too long for every change: all drills, then all benchmarks; fails where one of them does
	@code=0; $(MAKE) drill NAME= || code=1; $(MAKE) drill NAME=api || code=1; $(MAKE) bench NAME= || code=1; exit $$code

.PHONY: help run install cluster test test-pg check check-types check-all-else check-tests audit bench drill nightly
