#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/models.md prints what recipe prints: which models prove each of its traces and programs.
. "$(dirname "$0")/lib.bash"
page=$RECIPE_SOURCE_DIR/docs/models.md
sed -n '/^\$ cat head.txt/,/^\$ try/p' "$page" | sed '1d; $d' >head.txt
grep -q '^mutex n' head.txt || fail 'there is no head.txt in the page'

race() { tr -s '\n ' ' ' | grep -o 'Race [^)]*)' | sed 's/ at 0x[0-9a-f]* / /' || :; }
# printed HEADING: what the page has after the last command but those that show the cure.
printed() { sed -n "/^## $1\$/,/^## /p" "$page" | grep '^Race ' | sed 's/ at 0x[0-9a-f]* / /'; }
n=0
for model in $(sed -n 's/^\$ try \([a-z-]*\) <<.*/\1/p' "$page"); do
    sed -n "/^\\\$ try $model <</,/^E\$/p" "$page" | sed '1d; $d' | cat head.txt - >"$model.txt"
    run 0 trace import "$model.txt"
    run 1 analyze "$model.recipe"
    run 1 report --full-names "$model.recipe"
    [ "$(race <out)" = "$(printed "$model")" ] || fail "$model: the page has $(printed "$model"), recipe says $(race <out)"
    n=$((n + 1))
done
[ $n -ge 9 ] || fail "the page has only $n traces"

for file in other pub bold hunt; do
    sed -n "/^\\\$ cat $file.c\$/,/^\\\$ [rg]/p" "$page" | sed '1d; $d' >$file.c
done
sed 's/ready, x;/ready, x[2];/; s/x = 1;/x[0] = 1;/; s/^    if (!seen)$/    x[seen] = 2;/; /^        x = 2;/d' other.c >where.c
printf 'static int calls;\nvoid count(void) { calls++; }\n' >count.c
echo 'int pick(void) { return 2; }' >pick.c
cc -c count.c pick.c
# model_of PROGRAM HEADING COMMAND… [OBJECT]: the same of a program.
model_of() {
    local name=$1 heading=$2 code=$3
    shift 3
    run 0 cc -g $name.c "$@" -o $name -pthread
    run 1 $code --report report -o $name.recipe ./$name
    grep -q "confirmed.*[ (]${heading}[,)]" <<<"$(race <report)" || fail "$name: $(cat report)"
    grep -q "[ (]${heading}[,)]" <<<"$(printed "$heading")" || fail "the page has no race under $heading"
}
model_of other recipe run
model_of where recipe+ run
model_of pub c11 run
model_of bold bold run count.o
model_of hunt hunt hunt pick.o
