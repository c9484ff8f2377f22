# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ag, the silver searcher: C, pthreads; a queue of files, and workers that search them. Its matches are counted without a lock.
packages=(silversearcher-ag)
binary=silversearcher-ag/ag
configure() {
    cd silversearcher-ag
    [ -x configure ] || autoreconf -i
    ./configure
}
build() {
    make -C silversearcher-ag
}
inputs() {
    mkdir tree
    local i
    for i in 1 2 3 4 5 6; do
        text 60000 "$i" >"tree/$i"
    done
}
# Which worker takes which file is the schedule's: the lines are sorted.
run_program() {
    "${launch[@]}" "$built/silversearcher-ag/ag" --workers 3 --nocolor --numbers tes "$inputs/tree" >found || return
    sed "s|^$inputs/||" found | sort && rm found
}
# So small that the orders of its workers differ by the seed.
partly() {
    local i
    mkdir tree
    for ((i = 1; i <= 12; i++)); do
        text 30 "$i" >"tree/$i"
    done
    "${launch[@]}" "$built/silversearcher-ag/ag" --workers 3 --nocolor -l e tree
}
