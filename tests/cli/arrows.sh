#!/usr/bin/env bash
# Folders are the stages that the data passes through: who may include whom (docs/architecture.md), and the rules that go with it.
set -euo pipefail
cd "$RECIPE_SOURCE_DIR"

declare -A may=(
    [base]="base" [abi]="abi" [trace]="base abi trace" [results]="base trace results" [program]="base abi trace program"
    [instrument]="base abi program instrument" [runtime]="abi runtime" [order]="base trace results order"
    [predict]="base trace results program order predict" [report]="base trace results report"
    [replay]="base abi trace results program replay"
    [cluster]="base trace predict cluster" [cli]="*"
)
failed=0
complain() { echo "$*" >&2; failed=1; }

for file in src/*/*.[ch] src/*/*/*.[ch]; do
    folder=${file#src/} && folder=${folder%%/*}
    [ -n "${may[$folder]:-}" ] || { complain "$file: the folder '$folder' has no arrows in $0"; continue; }
    for target in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
        [[ ${may[$folder]} == "*" || " ${may[$folder]} " == *" $target "* ]] || complain "$file: $folder/ may not include $target/"
    done
    ! grep -q '^#include "[^/]*"' "$file" || complain "$file: include by folder, \"folder/name.h\""
    [ "$(wc -l <"$file")" -le 800 ] || complain "$file: over 800 lines; is there a seam?"
    head -n 1 "$file" | grep -q SPDX-License-Identifier || complain "$file: no SPDX line"
done

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
for header in src/*/*.h src/*/*/*.h; do
    "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers -Isrc \
        -isystem "$(llvm-config-19 --includedir)" -fsyntax-only -x c "$header" ||
        complain "$header does not compile alone"
done

# Nothing in a library calls exit; only cli/ does. The runtime is part of a program, and defines them.
! grep -nE '\b_?exit\(' -r src --include='*.c' | grep -v -e '^src/cli/' -e 'of the child alone' -e '^src/runtime/' ||
    complain "exit() outside cli/"
exit $failed
