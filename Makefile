# Each target installs what it needs through tools/bootstrap, which is quick when nothing is missing.
# The work is done by CMake presets and by the scripts in tools/.

.DEFAULT_GOAL := help
.PHONY: help demo test bench nightly build format lint tidy asan coverage fuzz clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

demo: build ## overlay a small trunk with a backend, build it, prove what was used
	@tools/bootstrap mlir clang
	@tools/demo

test: ## all test layers, first failure stops; tools/test LAYER... runs some
	@tools/bootstrap
	@tools/test

bench: ## the figures of the documentation, measured on this machine
	@tools/bootstrap
	@cmake --preset release >/dev/null && cmake --build --preset release -- --quiet
	@tools/scale-bench
	@tools/bench

nightly: test tidy ## all of test, then clang-tidy, ThreadSanitizer, fuzzers, slow tests
	@SPEC_TEST_FULL=1 ctest --preset dev -L unit
	@cmake --preset tsan >/dev/null && cmake --build --preset tsan -- --quiet && ctest --preset tsan
	@tools/fuzz
	@SPEC_TRUNKS=all tools/bootstrap python
	@.venv/bin/pytest tests -m slow || [ $$? -eq 5 ] # 5: no test is marked slow

build: ## the engine and the command line, in build/dev
	@tools/bootstrap build python
	@cmake --preset dev >/dev/null && cmake --build --preset dev -- --quiet

format: ## format the C files
	@tools/bootstrap lint
	@tools/check --fix-format

lint: ## format, layers, style, text and documents
	@tools/bootstrap lint python
	@tools/test lint

tidy: ## clang-tidy on every C file
	@tools/bootstrap build tidy
	@cmake --preset tidy >/dev/null && cmake --build --preset tidy -- --quiet

asan: ## unit tests and fuzz corpus under AddressSanitizer and UBSan
	@tools/bootstrap build clang
	@tools/test asan

coverage: ## line coverage of the C tests, pages in build/coverage/html
	@tools/bootstrap build coverage
	@tools/coverage

fuzz: ## each fuzzer for SPEC_FUZZ_SECONDS (60)
	@tools/bootstrap build clang
	@tools/fuzz

clean: ## remove build/; .venv stays
	@rm -rf build
