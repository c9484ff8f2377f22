# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# lrzip: C and C++, pthreads; its own threads around LZMA's, which look for matches.
packages=(lrzip)
binary=lrzip/lrzip
configure() {
    cd lrzip
    [ -x configure ] || autoreconf -i
    ./configure ${PARTLY:+--disable-shared}
}
build() {
    make -C lrzip
}
inputs() {
    text 20000 3 >small
}
run_program() {
    "${launch[@]}" "$built/lrzip/lrzip" -q -p 2 -L 1 -o small.lrz "$inputs/small" >log || return
    "${launch[@]}" "$built/lrzip/lrzip" -q -p 2 -d -o small small.lrz >log || return
    rm log
}
# LZMA's tables make a million events of 3 KB: it is there only where it is what is left out.
partly() {
    local how=(-n)
    [ -z "${with_library:-}" ] || how=()
    text 3000 3 >small
    "${launch[@]}" "$built/lrzip/lrzip" -q -f -p 2 -L 1 "${how[@]}" -o small.lrz small
}
yard() {
    "${launch[@]}" "$built/lrzip/lrzip" -q -f -p 2 -L 1 -o small.lrz "$inputs/small" >log || return
    "${launch[@]}" "$built/lrzip/lrzip" -q -f -p 2 -d -o small small.lrz >log
}
