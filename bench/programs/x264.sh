# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# x264 without assembly: C, pthreads, frame threads that wait for each other's rows.
packages=(x264)
binary=x264/x264
configure() {
    cd x264
    # shellcheck disable=SC2086
    ./configure --disable-asm --disable-opencl --disable-avs --disable-swscale --disable-lavf --disable-ffms \
        --disable-gpac --disable-lsmash ${PARTLY:+--bit-depth=8 --chroma-format=420 --disable-interlaced}
}
build() {
    make -C x264 x264
}
# A picture that moves: frames of 176 x 144, planar 4:2:0.
inputs() {
    local frames
    for frames in 6 150; do
        LC_ALL=C awk -v frames=$frames 'BEGIN {
            x = 1
            for (f = 0; f < frames; f++) {
                for (v = 0; v < 144; v++)
                    for (u = 0; u < 176; u++) {
                        x = (x * 69069 + 1) % 4294967296
                        printf "%c", 32 + int((u + 3 * f) / 8 + v / 4) % 64 + int(x / 67108864) % 8
                    }
                for (i = 0; i < 176 * 144 / 2; i++)
                    printf "%c", 64 + (int(i / 88) + f) % 48
            }
        }' >$frames.yuv
    done
}
run_program() {
    "${launch[@]}" "$built/x264/x264" --quiet --input-res 176x144 --fps 25 --threads 3 --preset ultrafast \
        -o out.264 "$inputs/6.yuv"
}
raced() {
    "${launch[@]}" "$built/x264/x264" --quiet --input-res 64x48 --frames 3 --fps 25 --threads 2 --preset ultrafast \
        -o out.264 "$inputs/6.yuv" || return
    "${launch[@]}" "$built/x264/x264" --quiet --input-res 64x48 --frames 3 --fps 25 --threads 2 --preset ultrafast \
        --sliced-threads -o sliced.264 "$inputs/6.yuv"
}
measured() {
    "${launch[@]}" "$built/x264/x264" --quiet --input-res 176x144 --fps 25 --threads 4 --preset fast \
        -o out.264 "$inputs/150.yuv"
}
measured_input() {
    stat -c %s "$inputs/150.yuv"
}
partly() {
    "${launch[@]}" "$built/x264/x264" --quiet --input-res 16x16 --frames 2 --fps 25 --threads 2 --preset superfast \
        --sliced-threads -o out.264 "$inputs/6.yuv"
}
