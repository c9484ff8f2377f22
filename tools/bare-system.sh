#!/usr/bin/env bash
# Shows that a clean clone needs no step by hand: makes a Debian 12 system that has a C compiler, make and git and nothing
# else, clones HEAD into it and runs 'make check' (or the command given) there. Needs root.
#   tools/bare-system.sh [COMMAND…]
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh bare
[ "$(id -u)" -eq 0 ] || { echo "tools/bare-system.sh: chroot needs root" >&2; exit 1; }

system=$(mktemp -d)
cleanup() {
    for place in proc dev; do
        ! mountpoint -q "$system/$place" || umount --recursive --lazy "$system/$place"
    done
    rm -rf --one-file-system "$system"
}
trap cleanup EXIT

# the mirror that this system itself uses
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | awk '$2 == "bookworm" {print $1; exit}')
debootstrap --variant=minbase --include=gcc,libc6-dev,make,git,ca-certificates bookworm "$system" "$mirror" >&2
cp /etc/resolv.conf /etc/hosts "$system/etc/"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount --make-rslave "$system/dev"

git clone -q . "$system/recipe"
git config --file "$system/etc/gitconfig" safe.directory /recipe
command=("$@")
[ ${#command[@]} -gt 0 ] || command=(make check)
chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c 'cd /recipe && exec "$@"' sh "${command[@]}"
