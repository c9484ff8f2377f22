#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program that relies on what the machine does gives the same at every level of optimisation, and when executed again.
. "$(dirname "$0")/lib.bash"
program=$RECIPE_SOURCE_DIR/tests/programs/strict/strict.c

clang-19 -O0 -w "$program" -o native -latomic -lm
./native >native.out
for flags in -O0 -O1 -O2 "-O3 -ffast-math" "-Os -g" "-O2 -fPIC"; do
    # shellcheck disable=SC2086
    "$RECIPE" cc $flags -w "$program" -o strict -latomic -lm
    ./strict >out || fail "$flags: it fails"
    cmp -s out native.out || fail "$flags: $(diff out native.out)"
    "$RECIPE" record --log-values -o trace ./strict >out 2>err || fail "$flags: recording fails: $(cat err)"
    cmp -s out native.out || fail "$flags, recorded: $(diff out native.out)"
    run 0 trace reexecute trace
    says out "mismatches    0"
    rm -rf trace
done
