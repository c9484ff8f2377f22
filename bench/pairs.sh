#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What barrier pairs cost while a program is recorded whose library is not: two builds of recipe side by side.
#   bench/pairs.sh --before RECIPE [--runs N] [NAME…]
# --before: the program of a build without them (commit 306cd63^). NAME: pbzip2, xz, memcached (all). The library is compiled by clang
# alone, the rest by each build; N recordings (5) of each in turns, beside native runs. Prints a table of CPU times (medians), then whether
# the goal is met: at most 10 % more than before.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
before= runs=5 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --before) before=$(realpath "$2") && shift ;;
    --runs) runs=$2 && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(pbzip2 xz memcached)
now=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$now" ] && [ -x "$before" ] || { echo "two builds of recipe are needed: RECIPE and --before" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CFLAGS="-O2 -g" CXXFLAGS="-O2 -g"

# build NAME TOOL RECIPE: in $work/NAME.TOOL. Whatever is in a library's directory, and all that is asked while it is configured, is clang's.
build_with() {
    local language package
    for language in cc c++; do
        cat >"$work/$2-$language" <<END
#!/bin/sh
case \$PWD in */bzip2 | */liblzma* | */src/common) CONFIGURING=1 ;; esac
[ -z "\$CONFIGURING" ] && [ $2 != native ] || exec clang$([ $language = cc ] || echo ++)-19 "\$@"
exec "$3" $language "\$@"
END
        chmod +x "$work/$2-$language"
    done
    mkdir "$work/$1.$2"
    for package in "${packages[@]}"; do cp -a "$programs/sources/$package" "$work/$1.$2/$package"; done
    (
        cd "$work/$1.$2"
        export CC="$work/$2-cc" CXX="$work/$2-c++"
        CONFIGURING=1 bash -euc 'configure() { :; }; . "$1"; configure' configure "$description" >build.log 2>&1 &&
            bash -euc '. "$1"; build' build "$description" >>build.log 2>&1
    ) || { echo "$1: the build with $2 failed: $(tail -n 1 "$work/$1.$2/build.log")" >&2; return 1; }
}

timed() {
    local TIMEFORMAT='%3U %3S' code=0
    { time "$@" 2>&3; } 3>&2 2>"$work/spent" || code=$?
    return $code
}

median() { sort -n | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'; }

wrong=0
echo "| program | native ms | before ms | now ms | now / before |"
echo "|---|---|---|---|---|"
for name in "${names[@]}"; do
    prepare "$name" || continue
    build_with "$name" native "$now" && build_with "$name" before "$before" && build_with "$name" now "$now" || { wrong=1 && continue; }
    for ((i = 0; i < runs; i++)); do
        for tool in native before now; do
            built=$work/$name.$tool
            case $tool in
            native) launch=(timed) ;;
            before) launch=(timed "$before" record -o "$work/trace") ;;
            now) launch=(timed "$now" record -o "$work/trace") ;;
            esac
            rm -rf "$work/run" "$work/trace" && mkdir "$work/run"
            (cd "$work/run" && measured >../out 2>../err) || { echo "$name: $tool: $(tail -n 1 "$work/err")" >&2 && exit 1; }
            awk '{ printf "%d\n", ($1 + $2) * 1000 }' "$work/spent" >>"$work/$name.$tool.ms"
        done
    done
    a=$(median <"$work/$name.before.ms") b=$(median <"$work/$name.now.ms")
    echo "| $name | $(median <"$work/$name.native.ms") | $a | $b | $(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.2f", b / a }') |"
    [ $((b * 10)) -le $((a * 11)) ] || wrong=1
done
echo
[ $wrong -eq 0 ] && echo "goal: at most 10 % more: met" || { echo "goal: at most 10 % more: MISSED" && exit 1; }
