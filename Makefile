# Everything happens in .venv in this directory; `make quickstart` and `make test` are all a newcomer needs.
# A uv on the PATH is used where it is new enough for this project, otherwise pip puts one into .venv.
# All versions are those of constraints.txt, which `make upgrade` renews.

VENV := .venv
VLLM := .venv-vllm
RLLIB := .venv-rllib
PYTHONS := python3 python python3.14 python3.13 python3.12 python3.11
IS_RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in $(PYTHONS); do $$p -c '$(IS_RECENT)' 2>/dev/null && echo $$p && break; done)
# Tests under another Python have an environment of their own, and leave .venv alone.
ifeq ($(origin PYTHON)/$(filter test,$(MAKECMDGOALS)),command line/test)
VENV := .venv-$(or $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'),$(error $(PYTHON) is no Python here))
endif
BIN := $(VENV)/bin
UV ?= $(or $(shell uv python find >/dev/null 2>&1 && command -v uv),$(BIN)/uv)
INSTALL = UV=$(UV) tools/install $(VENV)
SYNC = $(INSTALL) --requirements pyproject.toml
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest

# Python compiles what it imports at the first start, which takes twice as long as later ones. Where Python may keep nothing,
# every start would be a first one: what people play with is compiled when it is installed. Tests let Python keep what they
# import, which is a quarter of what is installed.
ifdef PYTHONDONTWRITEBYTECODE
COMPILED := UV_COMPILE_BYTECODE=1
endif
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(VENV)
unexport VIRTUAL_ENV

ENVIRONMENT = { test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || $(PYTHON) -m venv --clear --without-pip $(VENV); } && \
	{ $(BIN)/python -m pip install -qq -c constraints.txt uv || $(PYTHON) -m pip --python $(BIN)/python install -qq -c constraints.txt uv; } && \
	$(BIN)/uv pip uninstall -qq --python $(BIN)/python setuptools
# A step of the set-up: what it does, and when it is done its seconds. Its commands are quiet; what goes wrong is told.
STEP = @begin=$$(date +%s); printf '%-58s' '$(1)'; $(2); status=$$?; \
	test $$status -eq 0 || { echo; exit $$status; }; echo "$$(($$(date +%s) - begin)) s"
# The command `arena` is the bundle's, which is installed without what it requires.
QUICKSTART = $(COMPILED) $(INSTALL) --group quickstart && $(INSTALL) --no-deps --editable plugins/bundles/all

# Seconds since make was started, and what to say of them; the shell counts, since make reads its own lines first.
STARTED := $(shell date +%s)
TOOK = now=$$(date +%s); took=$$((now - $(STARTED))); echo "$(1) took $$((took / 60)) min $$((took % 60)) s$(2)"
# What luck there is in a campaign comes from this number, which is printed; another campaign has another.
SEED ?= $(STARTED)
ONLY ?=

.PHONY: quickstart sync test test-slow test-pythons upgrade test-web test-times mutation campaign test-vllm test-rllib lint docs bench release version clean
.DEFAULT_GOAL := quickstart

quickstart: $(UV)  ## a real language model plays real games; results here and as an HTML file
	$(call STEP,packages for the quickstart (fetched once: 300 MB),$(QUICKSTART))
	@$(BIN)/arena run examples/quickstart.yaml

sync: $(UV)  ## all that everybody needs
	$(call STEP,packages of all games and agents (fetched once: 350 MB),$(COMPILED) $(SYNC))

test: $(UV)  ## all tests but the slow ones, 700 MB: make test [PYTHON=python3.13] [IN="core plugins/runtime/engine"]
	@$(SYNC) --group test
	@$(PYTEST) -n auto --dist loadgroup $(IN); status=$$?; \
	$(call TOOK,make test, (on two quiet cores: 2 to 4 min)) with $$($(BIN)/python --version); \
	echo "not run: slow tests (make test-slow) and pages (make test-web), 10 to 19 min side by side, campaigns (docs/campaigns.md)"; exit $$status

test-slow: $(UV)  ## what takes longer than half a second or needs an environment of its own, 2 GB
	@$(SYNC) --group test-slow
	@$(PYTEST) -n auto --dist loadgroup --durations 15 -m 'slow and not campaign'; status=$$?; \
	$(call TOOK,make test-slow, (beside the pages on two quiet cores: 10 to 19 min; it shall be 9)); exit $$status

test-pythons:  ## the fast tests of what everybody uses, under each later Python that is here
	@tools/test-pythons

upgrade: $(UV)  ## the newest versions that are older than two weeks into constraints.txt, tried by the fast tests
	@UV=$(UV) tools/upgrade
	@$(MAKE) test

test-web: $(UV)  ## the pages of arena view in Debian's Chromium; pictures of all pages are in build/web
	@$(SYNC) --group test-slow
	@$(PYTEST) -m 'web and not campaign' plugins/interfaces/web; status=$$?; $(call TOOK,make test-web, (beside the slow tests on two quiet cores: 8 to 14 min; it shall be 6)); exit $$status

test-times: $(UV)  ## where the time of tests goes: make test-times [OF='slow and not campaign']
	@$(SYNC) --group test-slow
	rm -rf build/test-times
	PYTHONPATH=tests $(PYTEST) -q -n auto --dist loadgroup -p times $(if $(OF),-m '$(OF)') || true
	$(BIN)/python tests/times.py

mutation: $(UV)  ## mistakes planted in ten distributions, and whether their fast tests find them: make mutation [ONLY=ratings]
	@$(SYNC) --group test
	@$(BIN)/python tools/mutation.py $(if $(ONLY),--only $(ONLY)) $(if $(TESTS),--tests $(TESTS)) $(if $(BEFORE),--before $(BEFORE))

campaign: $(UV)  ## what takes longer still (docs/campaigns.md): make campaign [ONLY=part, or part of a test's name] [SEED=number]
	@$(SYNC) --group test-slow
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python tools/campaigns.py play "$(ONLY)" $(SEED); status=$$?; \
	$(if $(ONLY),,$(MAKE) test-rllib && $(MAKE) test-vllm || status=1;) \
	$(call TOOK,make campaign$(if $(ONLY), ONLY=$(ONLY)) SEED=$(SEED)); exit $$status

# Each writes to docs/campaigns.md what came of it, unless it is skipped.
NOTED = begun=$$(date +%s); $(2); status=$$?; \
	case $$status in 0) result=passed;; *) result=failed;; esac; \
	$(BIN)/python tools/campaigns.py note $(1) "$$result, $$((($$(date +%s) - begun + 30) / 60)) min"; exit $$status

test-vllm: $(UV)  ## models run by vLLM on the CPU, in an environment of 4 GB; skipped where its PyTorch is not to be had
	@$(SYNC) --group test
	@$(COMPILED) PYTHON=$(BIN)/python UV=$(UV) plugins/backends/vllm/tests/environment $(VLLM) || exit $$(($$? == 3 ? 0 : 1)); \
	export HF_HUB_OFFLINE=1 VLLM_NO_USAGE_STATS=1 VLLM_CPU_KVCACHE_SPACE=1; \
	$(call NOTED,vllm,$(VLLM)/bin/python -m pytest -m vllm plugins/backends/vllm)

test-rllib: $(UV)  ## RLlib learns a game, in an environment of its own; skipped where its PyTorch is not to be had
	@$(SYNC) --group test
	@$(COMPILED) PYTHON=$(BIN)/python UV=$(UV) plugins/games/pettingzoo/tests/environment $(RLLIB) || exit $$(($$? == 3 ? 0 : 1)); \
	$(call NOTED,rllib,$(RLLIB)/bin/python -m pytest --timeout 900 plugins/games/pettingzoo/tests/rllib.py)

lint: $(UV)  ## style and types
	@$(SYNC) --group lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache
	$(BIN)/pyright

docs: $(UV)  ## the site, into build/docs; whatever is to be warned of is an error
	@$(SYNC) --group test-slow --group docs
	$(BIN)/python -m sphinx -b html -c docs -W --keep-going -q . build/docs
	@echo build/docs/index.html

bench: $(UV)  ## performance, as ratios beside what was recorded: make bench [ONLY=engine,report] [QUICK=1] [WRITE=1]
	@$(SYNC) --group test-slow --group benchmark
	@$(BIN)/python benchmarks/bench.py $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick) $(if $(WRITE),--write)

release: $(UV)  ## build, check and install what an index would get; it lies in dist then, and nothing is uploaded
	@$(INSTALL) --group release
	@$(BIN)/python tools/release.py $(if $(ONLY),--only-$(ONLY)); status=$$?; $(call TOOK,make release); exit $$status

version:  ## give all distributions another version: make version TO=0.2.0
	@$(PYTHON) tools/set_version.py $(TO)

clean:  ## everything that can be made again; runs are kept
	rm -rf build .venv .venv-* uv.lock .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Without bytecode of pip, which is used once, and without the setuptools that Python 3.11 puts beside it.
$(BIN)/uv: export PIP_NO_COMPILE := 1
$(BIN)/uv: export PYTHONDONTWRITEBYTECODE := 1
$(BIN)/uv: export PIP_DISABLE_PIP_VERSION_CHECK := 1
$(BIN)/uv:
	@test -n "$(PYTHON)" || { echo "arena needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python" >&2; exit 2; }
	$(call STEP,environment $(VENV) with $(notdir $(PYTHON)) and uv,$(ENVIRONMENT))
