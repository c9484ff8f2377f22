#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What re-execution costs: pbzip2 with libbz2 on 1 MB, and a micro-program, recorded, then executed again from the log.
#   bench/reexecute.sh [BUILD-DIRECTORY]
# Values: to see whether it is the recorded run. Events: both passes, with terms, into the trace store. CPU seconds, because
# the machine may be shared; memory is the process's peak. Prints a table in Markdown, then whether the goals are met:
# with terms, at least half of the instructions per second while nothing depends on a shared read (apart: its threads share
# nothing), and pbzip2 in under 20 s within 2 GB.
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
build=$(realpath "${1:-$root/build/release}")
RECIPE=$build/recipe
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
[ -x /usr/bin/time ] || { echo "/usr/bin/time is missing: tools/setup.sh bench" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

timed() { # COMMAND…: sets cpu and peak (MB)
    local user system kilobytes
    /usr/bin/time -o time -f '%U %S %M' "$@" >out 2>err || { cat err >&2 && exit 1; }
    read -r user system kilobytes < <(tail -n 1 time)
    cpu=$(awk "BEGIN { print $user + $system }") peak=$((kilobytes / 1024))
}
field() { sed -n "s/^$1  *\([0-9]*\).*/\1/p" out; }
per_second() { awk "BEGIN { printf \"%.1f\", $1 / 1e6 / ($2 > 0 ? $2 : 0.01) }"; }

echo "| program | memory events M | instructions M | values: CPU s | M instructions/s | events: CPU s | M instructions/s, both passes | events told | peak MB |"
echo "|---|---|---|---|---|---|---|---|---|"
for name in apart pbzip2; do
    if [ $name = pbzip2 ]; then
        prepare pbzip2 || exit 77
        build_program recipe pbzip2 || { echo "pbzip2: the build failed: $built/build.log" >&2 && exit 1; }
        head -c 1000000 "$inputs/large" >input
        "$RECIPE" record -o "$name" -- "$built/$binary" -p4 -b5 -c <input >output 2>err || { cat err >&2 && exit 1; }
    else
        "$RECIPE" cc -O2 -g -pthread "$root/bench/micro/$name.c" -o program
        "$RECIPE" record -o $name ./program >output 2>err || { cat err >&2 && exit 1; }
    fi
    timed "$RECIPE" trace reexecute --stats $name
    instructions=$(field instructions) memory=$(($(field loads) + $(field stores)))
    timed "$RECIPE" trace reexecute $name
    values=$cpu
    timed "$RECIPE" trace stat $name
    told=$(awk 'NR == 2 { print $2 }' out)
    echo "| $name | $((memory / 1000000)) | $((instructions / 1000000)) | $values | $(per_second "$instructions" "$values") |" \
        "$cpu | $(per_second $((2 * instructions)) "$cpu") | $told | $peak |"
    if [ $name = pbzip2 ]; then
        awk "BEGIN { exit !($cpu < 20) }" && verdict=met || verdict=MISSED
        goals+=$'\n'"- pbzip2, 1 MB, with terms: $cpu s, goal under 20 s: $verdict"
        [ $peak -lt 2048 ] && verdict=met || verdict=MISSED
        goals+=$'\n'"- pbzip2, 1 MB, with terms: $peak MB, goal within 2048 MB: $verdict"
    elif [ $name = apart ]; then # both passes and the store against one pass
        awk "BEGIN { exit !(2 * $values / $cpu >= 0.5) }" && verdict=met || verdict=MISSED
        goals=$'\n'"- apart: speed with terms × without: $(awk "BEGIN { printf \"%.2f\", 2 * $values / $cpu }"), goal at least 0.5: $verdict"
    fi
done
echo "$goals"
