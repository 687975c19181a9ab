# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
NATIVE := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name CMakeLists.txt) CMakeLists.txt
CXX_FILES := $(shell find native -name '*.cpp' -o -name '*.hpp')
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 600
FUZZ_CXX ?= $(shell command -v clang++ || command -v clang++-14)
FUZZ_INPUTS ?= 20000
SAMPLE := src/karat/sample/data

.PHONY: help demo test test-fast test-ray endurance scale bare check page-tools format bench parity fuzz docs picture clean

help:
	@echo "make demo        set up .venv, build, and score the bundled sample"
	@echo "make test        the whole suite, C++ and Python"
	@echo "make test-fast   unit and contract tests without the longest, for the loop of editing"
	@echo "make test-ray    scoring on a cluster of Ray, an object store and other engines, which make test runs, too"
	@echo "make endurance   the campaign server killed under load, without disk or database, at the other end of a bad line"
	@echo "make scale       10,000,000 segments on both engines: pace, memory and cost, SCALE='--rows 100000' for fewer"
	@echo "make bare        the tests that could want more than Python and a C++ compiler, without it"
	@echo "make check       ruff, mypy, import-linter, clang-format, types of scripts, generated files"
	@echo "make format      let ruff and clang-format rewrite the sources"
	@echo "make parity      the whole grid of comparisons with other tools on real data"
	@echo "make bench       speed as a ratio to other tools, in one run, BENCH='bleu chrf' for some only"
	@echo "make fuzz        fuzz the core with libFuzzer (needs clang), FUZZ_SECONDS=600 per target, then specs and readers"
	@echo "make docs        the documentation as HTML in site/"
	@echo "make picture     the pictures of README and docs again, out of the sample (needs Chromium)"
	@echo "make clean       remove what was built"

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "karat needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	@touch $@

$(VENV)/.built: $(VENV)/.created pyproject.toml $(NATIVE)
	$(PIP) install --group build
	$(PIP) install --no-build-isolation --editable .
	@touch $@

$(VENV)/.group-%: $(VENV)/.built
	$(PIP) install --group $*
	@touch $@

demo: $(VENV)/.built
	@echo
	@echo "The bundled sample: 127 German segments, four systems, two references. Scores:"
	@$(BIN)/karat score --corpus $(SAMPLE)/corpus.jsonl -m bleu -m chrf++ -m ter --sort bleu
	@echo
	@echo "The same, by document, for two of them:"
	@$(BIN)/karat score --corpus $(SAMPLE)/corpus.jsonl neural fluent -m bleu --level document
	@echo
	@echo "Which differences are real, against one of them:"
	@$(BIN)/karat compare --corpus $(SAMPLE)/corpus.jsonl --baseline fluent -m bleu -m chrf
	@echo
	@echo "And who is best:"
	@$(BIN)/karat rank --corpus $(SAMPLE)/corpus.jsonl -m chrf --quiet
	@echo
	@echo "What people said (synthetic ratings), with and without a rater who was too fast:"
	@$(BIN)/karat human $(SAMPLE)/ratings.tsv --corpus $(SAMPLE)/corpus.jsonl --without too-fast --quiet
	@echo
	@echo "Do metrics agree with people about adequacy?"
	@$(BIN)/karat meta --corpus $(SAMPLE)/corpus.jsonl --ratings $(SAMPLE)/ratings.tsv --criterion adequacy --quiet
	@echo
	@mkdir -p build
	@$(BIN)/karat report --corpus $(SAMPLE)/corpus.jsonl -m bleu -m chrf -m ter --ratings $(SAMPLE)/ratings.tsv --quiet -o build/report.html
	@echo "All of it on one page, to be opened in a browser: $(abspath build/report.html)"

test: $(VENV)/.group-test page-tools build/native-tests/native/karat_tests
	build/native-tests/native/karat_tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup
	@$(MAKE) --no-print-directory test-ray

# Ray has no wheel for every machine; where it cannot be installed, its tests say so and are skipped.
test-ray: $(VENV)/.group-test
	@$(PIP) install --group scale || { echo "not tested on a cluster: pip install --group scale"; test -z "$$KARAT_STRICT"; }
	$(BIN)/python -m pytest -n 0 --maxfail=1 -m ray tests/scale

endurance: $(VENV)/.group-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m endurance tests

scale: $(VENV)/.group-test
	$(PIP) install --group scale
	$(BIN)/python -m benchmarks.scale $(SCALE)

test-fast: $(VENV)/.group-test
	KARAT_FAST=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup tests/unit tests/contract \
	  -m "not parity and not slow and not ray and not endurance and not long"

bare: $(VENV)/.group-test
	KARAT_BARE=1 KARAT_FAST=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not parity and not slow and not ray and not endurance and not contained"

build/native-tests/native/karat_tests: $(VENV)/.built $(NATIVE)
	$(BIN)/cmake -S . -B build/native-tests -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DCMAKE_BUILD_TYPE=Debug -DKARAT_BUILD_TESTS=ON -DKARAT_SANITIZE=ON
	$(BIN)/cmake --build build/native-tests
	@touch $@

# What checks the report's page comes by npm: the TypeScript compiler and axe-core.
build/page/.installed: tools/page/package.json tools/page/package-lock.json
	@mkdir -p build/page
	@cp $^ build/page/
	cd build/page && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

page-tools:
	@if command -v npm >/dev/null && $(MAKE) --no-print-directory build/page/.installed; then :; \
	else echo "the page is not checked by tsc and axe-core: apt-get install npm"; test -z "$$KARAT_STRICT"; fi

check: $(VENV)/.group-lint $(VENV)/.group-test page-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)
	@if [ -f build/page/.installed ]; then echo tsc; build/page/node_modules/.bin/tsc -p tools/page && build/page/node_modules/.bin/tsc -p tools/web; fi
	$(BIN)/python -m nanobind.stubgen -q -m karat._native -o build/_native.pyi
	diff src/karat/_native.pyi build/_native.pyi
	$(BIN)/python docs/generate.py --check

format: $(VENV)/.group-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)
	$(BIN)/python -m nanobind.stubgen -q -m karat._native -o src/karat/_native.pyi
	$(BIN)/python docs/generate.py

parity: $(VENV)/.group-test
	$(BIN)/python -m pytest -n $(JOBS) -m "parity or slow"

bench: $(VENV)/.group-bench
	$(BIN)/python -m benchmarks $(BENCH)

fuzz: $(VENV)/.group-test
	@test -n "$(FUZZ_CXX)" || { echo "fuzzing needs clang: apt-get install clang-14 libclang-rt-14-dev"; exit 1; }
	$(BIN)/cmake -S . -B build/fuzz -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_CXX_COMPILER=$(FUZZ_CXX) \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKARAT_BUILD_FUZZERS=ON -DKARAT_SANITIZE=ON
	$(BIN)/cmake --build build/fuzz
	@for target in build/fuzz/native/fuzz_*; do \
	  test -x $$target -a -f $$target || continue; name=$$(basename $$target); mkdir -p build/fuzz-corpus/$$name; \
	  echo "$$name for $(FUZZ_SECONDS) s"; \
	  $$target -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 build/fuzz-corpus/$$name || exit 1; done
	$(BIN)/python -m tests.fuzzing.specs --count $(FUZZ_INPUTS)
	$(BIN)/python -W error -m tests.fuzzing.readers --count $(FUZZ_INPUTS)

docs: $(VENV)/.group-docs
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

picture: $(VENV)/.group-test
	$(BIN)/python tools/picture_of_report.py
	$(BIN)/python tools/pictures_of_campaign.py

clean:
	rm -rf $(VENV) build dist site wheelhouse .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
