#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A first look at every pair of places that hb leaves unordered: how many there are, how many were asked about, and how long that took.
#   bench/first_look.sh [--budget SECONDS] [NAME…]
# Each program of bench/programs is recorded once, on its run for replays, and each recorded process analysed by hb (`recipe analyze
# --model hb --budget 120`). Prints a table in Markdown, a row per process with threads. Seconds: from when the events were there.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

budget=120 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,7s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(all_programs)
begin_measuring

cat >"$work/recorded" <<B
#!/usr/bin/env bash
n=\$(mktemp -d "$work/trace.XXXXXX")
exec "$RECIPE" record -o "\$n/trace" -- "\$@" 2>/dev/null
B
chmod +x "$work/recorded"

echo "| program | events | pairs of places that hb leaves unordered | asked | within s | races |"
echo "|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    prepare "$name" || continue
    build_program recipe "$name" || { echo "$name: recipe's build failed: $built/build.log" >&2 && continue; }
    rm -rf "$work"/trace.* "$work/run" && mkdir "$work/run"
    launch=("$work/recorded")
    (cd "$work/run" && raced) >/dev/null 2>"$work/said" || { echo "$name: its run failed: $(tail -n 1 "$work/said")" >&2; }
    rows=0
    for trace in "$work"/trace.*/trace "$work"/trace.*/trace/process.*; do
        [ -e "$trace/log" ] || continue
        timeout $((budget * 3)) "$RECIPE" analyze --model hb --budget "$budget" "$trace" >/dev/null 2>"$work/said" || [ $? -eq 1 ] ||
            { echo "$name: analyze failed: $(tail -n 1 "$work/said")" >&2 && continue; }
        "$RECIPE" report --format json "$trace" 2>/dev/null | jq -r --arg name "$name" 'select(.trace.threads > 1) |
            "| \($name) | \(.trace.events) | \(.analysis.hb_pairs) | \(.analysis.hb_pairs_asked) | \(.analysis.hb_asked_seconds) | \((.races + .unconfirmed) | length) |"' >"$work/row"
        cat "$work/row" && rows=$((rows + $(wc -l <"$work/row")))
    done
    [ $rows -gt 0 ] || echo "$name: no process with threads was recorded" >&2
done
