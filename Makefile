# The commands of this project. Each sets up .venv by itself; nothing is installed outside it, except
# missing system packages when run as root on Debian or Ubuntu (else they are named).
#
#   make run                 open the window (without a screen: ask in the terminal, Q="your question")
#   make download MODEL=ID   a model of the hub: ORG/NAME[@REVISION]; goes on where it was cut off
#   make test                all tests but those with a real vLLM server or Docker Engine
#   make test-vllm           the former: vLLM's CPU build is kept outside the tree (2.5 GB, built if missing)
#   make test-docker         the latter, which they start for themselves (root on Debian or Ubuntu)
#   make vllm-up             a vLLM server in Docker, on the processor (GPU=1, GPU=cdi: on GPUs); see compose/
#   make vllm-down           stop it
#   make fuzz                a million mutations of recorded streams (SEED=N: that one alone)
#   make check               formatting, linting, types, mirrored configuration
#   make bench               measurements: build/bench.json and a table (BENCH_QUICK=1: fewer runs)
#   make shots               pictures of the window's main states: build/shots/
#   make clean               remove what is built (.venv and downloads too: make distclean)
#   LOCAL=0                  without PyTorch, so without the built-in engine
#   PYTHON=…                 which Python (3.11 or newer) to build .venv with

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
TOKENLOUPE := $(BIN)/tokenloupe

# Q reaches the program through the environment, as typed: make must not expand it (a $ is a $).
unexport Q
export TOKENLOUPE_Q := $(value Q)
export LOCAL
# so does the name of a model
unexport MODEL
export TOKENLOUPE_PULL := $(value MODEL)

.PHONY: run download test test-vllm test-docker vllm-up vllm-down fuzz check bench shots clean distclean setup-run setup-dev

# $(1): run or dev
define setup
	@found=; for python in $(PYTHON) python3 python3.13 python3.12 python3.14 python3.11; do \
	  if command -v "$$python" >/dev/null 2>&1 && \
	     "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    found="$$python"; break; fi; done; \
	if [ -z "$$found" ]; then \
	  echo 'Token Loupe needs Python 3.11 or newer, and none was found.' >&2; \
	  echo '  Debian 12, Ubuntu 24.04 or newer:  sudo apt install python3 python3-venv' >&2; \
	  echo '  macOS:  brew install python@3.13   (or the installer from python.org)' >&2; \
	  echo '  elsewhere:  make PYTHON=/path/to/python3.11 $@' >&2; exit 1; fi; \
	"$$found" resources/packaging/environment.py $(1)
endef

setup-run:
	$(call setup,run)

setup-dev:
	$(call setup,dev)

run: setup-run
	@if [ "$$(uname -s)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY$$QT_QPA_PLATFORM" ]; then \
	  exec $(BIN)/python resources/packaging/ask.py $(TOKENLOUPE) ask; \
	else exec $(TOKENLOUPE); fi

download: setup-run
	@if [ -z "$$TOKENLOUPE_PULL" ]; then echo 'Which model?  make download MODEL=ORG/NAME[@REVISION]' >&2; exit 2; fi; \
	exec $(TOKENLOUPE) pull "$$TOKENLOUPE_PULL"

test: setup-dev
	@$(BIN)/python -m pytest $(ARGS)

test-vllm: setup-dev
	@if $(BIN)/python tests/real/vllm/environment.py; then \
	  TOKENLOUPE_REAL_VLLM=1 $(BIN)/python -m pytest tests/real/vllm $(ARGS); \
	elif [ -n "$$CI" ]; then exit 1; \
	else echo 'The tests with a real vLLM server are left out: it could not be built here.'; fi

# ROUNDS=50: more of those that kill the program while a server starts
test-docker: setup-dev
	@$(BIN)/python tests/real/vllm/environment.py >/dev/null || [ -z "$$CI" ]
	@TOKENLOUPE_REAL_DOCKER=1 $(BIN)/python -m pytest tests/real/docker --durations=15 $(ARGS)

COMPOSE := docker compose -p tokenloupe

vllm-up:
	@$(COMPOSE) -f compose/compose.yaml $(if $(filter-out 0,$(GPU)),-f compose/compose.gpu.yaml) \
	  $(if $(filter cdi,$(GPU)),-f compose/compose.cdi.yaml) \
	  $(if $(filter-out 0,$(TOKENLOUPE_SELINUX)),-f compose/compose.selinux.yaml) up -d
	@echo 'It answers at http://127.0.0.1:$(or $(VLLM_PORT),8000) once its model is loaded. What it says:'
	@echo '  $(COMPOSE) logs -f'

vllm-down:
	@$(COMPOSE) down

fuzz: setup-dev
	@TOKENLOUPE_FUZZ=1000000 TOKENLOUPE_FUZZ_SEED=$(SEED) \
	  $(BIN)/python -m pytest -o faulthandler_timeout=0 tests/core/engines/vllm/test_fuzz.py $(ARGS)

check: setup-dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python resources/packaging/sync.py --check

bench: setup-dev
	@mkdir -p build
	@$(BIN)/python -m tests.bench $(ARGS)

shots: setup-dev
	@mkdir -p build/shots
	@$(BIN)/python -m tests.shots $(ARGS)

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis ./*.egg-info ./*.dist-info
	find core desktop resources tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
