#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# STD and the valued form: there and back again; formats are guessed, and what was guessed is said.
. "$(dirname "$0")/lib.bash"

cat >a.std <<'TRACE'
T0|fork(T1)|1
T0|acq(L)|2
T0|w(V[1].x)|3
T0|rel(L)|4
T1|r(V[1].x)|5
T1|w(y)|6
T0|join(T1)|7
T0|r(y)|8
TRACE
run 0 trace import a.std
says err "taken as std"
run 0 trace check a.recipe
run 0 trace export --format std a.recipe
cmp out a.std || fail "STD does not survive import and export"
silent err
run 0 trace dump a.recipe
mv out a.txt
run 0 trace import -o again a.txt
says err "taken as text"
run 0 trace export --format std again
cmp out a.std || fail "STD does not survive the text form"

cp a.std nameless
run 0 trace import -o guessed nameless
says err "taken as std"

run 1 analyze a.recipe
says out "V[1].x" "a.std:3" "a.std:5" "1 race"
run 1 report --format json a.recipe
says out '"file": "a.std", "line": 3' '"file": "a.std", "line": 5' '"status": "predicted"'

cat >b.val <<'TRACE'
Begin T1 0 0
Fork T1 T2 0
Write T1 x 7
Acq T1 L 0
Write T1 y 8
Rel T1 L 0
Begin T2 0 0
Read T2 x 7
End T2 0 0
Join T1 T2 0
End T1 0 0
TRACE
run 0 trace import -o b b.val
says err "taken as valued"
run 0 trace check b
run 0 trace export --format valued b
cmp out b.val || fail "the valued form does not survive import and export"
run 1 analyze b

# what a format can't hold is said
cat >c.txt <<'TRACE'
recipe trace 1
thread T1
var x 0x1000 4 = 0
sem s = 1
T1 down s
T1 w x = 1
T1 br 1
TRACE
run 0 trace import c.txt
run 0 trace export --format valued c.recipe
says err "what memory held before the first event left out"
run 0 trace export --format std c.recipe
says err "left out"

# Another tool's: threads by number, a fork twice, requests. Nobody is in a thread of its own by mistake: x is written before the
# fork, and y after it.
cat >other.std <<'TRACE'
T1|w(x)|1
T1|fork(151)|2
T1|fork(151)|2
T151|req(m)|3
T151|acq(m)|4
T151|w(x)|5
T151|rel(m)|6
T1|w(y)|7
T151|w(y)|8
TRACE
run 0 trace import other.std
says err "other.std: 2 forks and joins name a thread" "1 fork of a thread that was forked before left out, first in line 3" "1 req,"
run 0 trace check other.recipe
run 1 analyze other.recipe
says out "1 race" " on y"
