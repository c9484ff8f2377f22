# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# squashfs-tools: C, pthreads; a reader, deflators, a writer and a progress bar around queues and caches.
packages=(squashfs-tools)
binary=squashfs-tools/squashfs-tools/mksquashfs
build() {
    make -C squashfs-tools/squashfs-tools mksquashfs unsquashfs
}
inputs() {
    mkdir tree
    local i
    for i in 1 2 3 4; do
        text 30000 "$i" >"tree/large$i"
        text 300 "$i" >"tree/small$i"
    done
    find tree -exec touch -d @1700000000 {} +
}
run_program() {
    "${launch[@]}" "$built/squashfs-tools/squashfs-tools/mksquashfs" "$inputs/tree" image -processors 2 -reproducible -all-root \
        -mkfs-time 1700000000 -no-xattrs -b 16384 >log || return
    "${launch[@]}" "$built/squashfs-tools/squashfs-tools/unsquashfs" -processors 2 -no-xattrs -d tree image >log || return
    rm log
}
hunted() {
    "${launch[@]}" "$built/squashfs-tools/squashfs-tools/mksquashfs" "$inputs/tree" image -noappend -processors 2 -no-xattrs -b 16384
}
# A run that is repeated finds what the one before it has made.
yard() {
    "${launch[@]}" "$built/squashfs-tools/squashfs-tools/mksquashfs" "$inputs/tree" image -noappend -processors 2 -no-xattrs -b 16384 >log || return
    "${launch[@]}" "$built/squashfs-tools/squashfs-tools/unsquashfs" -f -processors 2 -no-xattrs -d tree image >log
}
