#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every race that is reported on tests/programs/racy is carried out on the program, and each time alike.
#   REPLAY_LEVELS="-O0 -O1 -O2" REPLAY_TIMES=20   all levels, so many replays of each race; default: a level and two each
#   REPLAY_ONLY=lock.c                            only this program
#   REPLAY_MODEL=sdp,wdp                          only what these models find
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/racy
levels=(-O0 -O1 -O2) times=${REPLAY_TIMES:-2}
ulimit -v unlimited

build() { # SOURCE LEVEL
    local compiler=cc
    [ "${1##*.}" != cpp ] || compiler=c++
    "$RECIPE" $compiler -g "$2" "$1" -o program -pthread
}

# All races of ./trace, $times each, tell the same story.
replay_all() { # NAME
    local races i n
    run 1 report trace
    races=$(pairs out | wc -l)
    for ((i = 1; i <= races; i++)); do
        run 0 replay --limit 2 trace $i
        mv out story
        for ((n = 1; n < times; n++)); do
            run 0 replay --limit 2 trace $i
            cmp -s out story || fail "$1: race $i is told in another way: $(diff story out)"
        done
    done
    confirmed=$((confirmed + races))
}

echo 'some words to be counted' >words
n=0 confirmed=0
all=("$programs"/*.c "$programs"/*.cpp "$RECIPE_SOURCE_DIR"/examples/*.c)
part=("${all[@]}")
[ "${REPLAY_ONLY:-}" ] || take_part 4 programs "${all[@]}"
# input.c is needed below in any case
[[ ${REPLAY_ONLY:-} || " ${part[*]} " == *"/input.c "* ]] || part+=("$programs/input.c")
for source in "${part[@]}"; do
    name=$(basename "$source")
    [ "${REPLAY_ONLY:-$name}" = "$name" ] || continue
    # shellcheck disable=SC2086
    for level in ${REPLAY_LEVELS:-${levels[n++ % 3]}}; do
        build "$source" "$level"
        rm -rf trace
        if [ -n "${REPLAY_MODEL:-}" ]; then
            "$RECIPE" run --report - --model "$REPLAY_MODEL" --limit 2 -o trace ./program <words >out 2>err || [ $? -eq 1 ] || fail "$(cat err)"
            if grep -q ': 0 races' out; then continue; fi
        else
            run 1 run --report - --limit 2 -o trace ./program <words
        fi
        says out " confirmed)" "0 unproven, 0 undecided"
        replay_all "$name $level"
        case $name in
        null.c) says story "dies of SIGSEGV" ;;
        freed.c) says story "in memory that was freed" ;;
        hang.c) says story "does not end within 2 s" ;;
        input.c)
            rm -rf input && mv trace input
            cp program kept
            ;;
        esac
    done
done
echo "$confirmed races confirmed, $times times each"
[ -z "${REPLAY_ONLY:-}${REPLAY_MODEL:-}" ] || exit 0

# The recorded schedule, over and over: the same log.
for name in cond waiters heap; do
    build "$programs/$name.c" -O1
    rm -rf one other
    "$RECIPE" record --schedule=random --seed 7 --quantum 3 -o one ./program >/dev/null 2>&1
    for ((i = 0; i < times; i++)); do
        rm -rf other
        "$RECIPE" record --schedule=file:one -o other ./program >/dev/null 2>&1
        "$RECIPE" trace schedule one >schedule.one
        "$RECIPE" trace schedule other >schedule.other
        cmp schedule.one schedule.other || fail "$name: the schedule was not followed"
        "$RECIPE" trace dump one | grep -E '^(e[0-9]+: )?T[0-9]+ ' >dump.one
        "$RECIPE" trace dump other | grep -E '^(e[0-9]+: )?T[0-9]+ ' >dump.other
        cmp dump.one dump.other || fail "$name: the events are others"
    done
done

# With one access first alone.
cp kept program
run 0 replay --first B input 1
says out "Thread 0.2 first"
! grep -q "Thread 0.1 first" out || fail "--first B runs the other order, too"
run 0 replay --show-output input 1
says out "Output with access A first" " words"

# What has changed is said; what can't be followed is not confirmed.
echo x >>program
run 0 replay input 1
says out "program has changed since it was recorded"
build "$programs/lock.c" -O1
run 3 replay --limit 5 input 1
says err "is another build" "and is not run"
cp /bin/true program
run 3 replay input 1
says err "was not built by recipe"
rm program
run 3 replay input 1
says err "the recorded program is not there to be run"
cp kept program
run 0 replay input 1
: >words
run 1 replay --limit 5 input 1
says out "words has changed since it was recorded"

# Nothing to replay.
run 3 replay input 7
says err "there is no race 7"
run 2 replay input x
says err "not the number of a race"
mkdir empty
run 3 replay empty 1
run 0 trace import -o imported "$RECIPE_SOURCE_DIR/examples/bank.txt"
run 1 analyze --model hb imported
run 3 replay imported 1
says err "only what 'recipe record' has recorded can be replayed"

# Under gdb, both threads stand before their accesses.
if command -v gdb >/dev/null; then
    build "$programs/lock.c" -O0
    rm -rf trace
    run 1 run -o trace ./program
    run 1 report --format json -o report trace
    printf 'thread apply all backtrace 8\nkill\nquit\n' >commands
    "$RECIPE" replay --gdb trace 1 <commands >out 2>err || fail "--gdb: $(cat err)"
    says out "both accesses are next" "writer" "reader"
    says out "recipe: access A is next: " "recipe: access B is next: "

    # A gdb of one's own: FILE is there as long as the program is, which ends with gdb, or when recipe is interrupted.
    mkfifo told
    by_hand() {
        "$RECIPE" replay --gdb-commands race.gdb trace 1 >told 2>err &
        exec 3<told
        until [ -s race.gdb ] || ! kill -0 $! 2>gone; do read -r -t 0.1 <&3 || true; done
        [ -s race.gdb ] || fail "--gdb-commands: $(cat err)"
    }
    by_hand
    says err "gdb -x race.gdb"
    gdb -q -x race.gdb >out 2>&1 <<'GDB'
access-a
info symbol $pc
backtrace 3
access-b
backtrace 3
quit
GDB
    wait $! || fail "--gdb-commands exits with $?: $(cat err)"
    absent race.gdb
    exec 3<&-
    places=$(jq -r '.races[0].accesses[] | "\(.file):\(.line)"' report)
    for place in $places; do
        says out "$place"
    done
    by_hand
    program=$(sed -n 's/^attach //p' race.gdb)
    kill -0 "$program" || fail "the program is not there"
    kill $!
    wait $! || fail "--gdb-commands, interrupted, exits with $?: $(cat err)"
    absent race.gdb
    ! kill -0 "$program" 2>gone || fail "the program is there still"
    exec 3<&-
    run 2 replay --gdb --gdb-commands race.gdb trace 1
    run 2 replay --gdb-commands race.gdb trace all
else
    echo "gdb is not here: --gdb is not tried"
fi

# A program that fails, and one that Ctrl-C ends, are analysed all the same.
cat >fails.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int x;
static void *one(void *p) { x++; return p; }
int main(int argc, char **argv) {
    pthread_t t;
    (void)argv;
    pthread_create(&t, 0, one, 0);
    x++;
    pthread_join(t, 0);
    if (argc > 1) {
        puts("waiting");
        fflush(stdout);
        for (;;)
            pause();
    }
    return 3;
}
C
"$RECIPE" cc -g fails.c -o fails -pthread
run 1 run --report - -o failed.recipe ./fails
says err "./fails exited with 3"
says out "confirmed)"
# A shell starts what is in the background with SIGINT ignored; a monitor (set -m) does not.
cat >interrupt.bash <<'B'
set -m
"$RECIPE" run --report - -o interrupted.recipe ./fails wait >out 2>err &
while ! grep -q waiting out; do sleep 0.05; done
kill -INT -- -$!
code=0
wait $! || code=$?
exit $code
B
code=0
bash interrupt.bash || code=$?
[ $code -eq 1 ] || fail "a run whose program was interrupted exits with $code: $(cat err)"
says err "died of SIGINT"
says out "1 race (1 confirmed) in 3 pairs of accesses" "dies of SIGINT"
