#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does 'recipe run --budget' hold? Everything after the recording (telling, analysis, variants, replays) may take 1.2 times the budget
# and 2 seconds more, and one run of the program, for a replay that does not fit.
#   bench/budget.sh [--budgets N,N…] [--model M,M…] [--keep DIR] PROGRAM…
# A PROGRAM is a C or C++ file, which is compiled, or a command, in quotes, of a program that 'recipe cc' has built. Budgets: 2,10,30.
# Prints a table in Markdown, the worst first; how long the recording took is not counted. Exit code 1: the bound does not hold somewhere.
# RECIPE: the program to measure (build/release/recipe). BUDGET_FLAGS: for the compiler (-g -O1 -pthread).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
usage() { sed -n '3,8s/^# //p' "$0" >&2 && exit 2; }

budgets=2,10,30 model=auto keep='' programs=()
while [ $# -gt 0 ]; do
    case $1 in
    --budgets) budgets=$2 && shift ;;
    --model) model=$2 && shift ;;
    --keep) keep=$2 && shift ;;
    -*) usage ;;
    *) programs+=("$1") ;;
    esac
    shift
done
[ ${#programs[@]} -gt 0 ] || usage
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT

# The command of a program, as words.
command_of() { # PROGRAM
    local built compiler=cc
    case $1 in
    *.c | *.cc | *.cpp)
        [[ $1 = *.c ]] || compiler=c++
        built=$work/$(basename "$1").bin
        # shellcheck disable=SC2086 # flags are words
        "$RECIPE" $compiler ${BUDGET_FLAGS:--g -O1 -pthread} "$1" -o "$built" || return
        echo "$built"
        ;;
    *) echo "$1" ;;
    esac
}

seconds() { date +%s.%N; }
rows=$work/rows
: >"$rows"
n=0
for program in "${programs[@]}"; do
    command=$(command_of "$program") || { echo "$program: can't be built" >&2; exit 2; }
    for budget in ${budgets//,/ }; do
        n=$((n + 1))
        from=$(seconds) code=0
        # shellcheck disable=SC2086 # a command's words
        "$RECIPE" run --model "$model" --budget "$budget" -o "$work/$n.recipe" -- $command >"$work/$n.out" 2>"$work/$n.report" </dev/null || code=$?
        to=$(seconds)
        wall=$(sed -n 's/.*"wall": \([0-9.]*\).*/\1/p' "$work/$n.recipe/run.json" 2>/dev/null || true)
        awk -v from="$from" -v to="$to" -v wall="${wall:-0}" -v budget="$budget" -v code="$code" -v name="$(basename "${program%% *}")" 'BEGIN {
            taken = to - from - wall; bound = 1.2 * budget + 2 + wall
            printf "%.4f\t| %s | %s | %.2f | %.2f | %.2f | %s | %s |\n", taken / bound, name, budget, wall, bound, taken, code, taken <= bound ? "holds" : "**does not hold**" }' >>"$rows"
        tail -1 "$rows" | cut -f2- >&2
        [ -n "$keep" ] || rm -rf "$work/$n.recipe"
    done
done
echo '| program | budget, s | recorded in, s | bound, s | taken, s | exit code | |'
echo '|---|---|---|---|---|---|---|'
sort -rn "$rows" | cut -f2-
! grep -q 'does not hold' "$rows"
