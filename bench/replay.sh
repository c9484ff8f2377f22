#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every race that is found in the programs of bench/programs (and bench/micro) is carried out on them: how many are confirmed, and
# what a replay costs beside the recording.
#   bench/replay.sh [--budget SECONDS] [NAME…]
# Names: of bench/programs/ and bench/micro/; without any, all programs. Prints a table in Markdown, then each race that was not
# confirmed with the step where its run left the schedule. Fails where mc ⊆ rv ⊆ recipe-s does not hold of what was found.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

budget=60 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <(all_programs); fi
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a program's description starts is recorded, each process into a directory of its own, beside the files that it found.
cat >"$work/recorded" <<B
#!/usr/bin/env bash
n=\$(mktemp -d "$work/traces/XXXXXX")
cp -a . "\$n/before"
exec "$RECIPE" record -o "\$n/trace" -- "\$@"
B
chmod +x "$work/recorded"

micro() { # NAME
    packages=() binary=$1 inputs=$work
    built=$work/micro && mkdir -p "$built"
    "$RECIPE" cc -g -O2 "$root/bench/micro/$1.c" -o "$built/$1" -pthread
    raced() { "${launch[@]}" "$built/$binary"; }
}

wall() { sed -n 's/.*"wall": \([0-9.]*\).*/\1/p' "$1/run.json"; }

replayed=0 confirmed=0
: >"$work/lost"
echo "| program | events | races | confirmed | undecided | recording s | a replay s | × |"
echo "|---|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    if [ -f "$root/bench/micro/$name.c" ]; then
        micro "$name"
    else
        prepare "$name" || { echo "$name: its sources can't be had" >&2 && continue; }
        build_program recipe "$name" || { echo "$name: the build failed: $built/build.log" >&2 && exit 1; }
    fi
    rm -rf "$work/traces" "$work/run" && mkdir "$work/traces" "$work/run"
    launch=("$work/recorded")
    (cd "$work/run" && raced >"$work/stdout" 2>"$work/stderr") || { cat "$work/stderr" >&2 && exit 1; }
    for trace in "$work"/traces/*/trace; do
        code=0
        timeout $((budget * 4)) "$RECIPE" analyze --budget "$budget" "$trace" >"$work/report" 2>"$work/err" || code=$?
        [ $code -le 1 ] || { echo "$name: the analysis exits with $code: $(tail -n 1 "$work/err")" >&2 && continue; }
        # What a stricter model proves the weaker ones prove, too.
        "$RECIPE" report --format json "$trace" >"$work/json" || [ $? -eq 1 ]
        stray=$(awk '/"fingerprint"/ && ((/"mc"/ && !/"rv"/) || (/"rv"/ && !/"recipe-s"/)) { n++ } END { print n + 0 }' "$work/json")
        [ "$stray" -eq 0 ] || { echo "$name: $stray races break mc ⊆ rv ⊆ recipe-s" >&2 && exit 1; }
        races=$(grep -cE '^(Race|  Pair) ' "$work/report" || true) good=0 least=
        for ((i = 1; i <= races; i++)); do
            # It finds no file that the recorded run made, and has no say in what the next one finds.
            find "$work/run" -mindepth 1 -delete && cp -a "$(dirname "$trace")/before/." "$work/run"
            if "$RECIPE" replay -v --first A "$trace" "$i" >"$work/story" 2>"$work/ran"; then good=$((good + 1)); else
                { echo "$name, race $i:" && cat "$work/story"; } >>"$work/lost"
            fi
            took=$(sed -n 's/.*ran for \([0-9.]*\) s$/\1/p' "$work/ran")
            if [ -z "$least" ] || awk "BEGIN { exit !(${took:-0} < $least) }"; then least=$took; fi
        done
        undecided=$(tr '\n' ' ' <"$work/report" | sed -n 's/.* \([0-9]*\) undecided.*/\1/p')
        events=$(tr '\n' ' ' <"$work/report" | sed -n 's/.*undecided; \([0-9]*\) event.*/\1/p')
        recording=$(wall "$trace")
        echo "| $name | $events | $races | $good | $undecided | $recording | ${least:--} |" \
            "$([ -z "$least" ] || awk "BEGIN { printf \"%.2f\", $least / $recording }") |"
        replayed=$((replayed + races)) confirmed=$((confirmed + good))
    done
done
echo
echo "$confirmed of $replayed races confirmed"
cat "$work/lost"
