#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe record: exit codes, where the recording goes, what passes through, what can't be recorded.
. "$(dirname "$0")/lib.bash"
build_counter

# the program's own code, one line on standard error, directories that are not there yet
run 0 record ./counter
[ "$(cat out)" = "locked 400" ] || fail "the output is $(cat out)"
[ "$(cat err)" = "recipe: recorded in counter.recipe" ] || fail "standard error is $(cat err)"
for file in log image config run.json modules/*.bc; do
    [ -s counter.recipe/$file ] || fail "counter.recipe/$file is missing"
done
run 7 record ./counter 10 7
says err "recorded in counter.recipe.1"
run 0 record -- ./counter 10
says err "recorded in counter.recipe.2"
run 0 record -o here ./counter 10
says err "recorded in here"
mkdir there
(cd there && run 0 record ../counter 10) # the base name, in the current directory
[ -s there/counter.recipe/log ] || fail "not in the current directory"
run 125 record -o here ./counter
says err "here: is there already"
run 125 record -o missing/here ./counter
says err "missing/here: can't be made: No such file"

# options stand before the program; what follows is the program's
build arguments <<'C'
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%s\n", argv[i]);
    return 0;
}
C
run 0 record -o a ./arguments -v -o x --seed --help -- "two words" ""
printf '%s\n' -v -o x --seed --help -- "two words" "" | cmp -s - out || fail "arguments: $(cat out)"
run 0 record -v -o v ./counter
says err "threads                          3" "events" "switches" "bytes of log" "the log ended                    by exit" "recorded in v"
python3 - v/run.json <<'P' || fail "run.json"
import json, os, sys
run = json.load(open(sys.argv[1]))
assert run["command"] == ["./counter"] and run["directory"] == os.getcwd() and run["policy"] == "rr", run
assert run["ended"] == {"how": "exit", "code": 0} and run["processes"] == 1, run
assert any(v.startswith("PATH=") for v in run["environment"]) and not any(v.startswith("RECIPE_TRACE=") for v in run["environment"])
P
run 0 record --schedule=random --seed 0x10 -o r ./counter
says err "recorded in r (random, seed 16)"
run 0 record --schedule=pct --depth 4 --length 2000 -o p ./counter
says err "recorded in p (pct, seed "
python3 - p/run.json "$(sed 's/.*seed \([0-9]*\)).*/\1/' err)" <<'P' || fail "run.json of pct"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["policy"] == "pct" and run["seed"] == int(sys.argv[2]) and run["depth"] == 4 and run["length"] == 2000, run
P

# through PATH; standard input and pipes
mkdir bin
mv arguments bin/
build bin/copy <<'C'
#include <stdio.h>
int main(void) {
    for (int c; (c = getchar()) != EOF;)
        putchar(c);
    return 0;
}
C
seq 10000 >numbers
PATH=$PWD/bin:$PATH "$RECIPE" record copy <numbers 2>err | cmp -s - numbers || fail "a pipe"
says err "recorded in copy.recipe"
PATH=$PWD/bin:$PATH "$RECIPE" record copy <numbers 2>err | head -n 1 >out || true # the reader goes: SIGPIPE, as without recipe
[ "$(cat out)" = 1 ] || fail "the first line of a pipe"

# a signal ends it: so it ends recipe
build die <<'C'
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    (void)argc;
    raise(atoi(argv[1]));
    return 0;
}
C
for signal in 15 9 6 11; do
    code=0
    { bash -c '"$@" 2>err' - "$RECIPE" record -o "died.$signal" ./die $signal; } 2>/dev/null || code=$?
    [ "$code" -eq $((128 + signal)) ] || fail "signal $signal: exit code $code"
    says err "recorded in died.$signal"
    says "died.$signal/run.json" "\"how\": \"signal\", \"signal\": $signal,"
    run 0 trace stat "died.$signal"
done

# not there, not executable, not a program, not ours
before=$(ls)
run 127 record no-such-program
says err "no-such-program: is not found in PATH"
run 127 record ./no-such-program
says err "./no-such-program: there is no such program"
run 127 record out/put
: >empty
run 126 record ./empty
says err "./empty: can't be executed: Permission denied"
chmod +x empty
run 126 record ./empty
says err "./empty: is no ELF file"
run 126 record ./bin
says err "./bin: can't be executed: Is a directory"
run 125 record true
says err "true: was not built by recipe" 'CC="recipe cc"'
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
run 125 record ./script
says err "./script: is a script" 'CC="recipe cc"'
head -c 3000 counter >cut
chmod +x cut
run 126 record ./cut
says err "./cut: the ELF file is damaged"
rm -f empty script cut
[ "$(ls)" = "$before" ] || fail "something was left: $(ls)"

# a program that can't be recorded here leaves nothing
if (ulimit -v 4000000 && "$RECIPE" --version >out 2>err); then # not under a sanitizer
    (ulimit -v 4000000 && run 125 record -o limited ./counter) || fail "a limit on address space"
    says err "ulimit -v" "./counter: ended before its recording began"
    absent limited
fi

# usage errors are 125 here: 2 might be the program's
wrong() {
    local words=$1
    shift
    run 125 record "$@"
    silent out
    says err "$words" "see 'recipe help record'"
}
wrong "PROG [ARG…] is missing"
wrong "unknown option --sed=1; did you mean --seed?" --sed=1 ./counter
wrong "--schedule takes one of rr, random, pct, file:PATH, not 'fair'" --schedule=fair ./counter
wrong "--schedule takes one of" --schedule=file: ./counter
wrong "--seed one: not a number" --schedule=random --seed one ./counter
wrong "--quantum 0: not a number from 1" --quantum 0 ./counter
wrong "--depth goes with --schedule=pct" --depth 2 ./counter

# a recording has no results, and its events are made by the first who wants them
run 3 report counter.recipe
says err "counter.recipe: holds a recorded run"
absent counter.recipe/events.rcp
run 0 trace stat counter.recipe
[ -e counter.recipe/events.rcp ] || fail "the events were not made"
says out "policy                           \"rr\"" "threads                          3" "synchronisation operations"

# what can't be recorded is said: by the compiler, kept in the program, also when it is stripped
build assembly <<'C'
#ifdef __x86_64__
#define LOAD "movb (%0), %%al"
#define INTO "al"
#else
#define LOAD "ldrb w9, [%0]"
#define INTO "w9"
#endif
int main(void) {
    int x = 1;
    __asm__ volatile("" : : "r"(&x) : "memory");
    __asm__ volatile(LOAD : : "r"(&x) : "memory", INTO);
    return x - 1;
}
C
strip assembly
run 0 record -v ./assembly
says err "note: assembly.c:11: this assembly may touch memory"
run 0 trace stat assembly.recipe
says out "note: assembly.c:11: this assembly may touch memory"
[ "$(grep -c '^note:' out)" -eq 1 ] || fail "not one note: $(cat out)"

# a system that does not let randomisation be switched off: said, and recorded all the same
build_deny
code=0
./deny "$RECIPE" record -o denied ./counter >out 2>err || code=$?
if [ "$code" -eq 99 ]; then
    echo "SKIPPED: this system has no seccomp filters" >&2
else
    [ "$code" -eq 0 ] || fail "without personality(): exit code $code"
    says err "address-space randomisation can't be switched off here (Operation not permitted)" "recorded in denied"
    says denied/run.json "randomisation could not be switched off"
fi

# no limit on the stack moves all mappings: said, with what to do, recorded or not
if (ulimit -s unlimited) 2>/dev/null; then
    (
        ulimit -s unlimited
        run 125 record -o endless ./counter
        says err 'the limit on its stack is off (`ulimit -s unlimited`)' 'ulimit -s 8192'
    )
else
    echo "SKIPPED: the limit on the stack can't be taken off here" >&2
fi
