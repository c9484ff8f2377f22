#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer's own reports as the yardstick: what it shows of real programs in ten runs, and which of that one `recipe run` shows.
#   bench/yardstick.sh [--runs N] [--budget SECONDS] [--list FILE] [--keep DIR] [--judge] [NAME…]
# Each program is built by clang -fsanitize=thread -g -O0 and by recipe cc, run N times (10) by the one and once by `recipe run --budget
# 120`. A pair is two places in the program's own sources, file:line, in alphabetical order: of a report the innermost frames there. Prints
# a table in Markdown; FILE (default: standard error) gets a line per pair: program, pair, verdict, what is known of it. Verdicts:
#   confirmed     found, and shown on the program
#   after-race    every instance in the recorded run is after a race that was confirmed: who reads there what the other one wrote (shb's
#                 edge) comes before, and must (after_race.awk); that race is named
#   false         no race: the program's description (bench/programs, `ordered`) names the calls that order the two; with every other call
#                 outside ordering nothing, must-happen-before rules out each instance
#   missed        everything else, with what `recipe analyze --candidates` says of it: proved, unknown, no race, or not in the trace, and
#                 what ruled it out
#   ours          confirmed, and in none of TSan's runs
# --keep: traces and reports stay in DIR/NAME. --judge: judges what is there, and runs nothing. RECIPE: the program to measure
# (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

runs=10 budget=120 list=/dev/stderr keep='' judge='' names=()
while [ $# -gt 0 ]; do
    case $1 in
    --runs) runs=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --list) list=$2 && : >"$list" && shift ;;
    --keep) keep=$2 && shift ;;
    --judge) judge=1 ;;
    -*) sed -n '3,18s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(fio squashfs x264 lrzip ag memcached lzma civetweb libmicrohttpd)
begin_measuring

# once TOOL: a run of the described program in an empty directory; a server's visitors come by themselves, or by --client.
once() {
    rm -rf "$work/run" "$work/pid" && mkdir -p "$work/run"
    (
        cd "$work/run"
        visitors=
        if declare -F visit >/dev/null; then
            { declare -f && echo 'visit "$1"'; } >"$work/visit"
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
"$RECIPE" run --budget $budget "\${client[@]}" -o "\$n/trace" --format json --report "\$n/report" -- "\$@" >/dev/null 2>&1
code=\$?
[ \$code -ne 1 ] || code=0 # races: what comes after it is run all the same
exit \$code
B
cat >"$work/watched" <<B
#!/usr/bin/env bash
echo \$\$ >"$work/pid"
export TSAN_OPTIONS="log_path=$work/tsan exitcode=0 history_size=7"
exec timeout 60 "\$@"
B
chmod +x "$work/judged" "$work/watched"

# measure NAME DIR: TSan's runs and ours; leaves pairs, reports and traces in DIR.
measure() {
    local i begin
    prepare "$1" || return
    rm -rf "$work"/{visit,judged.*,tsan.*} "$2" && mkdir -p "$2"
    build_program lines "$1" || { echo "$1: TSan's build failed: $built/build.log" >&2 && return 1; }
    launch=("$work/watched")
    for ((i = 0; i < runs; i++)); do
        once tsan
    done
    touch "$work/tsan.none"
    pairs_of_tsan "$built" "$work"/tsan.* >"$2/theirs"
    build_program recipe "$1" || { echo "$1: recipe's build failed: $built/build.log" >&2 && return 1; }
    launch=("$work/judged") begin=$SECONDS
    once recipe
    echo $((SECONDS - begin)) >"$2/seconds"
    mv "$work"/judged.* "$work"/tsan.* "$2/"
}

# places: of the pairs that `analyze --dump=candidates` prints, 'file:line file:line', a tab, how many are left, a tab, what ruled them out.
places() {
    awk '/^pair / { a = b = ""; for (i = 3; i <= NF; i++) if ($i ~ /:[0-9]+$/) { if (a == "") a = $i; else if (b == "") b = $i }
                    sub(/.*\//, "", a); sub(/.*\//, "", b); getline
                    left = $4 + 0; sub(/.*ruled out: /, ""); gsub(/(^|, )0 by [^,;]*/, ""); sub(/^, /, "")
                    print (a <= b ? a " " b : b " " a) "\t" left "\t" $0 }'
}

# ordered_by DUMP TRACE 'PAIR: CALL…': prints the pair, a tab, and the calls where they alone of what is outside order all its instances in the trace, '-' where
# they do not; nothing of a trace that does not have it.
ordered_by() {
    awk -v only="${3##*: }" 'BEGIN { n = split(only, call, " "); for (i = 1; i <= n; i++) kept[call[i]] }
         $2 == "opaque-begin" && $3 !~ /"/ && !($3 in kept) { names[$3] } END { for (name in names) print name " none" }' "$1" >"$work/opaque"
    timeout $((budget * 2)) "$RECIPE" analyze --opaque "$work/opaque" --dump=candidates "$2" 2>/dev/null | places |
        awk -F '\t' -v pair="${3%: *}" -v calls="${3##*: }" '$1 == pair { n++; left += $2 } END { if (n) print pair "\t" (left ? "-" : calls) }'
}

# judge_pairs NAME DIR: verdicts to $list, the program's row to standard output.
judge_pairs() {
    local trace a b said why after=0 false=0 missed=0 all found alone claim
    local ordered
    mapfile -t ordered < <(. "$root/bench/programs/$1.sh" && printf '%s\n' "${ordered[@]}" | grep .)
    local reports=("$2"/judged.*/report)
    [ -e "${reports[0]}" ] || { echo "$1: there is no report in $2" >&2 && return 1; }
    pairs_of_recipe "${reports[@]}" >"$2/ours"
    comm -23 "$2/theirs" "$2/ours" >"$2/left"
    : >"$work/answers" && : >"$work/after" && : >"$work/ruled" && : >"$work/false"
    for trace in "$2"/judged.*/trace; do
        [ -s "$2/left" ] || break
        timeout $((budget * 2)) "$RECIPE" analyze --opaque /dev/null --budget "$budget" --candidates "$2/left" "$trace" 2>/dev/null |
            grep -E '^[^ ]+:[0-9]+ [^ ]+:[0-9]+: ' >>"$work/answers" || true
        timeout $((budget * 2)) "$RECIPE" analyze --dump=candidates "$trace" >"$work/candidates" 2>/dev/null || true
        places <"$work/candidates" >>"$work/ruled"
        # Again, with no call outside ordering anything but those that have to do with descriptors of the program's own alone.
        "$RECIPE" trace dump "$trace" >"$work/dump" 2>/dev/null || true
        for claim in "${ordered[@]}"; do
            ordered_by "$work/dump" "$trace" "$claim" >>"$work/false"
        done
        awk '$1 == "reach" { own[$2] = 1; for (i = 3; i <= NF; i++) if ($i < "0x1000000002000" || $i >= "0x1000000010000" || $i !~ /^0x.............-/) own[$2] = 0 }
             $2 == "opaque-begin" && $3 !~ /"/ { names[$3]; if (own[$5]) kept[$3] }
             END { for (name in names) if (!(name in kept)) print name " none" }' "$work/dump" >"$work/opaque"
        timeout $((budget * 2)) "$RECIPE" analyze --opaque "$work/opaque" --dump=candidates "$trace" >"$work/candidates" 2>/dev/null || true
        awk -f "$root/bench/after_race.awk" file=1 "$2/left" file=2 "$2/ours" file=3 "$work/candidates" file=4 "$work/dump" >>"$work/after"
        rm -f "$work/dump"
    done
    {
        comm -12 "$2/theirs" "$2/ours" | sed "s|^|$1\t|; s|\$|\tconfirmed\t|"
        comm -13 "$2/theirs" "$2/ours" | sed "s|^|$1\t|; s|\$|\tours\t|"
    } >>"$list"
    while read -r a b; do
        why=$(awk -F '\t' -v pair="$a $b" '$1 == pair { if ($2 == "-") bad = 1; else race = $2 } END { if (!bad) print race }' "$work/after")
        if [ -n "$why" ]; then
            after=$((after + 1))
            printf '%s\t%s %s\tafter-race\t%s\n' "$1" "$a" "$b" "$why" >>"$list"
            continue
        fi
        why=$(awk -F '\t' -v pair="$a $b" '$1 == pair { if ($2 == "-") bad = 1; else calls = $2 } END { if (!bad) print calls }' "$work/false")
        if [ -n "$why" ]; then
            false=$((false + 1))
            printf '%s\t%s %s\tfalse\tordered by %s\n' "$1" "$a" "$b" "$why" >>"$list"
            continue
        fi
        missed=$((missed + 1))
        said=$(grep -F "$a $b: " "$work/answers" | sed 's/.*: //' | grep -v 'not in the trace' | sort -u | paste -sd, - || true)
        why=$(awk -F '\t' -v pair="$a $b" '$1 == pair && $3 { print $3 }' "$work/ruled" | sort -u | paste -sd/ -)
        printf '%s\t%s %s\tmissed\t%s%s\n' "$1" "$a" "$b" "${said:-not in the trace}" "${why:+: $why}" >>"$list"
    done <"$2/left"
    all=$(wc -l <"$2/theirs") found=$(comm -12 "$2/theirs" "$2/ours" | wc -l) alone=$(comm -13 "$2/theirs" "$2/ours" | wc -l)
    echo "| $1 | $all | $found | $after | $false | $missed | $([ "$all" -eq $((after + false)) ] && echo - || echo "$((100 * found / (all - after - false))) %") | $alone | $(cat "$2/seconds") |"
}

echo "| program | TSan's pairs | confirmed | after another race | false | missed | share | ours alone | seconds |"
echo "|---|---|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    kept=${keep:-$work/kept}/$name
    [ -n "$judge" ] || measure "$name" "$kept" || continue
    judge_pairs "$name" "$kept" || true
    [ -n "$keep" ] || rm -rf "$kept"
done
