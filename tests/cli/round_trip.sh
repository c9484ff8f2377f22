#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What dump prints, import reads: the second dump equals the first, byte for byte. Likewise export. Filters of dump.
. "$(dirname "$0")/lib.bash"

n=0
for file in "$RECIPE_SOURCE_DIR"/tests/golden/figures/*.txt "$RECIPE_SOURCE_DIR"/examples/*.txt; do
    run 0 trace import --format text -o "one$n" "$file"
    says out "one$n"
    run 0 trace dump "one$n"
    mv out dump
    run 0 trace import -o "two$n" dump
    run 0 trace dump "two$n"
    cmp out dump || fail "$file: the dump of the dump differs"
    run 0 trace export "two$n"
    cmp out dump || fail "$file: export differs from dump"
    n=$((n + 1))
done
[ "$n" -gt 10 ] || fail "only $n traces were found"

# default names: never overwritten, numbered
small_trace
run 0 trace import small.txt
says out small.recipe
run 0 trace import ./small.txt
says out small.recipe.1
run 0 trace import - <small.txt
says out stdin.recipe
mkdir empty
run 0 trace import -o empty small.txt
run 0 trace dump empty

# filters
run 0 trace dump --thread T2 small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--thread T2"
run 0 trace dump --thread 1 small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--thread 1"
run 0 trace dump --address x small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--address x"
run 0 trace dump --address=0x1003 small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--address 0x1003"
run 0 trace dump --address 0x1000-0x1008 small.recipe
[ "$(wc -l <out)" -eq 3 ] || fail "--address 0x1000-0x1008"
run 0 trace dump --object m small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--object m"
run 0 trace dump --range 1:3 small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--range 1:3"
run 0 trace dump --range 3: --thread T2 small.recipe
[ "$(wc -l <out)" -eq 2 ] || fail "--range 3: --thread T2"
for option in "--thread T9" "--thread 2" "--address z" "--address 5-" "--object x" "--range 3" "--range 4:4" "--range a:b"; do
    run 2 trace dump $option small.recipe
    silent out
done

run 0 trace stat small.recipe
says out threads
