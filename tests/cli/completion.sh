#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What bash offers: commands, their options, what a choice has; and nothing of ours behind the program's name.
. "$(dirname "$0")/lib.bash"
run 0 help --completion
[ ! -s err ] || fail "it says more: $(cat err)"
compopt() { spaced=no; } # bash has it in completions alone
. ./out
complete -p recipe | grep -q -- '-F _recipe recipe' || fail "nothing completes recipe"

# offered WORD…: what stands in the line, the last word is the one to complete
offered() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=() spaced=yes
    _recipe
    offers=${COMPREPLY[*]}
}
offers() { # WHAT WORD…
    local what=$1
    shift
    offered "$@"
    [ "$offers" = "$what" ] || fail "'$*': '$offers', not '$what'"
}
offers "record replay report" recipe re
offers "pack" recipe pa
offers "import" recipe trace i
offers "--budget=" recipe run --bu
[ $spaced = no ] || fail "a blank behind --budget="
offers "--strict" recipe run --budget 5 --stri
offers "--strict" recipe run --budget = 5 --stri
[ $spaced = yes ] || fail "no blank behind --strict"
offers "sarif" recipe report --format = sa
offers "sarif" recipe report --format sa
offers "" recipe report --output = x
offers "" recipe run program --stri
offers "" recipe run --budget = 5 program --stri
offers "--strict" recipe report somewhere --stri
offers "" recipe cc --bu
offered recipe report --format = ""
echo "$offers" >words && says words json text sarif junit

# every command and every long option that the help names
for command in $("$RECIPE" help | sed -n 's/^  \([a-z+]*\( [a-z][a-z]*\)\?\)  .*/\1/p' | tr ' ' -); do
    words=(${command/-/ })
    offered recipe "${words[@]}"
    [ "$offers" = "${words[-1]}" ] || [ $command = record ] || fail "$command: '$offers'"
    case $command in cc | c++ | help) continue ;; esac
    run 0 help "${words[@]}"
    offered recipe "${words[@]}" --
    for option in $(sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' out); do
        [[ " $offers " =~ " $option"=?" " ]] || fail "$command: $option is not offered: $offers"
    done
done
