#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program that leaves a file behind: its races in runs that were thought out are carried out like any other's.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
run 0 cc -g -O1 "$RECIPE_SOURCE_DIR/tests/programs/explore/leaves.c" -o leaves -pthread
echo old >left.txt
run 1 run --budget 60 --format json --report json ./leaves
[ -f leaves.recipe/left ] || fail "nothing is said to be left: the test tests nothing"
ls leaves.recipe/variants/*/left >out || fail "the variant has no note of it"
[ "$(jq '[.races[] | select(.status == "confirmed" and .variable == "v")] | length > 0' json)" = true ] || fail "$(cat json)"
