#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# C++ programs with one race each, and their clean twins (tests/programs/cxx): what one `recipe run` finds of them.
#   bench/cxx.sh [--columns "STD/LIBRARY/LEVEL…"] [--only race|twin] [--no-clang] [--rivals RUNS] [--keep DIR] [--judge] [--jobs N] [--budget SECONDS] [PROGRAM…]
# A column is like c++17/libstdc++/-O1; without --columns: C++17 and C++20, libstdc++ and libc++, -O0, -O1 and -O2, each with each. Programs
# that need C++20 are left out of C++17's. --only: one variant of each. --no-clang: what clang++ takes is not measured. --rivals: ThreadSanitizer, 1 run and RUNS, and Helgrind, 1 run, beside the first column. PROGRAM:
# its name without .cpp. A race is found where both accesses come from lines that the program marks; of a rival any report counts that names one.
# DIR (default: a temporary one) keeps a line per program and column in results.tsv (column, program, variant, verdict, the first model that has
# it, alarms, processors' seconds for compiling, those of clang++), and in calls.tsv every function outside: calls, of these reaching everything.
# --budget: of `recipe run`, 60 unless said. --judge: says what is there, and runs nothing. Prints tables in Markdown, and exits with 1 where a twin was reported. RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

columns='' variants='race twin' clang_too=1 rivals=0 keep='' judge='' jobs=2 budget=60 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --columns) columns=$2 && shift ;;
    --only) variants=$2 && shift ;;
    --no-clang) clang_too=0 ;;
    --rivals) rivals=$2 && shift ;;
    --keep) keep=$2 && shift ;;
    --judge) judge=1 ;;
    --jobs) jobs=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,12s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
begin_measuring
sources=$root/tests/programs/cxx
[ ${#names[@]} -gt 0 ] || names=($(cd "$sources" && printf '%s\n' *.cpp | sed 's/\.cpp$//'))
[ -n "$columns" ] || columns=$(for std in c++17 c++20; do for library in libstdc++ libc++; do for level in -O0 -O1 -O2; do echo $std/$library/$level; done; done; done)
keep=$(realpath -m "${keep:-$work/keep}")
mkdir -p "$keep"
cd "$work"
export RECIPE sources keep rivals variants clang_too budget
clang=${RECIPE_CLANG:-clang-19}
export clang

# marked SOURCE: the numbers of its marked lines, as jq's array.
marked() { grep -nE '// race [12]' "$1" | cut -d : -f 1 | paste -sd , | sed 's/.*/[&]/'; }

# flags COLUMN SOURCE: the compiler's words for it.
flags() {
    local std library level
    IFS=/ read -r std library level <<<"$1"
    echo "-std=$std -stdlib=$library $level -g -pthread"
    [ "$library" = libstdc++ ] || echo -fexperimental-library # jthread, stop_token
}

# spent COMMAND…: does it, and leaves the processors' seconds that it took, its children's among them, in the file seconds.
spent() {
    local TIMEFORMAT='%U %S' status=0
    { time "$@" 2>&3 || status=$?; } 3>&2 2>times
    awk '{ printf("%.2f", $1 + $2) }' times >seconds
    return $status
}

# one COLUMN NAME: both variants.
one() {
    local column=$1 name=$2 source=$sources/$2.cpp variant words took plain found first alarms verdict at
    at=$(mktemp -d "$PWD/XXXXXX")
    cd "$at"
    read -ra words <<<"$(flags "$column" | xargs)"
    for variant in $variants; do
        [ $variant = race ] || words+=(-DTWIN)
        plain=0
        [ $variant = twin ] || [ $clang_too = 0 ] || {
            spent "$clang" --driver-mode=g++ "${words[@]}" "$source" -o native 2>err || { echo "$column $name: clang++: $(head -n 1 err)" >&2 && break; }
            plain=$(<seconds)
        }
        spent "$RECIPE" c++ "${words[@]}" "$source" -o program 2>err || { printf '%s\t%s\t%s\tnot built\t-\t0\t0\t0\n' "$column" "$name" $variant >>"$keep/results.tsv"; cat err >&2; continue; }
        took=$(<seconds)
        rm -rf trace report
        timeout $((budget + 140)) "$RECIPE" run --format json --report report --budget "$budget" -o trace ./program </dev/null >said 2>err || true
        [ -s report ] || { printf '%s\t%s\t%s\tno report\t-\t0\t%s\t%s\n' "$column" "$name" $variant "$took" "$plain" >>"$keep/results.tsv"; tail -n 2 err >&2; continue; }
        found=$(jq -r --argjson lines "$(marked "$source")" --arg file "$name.cpp" '
            def marked: capture("/(?<f>[^/ :]+):(?<l>[0-9]+)(:[0-9]+)?$") | .f == $file and (.l | tonumber as $l | $lines | any(. == $l));
            def here: any(("/\(.file | sub(".*/"; "")):\(.line)", (.stack // [])[]); marked);
            [.races[] | select(all(.accesses[]; here))] | sort_by(.models | -length) | .[0] | if . then "\(.status) \(.models[0] // .model // "guess")" else "" end' report)
        alarms=$(jq '[(.races, .unconfirmed)[]?] | length' report)
        verdict=${found%% *} first=${found#* }
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$column" "$name" $variant "${verdict:-missed}" "${first:--}" "$alarms" "$took" "$plain" >>"$keep/results.tsv"
        "$RECIPE" trace dump trace 2>/dev/null | awk -v column="$column" '
            $1 == "reach" && $3 ~ /^0x0-/ { everything[$2] = 1 }
            $2 == "opaque-begin" {
                match($0, /opaque-begin ("[^"]*"|[^ ]+)/)
                name = substr($0, RSTART + 13, RLENGTH - 13)
                reach = substr($0, RSTART + RLENGTH + 1)
                calls[name]++
                if (reach !~ /^reaches / || substr(reach, 9, index(substr(reach, 9) " ", " ") - 1) in everything) all[name]++
            }
            END { for (f in calls) printf("%s\t%s\t%d\t%d\n", column, f, calls[f], all[f]) }' >>"$keep/calls.tsv"
        mkdir -p "$keep/reports"
        cp report "$keep/reports/$(echo "$column" | tr / _)_$name.$variant.json"
    done
    rm -rf "$at"
}

# rival COLUMN NAME: ThreadSanitizer in so many runs, Helgrind in one: 1 where a report names a marked line.
rival() {
    local column=$1 name=$2 source=$sources/$2.cpp words i hit first=0 tsan=0 helgrind=0 at lines
    at=$(mktemp -d "$PWD/XXXXXX")
    cd "$at"
    read -ra words <<<"$(flags "$column" | xargs)"
    lines=$(marked "$source" | tr -d '[]' | tr , '|')
    "$clang" --driver-mode=g++ "${words[@]}" -fsanitize=thread "$source" -o tsan 2>err || return 0
    "$clang" --driver-mode=g++ "${words[@]}" "$source" -o native 2>err || return 0
    for ((i = 0; i < rivals; i++)); do
        hit=0
        timeout 60 ./tsan </dev/null >/dev/null 2>err || true
        ! grep -qE "$name\.cpp:($lines)\b" err || hit=1 tsan=1
        [ $i -gt 0 ] || first=$hit
    done
    timeout 120 valgrind --tool=helgrind ./native </dev/null >/dev/null 2>err || true
    ! grep -qE "$name\.cpp:($lines)\)" err || helgrind=1
    printf '%s\t%s\t%s\t%s\t%s\n' "$column" "$name" $first $tsan $helgrind >>"$keep/rivals.tsv"
    rm -rf "$at"
}
export -f one rival flags marked spent

[ -n "$judge" ] || for column in $columns; do
    for name in "${names[@]}"; do
        ! grep -q '^// c++20' "$sources/$name.cpp" || [ "${column%%/*}" != c++17 ] || continue
        printf 'one\t%s\t%s\n' "$column" "$name"
        [ "$rivals" -eq 0 ] || [ "$column" != "${columns%%[[:space:]]*}" ] || printf 'rival\t%s\t%s\n' "$column" "$name"
    done
done | xargs -P "$jobs" -d '\n' -I{} bash -c 'read -r what column name <<<"$1" && $what $column $name' _ {}

echo "| column | programs | found | of them confirmed | by hb | first by a prediction | alarms on twins | compiling, clang++ = 1 |"
echo "|---|---|---|---|---|---|---|---|"
awk -F '\t' '
    $3 == "race" { n[$1]++; if ($4 == "confirmed" || $4 == "proven") found[$1]++; if ($4 == "confirmed") sure[$1]++; if ($5 == "hb") hb[$1]++ }
    $3 == "twin" { twins[$1] += $6 }
    { if ($8 > 0) { took[$1] += $7; plain[$1] += $8 } if (!($1 in seen)) { seen[$1] = 1; order[++k] = $1 } }
    END { for (i = 1; i <= k; i++) { c = order[i]
        printf("| %s | %d | %d | %d | %d | %d | **%d** | %.1f |\n", c, n[c], found[c], sure[c], hb[c], found[c] - hb[c], twins[c], plain[c] ? took[c] / plain[c] : 0) } }' <(sort "$keep/results.tsv")
echo
if [ -s "$keep/rivals.tsv" ]; then
    awk -F '\t' -v runs="$rivals" '{ n++; one += $3; many += $4; helgrind += $5; c = $1 }
        END { printf("Beside %s: ThreadSanitizer %d of %d in one run, %d in %d runs; Helgrind %d.\n\n", c, one, n, many, runs, helgrind) }' "$keep/rivals.tsv"
fi
echo "| missed | in |"
echo "|---|---|"
awk -F '\t' '$3 == "race" && $4 != "confirmed" && $4 != "proven" { in_[$2] = in_[$2] (in_[$2] ? ", " : "") $1 ($4 == "missed" ? "" : " (" $4 ")") } END { for (p in in_) printf("| %s | %s |\n", p, in_[p]) }' <(sort "$keep/results.tsv") | sort
echo
echo "| calls that reach everything | calls | function |"
echo "|---|---|---|"
awk -F '\t' '{ calls[$2] += $3; all[$2] += $4; c += $3; a += $4 } END { printf("%d\t%d\tall\n", a, c); for (f in calls) if (all[f]) printf("%d\t%d\t%s\n", all[f], calls[f], f) }' "$keep/calls.tsv" |
    sort -rn | head -n 30 | awk -F '\t' '{ printf("| %d | %d | %s |\n", $1, $2, $3) }'
! awk -F '\t' '$3 == "twin" && $6 { print; bad = 1 } END { exit !bad }' "$keep/results.tsv" >&2
