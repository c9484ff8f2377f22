#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What re-execution costs: pbzip2 with libbz2 on 1 MB, and a micro-program, recorded, then executed again from the log.
#   bench/reexecute.sh [BUILD-DIRECTORY]
#   bench/reexecute.sh --telling [--repeat N] [--instructions] [NAME…]
# Values: to see whether it is the recorded run. Events: both passes, with terms, into the trace store. CPU seconds, because
# the machine may be shared; memory is the process's peak. Prints a table in Markdown, then whether the goals are met:
# with terms, at least half of the instructions per second while nothing depends on a shared read (apart: its threads share
# nothing), and pbzip2 in under 20 s within 2 GB.
# --telling: how fast a run is told, both executions and the trace written, nothing else: of arrays, treap (bench/micro), pbzip2
# and zstd, compressing, or those named. CPU seconds are the least of N runs (3). --instructions: as callgrind counts them, which
# others on the machine do not change (minutes). RECIPE: the program to measure, of another build, say, on the same recordings.
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
telling=0 repeat=3 counts=0
[ "${1:-}" != --telling ] || { telling=1 && shift; }
while [[ $telling = 1 && ${1:-} == --* ]]; do
    case $1 in
    --repeat) repeat=$2 && shift ;;
    --instructions) counts=1 ;;
    *) sed -n '3,4s/^# //p' "$0" && exit 2 ;;
    esac
    shift
done
if [ $telling = 1 ]; then
    build=$root/build/release names=("$@")
    [ ${#names[@]} -gt 0 ] || names=(arrays treap pbzip2 zstd)
else
    build=$(realpath "${1:-$root/build/release}")
fi
RECIPE=$(realpath "${RECIPE:-$build/recipe}")
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

# recorded NAME: its recording is in the directory NAME; always by the build's recipe, whichever is measured.
recorded() {
    local RECIPE=$build/recipe arguments=()
    if [ -f "$root/bench/micro/$1.c" ]; then
        "$RECIPE" cc -O2 -g -pthread "$root/bench/micro/$1.c" -o program
        case $1 in
        arrays) arguments=(10) ;;
        treap) arguments=(10000) ;;
        esac
        "$RECIPE" record -o "$1" -- ./program "${arguments[@]}" >output 2>err || { cat err >&2 && exit 1; }
        return
    fi
    prepare "$1" || exit 77
    build_program recipe "$1" || { echo "$1: the build failed: $built/build.log" >&2 && exit 1; }
    case $1 in
    pbzip2) head -c 1000000 "$inputs/large" >input && launch=("$built/$binary" -p4 -b5 -c) ;;
    zstd) head -c 600000 "$inputs/small" >input && launch=("$built/$binary" -q -T4 -1 -B512KB -c) ;;
    *) echo "nobody says how $1 is run here: see recorded() in $0" >&2 && exit 2 ;;
    esac
    "$RECIPE" record -o "$1" -- "${launch[@]}" <input >output 2>err || { cat err >&2 && exit 1; }
}

fresh() { rm -rf told && cp -r "$1" told; } # NAME: a copy of its recording, of which nobody has told the events

# What the command does besides (it counts the events it finds) is done once more alone, and left out.
tell_one() { # NAME
    local i events best='' most=0 both instructions=''
    recorded "$1"
    for ((i = 0; i < repeat; i++)); do
        fresh "$1"
        timed "$RECIPE" trace stat told
        both=$cpu
        [ "$peak" -lt $most ] || most=$peak
        timed "$RECIPE" trace stat told
        best=$(awk -v best="$best" -v now="$both" -v rest="$cpu" \
            'BEGIN { now -= rest; print best == "" || now < best ? now : best }')
    done
    events=$(awk 'NR == 2 { print $2 }' out)
    if [ $counts = 1 ]; then
        fresh "$1"
        valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=rcp_recorded_events_make \
            "$RECIPE" trace stat told >out 2>err || { cat err >&2 && exit 1; }
        instructions=$(sed -n 's/^==[0-9]*== Collected *: *//p' err)
    fi
    echo "| $1 | $events | $best | $(awk "BEGIN { printf \"%.2f\", $events / 1e6 / $best }") |" \
        "${instructions:+$((instructions / 1000000))} | $most |"
}

if [ $telling = 1 ]; then
    echo "| program | events | CPU s | M events/s | M instructions | peak MB |"
    echo "|---|---:|---:|---:|---:|---:|"
    for name in "${names[@]}"; do
        tell_one "$name"
    done
    exit
fi

echo "| program | memory events M | instructions M | values: CPU s | M instructions/s | events: CPU s | M instructions/s, both passes | events told | peak MB |"
echo "|---|---|---|---|---|---|---|---|---|"
for name in apart pbzip2; do
    recorded $name
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
