#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is found, missed and wrongly found when code is left out of the recording (seed 004's experiment): of each program random
# 20, 30 and 40 % of its functions, then every function that synchronises.
#   bench/opaque.sh [--seed N] [--budget SECONDS] [FILE|NAME…]
# FILE: a C source that is a program; NAME: one of bench/programs, on a small input. Without any: the sources of tests/programs/racy,
# orders, clean, primitives and bench/micro, then pbzip2, lbzip2 and xz. Barrier pairs stand beside the paper's optimisation (trees), simple
# barriers and none at all. A race is true if the full recording has it, or if a replay shows it. Prints tables in Markdown,
# then whether the goal is met: no false race with pairs, nor with simple barriers.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
seed=1 budget=5 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,11s/^# //p' "$0" && exit 2 ;;
    *.c) names+=("$(realpath "$1")") ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("$root"/tests/programs/{racy,orders,clean,primitives}/*.c "$root"/bench/micro/*.c pbzip2 lbzip2 xz)
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
models="hb shb wcp dc sdp wdp mc rv recipe-s recipe recipe+"
ways="pairs trees simple off"

# The functions of objects on standard input as objdump -dr shows them, main left out: 'all' and 'sync' before their names.
list_functions() {
    awk '/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); if (name != "main" && name !~ /^(\.|\$|_GLOBAL|__cxx)/) print "all", name }
         /[\t ](lda?xr[bh]?|stl?xr[bh]?|ldaxp|cas[abhl]*|swp[abhl]*|ldadd[abhl]*|ldset[abhl]*|lock|xchg|cmpxchg)[\t ]|pthread_(mutex|cond|rwlock|spin|barrier|once)|sem_|mtx_|cnd_|call_once|__aarch64_(cas|swp|ld)/ &&
             name != "main" && name { print "sync", name }' | sort -u
}

is_source() { [[ $1 == *.c ]]; }

# The functions that a program defines.
functions() {
    if is_source "$1"; then
        clang-19 -O1 -fno-inline -mno-outline-atomics -pthread -c "$1" -o functions.o 2>/dev/null
        objdump -dr functions.o | list_functions
    else
        find "$programs/native/$1" -name '*.o' -exec objdump -dr {} + 2>/dev/null | list_functions
    fi
}

# make_program NAME OUT EXCLUDED: ./OUT runs the program.
make_program() {
    if is_source "$1"; then
        "$RECIPE" cc -g -O1 -pthread -I"$(dirname "$1")" --exclude="${3:-nothing}" "$1" -o "$2" -lm 2>/dev/null
        return
    fi
    (
        built=$work/$1.built
        rm -rf "$built" && cp -a "$programs/configured/$1" "$built"
        export CC="$RECIPE cc --exclude=${3:-nothing}" CXX="$RECIPE c++ --exclude=${3:-nothing}" CFLAGS="-O1 -g" CXXFLAGS="-O1 -g"
        cd "$built" && bash -euc '. "$1"; build' build "$root/bench/programs/$1.sh" >build.log 2>&1
    ) || return
    describe "$1"
    cp "$work/$1.built/$binary" "$2"
}

# The arguments of a run on a small input, which it reads from standard input.
arguments() {
    case $1 in
    pbzip2) echo -p3 -b1 -1 -c ;;
    lbzip2) echo -n3 -1 -c ;;
    xz) echo -T3 -0 --block-size=7KiB -c ;;
    esac
}

# Of a real program: its source, configured, and a native build that shows its functions.
prepare_real() {
    prepare "$1" && build_program native "$1" || return
    [ -d "$programs/configured/$1" ] || (
        mkdir -p "$programs/configured/$1.part" && cd "$programs/configured/$1.part"
        for package in "${packages[@]}"; do cp -a "$programs/sources/$package" "$package"; done
        export CC="$RECIPE cc" CXX="$RECIPE c++" CFLAGS="-O1 -g" CXXFLAGS="-O1 -g"
        bash -euc 'configure() { :; }; . "$1"; configure' configure "$description" >configure.log 2>&1
        mv "$programs/configured/$1.part" "$programs/configured/$1"
    )
}

# keys DIR: per model the pairs of places at which it proves races: model, number, places, both functions.
keys() {
    { "$RECIPE" report --format json "$1" 2>/dev/null || true; } | awk -v models="$models" '
        BEGIN { n_models = split(models, model, " ") }
        /"id": / { split($0, parts, /"models": \[/); split(parts[2], list, "]"); n = 0
            match($0, /"id": [0-9]+/); number = substr($0, RSTART + 6, RLENGTH - 6) }
        /"file": / { match($0, /"file": "[^"]*", "line": [0-9]+/); place = substr($0, RSTART + 9, RLENGTH - 9)
            gsub(/", "line": /, ":", place); sub(/.*\//, "", place); at[n] = place }
        /"function": / && at[n] != "" { match($0, /"function": "[^"]*/); of[n] = substr($0, RSTART + 13, RLENGTH - 13); n++
            for (i = 1; n == 2 && i <= n_models; i++)
                if (index(list[1], "\"" model[i] "\""))
                    print model[i], number, (at[0] < at[1] ? at[0] "|" at[1] : at[1] "|" at[0]), of[0], of[1] }'
}

record() { # NAME OUT: false where it does not run
    rm -rf "$2.recipe"
    local began code=0
    began=$(date +%s%N)
    # shellcheck disable=SC2046
    timeout 20 "$RECIPE" record -o "$2.recipe" "./$2" $(arguments "$1") >out 2>err <"$input" || code=$?
    took=$((($(date +%s%N) - began) / 1000000))
    [ $code -lt 124 ]
}

analyze() { # OUT BARRIERS
    rm -f "$1.recipe"/results.db*
    timeout 300 "$RECIPE" analyze --barriers "$2" --budget "$budget" "$1.recipe" >out 2>err || [ $? -eq 1 ]
}

declare -A count ms bytes
add() { count[$1]=$((${count[$1]:-0} + ${2:-1})); }

# is_true OUT NUMBER KEY: in the full recording, or carried out.
is_true() {
    grep -qxF "$3" true.keys && return
    grep -qxF "$2" untrue.numbers && return 1
    if timeout 60 "$RECIPE" replay --limit 5 "$1.recipe" "$2" >replayed 2>&1; then
        echo "$3" >>true.keys
    else
        echo "$2" >>untrue.numbers
        return 1
    fi
}

judge() { # SHORT HOW WAY
    keys "$1.part.recipe" >found
    : >untrue.numbers
    local model number key one two lost
    while read -r model number key _; do
        if is_true "$1.part" "$number" "$key"; then
            add "true $2 $3 $model"
        else
            add "false $2 $3 $model"
            echo "$1: $2: $3: $model: not true: $key" >&2
        fi
    done < <(sort -u -k1,1 -k3,3 found)
    awk '{ print $1, $3 }' found >found.keys
    # What is in a function that was left out is lost with it.
    while read -r model key one two; do
        grep -qxF "$model $key" found.keys && continue
        if grep -qxF -e "$one" -e "$two" excluded; then lost=exclusion; else lost=conservative; fi
        add "$lost $2 $3 $model"
    done <full.keys
}

measure() { # NAME
    local short how way began
    short=$(basename "$1" .c)
    input=/dev/null
    if ! is_source "$1"; then
        prepare_real "$1" || return
        text 20000 7 >"$short.input"
        input=$work/$short.input
    fi
    make_program "$1" "$short.full" "" || { echo "$short: does not compile" >&2; return; }
    record "$1" "$short.full" && analyze "$short.full" pairs || { echo "$short: skipped: $(tail -n 1 err)" >&2; return; }
    add programs
    local full_ms=$took size
    keys "$short.full.recipe" | awk '{ print $1, $3, $4, $5 }' | sort -u -k1,2 >full.keys
    awk '{ print $2 }' full.keys | sort -u >true.keys
    while read -r model _; do add "full $model"; done <full.keys
    size=$(stat -c %s "$short.full.recipe/log")
    functions "$1" >functions
    for how in 20 30 40 sync; do
        awk -v how=$how -v seed="$seed" 'BEGIN { srand(seed * 1000 + (how == "sync" ? 0 : how)) }
            $1 == (how == "sync" ? "sync" : "all") && (how == "sync" || rand() * 100 < how) { print $2 }' functions >excluded
        [ -s excluded ] || continue
        make_program "$1" "$short.part" "$(tr '\n' , <excluded)" || { echo "$short: $how: does not compile" >&2; continue; }
        record "$1" "$short.part" || { echo "$short: $how: skipped: $(tail -n 1 err)" >&2; continue; }
        add "runs $how"
        bytes[$how]=$((${bytes[$how]:-0} + $(stat -c %s "$short.part.recipe/log")))
        bytes[full.$how]=$((${bytes[full.$how]:-0} + size))
        ms[$how]=$((${ms[$how]:-0} + took))
        ms[full.$how]=$((${ms[full.$how]:-0} + full_ms))
        for way in $ways; do
            began=$(date +%s%N)
            analyze "$short.part" $way || { echo "$short: $how: $way: $(tail -n 1 err)" >&2; continue; }
            ms[$how.$way]=$((${ms[$how.$way]:-0} + ($(date +%s%N) - began) / 1000000))
            judge "$short" $how $way
        done
    done
    rm -rf "$short".*
}

for name in "${names[@]}"; do
    measure "$name"
done

echo "${count[programs]:-0} programs, seed $seed. Per model: true / **false** / missed by exclusion / missed though recorded. In the full recordings:"
echo
echo "| ${models// / | } |"
echo "|$(printf -- '---|%.0s' $models)"
for model in $models; do printf '| %d ' "${count[full $model]:-0}"; done
echo "|"
echo
for how in 20 30 40 sync; do
    [ "${count[runs $how]:-0}" -gt 0 ] || continue
    [ $how = sync ] && what="every function that synchronises" || what="$how % of the functions"
    echo "$what left out: ${count[runs $how]} programs, logs $((100 * ${bytes[$how]} / ${bytes[full.$how]})) % of the full ones," \
        "recording $((100 * ${ms[$how]} / ${ms[full.$how]})) % of the time."
    echo
    echo "| barriers | ${models// / | } | s |"
    echo "|---|$(printf -- '---|%.0s' $models)---|"
    for way in $ways; do
        printf '| %s ' $way
        for model in $models; do
            printf '| %d / **%d** / %d / %d ' "${count[true $how $way $model]:-0}" "${count[false $how $way $model]:-0}" \
                "${count[exclusion $how $way $model]:-0}" "${count[conservative $how $way $model]:-0}"
        done
        printf '| %d.%d |\n' $((${ms[$how.$way]:-0} / 1000)) $((${ms[$how.$way]:-0} % 1000 / 100))
    done
    echo
done
wrong=0
for key in "${!count[@]}"; do
    case $key in "false "*" pairs "* | "false "*" simple "*) wrong=$((wrong + count[$key])) ;; esac
done
[ $wrong -eq 0 ] && echo "goal: no false race with barriers: met" || { echo "goal: no false race with barriers: MISSED ($wrong)" && exit 1; }
