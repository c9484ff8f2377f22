# The front door: every target is one or two lines over CMake's presets. 'make help' lists them.
PRESET ?= release
PREFIX ?= /usr/local
BUILD = build/$(PRESET)

.PHONY: help demo check bench fuzz format install build clean setup

help:     ## this list
	@sed -n 's/^\([a-z]*\): .*## /\1\t/p' Makefile | expand -t 12

setup:    ## install the Debian packages that are missing
	@tools/setup.sh build

build: setup ## build the recipe program (PRESET=release, debug, asan, tsan, coverage)
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build --preset $(PRESET)

demo: build ## run the main job on an example and print its report
	@tools/demo.sh $(BUILD)/recipe

check:    ## build and run every test: optimised, then under the address and undefined-behaviour sanitizers
	@tools/setup.sh build check
	@tools/check.sh

bench: build ## measure throughputs side by side with their rivals
	@tools/setup.sh bench
	@tools/bench.sh $(BUILD)

fuzz:     ## run each libFuzzer target for FUZZ_SECONDS (default 600)
	@tools/setup.sh build fuzz
	@tools/fuzz.sh

format:   ## format the sources in place
	@tools/setup.sh format
	@git ls-files '*.c' '*.h' | xargs clang-format-19 -i

install: build ## install to PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:    ## remove what was built
	rm -rf build
