#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Classes of races (tests/cli/classes.sh): what recipe, ThreadSanitizer and Helgrind say of each program and of its twin, as the
# rows of docs/benchmarks/classes.md. 'found' is a report of the racy one, 'ALARM' one of the clean one. ThreadSanitizer
# and Helgrind run each of them RUNS times (usually 5); one report suffices.
#   bench/classes.sh [lives/mutex …]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD recipe=${RECIPE:-build/release/recipe}
recipe=$(realpath "$recipe")
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=("$@")
[ $# -gt 0 ] || mapfile -t programs < <(cd tests/programs && for class in lives calls descriptors layout; do ls $class/*.c $class/*.cc 2>/dev/null || true; done)
cd "$work"

of() { # FLAGS COMPILER…: compiles $source
    local to=$1 flag=$2
    shift 2
    # shellcheck disable=SC2086
    "$@" -g -O1 -pthread $flag "$source" -o "$to" $(sed -n 's/.* flags: \(-[a-z]*\) .*/\1/p' "$source") 2>/dev/null
}

by_recipe() { # FLAG
    of r "$1" "$recipe" "$cc" || { echo -1 && return; }
    rm -rf trace
    timeout 120 "$recipe" run --budget 20 --report - -o trace ./r >out 2>&1 </dev/null || true
    grep -cE '^(Race|  Pair) .*confirmed' out || true
}

by_tsan() {
    local found=0
    of t "$1" "$clang" -fsanitize=thread || { echo -1 && return; }
    for ((i = 0; i < runs; i++)); do
        timeout 60 setarch -R ./t >out 2>&1 </dev/null || true
        ! grep -q 'WARNING: ThreadSanitizer' out || found=1
    done
    echo $found
}

by_helgrind() {
    local found=0
    of h "$1" "$gcc" || { echo -1 && return; }
    for ((i = 0; i < runs; i++)); do
        timeout 120 valgrind --tool=helgrind ./h >out 2>&1 </dev/null || true
        ! grep -q 'ERROR SUMMARY: [1-9]' out || found=1
    done
    echo $found
}

word() { # RACY CLEAN
    local words
    [ "$1" -ge 0 ] || { echo "not built" && return; }
    [ "$1" -eq 0 ] && words=missed || words=found
    [ "$2" -le 0 ] || words="$words, ALARM"
    echo "$words"
}

echo "| program | recipe | ThreadSanitizer | Helgrind |"
echo "|---|---|---|---|"
for program in "${programs[@]}"; do
    source=$(ls "$root/tests/programs/${program%.c*}".c* | head -n 1)
    cc=cc clang=clang-19 gcc=gcc
    [[ $source != *.cc ]] || cc=c++ clang=clang++-19 gcc=g++
    echo "| ${program%.c*} | $(word "$(by_recipe -DRACY)" "$(by_recipe "")") | $(word "$(by_tsan -DRACY)" "$(by_tsan "")") | $(word "$(by_helgrind -DRACY)" "$(by_helgrind "")") |"
done
