# Every word of the day's work: make run | test | test-pg | check | audit | bench | drill
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo .tools/bin/uv)
PYENV := $(or $(PYENV_ROOT),$(HOME)/.pyenv)
python = $$($(UV) python find '>=3.13,<3.14' 2>/dev/null || ls -d $(PYENV)/versions/3.13*/bin/python3.13 2>/dev/null | tail -1 | grep . || echo 3.13)
PYTHON := .venv/bin/python
SYNC = $(UV) sync --quiet --locked -p "$(python)"

help:  ## what each word does
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

run: .venv/ready  ## install what is missing and serve on http://127.0.0.1:8000
	$(PYTHON) manage.py serve

.tools/bin/uv:
	python3 -m venv .tools
	.tools/bin/pip install --quiet 'uv>=0.13,<0.14'

.venv/ready: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	$(SYNC) --no-default-groups --inexact
	touch $@

.venv/ready-dev: pyproject.toml uv.lock $(filter .tools/bin/uv,$(UV))
	$(SYNC) --inexact
	touch $@ .venv/ready

bench: .venv/ready  ## the benchmarks, or the one that NAME names
	$(SYNC) --inexact --group bench
	$(PYTHON) -m bench $(NAME)

.PHONY: help run bench
