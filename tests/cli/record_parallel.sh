#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Many recordings at a time, in one directory: under make -j and ctest.
. "$(dirname "$0")/lib.bash"
build_counter
export RECIPE

printf 'all: %s\n%%.done:\n\t"$$RECIPE" record ./counter 50 >$@ 2>$@.err\n' "$(seq -f %g.done -s ' ' 24)" >Makefile
make -j 8 >make.log 2>&1 || fail "make: $(cat make.log)"
[ "$(ls -d counter.recipe* | wc -l)" -eq 24 ] || fail "not 24 directories: $(ls -d counter.recipe*)"
[ "$(cat ./*.done | sort -u)" = "locked 100" ] || fail "an output differs"
for directory in counter.recipe*; do
    run 0 trace stat "$directory"
    says out "the log ended                    by exit"
done
[ "$(cat ./*.done.err | sort -u | wc -l)" -eq 24 ] || fail "two recordings name one directory"

mkdir tests
cat >tests/CTestTestfile.cmake <<E2
add_test(one "$RECIPE" record "$PWD/counter" 50)
add_test(two "$RECIPE" record "$PWD/counter" 50)
add_test(fails "$RECIPE" record "$PWD/counter" 50 3)
E2
(cd tests && ctest -j 3 >ctest.log 2>&1) && fail "a failing test went unnoticed"
says tests/ctest.log "1 tests failed out of 3"
[ "$(ls -d tests/counter.recipe* | wc -l)" -eq 3 ] || fail "ctest: not 3 directories"
