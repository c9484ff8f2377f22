#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is found, missed and wrongly found when code is left out of the recording (seed 004's experiment): of each program random
# 20, 30 and 40 % of its functions, then every function that synchronises.
#   bench/opaque.sh [--seed N] [--budget SECONDS] [--bold SECONDS] [--runs N] [--picks N] [--real] [FILE|NAME…]
# FILE: a C source that is a program; NAME: one of bench/programs, on a small input, recorded with N seeds (3). Without any: the sources of
# tests/programs/racy, orders, clean, primitives and bench/micro; --real: ag, x264, fio, pbzip2, lbzip2, xz and lrzip. --picks: so many random
# choices of the functions (1). Barrier pairs stand beside the paper's optimisation (trees), simple barriers and none at all. A race is true
# if the full recording has it, or if a replay shows it. It is also said what 'recipe run' shows, with guesses and steered runs, and what it
# misses of that which none at all finds truly; its budget is --bold for a NAME (60), and true is there, too, what the program has shown.
# Prints tables in Markdown, one of its own for each NAME, then whether the goal is met: no false race with pairs, nor with simple barriers,
# nor of 'recipe run'. Times are of CPU.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
seed=1 budget=5 bold=60 runs=3 picks=1 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --bold) bold=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    --picks) picks=$2 && shift ;;
    --real) names+=(ag x264 fio pbzip2 lbzip2 xz lrzip) ;;
    -*) sed -n '3,14s/^# //p' "$0" && exit 2 ;;
    *.c) names+=("$(realpath "$1")") ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("$root"/tests/programs/{racy,orders,clean,primitives}/*.c "$root"/bench/micro/*.c)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$root/bench/opaque.bash"
ways="pairs trees simple off"

declare -A count ms bytes
wrong=0
add() { count[$1]=$((${count[$1]:-0} + ${2:-1})); }

# part NAME HOW PICK: a build with functions left out, recorded, and analysed in every way.
part() {
    local short how=$2 way verdict model key
    short=$(basename "$1" .c)
    awk -v how="$how" -v seed=$((seed + $3)) 'BEGIN { srand(seed * 1000 + (how == "sync" ? 0 : how)) }
        $1 == (how == "sync" ? "sync" : "all") && (how == "sync" || rand() * 100 < how) { print $2 }' functions >excluded
    [ -s excluded ] || { is_source "$1" || echo "$short: $how: there is no such function" >&2; return; }
    make_program "$1" "$short.part" || { echo "$short: $how: does not compile" >&2; return; }
    record "$1" "$short.part" || { echo "$short: $how: skipped: $(tail -n 1 err)" >&2; return; }
    add "runs $how"
    bytes[$how]=$((${bytes[$how]:-0} + size))
    bytes[full.$how]=$((${bytes[full.$how]:-0} + full_size))
    ms[$how]=$((${ms[$how]:-0} + took))
    ms[full.$how]=$((${ms[full.$how]:-0} + full_ms))
    for way in $ways; do
        [ $way != off ] || : >off.true
        analyze "$1" "$short.part" $way || { echo "$short: $how: $way: $(tail -n 1 err)" >&2; add "refused $how $way"; continue; }
        ms[$how.$way]=$((${ms[$how.$way]:-0} + took))
        judge "$1" "$short.part"
        while read -r verdict model key; do
            add "$verdict $how $way $model"
            [ $verdict != false ] || echo "$short: $how: $way: $model: not true: $key" >&2
            case $verdict$way in falsepairs | falsesimple) wrong=$((wrong + 1)) ;; esac
        done <judged
        [ $way != off ] || awk '$1 == "true" { print $3 }' judged | sort -u >off.true
        is_source "$1" || echo "$short: $how: $way: $(cut -d ' ' -f 1,3 judged | sort -u | cut -d ' ' -f 1 | uniq -c | xargs), $took ms" >&2
    done
    boldly "$1" "$short.part" "$how"
}

# boldly NAME OUT HOW: what 'recipe run' shows of it, beside what 'off' finds truly.
boldly() {
    local how=$3 status recording number key
    run_boldly "$1" "$2" || { echo "$2: $how: bold: $(tail -n 1 err)" >&2; add "refused $how bold"; return; }
    ms[$how.bold]=$((${ms[$how.bold]:-0} + took))
    add "led $how" "$led"
    : >untrue
    while read -r status recording number key _; do
        if grep -qxF "$key" full.places; then add "true $how bold"
        elif [ "$status" = confirmed ]; then add "true $how bold" && add "alone $how"
        elif is_true "$recording" "$number" "$key"; then add "true $how bold"; else
            add "false $how bold"
            wrong=$((wrong + 1))
            echo "$2: $how: bold: not true: $key" >&2
        fi
    done <found
    awk '{ print $4 }' found | sort -u >bold.keys
    while read -r key; do
        grep -qxF "$key" bold.keys && add "kept $how" && continue
        add "missed $how"
        echo "$2: $how: bold: missed, and 'off' has it: $key" >&2
    done <off.true
}

measure() { # NAME
    local short how model pick full_ms full_size
    short=$(basename "$1" .c)
    is_source "$1" || prepare_real "$1" || return
    : >excluded
    make_program "$1" "$short.full" || { echo "$short: does not compile" >&2; return; }
    record "$1" "$short.full" || { echo "$short: skipped: $(tail -n 1 err)" >&2; return; }
    full_ms=$took full_size=$size
    analyze "$1" "$short.full" pairs || { echo "$short: skipped: $(tail -n 1 err)" >&2; return; }
    add programs
    add "ms full" "$took"
    keep_full "$1" "$short.full"
    while read -r model _; do add "full $model"; done <full.keys
    functions "$1" "$short.full" >functions
    for how in 20 30 40; do
        for ((pick = 0; pick < picks; pick++)); do part "$1" $how $pick; done
    done
    part "$1" sync 0
    rm -rf "${short:?}".*
}

what() { [ "$1" = sync ] && echo "every function that synchronises" || echo "$1 % of the functions"; }
seconds() { printf '%d.%d' $(($1 / 1000)) $(($1 % 1000 / 100)); }

# cells PREFIX…: for each model the numbers that are counted so; models with the same ones are said together.
cells() {
    local model prefix cell
    for model in $models; do
        cell=
        for prefix in "$@"; do
            [ "$prefix" = "${prefix#false}" ] && cell+="${count[$prefix $model]:-0} / " || cell+="**${count[$prefix $model]:-0}** / "
        done
        echo "$model ${cell% / }"
    done | awk '{ name = $1; sub(/^[^ ]+ /, ""); if (!($0 in of)) order[++n] = $0; of[$0] = of[$0] (of[$0] == "" ? "" : ", ") name }
        END { for (i = 1; i <= n; i++) printf("%s%s", (i > 1) ? "; " : "", (n == 1) ? order[i] : of[order[i]] ": " order[i]) }'
}

print_bold() { # HOW
    local how=$1
    echo "\`recipe run\`, $(what "$how") left out: ${count[true $how bold]:-0} true (${count[alone $how]:-0} of them in no full recording, but shown)" \
        "/ **${count[false $how bold]:-0}**; of the pairs that \`off\` finds truly ${count[kept $how]:-0}, missed ${count[missed $how]:-0};" \
        "${count[led $how]:-0} runs led or steered, $(seconds "${ms[$how.bold]:-0}") s${count[refused $how bold]:+; not run: ${count[refused $how bold]}}."
}

# What a real program showed, all runs and choices together.
print_real() { # NAME
    local how way
    [ "${count[programs]:-0}" -gt 0 ] || return 0
    echo "$1, $runs recordings, seed $seed. All recorded: races $(cells full), analysis $(seconds "${count[ms full]}") s. True / **false** / missed by exclusion / missed though recorded:"
    echo
    echo "| left out | choices | log | recording | pairs | trees | simple | off | analysis s: pairs, trees, simple, off |"
    echo "|---|---|---|---|---|---|---|---|---|"
    for how in 20 30 40 sync; do
        [ "${count[runs $how]:-0}" -gt 0 ] || continue
        printf '| %s | %d | %d %% | %d %% ' "$(what $how)" "${count[runs $how]}" $((100 * bytes[$how] / bytes[full.$how])) $((100 * ms[$how] / ms[full.$how]))
        for way in $ways; do
            printf '| %s%s ' "$(cells "true $how $way" "false $how $way" "exclusion $how $way" "conservative $how $way")" \
                "${count[refused $how $way]:+; refused: ${count[refused $how $way]}}"
        done
        printf '|'
        for way in $ways; do printf ' %s' "$(seconds "${ms[$how.$way]:-0}")"; done
        echo " |"
    done
    echo
    for how in 20 30 40 sync; do
        [ "${count[runs $how]:-0}" -eq 0 ] || echo "- $(print_bold $how)"
    done
    echo
}

print_small() {
    local how way model
    echo "${count[programs]:-0} programs, seed $seed. Per model: true / **false** / missed by exclusion / missed though recorded. In the full recordings:"
    echo
    echo "| ${models// / | } |"
    echo "|$(printf -- '---|%.0s' $models)"
    for model in $models; do printf '| %d ' "${count[full $model]:-0}"; done
    echo "|"
    echo
    for how in 20 30 40 sync; do
        [ "${count[runs $how]:-0}" -gt 0 ] || continue
        echo "$(what $how) left out: ${count[runs $how]} programs, logs $((100 * ${bytes[$how]} / ${bytes[full.$how]})) % of the full ones," \
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
            printf '| %s |\n' "$(seconds "${ms[$how.$way]:-0}")"
        done
        echo
        print_bold $how
        echo
    done
}

for name in "${names[@]}"; do
    is_source "$name" && measure "$name"
done
[ "${count[programs]:-0}" -eq 0 ] || print_small
for name in "${names[@]}"; do
    is_source "$name" && continue
    count=() ms=() bytes=()
    measure "$name"
    print_real "$name"
done
[ $wrong -eq 0 ] && echo "goal: no false race with barriers: met" || { echo "goal: no false race with barriers: MISSED ($wrong)" && exit 1; }
