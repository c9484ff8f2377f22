#!/usr/bin/env bash
# Folders are the stages that the data passes through. Who may include whom is the table of docs/architecture.md, a row
# per folder and subfolder; nobody goes in circles, neither headers nor units nor folders; and the rules that go with it.
#     arrows.sh             all of it
#     arrows.sh includes    the table and the circles alone (arrows_test.sh)
set -euo pipefail
here=$(dirname "$(realpath "$0")")
cd "$RECIPE_SOURCE_DIR"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
complain() { echo "$*" >&2; failed=1; }
complaints() { ! grep . "$1" >&2 || failed=1; } # of a file that should be empty

find src -name '*.[ch]' -o -name '*.inc' -o -name '*.def' | sed 's|^src/||' | sort >"$work/files"
grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src --include='*.[ch]' --include='*.inc' --include='*.def' |
    sed -E 's|^src/([^:]*):[^"]*"([^"]*)".*|\1 \2|' | sort >"$work/includes"
awk -f "$here/arrows.awk" docs/architecture.md "$work/files" "$work/includes" >"$work/complaints"
complaints "$work/complaints"
[ "${1:-}" != includes ] || exit $failed

mapfile -t sources < <(find src -name '*.[ch]' | sort)
awk 'FNR == 1 && !/SPDX-License-Identifier/ { print FILENAME ": no SPDX line" }
     FNR == 801 { print FILENAME ": over 800 lines; is there a seam?" }' "${sources[@]}" >"$work/complaints"
awk -f "$here/doubled.awk" "${sources[@]}" >>"$work/complaints"
complaints "$work/complaints"

only() { # only HEADER 'FOLDER…': no other folder includes it
    local users
    users=$(grep -l "^#include <$1>" -r src | grep -vE "^src/(${2// /|})/" || true)
    [ -z "$users" ] || complain "$users: only $2 may include <$1>"
}
only sqlite3.h results
only z3.h predict
only mpi.h cluster
only 'llvm-c/.*' "program instrument"
only zstd.h "trace program instrument"

# Each header compiles alone.
llvm=$(llvm-config-19 --includedir)
compile() {
    "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers -Isrc -isystem "$llvm" \
        -fsyntax-only -x c "$1" || echo "$1 does not compile alone"
}
export -f compile
export llvm
printf '%s\n' "${sources[@]}" | grep '\.h$' | xargs -P "$(nproc)" -I{} bash -c 'compile {}' >"$work/complaints"
complaints "$work/complaints"

# Nothing in a library calls exit; only cli/ does. The runtime is part of a program, and defines them.
! grep -nE '\b_?exit\(' -r src --include='*.c' | grep -v -e '^src/cli/' -e 'of the child alone' -e '^src/runtime/' ||
    complain "exit() outside cli/"
exit $failed
