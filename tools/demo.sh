#!/usr/bin/env bash
# The main job on an example whose race other detectors do not see: tools/demo.sh PATH-TO-RECIPE
# Where clang-19 and valgrind are there, they look at the same program first.
set -euo pipefail
recipe=$(realpath "$1")
cd "$(dirname "$0")/.."
examples=$PWD/examples

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$examples/published.c" .
say() { printf '\n$ %s\n' "$*"; }

if command -v clang-19 >/dev/null; then
    say clang-19 -fsanitize=thread -g published.c -o by-tsan '&&' ./by-tsan
    clang-19 -fsanitize=thread -g published.c -o by-tsan -pthread
    if ./by-tsan 2>&1; then echo "(ThreadSanitizer: nothing)"; else echo "(ThreadSanitizer reports a race in this run)"; fi
fi
if command -v valgrind >/dev/null; then
    say valgrind --tool=helgrind ./native
    cc -g published.c -o native -pthread
    if valgrind -q --error-exitcode=9 --tool=helgrind ./native 2>&1; then echo "(Helgrind: nothing)"; else echo "(Helgrind reports a race in this run)"; fi
fi
say recipe cc -g published.c -o published -pthread
"$recipe" cc -g published.c -o published -pthread
say recipe run ./published
"$recipe" run ./published || [ $? -eq 1 ] # 1: races found, as they should be
