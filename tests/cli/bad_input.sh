#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Input that is wrong: exit code 3, a message with the file, the place and the reason; nothing made, nothing changed.
. "$(dirname "$0")/lib.bash"

# poke FILE OFFSET BYTE: overwrites one byte (BYTE in octal).
poke() {
    printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# refused WORDS ARGS…: exit code 3, nothing on standard output, WORDS in the message.
refused() {
    local words=$1
    shift
    run 3 "$@"
    silent out
    says err "$words"
    [ "$(wc -l <err)" -eq 1 ] || fail "the message is not one line: $(cat err)"
}

# --- texts that are no trace ---
small_trace
text() { # FORMAT LINE REASON: the file's last line is wrong
    printf '%s\n' "$2" >>wrong
    local line
    line=$(wc -l <wrong)
    before=$(ls)
    refused "wrong:$line" trace import --format "$1" wrong
    says err "$3"
    [ "$(ls)" = "$before" ] || fail "something was made"
}
cp small.txt wrong && text text "T3 w x = 1" "T3"
cp small.txt wrong && text text "T1 w z = 1" "z"
cp small.txt wrong && text text "T1 frobnicate x" "frobnicate"
cp small.txt wrong && text text "T1 w x = 1 @" ""
printf 'T1|w(x)|1\n' >wrong && text std "T1|w(x)" ""
printf 'T1|w(x)|1\n' >wrong && text std "T1|z(x)|2" ""
printf 'T1|w(x)|1\n' >wrong && text std "T1|w(x)|two" ""
printf 'T1|w(x)|1\n' >wrong && text std "T1|w()|2" ""
printf 'T1|w(x)|1\n' >wrong && text std "" ""
printf 'Write T1 x 1\n' >wrong && text valued "Write T1 x" ""
printf 'Write T1 x 1\n' >wrong && text valued "Write T1 x one" ""
printf 'Write T1 x 1\n' >wrong && text valued "Scribble T1 x 1" ""
printf 'recipe trace 99\n' >wrong
refused "wrong:1" trace import --format text wrong
echo "what is this?" >wrong
refused "--format" trace import wrong
head -c 300 /dev/urandom >wrong
run 3 trace import --format text wrong
run 3 trace import --format std wrong
run 3 trace import --format valued wrong
refused "missing.txt" trace import missing.txt
mkdir folder
refused "folder" trace import folder
: >wrong
refused "wrong: the file is empty" trace import wrong

# --- directories that are no trace ---
run 0 trace import small.txt
for command in "trace stat" "trace dump" "trace check" "trace export" analyze report; do
    refused "missing" $command missing
    refused "folder" $command folder
    refused "small.txt: is a file, not a trace directory; 'recipe trace import'" $command small.txt
    run 2 $command ""
    says err "DIR is an empty word"
done
absent folder/results.db
if [ "$(id -u)" -ne 0 ]; then
    cp -r small.recipe locked
    chmod 000 locked
    refused "locked" trace dump locked
    refused "locked" analyze locked
    chmod 700 locked
fi
# a path through a file: refused for root, too
refused "small.txt/x" analyze small.txt/x

# --- a trace file that was changed: each byte in turn of a small one, at steps ---
cp small.recipe/events.rcp good
size=$(stat -c %s good)
mkdir changed
for ((offset = 0; offset < size; offset += 7)); do
    cp good changed/events.rcp
    byte=$(od -An -tu1 -j"$offset" -N1 good)
    poke changed/events.rcp "$offset" "$(printf '%03o' $((byte ^ 0x5a)))"
    refused "changed/events.rcp" trace stat changed
    grep -Eq '[0-9]' err || fail "no place: $(cat err)"
    if ((offset % 35 == 0)); then
        refused "changed/events.rcp" analyze changed
        absent changed/results.db
    fi
done
# a header as the next version would write it, checksum and all
printf 'RCPTRACE\002\001\003\000\353\053\225\345' >changed/events.rcp
for command in "trace stat" "trace dump" analyze; do
    refused "version 3" $command changed
    says err changed/events.rcp
done

# --- a trace file that was cut off: what is there is read, and the loss is said; 'check' refuses it ---
for left in $((size - 1)) $((size - 20)) $((size - 200)) 17; do
    head -c "$left" good >changed/events.rcp
    run 0 trace dump changed
    says err "changed/events.rcp" "cut off at byte"
    run 3 trace check changed
    says err "changed/events.rcp" "cut off at byte"
done
for left in 15 5 0; do # within the file header: there is nothing to read
    head -c "$left" good >changed/events.rcp
    refused "changed/events.rcp: cut off at byte $left" trace dump changed
done

# --- results.db ---
refused "has not been analysed yet" report small.recipe
absent small.recipe/results.db
run 1 analyze small.recipe
cp small.recipe/results.db results
damaged() { # WORDS: both commands refuse, and the file stays as it is
    cp small.recipe/results.db before
    refused "$1" report small.recipe
    says err small.recipe/results.db
    refused "$1" analyze small.recipe
    cmp -s small.recipe/results.db before || fail "results.db was changed"
}
poke small.recipe/results.db 63 007 # SQLite's user_version
damaged "version 7"
head -c 5000 results >small.recipe/results.db
damaged "damaged"
echo "this is no database at all, and somebody may want to keep it" >small.recipe/results.db
damaged "not a database"
rm small.recipe/results.db
mkdir small.recipe/results.db
for command in report analyze; do
    refused "small.recipe/results.db: is not a regular file" $command small.recipe
done
rmdir small.recipe/results.db
cp results small.recipe/results.db
run 1 report small.recipe

# --- witnesses ---
printf 'recipe witness 1\nT1 to many\n' >wrong
refused "wrong:2" trace check --witness wrong small.recipe
printf 'recipe witness 1\nT9 to 1\n' >wrong
refused "wrong:2" trace check --witness wrong small.recipe
refused "missing.witness" trace check --witness missing.witness small.recipe

# --- a trace that no execution can have left: nothing is analysed ---
cat >wrong.txt <<'EOF'
recipe trace 1
thread A
thread B
var x 0x1000 4
A end
A w x
B w x
EOF
run 0 trace import wrong.txt
refused "no execution can have left this trace" analyze wrong.recipe
says err "event 1" "recipe trace check"
[ ! -e wrong.recipe/results.db ] || fail "results of nothing were made"
run 3 trace check wrong.recipe

# --- a trace file without even a header ---
mkdir nothing.recipe
: >nothing.recipe/events.rcp
refused "cut off at byte 0" analyze nothing.recipe
refused "cut off at byte 0" trace stat nothing.recipe
