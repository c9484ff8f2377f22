#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs (tests/prop/maker): recorded twice, they do the same; re-executed, every event has its recorded value
# and memory is in the end what it was. Where the order of threads does not matter, they do what they do natively. Their
# events are an execution (docs/semantics.md), every term gives what was recorded, and where a read reads something else
# the run goes on as the terms say (tests/prop/terms).
#   GENERATED_FIRST=1 GENERATED_COUNT=20   which; GENERATED_KEEP=DIR: what failed goes there, and the next one is tried
#   GENERATED_CHANGES=10                   reads that are changed, of each
. "$(dirname "$0")/lib.bash"
make_program=${RECIPE%/*}/tests/make_program check_terms=${RECIPE%/*}/tests/check_terms
first=${GENERATED_FIRST:-1} count=${GENERATED_COUNT:-$(few 20 8 "random programs")} changes=${GENERATED_CHANGES:-10}
ulimit -v unlimited
march=armv8.2-a+fp16 # with atomics of its own
[ "$(uname -m)" = aarch64 ] || march=x86-64-v2

check() { # of ./program.c, made from $seed
    local levels=(-O1 -O2 -O0 -O1 -O0 -O3 -O0) schedules=(rr random pct) flags=()
    local level=${levels[seed % 7]}
    local quantum=$((3 + seed % 89))
    [ $((seed % 5)) -ne 0 ] || quantum=1000 # whole loops within a turn
    local schedule=(--schedule="${schedules[seed % 3]}" --seed "$seed" --quantum "$quantum")
    [ $((seed / 2 % 2)) -eq 0 ] || flags+=(-frecipe-log-branches)
    case $((seed % 11)) in
    0) flags+=(-D_FORTIFY_SOURCE=2) ;;
    1) flags+=(-no-pie -fno-pie) ;;
    2) flags+=(-ffast-math) ;; # which means nothing here; serial programs are not compared then
    3) flags+=(-fstack-protector-all -fno-omit-frame-pointer) ;;
    4) flags+=(-fsanitize=undefined -fsanitize-trap=undefined "-fno-sanitize=signed-integer-overflow,float-cast-overflow,shift-base") ;;
    5) flags+=("-march=$march") ;;
    *) ;;
    esac
    [ "${schedules[seed % 3]}" != pct ] || schedule=(--schedule=pct --seed "$seed" --depth 8 --length 4000)
    "$RECIPE" cc "$level" -g -w "${flags[@]}" program.c -o program -pthread -lm || return 1
    echo "$level ${flags[*]} ${schedule[*]}" >how
    rm -rf values plain
    timeout 60 "$RECIPE" record -o values --log-values "${schedule[@]}" ./program >out.values 2>err || {
        cat err
        return 1
    }
    "$RECIPE" trace reexecute values >out 2>err || {
        cat err
        return 1
    }
    grep -qF "mismatches    0" out || return 1
    timeout 60 "$RECIPE" record -o plain "${schedule[@]}" ./program >out.plain 2>err || {
        cat err
        return 1
    }
    cmp out.values out.plain || return 1
    cmp <("$RECIPE" trace schedule values) <("$RECIPE" trace schedule plain) || return 1
    "$RECIPE" trace reexecute --memory=report plain >memory 2>err || {
        cat err
        return 1
    }
    head -c "$(stat -c %s out.plain)" memory | cmp - out.plain || return 1
    "$check_terms" --changes "$changes" --seed "$seed" plain || return 1
    if [ $((seed % 11)) -ne 2 ] && grep -q '^/\* make_program [0-9]*: serial' program.c; then
        clang-19 "$level" -w -fwrapv program.c -o native -pthread -lm
        timeout 60 ./native >out.native
        cmp out.native out.plain || return 1
    fi
}

"$make_program" --coverage 300 >out || fail "a feature that no program has: $(cat out)"
failed=0 flipped=0
for ((seed = first; seed < first + count; seed++)); do
    "$make_program" $seed >program.c
    if check >said 2>&1; then
        n=$(sed -n 's/.* another branch \([0-9]*\),.*/\1/p' said)
        flipped=$((flipped + n))
    else
        echo "seed $seed ($(cat how)): $(cat said)" >&2
        failed=$((failed + 1))
        [ -n "${GENERATED_KEEP:-}" ] || fail "make_program $seed"
        mkdir -p "$GENERATED_KEEP/$seed"
        cp program.c how said "$GENERATED_KEEP/$seed"
    fi
done
echo "$((count - failed)) programs good, $flipped branches went the other way as predicted"
[ $((count * changes)) -lt 80 ] || [ $flipped -gt 0 ] || fail "no branch went another way"
[ $failed -eq 0 ] || fail "$failed of $count programs"
