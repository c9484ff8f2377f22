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
# a manual page for every command, which man finds and groff has nothing to say of
manual=$work/prefix/share/man/man1
for command in "" $("$RECIPE" help | sed -n 's/^  \([a-z+]*\( [a-z][a-z]*\)\?\)  .*/\1/p' | grep -vx help | tr ' ' -); do
    page=$manual/recipe${command:+-$command}.1
    [ -f "$page" ] || fail "there is no $page"
    ! command -v groff >out || [ -z "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" ] ||
        fail "$page: $(groff -man -Tutf8 -ww -z "$page" 2>&1)"
done
[ "$(ls "$manual" | wc -l)" -ge 15 ] || fail "there are only $(ls "$manual" | wc -l) manual pages"
if command -v man >out; then
    man -M "$work/prefix/share/man" recipe-run >out
    says out "recipe-run(1)" "--budget SECONDS" "default: 120"
fi
# the compilers find their parts, wherever the tree is
mv "$work/prefix" "$work/elsewhere" && pages=$work/elsewhere/share/doc/recipe
echo 'int main(void) { return 0; }' >a.c
(ulimit -v unlimited && "$work/elsewhere/bin/recipe-cc" a.c -o a && ./a) || fail "the installed recipe-cc does not work"
for page in "$pages"/*.md "$pages"/docs/*.md "$pages"/docs/*/*.md; do
    for link in $(grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || fail "$(basename "$page"): dead link $link"
    done
done
