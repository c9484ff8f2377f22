# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# zpaq: C++, compressing threads and one that writes, semaphores of its own made of a mutex and a condition.
packages=(zpaq)
binary=zpaq/zpaq
build() {
    # Without its own code generation, which knows x86 alone and which nobody could record.
    make -C zpaq zpaq CXX="$CXX" CPPFLAGS="-Dunix -DNOJIT" CXXFLAGS="$CXXFLAGS"
}
inputs() {
    text 60000 11 >small
    text 3000000 12 >large
}
run_program() {
    "${launch[@]}" "$built/zpaq/zpaq" add small.zpaq "$inputs/small" -threads 3 -method 20 -noattributes >/dev/null 2>&1 || return
    "${launch[@]}" "$built/zpaq/zpaq" extract small.zpaq "$inputs/small" -to small -threads 3 >/dev/null 2>&1
    rm small.zpaq # it has the time in it
}
measured() {
    "${launch[@]}" "$built/zpaq/zpaq" add large.zpaq "$inputs/large" -threads 4 -method 20
}
measured_input() {
    stat -c %s "$inputs/large"
}
