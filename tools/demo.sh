#!/usr/bin/env bash
# The main job on an example: tools/demo.sh PATH-TO-RECIPE
set -euo pipefail
recipe=$(realpath "$1")
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '$ recipe trace import examples/bank.txt'
"$recipe" trace import -o "$work/bank.recipe" examples/bank.txt
echo
echo '$ recipe analyze --model hb,shb bank.recipe'
"$recipe" analyze --model hb,shb "$work/bank.recipe" || [ $? -eq 1 ] # 1: races found, as they should be
