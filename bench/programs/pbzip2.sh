# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# pbzip2 (C++ with pthreads) and the libbz2 (C) that it compresses with.
packages=(pbzip2 bzip2)
binary=pbzip2/pbzip2
build() {
    make -C bzip2 CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" libbz2.a
    export CXXFLAGS="$CXXFLAGS -I../bzip2 -Wno-reserved-user-defined-literal" LDFLAGS=-L../bzip2
    if [ -n "${PARTLY:-}" ]; then # its own rule leaves no objects
        make -C pbzip2 pbzip2.o BZ2StreamScanner.o ErrorContext.o
        "$CXX" -pthread pbzip2/*.o -Lbzip2 -lbz2 -o pbzip2/pbzip2
        return
    fi
    make -C pbzip2 pbzip2
}
unlock() { # the flag that the producer sets last
    sed -i '/^inline int syncGetProducerDone/,/^}/{/safe_mutex_/d}' pbzip2/pbzip2.cpp
}
inputs() {
    text 300000 1 >small
    text 4000000 2 >large
}
run_program() {
    "${launch[@]}" "$built/pbzip2/pbzip2" -p4 -b1 -1 -c <"$inputs/small" >small.bz2 || return
    "${launch[@]}" "$built/pbzip2/pbzip2" -p4 -dc <small.bz2 >small
}
measured() {
    "${launch[@]}" "$built/pbzip2/pbzip2" -p4 -b5 -c <"$inputs/large" >large.bz2
}
measured_input() {
    stat -c %s "$inputs/large"
}
hunted() {
    text 3000 7 >small
    "${launch[@]}" "$built/pbzip2/pbzip2" -p3 -b1 -1 -c <small
}
partly() {
    text 3000 7 >small
    "${launch[@]}" "$built/pbzip2/pbzip2" -p3 -b1 -1 -c <small >small.bz2
}
