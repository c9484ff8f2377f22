#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recording costs: native, recipe, TSan (clang 19), Helgrind and DRD side by side in one run.
#   bench/record.sh [--repeat N] [--tools "native recipe tsan helgrind drd"] [NAME…]
# One more tool, `steady`: recipe's build, recorded in turns of 1,000,000 events from beginning to end (--quantum).
# Names: of bench/micro/ and bench/programs/; without any, the three micro-programs and four real ones. Native, recipe and
# TSan are run in turn, N times (default 3), and the least CPU time counts, of runs that exit with 0; Helgrind and DRD run once.
# Prints tables in Markdown, then whether each goal is met. RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"

repeat=3 tools="native recipe tsan helgrind drd" names=()
while [ $# -gt 0 ]; do
    case $1 in
    --repeat) repeat=$2 && shift ;;
    --tools) tools=$2 && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(arrays queue treap pbzip2 lbzip2 x264 xz)
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
for need in /usr/bin/time valgrind; do
    command -v $need >/dev/null || { echo "$need is missing: tools/setup.sh bench" >&2; exit 2; }
done
ulimit -v unlimited

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang-19 -O1 -I"$root/src" "$root/bench/log_counts.c" -o "$work/log_counts"

# A micro-program is described like a real one.
micro() {
    description=$work/$1.sh
    printf 'build() {\n    $CC $CFLAGS -pthread %q -o %q\n}\n' "$root/bench/micro/$1.c" "$1" >"$description"
    packages=() binary=$1 inputs=$work kind=micro
    measured() { "${launch[@]}" "$built/$binary"; }
    measured_input() { echo 0; }
}

# launch_with TOOL: sets `launch`; the build is $built.
launch_with() {
    launch=(/usr/bin/time -o "$work/time" -f '%e %U %S %M')
    case $1 in
    native) ;;
    recipe) launch+=("$RECIPE" record -o "$work/trace" --) ;;
    steady) launch+=("$RECIPE" record --quantum 1000000 -o "$work/trace" --) ;;
    # A race that it reports must not end the run, nor its report go where the program's output goes.
    tsan) launch+=(env TSAN_OPTIONS="exitcode=0 log_path=$work/tsan") ;;
    helgrind | drd) launch+=(valgrind -q --tool="$1" --log-file=/dev/null) ;;
    esac
}

# without_debug NAME: a directory like the native build's with the program alone, which valgrind can read: Debian 12's does
# not know clang 19's debug information.
without_debug() {
    local to=$programs/valgrind/$1
    mkdir -p "$(dirname "$to/$binary")"
    strip --strip-debug -o "$to/$binary" "$programs/native/$1/$binary"
    echo "$to"
}

# Results: key NAME.TOOL.WHAT.
declare -A result
least() { # KEY VALUE
    local old=${result[$1]:-}
    if [ -z "$old" ] || awk "BEGIN { exit !($2 < $old) }"; then result[$1]=$2; fi
}

measure() { # NAME TOOL
    local code=0 wall user system peak
    rm -rf "$work/run" "$work/trace" && mkdir "$work/run"
    launch_with "$2"
    (cd "$work/run" && measured >stdout 2>../stderr) || code=$?
    # A program that gives up early has not done what is measured: such a run is named, and does not count.
    [ $code -eq 0 ] || { { echo "$1 under $2 exits with $code:" && cat "$work/stderr"; } >&2 && return; }
    read -r wall user system peak < <(tail -n 1 "$work/time")
    # The program's own, not that of `recipe record` beside it; its CPU time counts.
    [[ $2 != recipe && $2 != steady ]] || peak=$(sed -n 's/^ *"peak_kilobytes": \([0-9]*\).*/\1/p' "$work/trace/run.json")
    least "$1.$2.cpu" "$(awk "BEGIN { print $user + $system }")"
    least "$1.$2.wall" "$wall"
    least "$1.$2.peak" "$(awk "BEGIN { printf \"%.1f\", $peak / 1024 }")"
    [ "$2" != recipe ] || log_size "$1"
}

log_size() { # NAME
    local log events syncs switches outside_calls effects effect_bytes misses miss_bytes steals
    eval "$(find "$work/trace" -name log -exec "$work/log_counts" {} +)"
    local input
    input=$(measured_input)
    result[$1.log]=$log result[$1.events]=$events result[$1.syncs]=$syncs result[$1.switches]=$switches
    result[$1.effects]=$effects result[$1.misses]=$misses result[$1.input]=$input result[$1.steals]=$steals
    result[$1.bound]=$((2 * input + 8 * syncs + 64 * effects + 16 * switches))
}

# section FILE NAME…: bytes of those sections.
section() {
    local file=$1 total=0 name size
    shift
    while read -r name _ _ _ size _; do
        [[ " $* " != *" $name "* ]] || total=$((total + 16#$size))
    done < <(readelf -SW "$file" | sed -n 's/^ *\[ *[0-9]*\] *//p')
    echo $total
}

kinds=()
for name in "${names[@]}"; do
    kind=real
    if [ -f "$root/bench/micro/$name.c" ]; then
        micro "$name"
    else
        prepare "$name" || exit 77
    fi
    kinds+=("$kind")
    for tool in native recipe tsan; do
        [[ " native $tools " == *" $tool "* ]] || continue
        [ $kind = real ] || rm -rf "${programs:?}/$tool/$name"
        build_program "$tool" "$name" || { echo "$name: $tool's build failed: $built/build.log" >&2 && exit 1; }
        result[$name.$tool.build]=$(cat "$built/build.seconds")
        result[$name.$tool.size]=$(stat -L -c %s "$built/$binary")
        result[$name.$tool.text]=$(section "$built/$binary" .text)
        result[$name.$tool.bitcode]=$(section "$built/$binary" recipe_bitcode)
        result[$name.$tool.tables]=$(section "$built/$binary" recipe_modules recipe_functions)
    done
    for ((i = 0; i < repeat; i++)); do
        for tool in $tools; do
            built=$programs/$tool/$name
            case $tool in
            steady) built=$programs/recipe/$name ;;
            helgrind | drd)
                [ $i -eq 0 ] || continue
                built=$(without_debug "$name")
                ;;
            esac
            measure "$name" "$tool"
        done
    done
    for tool in $tools; do
        [ -n "${result[$name.$tool.cpu]:-}" ] || { echo "$name under $tool: no run ended well" >&2 && exit 1; }
    done
    echo "measured: $name" >&2
done

ratio() { awk "BEGIN { if ($2 > 0) printf \"%.2f\", $1 / $2; else printf \"-\" }"; }

echo "| program | tool | CPU s | × native | wall s | peak MB | log B |"
echo "|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    for tool in $tools; do
        r="$name.$tool"
        log=
        [ "$tool" != recipe ] || log=${result[$name.log]}
        echo "| $name | $tool | ${result[$r.cpu]} | $(ratio "${result[$r.cpu]}" "${result[$name.native.cpu]}") |" \
            "${result[$r.wall]} | ${result[$r.peak]} | $log |"
    done
done
echo
[[ " $tools " == *" recipe "* ]] || exit 0
echo "| program | events | external input B | syncs | writes from outside | switches | bound B | log B | misses |"
echo "|---|---|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    n=$name
    echo "| $n | ${result[$n.events]} | ${result[$n.input]} | ${result[$n.syncs]} | ${result[$n.effects]} |" \
        "${result[$n.switches]} | ${result[$n.bound]} | ${result[$n.log]} | ${result[$n.misses]} |"
done
echo
echo "| program | tool | build CPU s | × native | binary B | text | bitcode | tables |"
echo "|---|---|---|---|---|---|---|---|"
for name in "${names[@]}"; do
    for tool in $tools; do
        r="$name.$tool"
        [ -n "${result[$r.build]:-}" ] || continue
        echo "| $name | $tool | ${result[$r.build]} | $(ratio "${result[$r.build]}" "${result[$name.native.build]}") |" \
            "${result[$r.size]} | ${result[$r.text]} | ${result[$r.bitcode]} | ${result[$r.tables]} |"
    done
done
echo

missed=0
goal() { # WHAT VALUE LIMIT
    local verdict=met
    awk "BEGIN { exit !($2 <= $3) }" || { verdict=MISSED && missed=1; }
    echo "- $1: $2, goal at most $3: $verdict"
}
for i in "${!names[@]}"; do
    n=${names[i]}
    [ -z "${result[$n.steady.cpu]:-}" ] ||
        goal "$n: CPU × that of long turns" "$(ratio "${result[$n.recipe.cpu]}" "${result[$n.steady.cpu]}")" 1.1
    [ -z "${result[$n.tsan.cpu]:-}" ] || {
        goal "$n: CPU × TSan's" "$(ratio "${result[$n.recipe.cpu]}" "${result[$n.tsan.cpu]}")" 0.3
        goal "$n: peak memory × TSan's" "$(ratio "${result[$n.recipe.peak]}" "${result[$n.tsan.peak]}")" 1
    }
    [ "${kinds[i]}" = micro ] ||
        goal "$n: CPU × native" "$(ratio "${result[$n.recipe.cpu]}" "${result[$n.native.cpu]}")" 3
    goal "$n: log × its bound" "$(ratio "${result[$n.log]}" "${result[$n.bound]}")" 1
    goal "$n: compile time × clang's" "$(ratio "${result[$n.recipe.build]}" "${result[$n.native.build]}")" 4
done
exit $missed
