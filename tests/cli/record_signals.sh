#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Signals reach a recorded program once, whether they were sent to recipe or to the group; stops and SIGKILL.
. "$(dirname "$0")/lib.bash"

build listen <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t got[3];
static void count(int s) { got[s == SIGUSR1 ? 0 : s == SIGUSR2 ? 1 : 2]++; }
int main(void) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    for (int c; (c = getchar()) != EOF;)
        if (c == '\n') {
            printf("usr1 %d usr2 %d cont %d\n", (int)got[0], (int)got[1], (int)got[2]);
            fflush(stdout);
        }
    return 3;
}
C
mkfifo to from

# start DIR: recipe in a session of its own; its number is in $recipe, the program's in $program.
start() {
    setsid "$RECIPE" record -o "$1" ./listen <to >from 2>err &
    recipe=$!
    exec 5>to 6<from
    read -r -u 6 _ program || fail "the program says nothing: $(cat err)"
}

# until_counts WORDS: asks the program until it has counted that. A signal takes its time; what is counted only grows.
until_counts() {
    local answer end=$((SECONDS + 60)) # a busy machine may take long to let recipe pass it on
    while [ $SECONDS -lt $end ]; do
        echo >&5
        read -r -u 6 answer
        [ "$answer" != "$1" ] || return 0
    done
    fail "the program counted '$answer', not '$1'"
}

# until_state PID LETTER: as /proc has it.
until_state() {
    for ((i = 0; i < 5000; i++)); do
        [ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat")" != "$2" ] || return 0
    done
    fail "process $1 is not in state $2"
}

start a
kill -USR1 "$recipe"
until_counts "usr1 1 usr2 0 cont 0"
kill -USR1 -- "-$recipe" # the group: recipe and the program
until_counts "usr1 2 usr2 0 cont 0"
kill -USR2 "$recipe" # what is handed on comes after whatever recipe made of the one before
until_counts "usr1 2 usr2 1 cont 0"
kill -USR1 "$program"
until_counts "usr1 3 usr2 1 cont 0"
# the program stops: so does recipe, and who continues recipe continues the program
kill -STOP "$program"
until_state "$recipe" T
kill -CONT "$recipe"
until_counts "usr1 3 usr2 1 cont 1"
# who continues the program alone continues recipe, which hands nothing on
kill -STOP "$program"
until_state "$recipe" T
kill -CONT "$program"
until_counts "usr1 3 usr2 1 cont 2"
until_state "$recipe" S
until_counts "usr1 3 usr2 1 cont 2"
exec 5>&-
code=0
wait "$recipe" || code=$?
[ "$code" -eq 3 ] || fail "exit code $code"
says err "recorded in a"
exec 6<&-

# a signal that the program does not handle, sent to recipe alone
start b
kill -TERM "$recipe"
code=0
wait "$recipe" 2>/dev/null || code=$?
[ "$code" -eq 143 ] || fail "exit code $code after SIGTERM"
says b/run.json '"name": "SIGTERM"'
exec 5>&- 6<&-

# SIGKILL of the program: the directory is whole
start c
kill -KILL "$program"
code=0
wait "$recipe" 2>/dev/null || code=$?
[ "$code" -eq 137 ] || fail "exit code $code after SIGKILL"
run 0 trace stat c
says out "without a word (killed"
run 0 trace schedule c
exec 5>&- 6<&-

# SIGKILL of recipe: the program goes, too, and what is there is readable
start d
kill -KILL "$recipe"
wait "$recipe" 2>/dev/null || true
cat <&6 >rest # until the program has closed it
says d/run.json '"ended": null'
run 0 trace stat d
ls d/modules/*.bc >modules
exec 5>&- 6<&-
