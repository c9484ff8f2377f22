# The front door: every target is one or two lines over CMake's presets. 'make help' lists them.
PRESET ?= release
PREFIX ?= /usr/local
BUILD = build/$(PRESET)

.PHONY: build help demo check check-all check-ci bench fuzz format install deb clean setup
.DEFAULT_GOAL = build

help:     ## this list
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' Makefile | expand -t 12

setup:    ## install the Debian packages that are missing
	@tools/setup.sh build

build: setup ## build the recipe program; what make does without a target (PRESET=release, debug, asan, tsan, coverage)
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build --preset $(PRESET) --target product

demo: build ## run the main job on an example and print its report
	@tools/demo.sh $(BUILD)/recipe

check:    ## build and run every kind of test on samples, within 12 minutes: optimised, then under the sanitizers
	@tools/setup.sh build check
	@tools/check.sh sample

check-all: ## build and run every test on everything, the same way
	@tools/setup.sh build check
	@tools/check.sh all

check-ci: ## build and run every test on everything, optimised; under the sanitizers on samples
	@tools/setup.sh build check
	@tools/check.sh ci

bench: build ## measure throughputs side by side with their rivals
	@tools/setup.sh bench
	@cmake --build --preset $(PRESET)
	@tools/bench.sh $(BUILD)

fuzz:     ## run each libFuzzer target for FUZZ_SECONDS (default 600)
	@tools/setup.sh build fuzz
	@tools/fuzz.sh

format:   ## format the sources in place
	@tools/setup.sh format
	@git ls-files '*.c' '*.h' | xargs clang-format-19 -i

install: build ## install to PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

deb: setup ## build a Debian package: build/deb/recipe_VERSION_ARCH.deb
	@tools/setup.sh deb
	@debian/rules binary

clean:    ## remove what was built
	rm -rf build
