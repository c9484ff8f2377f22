# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# fio: C, pthreads; jobs that write files, and a main thread that looks at how far they are.
packages=(fio)
binary=fio/fio
configure() {
    cd fio
    # 50 times a millisecond of looking at the clock, each look an event, tells nothing here.
    sed -i 's/elapsed >= 1280000/elapsed >= 1280/' gettime.c
    ./configure --disable-native --cc="$CC"
}
build() {
    # Where valgrind's headers are there, fio asks its tools not to report what is a race of a job's data (DRD_IGNORE_VAR). ThreadSanitizer
    # does not hear that, and what recipe finds shall be seen, too.
    make -C fio CFLAGS="$CFLAGS -DNVALGRIND" fio
}
run_program() {
    "${launch[@]}" "$built/fio/fio" --thread --name=job --rw=randwrite --bs=4k --size=64k --numjobs=2 --ioengine=psync --minimal \
        --zero_buffers --output=log || return
    rm log
}
partly() {
    "${launch[@]}" "$built/fio/fio" --thread --name=job --rw=randwrite --bs=4k --size=64k --numjobs=2 --ioengine=psync --minimal \
        --zero_buffers --clocksource=clock_gettime --output=log
}
