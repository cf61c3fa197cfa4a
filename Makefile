# `make run` and `make test` do all their set-up themselves; `make` lists everything else.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check -q
# cmake and ninja come from PyPI, so the tools of the environment go first. Ninja plans its own
# parallelism: under `make -j` it would look for a job server that is not passed on to it.
IN_VENV := env -u MAKEFLAGS PATH="$(BIN):$$PATH"

# With its private members: table.py builds on them.
STUBGEN := $(PY) -m nanobind.stubgen -q --include-private -m penstock._core

# Stamps: each is newer than what it was made from.
ENVIRONMENT := $(VENV)/.environment
EXTENSION := $(VENV)/.extension
NATIVE := build/native/build.ninja
THREADS := build/threads/build.ninja

# Directories are listed too: their time changes when a file comes or goes.
EXTENSION_SOURCES := CMakeLists.txt $(shell find cpp/include cpp/src cpp/bind 2>/dev/null)
CXX_FILES = $(shell find cpp -name '*.[ch]pp')
NEEDS_GTEST := $(if $(filter test test-native test-threads,$(MAKECMDGOALS)),gtest)
# ThreadSanitizer of older compilers gives up where the kernel spreads addresses too widely.
STILL = $(shell setarch "$$(uname -m)" -R true 2>/dev/null && echo setarch "$$(uname -m)" -R)
CTEST := ctest --output-on-failure --no-tests=error -j "$$(nproc)"
SHOW_FAILURES := grep -vE '^ +Start |\.\.\. +Passed '
SCALE ?= small
SIZES ?= 1k,10k

.PHONY: help run demo test test-python test-native test-threads check lint types imports cxx-format stub-check \
        stubs format bench papers peers fuzz soak clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(EXTENSION) ## the main job: a year of departures to 100,000 subscriptions, and a report in out/
	@$(BIN)/penstock run

demo: $(EXTENSION) ## a tour of the library: who gets which departure, then 50,000 filters at once
	@$(PY) examples/demo.py

test: test-python test-native test-threads ## all tests: Python, and C++ under the sanitizers

test-python: $(EXTENSION) ## the Python tests alone
	@$(PY) -m pytest -q -n auto --dist loadgroup

test-native: $(NATIVE) ## the C++ tests alone, under AddressSanitizer and UBSan
	@$(IN_VENV) cmake --build build/native
	@$(IN_VENV) $(CTEST) --test-dir build/native | $(SHOW_FAILURES)

test-threads: $(THREADS) ## the C++ tests of what threads share, under ThreadSanitizer
	@$(IN_VENV) cmake --build build/threads
	@$(IN_VENV) $(STILL) $(CTEST) --test-dir build/threads | $(SHOW_FAILURES)

check: lint types imports cxx-format stub-check ## everything that reads the code without running it

lint: $(ENVIRONMENT)
	@$(BIN)/ruff check -q .
	@$(BIN)/ruff format -q --check .

types: $(EXTENSION)
	@$(BIN)/mypy --no-error-summary

imports: $(EXTENSION)
	@mkdir -p build
	@$(BIN)/lint-imports --no-cache > build/imports.txt || { cat build/imports.txt; exit 1; }

cxx-format: $(ENVIRONMENT)
	@$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)

stub-check: $(EXTENSION)
	@mkdir -p build
	@$(STUBGEN) -o build/_core.pyi
	@$(BIN)/ruff format -q build/_core.pyi
	@diff -u src/penstock/_core.pyi build/_core.pyi \
	    || { echo "src/penstock/_core.pyi is out of date; run: make stubs" >&2; exit 1; }

stubs: $(EXTENSION) ## write src/penstock/_core.pyi anew from the extension
	@$(STUBGEN) -o src/penstock/_core.pyi
	@$(BIN)/ruff format -q src/penstock/_core.pyi

format: $(ENVIRONMENT) ## put Python and C++ into the house format
	@$(BIN)/ruff check -q --fix-only .
	@$(BIN)/ruff format -q .
	@$(BIN)/clang-format -i $(CXX_FILES)

bench: $(EXTENSION) ## the benchmarks, SCALE=small or SCALE=full
	@for bench in benchmarks/bench_*.py; do $(PY) "$$bench" --scale $(SCALE); done

papers: $(EXTENSION) ## the papers' figures and tables beside the printed numbers, SCALE=small or SCALE=full
	@$(BIN)/penstock papers run all --scale $(SCALE)

peers: $(EXTENSION) ## other engines beside ours, built where their tools are; SIZES=1k,10k,100k
	@$(PY) benchmarks/peers --sizes $(SIZES)

fuzz: $(EXTENSION) ## hostile input, for a long time
	@HYPOTHESIS_PROFILE=soak $(PY) -m pytest -q -k hostile

soak: $(EXTENSION) ## the invariants of the network, for a long time
	@HYPOTHESIS_PROFILE=soak $(PY) -m pytest -q tests/network

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(ENVIRONMENT): pyproject.toml tools/system
	@tools/system c++ python simdjson java $(NEEDS_GTEST)
	@[ -x $(PY) ] || { echo "creating $(VENV)"; "$$(tools/find-python)" -m venv $(VENV); }
	@echo "installing the tools into $(VENV)"
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install --group dev
	@touch $@

# Editable: Python comes straight from src/, and the build directory is kept, so only what changed is compiled.
$(EXTENSION): $(ENVIRONMENT) $(EXTENSION_SOURCES)
	@echo "building the extension"
	@$(IN_VENV) $(PIP) install --no-build-isolation -e '.[demo,network,report,spark]'
	@touch $@

# Reports of the sanitizers need lines, not variables, and what they need not compiles faster.
CONFIGURE = $(IN_VENV) cmake -S . -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 \
    -DPENSTOCK_EXTENSION=OFF -DPENSTOCK_TESTS=ON -DCMAKE_CXX_FLAGS="-O1 -D_GLIBCXX_ASSERTIONS"

$(NATIVE): $(ENVIRONMENT) CMakeLists.txt
	@tools/system gtest
	@$(CONFIGURE) -B build/native -DPENSTOCK_SANITIZE=address,undefined > /dev/null
	@touch $@

$(THREADS): $(ENVIRONMENT) CMakeLists.txt
	@tools/system gtest
	@$(CONFIGURE) -B build/threads -DPENSTOCK_SANITIZE=thread \
	    '-DPENSTOCK_TEST_FILES=gate_test.cpp;*thread*_test.cpp' > /dev/null
	@touch $@
