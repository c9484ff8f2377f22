#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe doctor: all is well here; and where it is not, it says what to do, and exits with 3.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
run 0 doctor
[ "$(grep -c '^ok ' out)" -ge 7 ] && ! grep -q '^BAD' out || fail "$(cat out)"
grep -q '^ok  *self-test' out || fail "no self-test: $(cat out)"
[ ! -s err ] || fail "it says more: $(cat err)"

RECIPE_CLANG=$(type -P false) run 3 doctor
grep -q '^BAD  *compiler .*no clang 19; install clang-19' out || fail "$(cat out)"
grep -q '^BAD  *self-test' out || fail "built by nothing: $(cat out)"

TMPDIR=$PWD/nowhere run 3 doctor
grep -q '^BAD  *room .*nowhere.*TMPDIR' out || fail "$(cat out)"

if (ulimit -v 60000000 && "$RECIPE" --version >out 2>err); then # not under a sanitizer
    (ulimit -v 60000000 && run 3 doctor)
    grep -q '^BAD  *addresses .*ulimit -v unlimited' out || fail "$(cat out)"
else
    echo "skipped: a limit on addresses: this build of recipe can't run under one" >&2
fi

run 2 doctor something
