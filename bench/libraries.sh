#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Real programs whose library is not recorded, beside the same with it recorded: is anything reported that is not true, and what the full
# recording finds in the program's own code, is it still found?
#   bench/libraries.sh [--seed N] [--budget SECONDS] [--runs N] [NAME…]
# NAME: one of the rows below (all); pbzip2+race: with a lock taken out of the program's own code; x264+kernels: only those left out. Each is recorded with N seeds (3). A race is true if the full recording has it, or if a replay shows it. Prints a
# table in Markdown, then every race that was lost, and whether the goal is met: nothing false, nothing lost that the recorded code has.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
seed=1 budget=20 runs=3 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    -*) sed -n '3,9s/^# //p' "$0" && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$root/bench/opaque.bash"
# shellcheck disable=SC2034
with_library=1 # for `partly` of ag and lrzip

# The library of a program: the objects whose functions are left out; none: it is the system's, which nobody records.
library() {
    case ${1%+race} in
    x264+kernels) echo 'common/pixel*,common/dct*,common/quant*,common/predict*' ;;
    ag) echo 'pcre3/*' ;;
    pbzip2) echo 'bzip2/*' ;;
    xz) echo 'liblzma/*' ;;
    lrzip) echo 'lzma/*,libzpaq/*' ;;
    x264) echo 'common/*' ;;
    fio) echo 'crc/*,lib/*,oslib/*' ;;
    memcached) ;;
    *) echo "of '$1' no library is known" >&2 && return 1 ;;
    esac
}
[ ${#names[@]} -gt 0 ] || names=(ag pbzip2 pbzip2+race xz memcached lrzip x264 x264+kernels fio)

events() { # NAME OUT: of all recordings
    local n
    for n in $(recordings "$1"); do
        "$RECIPE" report --format text "$2.$n.recipe" 2>/dev/null || true
    done | tr '\n' ' ' | grep -o '[0-9]* events,' | awk '{ n += $1 } END { print n + 0 }'
}

pairs_of() { awk -v what="$1" '$1 == what { print $3 }' judged | sort -u; }

rows=() lost=() wrong=0
measure() { # NAME
    local path paths=() full part=$1.full
    prepare_real "$1" || return
    : >excluded
    make_program "$1" "$1.full"
    record "$1" "$1.full" && analyze "$1" "$1.full" pairs || { echo "$1: skipped: $(tail -n 1 err)" >&2; return 1; }
    keep_full "$1" "$1.full"
    if [ -z "$(library "$1")" ]; then
        : >true.keys # a replay must show each
    else
        part=$1.part
        while read -r path; do paths+=("*/$path"); done < <(library "$1" | tr , '\n')
        # By functions, and by files for those that were inlined; but not by names that files of the program have, too.
        functions "$1" "$1.full" "${paths[@]}" | awk '$1 == "all" { print $2 }' | sort -u >excluded
        find "$1.full.built" -name '*.[ch]*' -type f | awk -v patterns="${paths[*]}" '
            BEGIN { n = split(patterns, pattern, " "); for (i = 1; i <= n; i++) gsub(/\*/, "", pattern[i]) }
            { name = $0; sub(/.*\//, "", name); for (i = 1; i <= n && !index($0, pattern[i]); i++); if (i <= n) in_library[name]; else other[name] }
            END { for (name in in_library) if (!(name in other)) print name }' >>excluded
        make_program "$1" "$part" || { echo "$1: does not compile without its library" >&2; return 1; }
        record "$1" "$part" && analyze "$1" "$part" pairs || { echo "$1: skipped: $(tail -n 1 err)" >&2; return 1; }
    fi
    judge "$1" "$part"
    full=$(awk '{ print $2 }' full.keys | sort -u | wc -l)
    rows+=("| $1 | $(library "$1") | $(events "$1" "$1.full") | $(events "$1" "$part") | $full | $(pairs_of true | wc -l) |\
 **$(pairs_of false | wc -l)** | $(pairs_of exclusion | wc -l) | $(pairs_of conservative | wc -l) |")
    while read -r path; do lost+=("$1: $path"); done < <(awk '$1 != "true" { print $1, $3 ":", $2 }' judged | sort)
    wrong=$((wrong + $(pairs_of false | wc -l) + $(pairs_of conservative | wc -l)))
    rm -rf "${1:?}".*
}
for name in "${names[@]}"; do
    measure "$name" || wrong=$((wrong + 1))
done

echo "| program | left out | events, all recorded | events | races, all recorded | found | false | lost: in the library | lost |"
echo "|---|---|---|---|---|---|---|---|---|"
printf '%s\n' "${rows[@]}"
echo
[ ${#lost[@]} -eq 0 ] || printf '%s\n' "${lost[@]}"
[ $wrong -eq 0 ] && echo "goal: nothing false, nothing lost of the recorded code: met" || { echo "goal: nothing false, nothing lost of the recorded code: MISSED ($wrong)" && exit 1; }
