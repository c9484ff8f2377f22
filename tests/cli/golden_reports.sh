#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whole reports, as people read them: tests/golden/reports/*.txt, of each example and of programs of several kinds, recorded along one
# random schedule, so that they are the same each time. Without what differs between machines: addresses, which models prove a pair, how
# many events there are, where a header has its lines.
#   tests/cli/golden_reports.sh --update    writes the golden files anew
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
ulimit -c 0
golden=$RECIPE_SOURCE_DIR/tests/golden/reports
update=${1:-}
programs=(examples/published.c examples/tally/tally.c racy/heap.c racy/cond.c racy/rwlock.c racy/freed.c lives/local.c \
    racy/semaphore.c c11/message.c "deadlock/cycles.c two" explore/lock_side.c racy/barrier.c)
[ "$update" = --update ] && part=("${programs[@]}") || take_part 3 "reports" "${programs[@]}"

same() { # FILE; the last paragraph is broken where the directory's name has it
    sed "s|$work/||g" "$1" | awk '/^(program|bank): / { is_last = 1 } { printf "%s%s", $0, is_last ? " " : "\n" } END { if (is_last) print "" }' |
        sed -E 's/0x[0-9a-f]{6,}/0x…/g; s/\((confirmed|predicted|not-replayed|not-tried), [^)]*\)/(\1, …)/; s/; models? [^.]*\./; models …./
            s/[0-9]+ events?/… events/g; s/as event [0-9]+/as event …/g; s/ +$//'
}
for which in "${part[@]}"; do
    read -r source arguments <<<"$which"
    name=$(basename "$source" .c)
    path=$RECIPE_SOURCE_DIR/tests/programs/$source more=(-DRACY -DW=relaxed -DR=relaxed)
    [[ $source != examples/* ]] || path=$RECIPE_SOURCE_DIR/$source more=()
    [ "$name" != tally ] || more=(test.c)
    cd "${path%/*}" # as the report names files, and finds them
    rm -rf "$work/program.recipe"
    "$RECIPE" cc -O0 -g -w "$name.c" "${more[@]}" -o "$work/program" -pthread || fail "$name is not compiled"
    "$RECIPE" run --schedule random --seed 1 --budget 60 --report "$work/said" -o "$work/program.recipe" "$work/program" $arguments \
        </dev/null >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "$name: $(cat "$work/err")"
    cd "$work"
    same said >got
    [ "$update" != --update ] || { mkdir -p "$golden" && cp got "$golden/$name.txt"; }
    diff "$golden/$name.txt" got >difference || fail "$name: $(cat difference)"
done

# an imported trace, of which there is no program
cd "$work"
"$RECIPE" trace import -o bank "$RECIPE_SOURCE_DIR/examples/bank.txt" >out 2>err || fail "bank.txt: $(cat err)"
run 1 analyze bank
same out >got
[ "$update" != --update ] || cp got "$golden/bank.txt"
diff "$golden/bank.txt" got >difference || fail "bank: $(cat difference)"
