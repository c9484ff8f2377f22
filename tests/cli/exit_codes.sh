#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# src/cli/exit_codes.h, code by code.
. "$(dirname "$0")/lib.bash"
small_trace

# 0: done, no race, well-formed, accepted
run 0 --version
run 0 trace import small.txt
run 0 trace stat small.recipe
run 0 trace dump small.recipe
run 0 trace export small.recipe
run 0 trace check small.recipe
sed '/^T2 w/d' small.txt >quiet.txt
run 0 trace import quiet.txt
run 0 analyze quiet.recipe
run 0 report quiet.recipe
printf 'recipe witness 1\nT1 to 1\nT2 to 1\nrace T1 1 T2 1\n' >good.witness
run 0 trace check --witness good.witness small.recipe

# 1: races; a witness is refused
run 1 analyze small.recipe
run 1 report small.recipe
run 1 report --format json small.recipe
printf 'recipe witness 1\nT2 to 1\nrace T1 1 T2 1\n' >bad.witness
run 1 trace check --witness bad.witness small.recipe
says out refused

# 2: usage
run 2
run 2 analyze
run 2 trace import -o small.recipe small.txt

# 3: bad input
run 3 analyze missing.recipe
run 3 trace import missing.txt
run 3 report missing.recipe
sed 's/^T1 rel m$/T2 rel m/' small.txt >broken.txt
run 0 trace import broken.txt
run 3 trace check broken.recipe
says out "event 2" "T2"
sed 's/^T1 rel m$/T2 rel m @ small.c:9/' small.txt >broken.txt
run 0 trace import -o located broken.txt
run 3 trace check located
says out "event 2 of thread T2 (small.c:9): "

# 5: the system refuses
if [ -e /dev/full ]; then
    "$RECIPE" trace dump small.recipe >/dev/full 2>err && fail "a full disk went unnoticed" || code=$?
    [ "$code" -eq 5 ] || fail "a full disk: exit code $code, not 5"
    says err "can't be written"
fi
# a directory where nothing may be written, said before the work
cp -r small.recipe theirs
chmod a+rX,a-w theirs theirs/*
if unprivileged 5 analyze theirs; then
    silent out
    says err "theirs/results.db: can't be written: Permission denied"
    unprivileged 1 report theirs
    chmod u+w theirs && rm -f theirs/results.db && chmod u-w theirs
    unprivileged 5 analyze theirs
    says err "theirs: results.db can't be made there: Permission denied"
    unprivileged 5 trace import -o theirs/new small.txt
    says err "theirs/new: can't be made: Permission denied"
fi
chmod -R u+w theirs
