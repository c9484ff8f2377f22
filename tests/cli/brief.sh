#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --brief: a line per entry, that editors and grep understand. --color: the same words, painted; on a terminal by itself, NO_COLOR honoured;
# no name of a program paints anything.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# --- a line per entry ---
cat >shop.txt <<'TRACE'
recipe trace 1
fact program shop
thread T1
thread T2
var sold 0x1000 4 = 0
var price 0x1004 4 = 0
stack s = dir/shop.c:40:3 in main
T1 r sold = 0 @ dir/shop.c:7:9 in sell ^ s
T1 w sold = 1 @ dir/shop.c:7:5 in sell ^ s
T1 w price = 1 @ "odd \"dir\"/p:1.c":8:2 in "name\nof \x1b[31mtwo\x01 lines"
T2 r sold = 1 @ dir/shop.c:7:9 in sell ^ s
T2 w sold = 2 @ dir/shop.c:7:5 in sell ^ s
T2 w price = 2
TRACE
run 0 trace import shop.txt
run 1 analyze --model hb --brief shop.recipe
cp out brief
run 1 report --brief shop.recipe
cmp out brief || fail "analyze and report differ"
[ "$(grep -c ': race [0-9]*: ' out)" -eq 2 ] || fail "not a line per entry: $(cat out)"
grep -Eqx 'dir/shop.c:7:[59]: race [0-9]: `sold` is written in sell \(shop.c:7\) by two threads, and nothing orders them \(predicted\)' out ||
    fail "not as compilers have it: $(cat out)"
grep -Fqx 'odd "dir"/p:1.c:8:2: race 1: `price` is written in name\x0aof \x1b[31mtwo\x01 lines (p:1.c:8) and by event 5, and nothing orders the two (predicted)' out ||
    fail "an odd name: $(cat out)"
says out "shop: 2 races (2 predicted) in 3 pairs of accesses"
! grep -q 'schedule\|Why' out || fail "it is not brief: $(cat out)"
printf 'race:sell\n' >sell.supp
run 1 report --brief --suppressions sell.supp shop.recipe
[ "$(grep -c ': race ' out)" -eq 1 ] || fail "what is suppressed is told: $(cat out)"
says out "1 suppressed"
printf 'recipe trace 1\n' >empty.txt
run 0 trace import empty.txt
run 0 analyze --brief empty.recipe
[ "$(head -c 18 out)" = 'empty.txt: 0 races' ] || fail "nothing is said otherwise: $(cat out)"
run 2 report --brief --format json shop.recipe
says err "--brief is of --format text"
echo --brief >recipe.opts
run 1 report --format json shop.recipe # what a project says of its text is no mistake here
jq -e .races out >is || fail "no JSON: $(cat out)"
run 1 report shop.recipe
cmp out brief || fail "recipe.opts has --brief"
rm recipe.opts
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c" -o kinds -pthread
run 1 run --brief --report - -o kinds.d ./kinds abba
grep -Eq 'kinds.c:[0-9]+:[0-9]+: deadlock: [0-9] threads wait, each for another \(recorded\)$' out || fail "no deadlock: $(cat out)"
grep -q ': race [0-9]*: `x` is ' out || fail "no race: $(cat out)"
run 125 run --brief --format sarif -o never ./kinds abba
absent never

# --- colours: the same words ---
plain() { sed 's/\x1b\[[0-9;]*m//g' "$1"; }
painted() { grep -q $'\x1b\[' "$1"; }
for option in "" --brief "--race 1" --full-names; do
    run 1 report $option shop.recipe
    cp out black
    ! painted black || fail "'report $option' is painted where nobody asks for it"
    run 1 report $option --color never shop.recipe
    cmp out black || fail "--color never is another report"
    run 1 report $option --color=always shop.recipe
    painted out || fail "--color always does not paint '$option'"
    plain out | cmp - black || fail "'$option': colours change words"
    [ "$(grep -c $'\x1b\[[0-9;]*m' out)" -eq "$(grep -c $'\x1b\[0m' out)" ] || fail "'$option': a line does not end its colour: $(cat -v out)"
done
grep -q $'\x1b\[31mtwo' out && fail "a name of the program paints"
for form in json sarif junit; do
    run 1 report --format $form --color always shop.recipe
    ! painted out && ! grep -q $'[\x01-\x08]' out || fail "$form is painted"
done
run 1 report --color always -o file shop.recipe
painted file || fail "always means files, too"
run 0 report --color always empty.recipe
painted out || fail "0 races are not painted"
run 2 report --color blue shop.recipe
says err "--color takes one of auto|always|never"
run 1 run --color always --report - -o again.d ./kinds abba
painted out || fail "run does not paint"

# --- by itself on a terminal alone ---
cat >on_terminal.py <<'PY'
import os, pty, sys
def read(fd):
    try:
        data = os.read(fd, 1024)
    except OSError: # how a terminal ends
        return b""
    shown.append(data)
    return data
shown = []
end = pty.spawn(sys.argv[2:], read)
open(sys.argv[1], "wb").write(b"".join(shown).replace(b"\r\n", b"\n"))
PY
terminal() { env -u NO_COLOR TERM=xterm "$@" </dev/null >seen; }
run 1 report shop.recipe
cp out black
terminal python3 on_terminal.py out "$RECIPE" report shop.recipe
painted out || fail "a terminal is not painted: $(cat -v out)"
plain out | cmp - black || fail "a terminal shows other words"
terminal python3 on_terminal.py out "$RECIPE" run -o third.d ./kinds abba
painted out || fail "run does not paint a terminal"
for how in NO_COLOR=1 TERM=dumb; do
    terminal env $how python3 on_terminal.py out "$RECIPE" report shop.recipe
    cmp out black || fail "$how is painted: $(cat -v out)"
done
terminal env NO_COLOR= python3 on_terminal.py out "$RECIPE" report shop.recipe
painted out || fail "NO_COLOR that is empty means nothing"
terminal env NO_COLOR=1 python3 on_terminal.py out "$RECIPE" report --color always shop.recipe
painted out || fail "--color always beats NO_COLOR"
terminal python3 on_terminal.py out "$RECIPE" report -o file shop.recipe
cmp file black || fail "a file is painted"
