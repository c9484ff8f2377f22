#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --suppressions: the syntax of ThreadSanitizer and what goes beyond it, line by line on one trace; what is suppressed is counted and
# changes no exit code; a line that is none is said with its place; names that are no names; many findings are no matter of time.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# Five races, each on a variable of its own.
cat >rocket.txt <<'TRACE'
recipe trace 1
fact program "/opt/bin/rocketd"
thread T1 "engine.7"
thread T2 "console"
var fuel 0x1000 4 = 0
var altitude 0x1004 4 = 0
var crew 0x1008 4 = 0
var launch_count 0x100c 4 = 0
var radio[0] 0x1010 4 = 0
stack t1 = src/main.cc:40:3 in engine_main
stack t2 = src/main.cc:60:3 in console_main
stack launch = src/main.cc:31:3 in "Ship::prepare(int)" ^ t1
stack add = src/ship/crew.cc:12:5 in "Crew::add(std::string const&)" ^ t1
stack insert = /usr/include/c++/12/bits/stl_map.h:500:9 in "std::map<int, Crew>::operator[](int&&)" ^ add
T1 w fuel = 1 @ src/ship/launch.cc:7:5 in "NuclearShip::Launch()" ^ launch
T1 w altitude = 1 @ third_party/altimeter/read.c:3:1 in sense ^ t1
T1 w crew = 1 @ /usr/include/c++/12/bits/stl_tree.h:99:1 in "std::_Rb_tree<int, Crew>::_M_insert_(int)" ^ insert
T1 w launch_count = 1 @ src/ship/launch.cc:9:5 in "NuclearShip::Launch()" ^ launch
T1 w radio[0] = 1 @ src/radio.cc:1:1 in "Radio::operator[](int)" ^ t1
T2 r fuel = 1 @ src/console.cc:3:9 in show ^ t2
T2 r altitude = 1 @ src/console.cc:4:9 in show ^ t2
T2 r crew = 1 @ src/console.cc:5:9 in show ^ t2
T2 r launch_count = 1 @ src/console.cc:6:9 in show ^ t2
T2 r radio[0] = 1 @ src/console.cc:7:9 in show_radio ^ t2
TRACE
run 0 trace import rocket.txt
run 1 analyze --model hb rocket.recipe
silent err

# left 'LINES' 'VARIABLES': the races that remain, of fuel, altitude, crew, launch_count, radio[0].
left() {
    printf '%b\n' "$1" >s.supp
    run $([ -n "$2" ] && echo 1 || echo 0) report --format json --suppressions s.supp rocket.recipe
    silent err
    [ "$(jq -r '[.races[].variable] | sort | join(" ")' out)" = "$2" ] || fail "$1 leaves $(jq -c '[.races[].variable]' out), not $2"
    jq -e '(.races | length) + (.suppressed | length) == 5 and ([.races[].id, .suppressed[].id] | sort) == [1, 2, 3, 4, 5]
        and ([.suppressed[].id] | sort) == ([.suppressed_entries[].races[]] | sort)
        and ([.races[].id] | sort) == ([.entries[].races[]] | sort)' out >filtered || fail "$1: $(cat out)"
}
all="altitude crew fuel launch_count radio[0]"

# --- what ThreadSanitizer knows: functions, files, variables, programs ---
left 'race:NuclearShip::Launch' 'altitude crew radio[0]'
left 'race:launch_count' 'altitude crew fuel radio[0]'
left 'race:third_party/' 'crew fuel launch_count radio[0]'
left 'race:src/ship/launch.cc' 'altitude crew radio[0]'
left 'race:console_main' ''
left 'race:/opt/bin/rocketd' ''
left 'race:rocketd$' ''
left 'race:^Launch' "$all"
left 'race:^NuclearShip::*()$' 'altitude crew radio[0]'
left 'race:Nuclear*Launch' 'altitude crew radio[0]'
left 'race:launch()' "$all"
left 'race:^crew$' 'altitude fuel launch_count radio[0]'
left 'race:Radio::operator[](' 'altitude crew fuel launch_count'
left 'race:std::map<*>::operator' 'altitude fuel launch_count radio[0]'
left 'race_top:sense' 'crew fuel launch_count radio[0]'
left 'race_top:prepare' "$all"
left 'race:prepare' 'altitude crew radio[0]'
left 'race_top:Crew::add' 'altitude fuel launch_count radio[0]' # where people read the access to be
left 'race_top:_M_insert_' 'altitude fuel launch_count radio[0]'
left 'race_top:fuel' "$all"
left 'thread:^engine.7$' ''
left 'thread:engine_main' "$all"
left 'called_from_lib:rocketd' ''
left 'called_from_lib:libzmq.so' "$all"
left 'mutex:Launch' "$all" # no lock is in these races
left 'deadlock:Launch' "$all"
left 'signal:Launch' "$all"
# a symbol's name, as nm prints it
left 'race:_ZN11NuclearShip6LaunchEv' 'altitude crew radio[0]'
left 'race:^_ZN11NuclearShip6LaunchEv$' 'altitude crew radio[0]'
left 'race:_ZN11NuclearShip4LandEv' "$all"
left 'race:_ZN11NuclearShip*' "$all" # a part of one is a name like any other
# comments, blanks, an end of line of another system, no end of line at all
left '# race:show\n\n   \t\n  race:sense  \r\n#' 'crew fuel launch_count radio[0]'
left 'race:sense\nrace:crew\nrace:sense' 'fuel launch_count radio[0]'
is() { [ "$(jq -c "$1" out)" = "$2" ] || fail "$1 is $(jq -c "$1" out), not $2"; }
is '.suppressions | map(.line, .matched)' '[1,1,2,1,3,1]'
is '.suppressed | map(.variable, .suppressed_by.line)' '["crew",2,"altitude",1]'
printf 'race:sense' >s.supp
run 1 report --suppressions s.supp rocket.recipe
left '' "$all"

# --- beyond it: frames in order, those of the library skipped ---
left 'race:Launch <- Ship::prepare <- engine_main' 'altitude crew radio[0]'
left 'race:Launch <- engine_main' "$all"
left 'race:Launch <- ... <- engine_main' 'altitude crew radio[0]'
left 'race:Launch <- … <- ^engine_main$' 'altitude crew radio[0]'
left 'race:Launch <- * <- engine_main' 'altitude crew radio[0]'
left 'race:engine_main <- Launch' "$all"
left 'race:_M_insert_ <- Crew::add' 'altitude fuel launch_count radio[0]'
left 'race_top:Crew::add <- engine_main' 'altitude fuel launch_count radio[0]'
left 'race_top:prepare <- engine_main' "$all"
left 'race:^show$ <- console_main' 'radio[0]'
left 'race:show_radio<-console_main' "$all" # no blanks: a name like any other
left 'race:... <- engine_main' ''

# --- what the report says; twice the same; numbers stay ---
printf 'race:Launch\nrace:sense\nrace:nobody\n' >tsan.supp
run 1 report --suppressions tsan.supp rocket.recipe
tr '\n' ' ' <out >line
says line "rocketd: 2 races (2 predicted), 3 suppressed, 0 unproven"
says out "Suppressed:" "  - race:Launch (tsan.supp:1) matched 2: race 2, 4" "  - race:sense (tsan.supp:2) matched 1: race 3"
! grep -q 'nobody\|^Race 2\|`fuel`' out || fail "the report has more: $(cat out)"
cp out first
run 1 report --suppressions tsan.supp rocket.recipe
cmp out first || fail "the report is not the same twice"
run 1 report -v --suppressions tsan.supp rocket.recipe
says err "recipe: tsan.supp:3: race:nobody matched nothing"
[ "$(wc -l <err)" -eq 1 ] || fail "more was said: $(cat err)"
run 1 report --race 2 --suppressions tsan.supp rocket.recipe
says out "Suppressed by race:Launch (tsan.supp:1)"
# several files; nothing is left
printf 'race:crew\nrace:radio\n' >more.supp
run 0 report --suppressions tsan.supp --suppressions=more.supp rocket.recipe
says out "0 races, 5 suppressed" "race:crew (more.supp:1)"
run 0 analyze --model hb --suppressions tsan.supp --suppressions more.supp rocket.recipe
says out "0 races, 5 suppressed"
# and nothing of it stays
run 1 report rocket.recipe
says out "5 races (5 predicted), 0 unproven"
! grep -q uppressed out || fail "suppressions are remembered: $(cat out)"

# --- continuous integration ---
run 1 report --format sarif --suppressions tsan.supp rocket.recipe
is '[.runs[0].results[] | select(.suppressions) | .suppressions[0] | .kind, .justification]' \
    '["external","race:Launch (tsan.supp:1)","external","race:sense (tsan.supp:2)","external","race:Launch (tsan.supp:1)"]'
is '[.runs[0].results[] | select(.suppressions | not)] | length' 2
run 1 report --format junit --suppressions tsan.supp rocket.recipe
says out 'tests="5" failures="2" errors="0" skipped="3"' '<skipped message="Suppressed by race:sense (tsan.supp:2)"/>'

# --- JSON is as its schema says ---
run 1 report --format json --suppressions tsan.supp rocket.recipe
jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" out >wrong
[ ! -s wrong ] || fail "the report is not as its schema says: $(head -5 wrong)"

# --- lines that are none: where, what to do, and nothing is done ---
cp rocket.recipe/results.db before
bad() { # LINES WORDS…
    printf "$1\n" >bad.supp
    shift
    for command in report analyze; do
        run 2 $command --suppressions bad.supp rocket.recipe
        silent out
        says err "--suppressions bad.supp:" "$@" "see 'recipe help $command'"
    done
}
bad 'race:sense\n\nrce:sense' "bad.supp:3: 'rce:sense' is no suppression" "race:NAME" "race_top, called_from_lib, thread"
bad 'sense' "bad.supp:1: 'sense' is no suppression"
bad 'race' "bad.supp:1: 'race' is no suppression"
bad 'race :x' "is no suppression"
bad 'race:' "bad.supp:1: 'race:' lacks a name"
bad 'race:a <-  <- b' "lacks a name; write one after the ':', and on both sides of ' <- '"
bad 'race: <- b' "lacks a name"
bad 'race:a\000b' "bad.supp:1: has a NUL byte"
bad "race:$(printf 'a <- %.0s' $(seq 63))a" "has more than 63 frames"
cmp rocket.recipe/results.db before || fail "a mistake in a file changed results"
run 3 report --suppressions missing.supp rocket.recipe
says err "missing.supp: can't be opened: No such file or directory"
run 2 report --suppressions= rocket.recipe
says err "--suppressions needs a value"

# --- names that are no names: quotes, brackets, other letters, an end of line, 4 kB ---
long=$(printf 'x%.0s' $(seq 4096))
cat >odd.txt <<TRACE
recipe trace 1
thread T1
thread T2
var a 0x1000 4 = 0
var b 0x1004 4 = 0
var c 0x1008 4 = 0
var d 0x100c 4 = 0
T1 w a = 1 @ "dir \"q\"/[a].c":1:1 in "operator\"\" _s<'x'>[{(&)}]"
T1 w b = 1 @ "größe.c":2:2 in "straße::λ"
T1 w c = 1 @ "c.c":3:3 in "two\nlines\t\xff"
T1 w d = 1 @ "d.c":4:4 in $long
T2 w a = 2
T2 w b = 2
T2 w c = 2
T2 w d = 2
TRACE
run 0 trace import odd.txt
run 1 analyze --model hb odd.recipe
odd() { # LINE VARIABLE
    printf '%s\n' "$1" >odd.supp
    run 1 report --format json --suppressions odd.supp odd.recipe
    is '[.suppressed[].variable]' "[\"$2\"]"
    [ "$(jq -r '.suppressions[0].suppression' out)" = "$1" ] || fail "$1 is said otherwise"
    for form in text sarif junit; do run 1 report --format $form --suppressions odd.supp odd.recipe; done
}
odd "race:^operator\"\" _s<'x'>[{(&)}]\$" a
odd 'race:dir "q"/[a].c' a
odd 'race:straße::λ' b
odd 'race:größe.c' b
odd 'race:two*lines' c
odd "race:^$long\$" d
odd "race:^$(printf 'x*%.0s' $(seq 2048))\$" d
printf 'race:\xff$\n' >odd.supp
run 1 report --format json --suppressions odd.supp odd.recipe
is '[.suppressed[].variable]' '["c"]'
run 1 report --suppressions odd.supp odd.recipe
printf 'race:\e[31mred\nrace:two*\n' >odd.supp
run 1 report -v --suppressions odd.supp odd.recipe

# --- a recorded program: locks and deadlocks; 'run' reads the file before it runs anything ---
"$RECIPE" cc -g -DRACY "$RECIPE_SOURCE_DIR/tests/programs/lives/mutex.c" -o locks -pthread
printf 'mutex:^T2$\n' >mutex.supp
run 0 run --suppressions mutex.supp --format json --report json -o locks.d ./locks
cp json out
is '.suppressed | map(.variable, ([.accesses[].does] | sort))' '["gone",["destroy","unlock"]]'
printf 'mutex:^main$\n' >other.supp
run 1 report --suppressions other.supp locks.d
printf 'race_top:leave\n' >other.supp
run 0 report --suppressions other.supp locks.d
run 125 run --suppressions bad.supp -o never.d ./locks
says err "bad.supp:1: has more than 63 frames"
absent never.d
run 125 hunt --suppressions missing.supp -o never.d ./locks
absent never.d
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c" -o kinds -pthread
run 1 run --report - -o kinds.d ./kinds abba
grep -q 'deadlock' out || fail "no deadlock: $(cat out)"
printf 'deadlock:^cross$\nrace:cross\n' >kinds.supp
run 0 report --suppressions kinds.supp kinds.d
says out "deadlock:^cross$ (kinds.supp:1) matched 1" "suppressed"
! grep -q '^Deadlock' out || fail "the deadlock is told: $(cat out)"
run 0 report --format json --suppressions kinds.supp kinds.d
is '.suppressed_deadlocks | map(.status, .suppressed_by.suppression)' '["recorded","deadlock:^cross$"]'
for line in deadlock:cross 'race:cross'; do
    echo "$line" >kinds.supp
    run 1 report --suppressions kinds.supp kinds.d
done
printf 'deadlock:^[ab]$\nrace:^x$\n' >kinds.supp # a variable's name; brackets are brackets
run 1 report --suppressions kinds.supp kinds.d
printf 'deadlock:^a$\nrace:^x$\n' >kinds.supp
run 0 report --suppressions kinds.supp kinds.d
# of several processes: the joined list
printf '#!/bin/sh\n./locks\n./locks\n' >both.sh
chmod +x both.sh
run 0 run --suppressions mutex.supp -o both.d ./both.sh
run 1 report both.d
run 0 report --suppressions mutex.supp both.d
says out "0 races" "suppressed"
run 0 analyze --suppressions mutex.supp both.d

# --- what is suppressed leaves nothing for --strict to find: it was not tried, and nobody wants to know ---
cat >gone.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int x;
static void *one(void *p) { x = 1; return p; }
int main(int n, char **arguments) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    x = n + 1;
    pthread_join(a, 0);
    unlink(arguments[0]);
    return 0;
}
C
"$RECIPE" cc -g gone.c -o gone -pthread
run 4 run --strict --report - -o gone.d ./gone
printf 'race:one\n' >gone.supp
run 0 report --format json gone.d
is '[.analysis.not_looked_at[] | select(.kind == "replays") | .names]' '[["1"]]'
run 0 report --format json --suppressions gone.supp gone.d
is '[.analysis.not_looked_at[] | select(.kind == "replays")]' '[]'
run 1 report --count-unconfirmed gone.d
run 0 report --count-unconfirmed --suppressions gone.supp gone.d
says out "0 races, 1 suppressed"

# --- ThreadSanitizer itself, where it can be had: the same lines suppress the same ---
cat >foo.cc <<'C'
#include <pthread.h>
namespace ns {
struct Foo {
    static int x;
    static void bar(int n) { x += n; }
    template <class T> static void baz(T n) { x += n; }
};
int Foo::x;
}
static void *one(void *) { ns::Foo::bar(1); return nullptr; }
static void *two(void *) { ns::Foo::baz(2L); return nullptr; }
int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, one, nullptr), pthread_create(&b, nullptr, two, nullptr);
    pthread_join(a, nullptr), pthread_join(b, nullptr);
    return 0;
}
C
"$RECIPE" c++ -g -O0 -pthread foo.cc -o foo
run 1 run -o foo.d ./foo
theirs() { # FILE: what ThreadSanitizer exits with
    local code=0
    setarch -R env TSAN_OPTIONS="exitcode=66${1:+:suppressions=$1}" ./theirs >theirs.out 2>&1 || code=$?
    echo $code
}
if "${RECIPE_CLANG:-clang-19}" --driver-mode=g++ -g -O0 -fsanitize=thread foo.cc -o theirs 2>theirs.out && [ "$(theirs)" = 66 ]; then
    while read -r line; do
        echo "$line" >line.supp
        ours=0
        "$RECIPE" report --suppressions line.supp foo.d >out 2>err || ours=$?
        case $ours:$(theirs line.supp) in 0:0 | 1:66) ;; *) fail "$line: recipe exits with $ours, ThreadSanitizer with $(theirs line.supp)" ;; esac
    done <<'LINES'
race:ns::Foo::bar(int)
race:^ns::Foo::bar(int)$
race:^ns::Foo::bar$
race:^bar
race:Foo::x
race:baz<long>(long)
race:^ns::Foo::baz<long>
race:void ns::Foo::baz
race:ns::*::bar
race:ns::*::qux
race:^ns*int)$
race:foo.cc
race:^one
race:nobody
race_top:Foo::bar
race_top:^one
deadlock:Foo::bar
signal:Foo::bar
LINES
else
    echo "skipped: ThreadSanitizer beside recipe: it can't be had here" >&2
fi

# --- ten thousand findings, in text and in JSON (how long that takes: bench/report.sh), with lines that match none, and one that matches all ---
awk 'BEGIN {
    print "recipe trace 1\nthread T1\nthread T2"
    for (i = 0; i < 10000; i++) printf "var v%d 0x%x 4 = 0\n", i, 65536 + 4 * i
    for (t = 1; t <= 2; t++) for (i = 0; i < 10000; i++) printf "T%d w v%d = %d @ many.c:%d:%d in f%d\n", t, i, t, i + 1, t, i
}' >many.txt
run 0 trace import many.txt
run 1 analyze --model hb --set orders-share=100 many.recipe
run 1 report --format json many.recipe
is '.races | length' 10000
{ for i in $(seq 100); do echo "race:nobody$i"; done && echo 'race:*'; } >many.supp
for form in text json; do
    run 1 report --format $form many.recipe >out
    run 0 report --format $form --suppressions many.supp many.recipe
done
is '.suppressed | length' 10000
