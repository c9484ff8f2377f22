#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls of the system fail, the disk is full, and recipe is killed, at places of its code: nothing is lost, and the same stage once
# more ends as it always does (tests/faults.bash, which has all of the places).
. "$(dirname "$0")/lib.bash"

if ! (ulimit -v 4000000 && "$RECIPE" --version >out 2>err); then
    echo "skipped: a sanitizer's own memory would be refused, and ends the process" >&2
    exit 77
fi

build p -DROUNDS=3 <"$RECIPE_SOURCE_DIR/tests/faults/stages.c"

seed=${FAULTS_SEED:-$((1 + ${RECIPE_CHECK_PART:-0} + $(date +%s) / 86400))}
# WHAT STAGE PLACES SAMPLE
while read -r what stage places sample; do
    code=0
    "$RECIPE_SOURCE_DIR/tests/faults.bash" --seed "$seed" "$what" "$(few "$places" "$sample" places)" "$stage" p </dev/null || code=$?
    [ $code -ne 77 ] || exit 77
    [ $code -eq 0 ] || fail "$stage, $what: see above"
done <<'STAGES'
fail analyze 10 4
fail replay 10 4
fail report 3 1
full analyze 3 1
full replay 2 1
kill tell 3 1
kill analyze 4 1
kill replay 3 1
kill report 1 1
STAGES
