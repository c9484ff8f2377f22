#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A server that somebody took a lock out of: is that found in one run, by what is shipped?
#   bench/unlocked.sh [--for SECONDS] [--budget SECONDS] [NAME…]
# Names: PROGRAM+WHAT, where bench/programs/PROGRAM.sh has `without_WHAT` (default: memcached+items memcached+counters). Each is built by
# recipe cc, and run once by `recipe run --for 10 --client …`, as the program itself, for comparison. Prints a table in Markdown, then
# the confirmed races that the program itself does not show. Exit code: 1 where there is none.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

for=10 budget=120 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --for) for=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(memcached+items memcached+counters)
begin_measuring

# races NAME: 'variable function function' of its confirmed races; how long it took in $work/NAME.seconds
races() {
    local begin=$SECONDS
    prepare "$1" && build_program recipe "$1" || { echo "$1: its sources or its build are missing: $built/build.log" >&2 && exit 1; }
    { declare -f && echo 'visit "$1"'; } >"$work/visit"
    rm -rf "$work/run" "$work/trace" && mkdir "$work/run"
    launch=("$RECIPE" run --for "$for" --budget "$budget" --client "bash '$work/visit' '$work'" -o "$work/trace" --format json --report "$work/report" --)
    begin=$SECONDS
    # Where nobody can read what it prints: else guesses are not tried, because somebody could have answered.
    (cd "$work/run" && yard >/dev/null 2>&1) || [ $? -eq 1 ] || { echo "$1: 'recipe run' fails" >&2 && exit 1; }
    echo $((SECONDS - begin)) >"$work/$1.seconds"
    jq -r '.races[] | select(.status == "confirmed") | [.variable // "?", (.accesses[] | "\(.function) \(.file | split("/") | last):\(.line)")] | join("\t")' \
        "$work/report" | sort -u
}

failed=0
echo "| program | confirmed | of these not in the program itself | seconds |"
echo "|---|---|---|---|"
for name in "${names[@]}"; do
    plain=${name%%+*}
    [ -e "$work/$plain.races" ] || {
        races "$plain" >"$work/$plain.races"
        echo "| $plain | $(wc -l <"$work/$plain.races") | | $(cat "$work/$plain.seconds") |"
    }
    races "$name" >"$work/$name.races"
    comm -13 "$work/$plain.races" "$work/$name.races" >"$work/$name.new"
    echo "| $name | $(wc -l <"$work/$name.races") | $(wc -l <"$work/$name.new") | $(cat "$work/$name.seconds") |"
    [ -s "$work/$name.new" ] || failed=1
done
for name in "${names[@]}"; do
    sed "s/^/$name\t/" "$work/$name.new"
done
exit $failed
