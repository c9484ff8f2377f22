#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Classes of races, each with a program that has one (-DRACY), which is found and confirmed, and its twin, of which nothing is
# reported: tests/programs/lives, calls, descriptors and layout (docs/benchmarks/classes.md).
#   CLASSES_ONLY=lives/mutex   that one alone
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs

compile() { # SOURCE FLAGS…
    case $1 in
    *.cc) "$RECIPE" c++ -g -O1 -pthread "${@:2}" "$1" -o program ;;
    *) "$RECIPE" cc -g -O1 -pthread "${@:2}" "$1" -o program $(sed -n 's/.* flags: \(-[a-z]*\) .*/\1/p' "$1") ;;
    esac
}

take_part 3 programs "$programs"/{lives,calls,descriptors,layout}/*.c*
[ -z "${CLASSES_ONLY:-}" ] || part=("$programs/$CLASSES_ONLY".c*)
for source in "${part[@]}"; do
    name=${source#"$programs"/}
    compile "$source"
    rm -rf trace
    run 0 run --budget 20 --report - -o trace ./program
    says out "0 races"
    run 0 trace check trace
    compile "$source" -DRACY
    rm -rf trace
    run 1 run --budget 20 --report - -o trace ./program
    grep -q '^Race .*confirmed' out || fail "$name: the race is not confirmed: $(cat out)"
    # What the program says it is: 'report: WORDS'
    while read -r words; do
        tr -s ' \n' ' ' <out | grep -qF "$words" || fail "$name: no '$words' in $(cat out)"
    done < <(sed -n 's/^.*report: \([^*]*[^* ]\).*/\1/p' "$source")
done
