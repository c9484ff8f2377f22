#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/programs/primitives: each program, built by recipe cc, does what it does natively: by itself, and recorded under
# every policy and several seeds. They check themselves; what they print is the same under every schedule.
# SEEDS="1 2 …" and ONLY="name …" choose.
set -euo pipefail
source "$RECIPE_SOURCE_DIR/tests/cli/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/primitives
ulimit -v unlimited

# one SOURCE: in a process and a directory of its own; silent if all is well.
one() {
    local source=$1 name kind=cc native=clang-19 options=(-O1 -g -pthread) got
    name=$(basename "$source")
    name=${name%.*}
    if [ "${source##*.}" = cpp ]; then
        kind=c++ native=clang++-19 options+=(-std=c++20)
    fi
    "$native" "${options[@]}" "$source" -o "$name.native"
    "$RECIPE" "$kind" "${options[@]}" "$source" -o "$name"
    timeout 20 "./$name.native" >"$name.expected" || fail "$name, native: exit code $?"
    got=0
    timeout 20 "./$name" >"$name.out" 2>"$name.err" || got=$?
    report "$name, not recorded"
    for policy in rr random pct; do
        for seed in ${SEEDS:-1 2 3}; do
            got=0
            timeout 30 "$RECIPE" record -o "$policy.$seed" --schedule="$policy" --seed "$seed" -- "./$name" \
                >"$name.out" 2>"$name.err" || got=$?
            report "$name, $policy, seed $seed"
            [ "$policy" != rr ] || break # it has no seed
        done
    done
}

report() {
    [ "$got" -eq 0 ] || {
        cat "$name.err" >&2
        fail "$1: exit code $got"
    }
    cmp -s "$name.expected" "$name.out" || fail "$1: $(diff "$name.expected" "$name.out")"
}

if [ "${1:-}" = one ]; then
    one "$2"
    exit
fi

sources=()
for source in "$programs"/*.c "$programs"/*.cpp; do
    name=$(basename "$source")
    [[ -z ${ONLY:-} || " $ONLY " = *" ${name%.*} "* ]] && sources+=("$source")
done
[ "${#sources[@]}" -gt 0 ] || fail "no programs in $programs"
part=("${sources[@]}")
[ "${ONLY:-}" ] || take_part 3 programs "${sources[@]}"
printf '%s\0' "${part[@]}" | xargs -0 -P 2 -I{} bash "$RECIPE_SOURCE_DIR/tests/cli/primitives.sh" one {} || fail "see above"
