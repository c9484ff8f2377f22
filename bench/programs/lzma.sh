# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# 7-Zip's LZMA by its small program: C, pthreads; threads that look for matches ahead of the encoder, which sets out to use them.
packages=(7zip)
binary=7zip/7lzma
configure() {
    # Its tables for 16 MB of dictionary, set to nothing by one thread and read by others, would be twenty million events of this input.
    sed -i 's/LzmaEncProps_Init(&props);/& props.dictSize = 1 << 12;/' 7zip/C/Util/Lzma/LzmaUtil.c
}
build() {
    cd 7zip
    # shellcheck disable=SC2086
    $CC $CFLAGS -D_REENTRANT -D_FILE_OFFSET_BITS=64 -o 7lzma C/7zFile.c C/7zStream.c C/Alloc.c C/CpuArch.c C/LzFind.c C/LzFindMt.c \
        C/LzFindOpt.c C/LzmaDec.c C/LzmaEnc.c C/Util/Lzma/LzmaUtil.c C/Threads.c -lpthread
}
inputs() {
    text 3000 13 >small
}
run_program() {
    "${launch[@]}" "$built/7zip/7lzma" e "$inputs/small" small.lzma || return
    "${launch[@]}" "$built/7zip/7lzma" d small.lzma small
}
yard() {
    "${launch[@]}" "$built/7zip/7lzma" e "$inputs/small" small.lzma
}
