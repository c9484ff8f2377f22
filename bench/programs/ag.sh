# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ag, the silver searcher: C, pthreads; a queue of files, and workers that search them. Its matches are counted without a lock.
# Its regular expressions are the system's library's; where code is left out (PARTLY), those of one that is built beside it.
packages=(silversearcher-ag pcre3)
binary=silversearcher-ag/ag
configure() {
    if [ -n "${PARTLY:-}" ]; then
        (cd pcre3 && autoreconf -i && ./configure --disable-shared --disable-cpp)
        export PCRE_CFLAGS=-I../pcre3 PCRE_LIBS=../pcre3/.libs/libpcre.a
    fi
    cd silversearcher-ag
    [ -x configure ] || autoreconf -i
    ./configure
}
build() {
    [ -z "${PARTLY:-}" ] || make -C pcre3 libpcre.la
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
    local i what=e
    [ -z "${with_library:-}" ] || what='[d-f]'
    mkdir tree
    for ((i = 1; i <= 12; i++)); do
        text 30 "$i" >"tree/$i"
    done
    "${launch[@]}" "$built/silversearcher-ag/ag" --workers 3 --nocolor -l "$what" tree
}
