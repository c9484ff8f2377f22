#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What 'make install' installs runs, and the pages that the help speaks of are there; none of their links is dead.
. "$(dirname "$0")/lib.bash"
cmake --install "$(dirname "$RECIPE")" --prefix "$work/prefix" >out
RECIPE=$work/prefix/bin/recipe
pages=$work/prefix/share/doc/recipe
run 0 --version
for command in cc c++ analyze report "trace import" "trace export" "trace stat" "trace dump" "trace check"; do
    run 0 help $command
    for page in $(grep -o 'docs/[a-z-]*\.md' out); do
        [ -f "$pages/$page" ] || fail "help $command speaks of $page, which is not installed"
    done
done
# the compilers find their parts, wherever the tree is
mv "$work/prefix" "$work/elsewhere" && pages=$work/elsewhere/share/doc/recipe
echo 'int main(void) { return 0; }' >a.c
(ulimit -v unlimited && "$work/elsewhere/bin/recipe-cc" a.c -o a && ./a) || fail "the installed recipe-cc does not work"
for page in "$pages"/*.md "$pages"/docs/*.md; do
    for link in $(grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || fail "$(basename "$page"): dead link $link"
    done
done
