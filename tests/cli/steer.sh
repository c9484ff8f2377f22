#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Steered runs (runtime/steer.h): what only an assumption rules out, the program shows; of programs that do right nothing is
# reported, however long their threads are held.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/steer
gcc -O1 -c "$programs/apart.c" -o apart.o

# compile NAME FLAGS…
compile() { "$RECIPE" cc -g -O1 -pthread "${@:2}" "$programs/${1%+}.c" apart.o -o "$1"; }

for name in locked handed sleeps called; do
    compile $name
    compile $name+ -DTWIN
    run 0 run --budget 100 -v -o $name.recipe ./$name
    says err 'steering: ' ', 0 races'
    # Who goes round without an event, in code that is not recorded, does not keep who is held there for ever.
    ! grep 'was ended' err || fail "$name: a steered run does not come to its end"
    run 1 run --budget 100 --report - -o $name+.recipe ./$name+
    grep -q '^Race .*confirmed' out || fail "$name: the twin's race is not confirmed: $(cat out)"
done

# Who is held waits for a clock, too, that nobody knows of.
compile ticks
compile ticks+ -DTWIN
run 0 run --budget 100 --set guess-share=0 -o ticks.recipe ./ticks
run 1 run --budget 100 --set guess-share=0 --report - -o ticks+.recipe ./ticks+
says out 'bold)'
grep -q '^Race .*confirmed' out || fail "ticks: it is not confirmed: $(cat out)"

# Where threads have met in one run nobody waits in the next: so they come to where nobody has met yet.
compile twice
compile twice+ -DTWIN
run 0 run --budget 100 --set guess-share=0 -o twice.recipe ./twice
run 1 run --budget 100 --set guess-share=0 --report - -o twice+.recipe ./twice+
[ "$(pairs out | grep -c 'confirmed, bold')" -eq 2 ] || fail "twice: not both are confirmed: $(cat out)"

# Whoever gave way often enough before, and mapped memory after much was logged, is held there all the same.
compile begins
compile begins+ -DTWIN
run 0 run --budget 100 --set guess-share=0 -o begins.recipe ./begins
run 1 run --budget 100 --set guess-share=0 --report - -o begins+.recipe ./begins+
grep -q '^Race .*confirmed, bold' out || fail "begins: it is not confirmed: $(cat out)"

# The same where each run is made while the one before it is judged; nothing is left of those that were under way.
run 0 run --budget 100 --set guess-share=0 --set steer-ahead=0 -o ahead.recipe ./begins
run 1 run --budget 100 --set guess-share=0 --set steer-ahead=0 --report - -o ahead+.recipe ./begins+
grep -q '^Race .*confirmed, bold' out || fail "ahead: it is not confirmed: $(cat out)"
[ -z "$(ls -d ahead.recipe/replay.* ahead+.recipe/replay.* 2>/dev/null)" ] || fail "a run has left its directory"

# A place whose pairs are shown has no run of its own any more; the one that is still open has.
compile shown
run 1 run --budget 100 --set guess-share=0 -v -o shown.recipe ./shown
says err 'steered run 1, 2 places: ' 'steered run 4, 1 places: ' ', 1 races'
! grep ', 1 places: .* met [1-9]' err || fail 'what was shown is met again, and judged again'

# What happened in a steered run is judged by the rules of the language, too: there, and not in the recorded run, it was published.
for flags in '' -DTWIN '-DTWIN -DWEAK'; do
    # shellcheck disable=SC2086
    compile published $flags
    status=1
    [ "$flags" ] || status=0
    rm -rf published.recipe
    run $status run --budget 100 --set guess-share=0 --report - -o published.recipe --schedule rr --quantum 1000000 ./published
    n=0
    [ "$flags" != '-DTWIN -DWEAK' ] || n=1
    [ "$(pairs out | grep -c ' on data, .*(confirmed, c11)')" -eq $n ] || fail "published $flags: not $n of c11: $(cat out)"
done
says out 'It is in another run than the recorded one, to which the program was led.'

# Places share a run where there is not time for one each.
compile many
run 0 run --budget 20 --set guess-share=0 -v -o many.recipe ./many
grep -q 'steered run [3579], [2-8] places: ' err || fail "each place has a run of its own: $(cat err)"

# Of a run that shows a race nothing is told but what came before both stood there, about; whoever looks at it as a run has all of it.
compile tail
run 1 run --budget 100 -o tail.recipe ./tail
whole=$(stat -c %s tail.recipe/events.rcp)
for variant in tail.recipe/variants/*; do
    [ $((2 * $(stat -c %s "$variant/events.rcp"))) -lt "$whole" ] || fail "$variant: all of the run was told"
done
run 1 report tail.recipe
says out 'bold)'
id=$(pairs out | sed -n 's/^Race \([0-9]*\) .*bold).*/\1/p' | head -n 1)
run 0 replay tail.recipe "$id"
run 0 trace check "$variant"
run 0 replay tail.recipe "$id"

# What a run that was ended has left in a file is not what the next one begins with: the program is run to its end first, and no
# further run is made where that does not help. Afterwards all is as it was.
for flags in '' -DKEPT -DTWIN; do
    compile left_file $flags
    rm -f left_file.flag
    code=0
    "$RECIPE" run --budget 100 --report out -o left_file$flags.recipe ./left_file >/dev/null 2>&1 || code=$?
    [ $code -eq 1 ] || fail "left_file $flags: exit code $code: $(cat out)"
    tr -s ' \n' ' ' <out >line
    case $flags in
    -DTWIN) grep -q '^Race .* on x.*confirmed' out || fail "left_file: the twin's race is not confirmed: $(cat out)" ;;
    -DKEPT) says line 'the program was not asked: its files are not as the recorded run left them: ' ;;
    *) grep -q 'the program did not show in [0-9]* steered runs' line && [ ! -e left_file.flag ] || fail "left_file: $(cat out)" ;;
    esac
    [ "$flags" = -DTWIN ] || ! pairs out | grep ' on x' || fail "left_file $flags: reported, but correct"
done

run 0 report locked.recipe
tr -s ' \n' ' ' <out | grep -q ' guess.* that the program did not show in [0-9]* steered run' || fail "guesses are not counted: $(cat out)"

# One who does not give way, and asks the runtime all the time, may keep the held one until the run's time is over: nothing comes of it.
gcc -O1 -DASKS -c "$programs/apart.c" -o asks.o
"$RECIPE" cc -g -O1 -pthread "$programs/locked.c" asks.o -o asks
run 0 run --budget 100 --limit 5 --set steer-runs=1 -v -o asks.recipe ./asks
says err 'steering: ' ', 0 races'

# The model's name, the run that is the proof, and what is left without it.
run 1 run --budget 20 --report r.json --format json -o again.recipe ./locked+
grep -q '"model": "bold"' r.json || fail "no race of the model bold: $(cat r.json)"
run 1 report again.recipe
says out 'bold)' 'It is in another run than the recorded one, which is the proof' 'threads were held'
run 1 report --format json again.recipe
grep -q '"status": "confirmed"' out || fail 'it is not confirmed any more'
id=$(pairs <("$RECIPE" report again.recipe) | sed -n 's/^Race \([0-9]*\) .*bold).*/\1/p' | head -n 1)
run 0 replay again.recipe "$id"
# Another analysis leaves it as it is.
run 1 analyze again.recipe
says out 'bold)'
run 1 report again.recipe
says out 'bold)'
run 0 run --budget 20 --set steer-share=0 --report - -o none.recipe ./locked+
run 0 run --budget 20 --model recipe+ --report - -o model.recipe ./locked+

# A directory with a steered run in it is read like any other, and a byte that was changed there is noticed.
variant=$(ls -d again.recipe/variants/*)
run 0 trace check "$variant"
printf '\377' | dd of="$variant/log" bs=1 seek=4200 conv=notrunc 2>/dev/null
code=0
"$RECIPE" replay again.recipe "$id" >out 2>err || code=$?
[ $code -eq 3 ] || fail "a damaged log of a steered run: exit code $code: $(cat out err)"

# What was kept of the recorded run is as it was.
compile ports
code=0
"$RECIPE" run --budget 20 --report r.txt -o ports.recipe ./ports >/dev/null 2>&1 || code=$?
[ $code -eq 1 ] || fail "with nobody who sees what is printed: exit code $code: $(cat r.txt)"
says r.txt 'bold)'
[ -s ports.recipe/pieces ] || fail 'nothing is kept of what came in'
code=0
"$RECIPE" replay ports.recipe 1 >out 2>err || code=$?
[ $code -le 1 ] || fail "after a steered run: exit code $code: $(cat out err)"

# At a pipe of which nothing is read nobody is missed; where somebody may have answered what was printed, he is.
run 1 run --budget 20 --report - -o piped.recipe ./locked+ < <(:)
says out 'bold)'
"$RECIPE" cc -g -O1 -pthread "$RECIPE_SOURCE_DIR/tests/traps/print_answered.c" -o answered
run 0 run --budget 20 -v -o answered.recipe ./answered out
says err 'no run is steered: what it printed may have been answered' '0 runs'
tr -s ' \n' ' ' <err | grep -q 'that the program was not asked: what it printed' || fail "nothing says why: $(cat err)"
