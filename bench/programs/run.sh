#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Real programs, recorded: fetches their Debian source packages, builds them natively and by setting CC and CXX to recipe,
# and compares what they do natively with what they do under every policy and many seeds.
#   bench/programs/run.sh [--seeds N] [--policies "rr random pct"] [--reexecute|--values] [--fast] [--limit SECONDS] [NAME…]
# Without names: all of them. --reexecute: each recording is also executed again from its log; --values: and every event's
# value compared, which takes gigabytes. --fast: the two that take the least, 2 seeds, executed again. Exit code: 0 all the
# same, 1 a difference or a failure, 77 nothing could be fetched (CTest: skipped).
# RECIPE: the program to test (default: build/release/recipe in these sources).
set -euo pipefail
. "$(dirname "$0")/lib.bash"

seeds=20 policies="rr random pct" limit=120 names=() again=0 values=()
while [ $# -gt 0 ]; do
    case $1 in
    --seeds) seeds=$2 && shift ;;
    --policies) policies=$2 && shift ;;
    --limit) limit=$2 && shift ;;
    --reexecute) again=1 ;;
    --values) again=1 values=(--log-values) ;;
    --fast)
        seeds=2 again=1 names+=(pbzip2 lbzip2)
        # 'make check' (tests/cli/lib.bash)
        [ "${RECIPE_CHECK:-all}" != sample ] || { seeds=1 names=(pbzip2) && echo "sampled: 1 of 2 programs, 1 of 2 seeds"; }
        ;;
    -*) sed -n '3,10s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(all_programs)
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
for need in apt-get dpkg-source make clang-19; do
    command -v $need >/dev/null || { echo "SKIPPED: $need is missing; 'tools/setup.sh programs' installs it" && exit 77; }
done
ulimit -v unlimited

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# one_run DIRECTORY: a run of the described program in a new directory: its files, `stdout`, and `code`.
one_run() {
    rm -rf "$1" && mkdir -p "$1"
    (
        cd "$1"
        code=0
        set +e
        run_program >stdout 2>"$1.stderr" || code=$?
        echo $code >code
    )
}

native() { timeout --foreground "$limit" "$@"; }
recorded() {
    timeout --foreground "$limit" "$RECIPE" record -o "$(mktemp -u "$work/trace/XXXXXXXX")" \
        --schedule="$policy" --seed "$seed" "${values[@]}" -- "$@"
}
# Every recording of a run, those of child processes included.
reexecuted() {
    local log
    for log in "$work"/trace/*/log "$work"/trace/*/process.*/log; do
        [ ! -e "$log" ] || "$RECIPE" trace reexecute "$(dirname "$log")" >"$work/reexecution" 2>&1 || {
            cat "$work/reexecution"
            return 1
        }
    done
}

failed=0 skipped=0
for name in "${names[@]}"; do
    prepare "$name" || { skipped=$((skipped + 1)) && continue; }
    build_program native "$name" || { echo "$name: the native build failed: $built/build.log" && failed=1 && continue; }
    launch=(native)
    one_run "$work/native"
    [ "$(cat "$work/native/code")" = 0 ] || { echo "$name: fails natively" && cat "$work/native.stderr" && failed=1 && continue; }
    build_program recipe "$name" || { echo "$name: recipe's build failed: $built/build.log" && failed=1 && continue; }
    launch=(recorded)
    for policy in $policies; do
        same=0
        begin=$SECONDS
        for ((seed = 1; seed <= seeds; seed++)); do
            mkdir -p "$work/trace"
            one_run "$work/recorded"
            if ! diff -r "$work/native" "$work/recorded" >"$work/difference" 2>&1; then
                failed=1
                echo "$name, --schedule=$policy --seed $seed: differs from the native run"
                head -n 5 "$work/difference" "$work/recorded.stderr"
            elif [ $again -eq 1 ] && ! reexecuted; then
                failed=1
                echo "$name, --schedule=$policy --seed $seed: re-execution fails"
            else
                same=$((same + 1))
            fi
            rm -rf "$work/trace"
        done
        echo "$name: $policy: $same of $seeds runs as natively, $((SECONDS - begin)) s"
    done
done
[ $failed -eq 0 ] || exit 1
[ $skipped -lt ${#names[@]} ] || { echo "SKIPPED: none of the source packages can be fetched here" && exit 77; }
