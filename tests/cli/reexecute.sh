#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A recorded run is executed again from its log: every event of --log-values is the same; what is damaged is refused.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/reexecute

record() { # record DIR ARGS…: of $name, whose output must be the native one's
    local dir=$1
    shift
    "$RECIPE" record -o "$dir" "$@" "./$name" >out 2>err || fail "$name: recording with $* failed: $(cat err)"
    cmp -s out native.out || fail "$name: recorded with $* it prints $(cat out), natively $(cat native.out)"
}

build() { # SOURCE: makes ./$name
    name=$(basename "${1%.*}")
    local compiler=cc native=clang-19 flags # what the source says of itself: flags: -l…
    flags=$(sed -n 's/.* flags: \(-[a-z]*\) .*/\1/p' "$1")
    [[ $1 != *.cpp ]] || { compiler=c++ native=clang++-19; }
    # shellcheck disable=SC2086
    $native -O1 -w "$1" -o native -pthread -lm $flags
    ./native >native.out
    # shellcheck disable=SC2086
    "$RECIPE" $compiler -O2 -g -w -frecipe-log-branches "$1" -o "$name" -pthread -lm $flags
}

take_part 3 programs "$programs"/*.c "$programs"/*.cpp "$programs"/host/*.c
for source in "${part[@]}"; do
    build "$source"
    for schedule in rr "random --seed 7 --quantum 100" "pct --seed 7"; do
        # shellcheck disable=SC2086
        record values --log-values --schedule=$schedule
        run 0 trace reexecute values
        says out "mismatches    0" "logged values"
        # shellcheck disable=SC2086
        record plain --schedule=$schedule
        run 0 trace reexecute plain
        rm -rf values plain
    done
done

# What the plain copies of loops compute (src/instrument/regions.h) is what re-execution computes, wherever turns end.
name=loops
"$RECIPE" cc -v -O2 -g -w "$programs/loops.c" -o loops -pthread 2>err
copies=$(sed -n 's/.* \([0-9]*\) plain copies of loops.*/\1/p' err)
[ "${copies:-0}" -ge 26 ] || fail "loops.c has ${copies:-no} plain copies of loops, 26 are expected"
./loops >native.out
take_part 2 "schedules of loops" rr "rr --quantum 300" "random --seed 3 --quantum 2000" "random --seed 5 --quantum 90" "pct --seed 11"
for schedule in "${part[@]}"; do
    # shellcheck disable=SC2086
    record plain --schedule=$schedule
    run 0 trace reexecute --memory=sums plain
    od -An -v -w8 -tx8 out | tr -d ' ' | cmp - native.out || fail "loops, $schedule: re-execution has other sums"
    rm -rf plain
done

# A fault in such a loop ends the program where it ends natively; a program that handles faults is not hurried. Its one thread has a
# long turn, so that the loop is one step, by the usual schedule, too.
"$RECIPE" cc -O2 -g -w "$RECIPE_SOURCE_DIR/tests/programs/regions/crash.c" -o crash
for what in load store both; do
    run 139 record -o crashed ./crash $what
    run 0 trace reexecute crashed
    run 0 trace dump --log crashed
    says out "fault: signal 11" "in one of "
    rm -rf crashed
done
run 0 record -o crashed ./crash mend
says out 16715580
run 0 trace reexecute crashed
rm -rf crashed

# So does an access where no memory can be.
take_part 3 "wild accesses" load store rmw from to fill loop
for level in -O0 -O2; do
    "$RECIPE" cc $level -g -w "$RECIPE_SOURCE_DIR/tests/programs/regions/wild.c" -o wild
    for what in "${part[@]}"; do
        for values in "" --log-values; do
            # shellcheck disable=SC2086
            run 139 record $values -o crashed ./wild $what
            run 0 trace reexecute crashed
            run 0 trace dump crashed
            rm -rf crashed
        done
    done
done

# libraries, one of them loaded late; function pointers that are the program's own way to a library's function
library=$programs/library
"$RECIPE" cc -O2 -g -fPIC -shared "$library/lib.c" -o liblib.so
"$RECIPE" cc -O2 -g -fPIC -shared "$library/plug.c" -o libplug.so
name=main
for mode in "-fPIE -pie" "-fno-pie -no-pie"; do
    # shellcheck disable=SC2086
    "$RECIPE" cc -O2 -g $mode "$library/main.c" -o main -L. -llib -Wl,-rpath,. -pthread
    ./main >native.out
    record "main$mode" --log-values
    run 0 trace reexecute "main$mode"
    says out "logged values" "mismatches    0"
done

# what it counts, the log as text, memory in the end
build "$programs/locks.c"
record locks.recipe --log-values
run 0 trace reexecute --memory=sum locks.recipe
[ "$(od -An -td8 out | tr -d ' ')" = "$(cut -d' ' -f2 native.out)" ] || fail "sum is $(od -An -td8 out)"
run 3 trace reexecute --memory=nothing locks.recipe
says err "a global variable 'nothing'"
run 0 trace reexecute --stats locks.recipe
says out "threads       4" "loads " "stores " "branches " "instructions " "mismatches    0"
run 0 trace dump --log locks.recipe
says out "thread 0.1 begins" "callback work(0x" "acquire mutex" "return 0 check" "create thread 1" "exit 0"

# one value that is not the program's: where it was, what was expected
cp -r locks.recipe other
printf '\125' | dd of=other/values bs=1 seek=$((24 * 5000 + 16)) conv=notrunc status=none
run 3 trace reexecute other
says err "thread 0.1, position " "work at " "locks.c:" "expected a " "found a "

# a log that is cut, damaged, missing
for size in 0 100 4096 4200 9000; do
    head -c $size locks.recipe/log >other/log
    run 3 trace reexecute other
    run 3 trace dump --log other
done
rm -rf other
cp -r locks.recipe other
rm other/values
printf '\377' | dd of=other/log bs=1 seek=5000 conv=notrunc status=none
run 3 trace reexecute other
rm -r other/modules
run 3 trace reexecute other
says err "modules/"
run 3 trace reexecute missing
run 2 trace reexecute
