# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# cwebp and dwebp: C, vector intrinsics, worker threads that are handed a piece of work and waited for (conditions).
packages=(libwebp)
binary=libwebp/examples/cwebp
configure() {
    cd libwebp
    ./configure --disable-shared --disable-png --disable-jpeg --disable-tiff --disable-gif --disable-sdl --disable-gl
}
build() {
    make -C libwebp
}
# picture WIDTH HEIGHT: waves, edges and some noise, as PPM.
picture() {
    LC_ALL=C awk -v w="$1" -v h="$2" 'BEGIN {
        printf "P6\n%d %d\n255\n", w, h
        x = 1
        for (j = 0; j < h; j++)
            for (i = 0; i < w; i++) {
                x = (x * 69069 + 1) % 4294967296
                more = 1 + int(x / 65536) % 12 + (int(i / 37) + int(j / 23)) % 3 * 20
                printf "%c%c%c", 100 + int(60 * sin(i / 31)) + more, 90 + int(50 * sin(j / 17 + i / 90)) + more, (i * 3 + j) % 200 + more
            }
    }'
}
inputs() {
    picture 160 120 >small.ppm
    picture 1024 768 >large.ppm
}
run_program() {
    "${launch[@]}" "$built/libwebp/examples/cwebp" -quiet -mt -q 70 "$inputs/small.ppm" -o small.webp || return
    "${launch[@]}" "$built/libwebp/examples/dwebp" -quiet -mt -ppm small.webp -o small.ppm
}
measured() {
    "${launch[@]}" "$built/libwebp/examples/cwebp" -quiet -mt -m 4 -q 80 "$inputs/large.ppm" -o large.webp
}
measured_input() {
    stat -c %s "$inputs/large.ppm"
}
