#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/tally by each build system, as its page says it: the test passes, and recipe finds the race. The toolchain file
# finds the compilers where recipe was installed, too.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
PATH=$(dirname "$RECIPE"):$PATH
lib=$(dirname "$RECIPE")/lib/recipe
there() { # TOOL…
    local tool
    for tool; do command -v "$tool" >/dev/null || { echo "$tool is not there: not tried" && return 1; }; done
}
# tried WITH: the page's line for it, in a copy of the project
tried() {
    local line
    line=$(sed -n "s/^| $1 | \`\(.*\)\` |\$/\1/p" "$RECIPE_SOURCE_DIR/examples/tally/README.md")
    [ -n "$line" ] || fail "examples/tally/README.md has no line for $1"
    line=${line//\/usr\/lib\/recipe/$lib}
    rm -rf project && cp -r "$RECIPE_SOURCE_DIR/examples/tally" project
    local ended=0
    (cd project && eval "${line//recipe run/recipe run --budget 60 --report $work/report --format json}") >"$work/out" 2>&1 || ended=$?
    [ $ended = 1 ] || fail "$1: '$line' ended with $ended: $(cat "$work/out")"
    [ "$(jq '[.races[] | select(.variable | test("^all"))] | length' report)" -ge 1 ] || fail "$1: $(cat report)"
}
tried make
! there cmake ctest || tried "CMake and CTest"
! there autoreconf automake || tried autotools
! there meson || tried Meson

if there cmake; then
    cmake --install "$(dirname "$RECIPE")" --prefix "$work/prefix" >out
    rm -rf project && cp -r "$RECIPE_SOURCE_DIR/examples/tally" project
    cmake -S project -B project/build -DCMAKE_TOOLCHAIN_FILE="$work/prefix/lib/recipe/toolchain.cmake" >out
    grep -q "^CMAKE_C_COMPILER:[^=]*=$work/prefix/bin/recipe-cc" project/build/CMakeCache.txt ||
        grep -rq "$work/prefix/bin/recipe-cc" project/build/CMakeFiles/*/CMakeCCompiler.cmake || fail "another compiler: $(cat out)"
fi
