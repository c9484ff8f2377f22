#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help is on standard output and exits 0; a wrong command line is explained on standard error and exits 2.
. "$(dirname "$0")/lib.bash"

run 0 --version
grep -Eq '^recipe [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version prints '$(cat out)'"
silent err

for words in "help" "-h" "--help"; do
    run 0 $words
    says out "Usage: recipe COMMAND" "record" "analyze" "report" "trace import" "trace export" "trace stat" "trace dump" "trace check" "trace schedule"
    silent err
done
run 0 help trace
says out "Usage: recipe trace COMMAND" "trace dump"
for command in record analyze report run hunt pack unpack "trace import" "trace export" "trace stat" "trace dump" "trace check" "trace schedule"; do
    run 0 help $command
    says out "Usage: recipe $command " "Options:" "--help"
    cp out full
    run 0 $command --help
    cmp -s out full || fail "'recipe help $command' and 'recipe $command --help' differ"
    run 0 $command -h
    says out "Usage: recipe $command "
    [ "$(wc -l <out)" -lt "$(wc -l <full)" ] || fail "-h of $command is not shorter than --help"
    silent err
    awk 'length($0) > 104 { exit 1 }' full || fail "help of $command is wider than 100 columns"
done

# compilers take every word for themselves
for command in cc c++; do
    run 0 help $command
    says out "Usage: recipe $command ARGS" "-flto"
    silent err
done

# usage errors: what is wrong, and where help is
wrong() { # WORDS-IN-THE-MESSAGE ARGS…
    local words=$1
    shift
    run 2 "$@"
    silent out
    says err "$words" "see 'recipe help"
}
wrong "a command is missing"
wrong "unknown command 'anlayze'; did you mean 'analyze'?" anlayze
wrong "did you mean 'trace dump'?" dump
wrong "did you mean 'trace stat'?" trace stats
wrong "unknown command 'frobnicate'" frobnicate
wrong "unknown command 'frobnicate'" help frobnicate
wrong "'trace' needs a second word" trace
wrong "unknown option --colour" --colour
wrong "DIR is missing" analyze
wrong "FILE is missing" trace import
wrong "'b' is one operand too many" analyze a b
wrong "unknown option --modle=hb; did you mean --model?" analyze --modle=hb a
wrong "unknown option -x" analyze -x a
wrong "--model needs a value" analyze --model
wrong "--stats takes no value" analyze --stats=1 a
wrong "--stats is given twice" analyze --stats --stats a
wrong "--format takes one of text|json|sarif|junit|html, not 'xml'" report --format xml a
wrong "--format takes one of text|std|valued, not ''" trace import --format= a
wrong "unknown model 'hbb'" analyze --model hbb a
says err "hb, shb, wcp, dc, sdp, wdp" "recipe-s, recipe, recipe+"
wrong "go with --witness" trace check --values same a

# -- ends options; an operand may begin with a dash then
run 3 analyze -- --model
says err "--model"
