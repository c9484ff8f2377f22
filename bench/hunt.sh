#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What 'recipe hunt' finds, and when: the tables of docs/benchmarks/hunt.md.
#   bench/hunt.sh bugs  [--seeds N] [--budget "20 60"] [--keep DIR] [PROGRAM…]   known hard bugs: tests/programs/hunt with an 'expect:'
#   bench/hunt.sh named [--seconds "10 30"] [--keep DIR] [PROGRAM…]              20 programs, beside ThreadSanitizer, random and pct
#   bench/hunt.sh small [--budget 10] [--count 200]                             small random programs: which hunts end, and what they find
#   bench/hunt.sh real  [--budget 600] [--keep DIR] [PROGRAM…]                   real programs (bench/programs): the curve of so long a hunt
# bugs: the usual schedule and N (5) random ones for the recorded run. PROGRAM of named: a path below the sources, without .c.
# DIR (default: a temporary one) keeps what each row is made of: bugs.tsv, named.tsv, and reports/. Rows that are there are not
# measured again; with all of them there the tables are printed alone. --jobs N (1): so many measured beside each other.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

usage() { sed -n '3,11s/^# //p' "$0" && exit 2; }
what=${1:-} seeds=5 count=200 budget= spans="10 30" keep= jobs=1 names=()
shift || usage
while [ $# -gt 0 ]; do
    case $1 in
    --seeds) seeds=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --seconds) spans=$2 && shift ;;
    --count) count=$2 && shift ;;
    --keep) keep=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    -*) usage ;;
    *) names+=("$1") ;;
    esac
    shift
done
begin_measuring
keep=$(realpath -m "${keep:-$work/keep}")
mkdir -p "$keep/reports"
cd "$work"
ulimit -c 0
clang=${RECIPE_CLANG:-clang-19}
export RECIPE root keep budget spans clang work

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf("%.2f", b - a) }'; }
# has FILE KEY…: a row that begins so.
has() {
    local file=$1 IFS=$'\t'
    shift
    [ -s "$file" ] && awk -v key="$*"$'\t' 'index($0, key) == 1 { found = 1 } END { exit !found }' "$file"
}
export -f now since has

# --- known hard bugs ---

# As jq: of a report what shows the wanted words (race VARIABLE F/G, assertion F, deadlock OBJECT…) in the earliest run, or null. A race
# is confirmed. What was not hunted for is in the recorded run, the first: there, or thought out from it; what runs were steered to
# afterwards is in no run of the hunt. Variables are told by their first name, and of members by the last; on a stack or heap by that alone.
expected='
def whole: sub("^(struct |class )"; "") | sub(" of .*"; "") | capture("^(?<it>[A-Za-z_0-9]*)").it;
def last: sub(" of .*"; "") | gsub("\\[[^]]*\\]"; "") | sub(".*(\\.|->)"; "");
def is_variable($want): whole as $its | ($want | whole) as $name | $name == "" or $its == $name;
def is_member($want): ($want | test("\\.|->") | not) or (last == ($want | last));
def when($of; $thought_out): .hunt as $hunt | if $of == null then {run: 1} else ($hunt.found | map(select(.recording == $of) | .seconds += $hunt.seconds_before) | .[0])
    // (if $thought_out then {run: 1} else {run: null} end) end;
def race($variable; $functions): . as $report | .races[] | select(.status == "confirmed")
    | select([.accesses[].function] | sort == $functions)
    | select((.variable | is_variable($variable)) and all(.accesses[].member // ""; is_member($variable)))
    | {model} + (.recording as $of | .model as $model | $report | when($of; $model | startswith("recipe")));
def deadlock($objects): . as $report | .deadlocks[]
    | select([.threads[] | select(.waits_for != "thread") | .variable] | sort as $its | ($objects | sort) as $want
        | ($its | length) == ($want | length) and all(range($its | length); . as $i | $its[$i] | is_variable($want[$i])))
    | {model: "deadlock"} + (.recording as $of | $report | when($of; false));
def assertion($function): . as $report | .crashes[]? | select(.message | test("\\b" + $function + "\\b.*Assertion"))
    | {model: "assertion"} + (.recording as $of | $report | when($of; false));
. as $report | ($want | split(" ")) as $words | [if $words[0] == "race" then race($words[1]; $words[2] | split("/") | sort)
    elif $words[0] == "deadlock" then deadlock($words[1:]) else assertion($words[1]) end] | sort_by(.run // 1e9) | .[0]'
export expected

# one_bug PROGRAM SCHEDULE: 'usual', or a seed of random ones. A hunt of each budget, until one has found all; a row for each thing that
# is expected. An assertion that failed in the recorded run is what that one ended by, and no finding of the hunt: run 1 all the same.
one_bug() {
    local name=$1 schedule=$2 options=() began took want each report=$keep/reports/bug.$1.$2.json source=$root/tests/programs/hunt/$1.c
    ! has "$keep/bugs.tsv" "$name" "$schedule" || return 0
    [ "$schedule" = usual ] || options=(--schedule=random --seed "$schedule")
    cd "$(mktemp -d "$work/XXXXXX")"
    "$RECIPE" cc -g -O1 -pthread "$source" -o "$name"
    for each in $budget; do
        rm -rf trace "$report"
        began=$(now)
        timeout $((each + 60)) "$RECIPE" hunt "${options[@]}" --budget "$each" -v --format json --report "$report" -o trace "./$name" </dev/null >out 2>"${report%.json}.err" || true
        took=$(since "$began")
        [ -s "$report" ] || { # nothing is found then
            echo "$name, $schedule: no report: $(tail -n 1 "${report%.json}.err")" >&2
            echo '{"races": [], "deadlocks": [], "hunt": {"found": [], "seconds_before": 0}}' >"$report"
        }
        sed -n 's/.*expect: \(.*[^ ]\) *\*\/.*/\1/p' "$source" | while read -r want; do
            jq -r --arg want "$want" --arg name "$name" --arg schedule "$schedule" --arg took "$took" --arg budget "$each" \
                --arg failed "$(grep -o 'killed by SIGABRT' "${report%.json}.err" | head -n 1)" "
                (($expected) // if \$failed != \"\" and (\$want | startswith(\"assertion\")) then {model: \"assertion\", run: 1} else null end) as \$it |
                [\$name, \$schedule, \$want, (if \$it then \"found\" else \"missed\" end), (\$it.model // \"-\"), (\$it.run // \"-\"),
                (\$it.seconds // .hunt.seconds_before), .hunt.runs, .hunt.classes, .hunt.turns_open, \$budget, \$took] | @tsv" "$report"
        done >rows
        ! grep -q $'\tmissed\t' rows || continue
        break
    done
    cat rows >>"$keep/bugs.tsv"
}
export -f one_bug

bugs() {
    local name schedule
    budget=${budget:-20 60}
    [ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$root/tests/programs/hunt" && grep -l 'expect:' ./*.c | xargs -n 1 basename -s .c)
    for schedule in usual $(seq "$seeds"); do
        for name in "${names[@]}"; do printf '%s %s\n' "$name" "$schedule"; done
    done | xargs -P "$jobs" -L 1 bash -euo pipefail -c 'one_bug "$1" "$2"' _
    jq -R -s -r '
        def middle: sort | if length == 0 then null else .[(length - 1) / 2 | floor] end;
        def show: if . == null then "–" else (. * 10 | round / 10 | tostring) end;
        def both: "\(middle | show), \(max | show)";
        def found: map(select(.found));
        split("\n") | map(select(. != "") | split("\t") | {name: .[0], schedule: .[1], want: .[2], found: (.[3] == "found"), model: .[4],
            run: (.[5] | tonumber? // null), seconds: (.[6] | tonumber)}) as $rows
        | "| program | expected | usual schedule | random: found | seconds: median, worst | run: median, worst | in it by |", "|---|---|---|---|---|---|---|",
        ($rows | group_by([.name, .want])[] | .[0] as $it | (map(select(.schedule == "usual")) | .[0]) as $usual | map(select(.schedule != "usual")) as $random
            | ($random | found) as $found
            | "| `\($it.name)` | \($it.want | split(" ")[0]) | \(if $usual.found then "run \($usual.run), \($usual.seconds | show) s" else "**missed**" end)"
            + " | \($found | length) of \($random | length) | \([$found[].seconds] | both) | \([$found[].run | select(.)] | both)"
            + " | \([found[].model] | group_by(.) | map("\(.[0]) \(length)") | join(", ")) |"),
        "", ([$rows[] | select(.name | startswith("count_") | not)] | "The known hard bugs: \(found | length) of \(length) found; run \([found[].run | select(.)] | both); seconds \([found[].seconds] | both). " +
            "With the replay that shows a race: \([found[] | select(.run) | .run + (if .want | startswith("race") then 1 else 0 end)] | both).")' "$keep/bugs.tsv"
}

# --- named programs ---

named_programs() {
    local name
    for name in aba_stack barrier_reuse bluetooth bounded_buffer connection_pool double_checked lost_wakeup lru_cache messages \
        parking_lot reference signal_handler upgrade work_stealing; do echo tests/programs/hunt/$name; done
    printf '%s\n' tests/programs/turned/two_turns tests/programs/explore/000-fig7 tests/programs/explore/follows tests/programs/explore/pool \
        tests/programs/explore/trylock examples/published
}

# What a report has, a line each: pairs of lines that race, that it deadlocks, that it was ended by a signal.
found_in='(.races[] | select(.status == "confirmed") | [.accesses[] | "\(.file | sub(".*/"; "")):\(.line)"] | sort | "race " + join(" ")),
    (.deadlocks[]? | "deadlock"), (.crashes[]? | "crash")'
export found_in

# by_recipe run|hunt OPTION…: such lines. An assertion that failed in the recorded run is in no report.
by_recipe() {
    rm -rf trace report
    timeout 120 "$RECIPE" "$@" --format json --report report -o trace ./r </dev/null >out 2>err || true
    [ ! -s report ] || jq -r "$found_in" report
    ! grep -q 'killed by SIGABRT' err || echo crash
}
# The same of one run under ThreadSanitizer; one that takes 10 seconds hangs.
by_tsan() {
    local code=0
    timeout 10 setarch -R ./t </dev/null >out 2>err || code=$?
    [ $code -ne 124 ] || echo deadlock
    [ $code -ne 134 ] || echo crash
    awk -v source="$1" '
        /WARNING: ThreadSanitizer: data race/ { racing = 1; n = wants = 0; next }
        /WARNING: ThreadSanitizer: lock-order/ { print "deadlock" }
        racing && /^  ([A-Za-z ]+) of size/ { wants = 1; next }
        racing && wants && /^    #/ && match($0, source ":[0-9]+") { line[++n] = substr($0, RSTART, RLENGTH); wants = 0 }
        racing && n == 2 { print "race " (line[1] < line[2] ? line[1] " " line[2] : line[2] " " line[1]); racing = 0 }' err
}
# by_seed SCHEDULE MODEL SEED: without a model everything that 'recipe run' does.
by_seed() { by_recipe run --budget 20 --schedule="$1" ${2:+--model "$2"} --seed "$3"; }

# again SECONDS COMMAND…: so often as it comes to an end in that time, with the number of the run behind. Lines 'seconds what', and
# 'seconds -' for a run.
again() {
    local most=$1 began i at
    shift
    began=$(now)
    for ((i = 1;; i++)); do
        "$@" $i | sort -u >one
        at=$(since "$began")
        awk -v at="$at" -v most="$most" 'BEGIN { exit !(at > most) }' && break
        awk -v at="$at" '{ print at, $0 } END { print at, "-" }' one
    done
}

# one_named PROGRAM: rows 'program, how, seconds (one: of one run), runs, what', and one without a what. Each way by itself.
one_named() {
    local name=$1 base how span file=$root/$1.c flags=()
    base=$(basename "$name")
    cd "$(mktemp -d "$work/XXXXXX")"
    [[ $name != */explore/* ]] || flags=("-I$root/tests/programs/explore")
    "$RECIPE" cc -g -O1 -pthread "${flags[@]}" "$file" -o r
    "$clang" -fsanitize=thread -g -O1 -pthread "${flags[@]}" "$file" -o t
    rows() { sort -u | sed "s|^|$name\t$1\t$2\t$3\t|"; printf '%s\t%s\t%s\t%s\t-\n' "$name" "$1" "$2" "$3"; }
    for how in hunt tsan random pct random-hb pct-hb; do
        ! has "$keep/named.tsv" "$name" $how || continue
        case $how in
        hunt)
            by_recipe run --budget 20 | rows hunt one 1
            for span in $spans; do
                by_recipe hunt --budget "$span" >lines
                [ -s report ] || { echo "$name, hunt of $span s: no report: $(tail -n 1 err)" >&2 && continue 2; }
                cp report "$keep/reports/named.$base.$span.json"
                rows hunt "$span" "$(jq .hunt.runs report)" <lines
            done
            ;;
        *)
            case $how in
            tsan) again "${spans##* }" by_tsan "$base.c" ;;
            *-hb) again "${spans##* }" by_seed ${how%-hb} hb ;;
            *) again "${spans##* }" by_seed $how '' ;;
            esac >made
            sed '/ -$/q' made | sed -n 's/^[0-9.]* \([a-z]\)/\1/p' | rows $how one 1
            for span in $spans; do
                awk -v most="$span" '$1 <= most' made >until
                sed -n 's/^[0-9.]* \([a-z]\)/\1/p' until | rows $how "$span" "$(grep -c ' -$' until)"
            done
            ;;
        esac >rows
        cat rows >>"$keep/named.tsv"
    done
}
export -f by_recipe by_tsan by_seed again one_named

named() {
    [ ${#names[@]} -gt 0 ] || mapfile -t names < <(named_programs)
    printf '%s\n' "${names[@]}" | xargs -P "$jobs" -L 1 bash -euo pipefail -c 'one_named "$1"' _
    awk -F '\t' -v spans="$spans" '
        { count[$1, $2, $3] += $5 != "-"; runs[$1, $2, $3] = $4; if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 }
          if ($5 != "-") { if (!(($1, $5) in known)) { known[$1, $5] = 1; all[$1]++ } by[$1, $5] = by[$1, $5] " " $2 } }
        function cells(p, how,   i, text) { text = count[p, how, "one"]; for (i = 1; i <= s; i++) text = text " | " count[p, how, span[i]]; return text }
        END {
            s = split(spans, span, " "); h = split("hunt random pct random-hb pct-hb tsan", hows, " ")
            split("`recipe hunt`,random,pct,random; hb,pct; hb,ThreadSanitizer", title, ",")
            printf "| how |  one run |"; for (i = 1; i <= s; i++) printf " %s s |", span[i]; printf " runs in %s s, median |\n|---|---|", span[s]; for (i = 0; i <= s; i++) printf "---|"; print ""
            for (k = 1; k <= h; k++) {
                printf "| %s |", title[k]
                for (i = 0; i <= s; i++) { sum = 0; for (j = 1; j <= n; j++) sum += count[order[j], hows[k], i ? span[i] : "one"]; printf " %d |", sum }
                for (j = 1; j <= n; j++) list[j] = runs[order[j], hows[k], span[s]] + 0
                for (j = 2; j <= n; j++) for (i = j; i > 1 && list[i - 1] > list[i]; i--) { x = list[i]; list[i] = list[i - 1]; list[i - 1] = x }
                printf " %d |\n", list[int((n + 1) / 2)]
            }
            printf "\n| program | anybody |"; for (k = 1; k <= h; k++) printf " %s |", title[k]; printf "\n|---|---|"; for (k = 1; k <= h; k++) printf "---|"; print ""
            for (j = 1; j <= n; j++) {
                p = order[j]; name = p; sub(/.*\//, "", name); printf "| `%s` | %d |", name, all[p]
                for (k = 1; k <= h; k++) { text = cells(p, hows[k]); gsub(/ \| /, ", ", text); printf " %s |", text }
                print ""
            }
            print ""
            for (key in by) { split(key, part, SUBSEP); if (by[key] !~ /hunt/) print "not by the hunt: " part[1] ": " part[2] " (" by[key] ")" }
        }' "$keep/named.tsv"
}

# --- real programs ---

# one_real NAME: its program of one process, hunted (bench/programs/lib.bash).
one_real() {
    local name=$1 report=$keep/reports/real.$1.json
    [ ! -s "$report" ] || return 0
    prepare "$name" && build_program recipe "$name" || { echo "$name: not built: $built/build.log" >&2 && return 1; }
    cd "$(mktemp -d "$work/XXXXXX")"
    launch=("$RECIPE" hunt --budget $((budget * 10 / 9 + 30)) --set replay-share=10 --set steer-share=0 --format json --report "$report" -o "$PWD.recipe")
    ! declare -F visit >/dev/null || {
        { declare -f visit && echo 'visit "$1"'; } >visitors
        launch+=(--client "bash '$PWD/visitors' '$PWD'")
    }
    launch+=(--)
    hunted >/dev/null 2>&1 || true # who prints to somebody is not run again
    rm -rf "$PWD.recipe"
}

# Seconds of the whole command: the first row is where the hunt begins, each other one the last point of the curve before that.
real() {
    local name
    budget=${budget:-600}
    [ ${#names[@]} -gt 0 ] || names=(ag lbzip2 civetweb)
    for name in "${names[@]}"; do (one_real "$name"); done
    echo '| program | after | runs | classes | of sides of branches that depend on others | races |'
    echo '|---|---|---|---|---|---|'
    for name in "${names[@]}"; do
        jq -r --arg name "$name" '.hunt as $hunt | [$hunt.curve[] | .seconds += $hunt.seconds_before] as $curve | $curve[-1].seconds as $last
            | ([$curve[0].seconds, 60, 120, 240, 360, 480 | select(. >= $curve[0].seconds and . < $last - 15)] + [$last] | unique[]) as $at
            | ($curve | map(select(.seconds <= $at)) | last)
            | "| \($name) | \($at | round) s | \(.runs) | \(.classes) | \(if .branches == 0 then "not listed yet" else "\(.branches) of \($hunt.branches_all)" end) | \(.races) |"' "$keep/reports/real.$name.json"
    done
}

# --- small random programs ---

# Each compiled by itself; tests/prop/small explores every schedule of it, and says what the hunt's report lacks, or has and should not.
small() {
    local seed line programs=${RECIPE%/*}/tests/small_programs
    for ((seed = 1; seed <= count; seed++)); do
        "$programs" source "$seed" 1 >p.c
        "$RECIPE" cc -O1 -g -w p.c -o p -pthread
        rm -rf trace
        timeout 100 "$RECIPE" hunt --jobs 1 --limit 2 --budget "${budget:-10}" -o trace --format json --report hunt.json ./p "$seed" >out 2>err </dev/null || true
        line=$("$programs" check-hunt "$seed" hunt.json 2>&1) || echo "program $seed: $line" >&2
        echo "$line $(jq -r '.hunt.reasons | join("; ")' hunt.json)" >>"$keep/small.txt"
    done
    awk '{
        for (i = 1; i <= 10; i++) { n = index($i, "="); of[substr($i, 1, n - 1)] = substr($i, n + 1) }
        ended += of["complete"]; races += of["all"]; found += of["found"]; whole += of["whole"]
        if (of["complete"]) { classes += of["classes"]; runs += of["runs"]; print of["interleavings"] | "sort -g >interleavings" }
    } END {
        printf "%d programs, %d hunts end: they have seen %d classes in %d runs, and found all of %d races; of all programs %d of %d races\n",
            NR, ended, classes, runs, whole, found, races
    }' "$keep/small.txt"
    awk '{ of[NR] = $1 } END { printf "interleavings of those that end: median %.3g, from %.3g to %.3g\n", of[int((NR + 1) / 2)], of[1], of[NR] }' interleavings
    echo "why no end: "
    grep -v ' complete=1 ' "$keep/small.txt" | cut -d' ' -f11- | sort | uniq -c | sort -rn
}

case $what in
small) small ;;
bugs) bugs ;;
named) named ;;
real) real ;;
*) usage ;;
esac
