#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer's own reports as the yardstick: what it shows of real programs in ten runs, and which of that one `recipe run` shows.
#   bench/yardstick.sh [--runs N] [--budget SECONDS] [--list FILE] [--keep DIR] [NAME…]
# Each program is built by clang -fsanitize=thread -g -O0 and by recipe cc, run N times (10) by the one and once by `recipe run --budget 120`.
# A pair is two places in the program's own sources, file:line, in alphabetical order: of a report the innermost frames there. Prints a
# table in Markdown; FILE (default: standard error) gets a line per pair: program, pair, verdict, what is known of it. Verdicts:
#   confirmed     found, and shown on the program
#   after-race    in no run unordered: every instance is ordered by who reads what in a race that was confirmed (shb's edge)
#   missed        everything else, with what `recipe analyze --candidates` says of it: unknown, no race, or not in the trace
#   ours          confirmed, and in none of TSan's runs
# --keep: traces and reports stay in DIR/NAME. RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

runs=10 budget=120 list=/dev/stderr keep= names=()
while [ $# -gt 0 ]; do
    case $1 in
    --runs) runs=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --list) list=$2 && : >"$list" && shift ;;
    --keep) keep=$2 && shift ;;
    -*) sed -n '3,12s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(fio squashfs x264 lrzip ag memcached lzma civetweb libmicrohttpd)
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
command -v jq >/dev/null || { echo "jq is missing" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# once TOOL: a run of the described program in an empty directory; a server's visitors come by themselves, or by --client.
once() {
    rm -rf "$work/run" "$work/pid" && mkdir -p "$work/run"
    (
        cd "$work/run"
        visitors=
        if declare -F visit >/dev/null; then
            { declare -f visit && echo 'visit "$1"'; } >"$work/visit"
            [ "$1" = recipe ] || { (
                until [ -s "$work/pid" ]; do sleep 0.02; done
                RECIPE_PID=$(cat "$work/pid") exec bash "$work/visit" "$work" >/dev/null 2>&1
            ) & visitors=$!; }
        fi
        # A replay finds the files that the recorded run has made: so it finds them itself, made by a run before it.
        [ "$1" != recipe ] || declare -F visit >/dev/null || (launch=(timeout 60) && yard)
        yard
        [ -z "$visitors" ] || wait "$visitors"
    ) >"$work/stdout" 2>"$work/stderr" || true
}

# pairs_of_tsan SOURCES FILE…: the pairs of its reports. A frame counts if its file is one of the program's.
pairs_of_tsan() {
    local sources=$1
    shift
    awk -v sources="$sources/" '
        function end() { if (race && n >= 2) print (place[1] <= place[2] ? place[1] " " place[2] : place[2] " " place[1]) }
        /^WARNING: ThreadSanitizer: / { end(); race = /data race/; n = 0; open = 0 }
        /^SUMMARY: / { end(); race = 0 }
        /^  (Previous )?([Aa]tomic )?([Rr]ead|[Ww]rite) of size / { open = n < 2 }
        /^  [A-Z]/ && !/ of size .* by / { open = 0 }
        open && /^    #[0-9]+ / {
            at = index($0, sources)
            if (!at) next
            text = substr($0, at)
            sub(/ \(.*/, "", text)
            m = split(text, part, ":")
            k = split(part[1], path, "/")
            if (m < 2) next
            place[++n] = path[k] ":" part[2]
            open = 0
        }
        END { end() }' "$@" | sort -u
}

# What `recipe run` confirmed, in the same form.
pairs_of_recipe() {
    jq -r '.races[] | select(.status == "confirmed") | [.accesses[] | (.file // "?" | split("/") | last) + ":" + (.line | tostring)] | sort | join(" ")' "$@" | sort -u
}

# Where nobody can read what it prints: else guesses are not tried, because somebody could have answered.
cat >"$work/judged" <<B
#!/usr/bin/env bash
n=\$(mktemp -d "$work/judged.XXXXXX")
client=()
[ ! -e "$work/visit" ] || client=(--client "bash '$work/visit' '$work'")
exec "$RECIPE" run --budget $budget "\${client[@]}" -o "\$n/trace" --format json --report "\$n/report" -- "\$@" >/dev/null 2>&1
B
cat >"$work/watched" <<B
#!/usr/bin/env bash
echo \$\$ >"$work/pid"
export TSAN_OPTIONS="log_path=$work/tsan exitcode=0 history_size=7"
exec timeout 60 "\$@"
B
chmod +x "$work/judged" "$work/watched"

echo "| program | TSan's pairs | confirmed | after another race | missed | share | ours alone | seconds |"
echo "|---|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    prepare "$name" || continue
    rm -rf "$work"/{visit,judged.*,tsan.*}
    build_program lines "$name" || { echo "$name: TSan's build failed: $built/build.log" >&2 && continue; }
    for ((i = 0; i < runs; i++)); do
        launch=("$work/watched")
        once tsan
    done
    touch "$work/tsan.none"
    pairs_of_tsan "$built" "$work"/tsan.* >"$work/theirs"
    build_program recipe "$name" || { echo "$name: recipe's build failed: $built/build.log" >&2 && continue; }
    launch=("$work/judged") begin=$SECONDS
    once recipe
    took=$((SECONDS - begin))
    reports=("$work"/judged.*/report)
    [ -e "${reports[0]}" ] || { echo "$name: no report: $(tail -n 3 "$work/stderr")" >&2 && continue; }
    pairs_of_recipe "${reports[@]}" >"$work/ours"
    comm -23 "$work/theirs" "$work/ours" >"$work/left"
    : >"$work/answers"
    if [ -s "$work/left" ]; then
        for trace in "$work"/judged.*/trace; do
            timeout $((budget * 2)) "$RECIPE" analyze --budget $((budget / 2)) --candidates "$work/left" "$trace" 2>/dev/null | grep -E '^[^ ]+:[0-9]+ [^ ]+:[0-9]+: ' >>"$work/answers" || true
        done
    fi
    after=0 missed=0
    {
        comm -12 "$work/theirs" "$work/ours" | sed "s|^|$name\t|; s|\$|\tconfirmed\t|"
        comm -13 "$work/theirs" "$work/ours" | sed "s|^|$name\t|; s|\$|\tours\t|"
    } >>"$list"
    while read -r a b; do
        missed=$((missed + 1))
        said=$(grep -F "$a $b: " "$work/answers" | sed 's/.*: //' | grep -v 'not in the trace' | sort -u | paste -sd, - || true)
        printf '%s\t%s %s\tmissed\t%s\n' "$name" "$a" "$b" "${said:-not in the trace}" >>"$list"
    done <"$work/left"
    all=$(wc -l <"$work/theirs") found=$(comm -12 "$work/theirs" "$work/ours" | wc -l) alone=$(comm -13 "$work/theirs" "$work/ours" | wc -l)
    share=$([ "$all" -eq "$after" ] && echo - || echo "$((100 * found / (all - after))) %")
    echo "| $name | $all | $found | $after | $missed | $share | $alone | $took |"
    if [ -n "$keep" ]; then
        rm -rf "${keep:?}/$name" && mkdir -p "$keep/$name" && cp -a "$work"/{judged.*,tsan.*,theirs,ours,stdout,stderr} "$keep/$name/"
    fi
done
