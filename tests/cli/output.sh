#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where output goes: files appear whole or not at all; a reader that leaves early is no error; nothing is clobbered.
. "$(dirname "$0")/lib.bash"
small_trace

# a trace that does not fit a pipe's buffer, so that writing goes on after the reader has left
{ cat small.txt; for i in $(seq 1 6000); do echo "T1 w y = $i @ small.c:20:5 in busy"; done; } >long.txt
run 0 trace import long.txt
set +e
"$RECIPE" trace dump long.recipe 2>err | head -1 >out
codes=("${PIPESTATUS[@]}")
set -e
[ "${codes[0]}" -eq 0 ] || fail "dump | head: exit code ${codes[0]}"
silent err
says out "recipe trace 1"
set +e
"$RECIPE" analyze long.recipe 2>err | true
codes=("${PIPESTATUS[@]}")
set -e
[ "${codes[0]}" -eq 1 ] || fail "analyze | true: exit code ${codes[0]}"
silent err

run 0 trace import small.txt
run 1 analyze small.recipe
mv out analysis
run 1 report small.recipe
cmp out analysis || fail "report and analyze print different reports"
run 1 report -o report.txt small.recipe
silent out
cmp report.txt analysis || fail "-o FILE differs from standard output"
[ "$(stat -c %a report.txt)" = "$(umask 022; touch plain; stat -c %a plain)" ] || [ "$(umask)" != 0022 ] ||
    fail "the report is not readable by others"
run 1 report -o- small.recipe
cmp out analysis || fail "-o- is not standard output"

# replaced whole, links followed, other files in peace
echo old >old.txt
ln -s old.txt link.txt
run 1 report --output=link.txt small.recipe
[ -L link.txt ] || fail "the link was replaced"
cmp old.txt analysis || fail "the link's target was not written"
run 1 report -o /dev/null small.recipe
[ -c /dev/null ] || fail "/dev/null was replaced"
run 5 report -o small.recipe small.recipe
says err "directory"
run 5 report -o missing/report.txt small.recipe
says err missing/report.txt
[ -z "$(find . -name '*.txt.*')" ] || fail "a temporary file is left: $(find . -name '*.txt.*')"

# nothing but the results stands beside the trace when we are done
[ "$(ls small.recipe | xargs)" = "events.rcp results.db" ] || fail "left behind: $(ls small.recipe)"

# a file that may not grow
mkdir limit
if (ulimit -f 8) 2>/dev/null; then
    code=0
    (ulimit -f 8 && exec "$RECIPE" trace export -o limit/long.txt long.recipe) 2>err || code=$?
    [ "$code" -eq 5 ] || fail "ulimit -f: exit code $code, not 5"
    says err "limit/long.txt: can't be written: File too large"
    [ -z "$(ls limit)" ] || fail "left behind: $(ls limit)"
fi

# whoever is interrupted cleans up: the trace is whole, or nothing is there, whenever the signal came
mkdir interrupted
awk 'BEGIN { for (i = 0; i < 400000; i++) print "T" i % 7 "|w(V" i % 999 ")|" i % 50 }' >many.std
"$RECIPE" trace import -o interrupted/many many.std >out 2>err &
pid=$!
until [ -n "$(ls interrupted)" ] || ! kill -0 $pid 2>/dev/null; do :; done
kill -TERM $pid 2>/dev/null || true
code=0
wait $pid || code=$?
[ "$code" -eq 143 ] || [ "$code" -eq 0 ] || fail "interrupted: exit code $code"
[ -z "$(ls interrupted | grep -vx many)" ] || fail "left behind: $(ls interrupted)"
if [ -e interrupted/many ]; then
    run 0 trace check interrupted/many
    says out "400000 events"
fi

# an import that fails makes nothing
before=$(ls)
run 5 trace import -o missing/small.recipe small.txt
run 2 trace import -o small.recipe small.txt
run 2 trace import -o small.txt small.txt
says err "'small.txt': exists and is not a directory"
run 2 trace import -o "" small.txt
says err "--output needs a value"
run 2 trace import -o . small.txt
echo 'T1 what is this' >>small.txt
run 3 trace import small.txt
says err "small.txt:13:" 
[ "$(ls)" = "$before" ] || fail "something was made or removed"
