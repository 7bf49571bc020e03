# To be sourced by scripts that need a bare Debian in a folder of its own, which is gone when they end. Needs root and
# debootstrap.

fail() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "only root can make a chroot"
command -v debootstrap >/dev/null || fail "debootstrap is needed and not on PATH"

# The mirror this machine takes Debian from itself, and its way to the network.
# shellcheck disable=SC2016 # The dollar is apt's.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | sed -n 1p)
[ -n "$mirror" ] || fail "this machine has no Debian package lists to take the mirror from; run 'apt-get update' first"

root=''
leave() {
  [ -n "$root" ] || return 0
  umount "$root/dev/pts" "$root/proc" 2>/dev/null || true
  mountpoint -q "$root/proc" || mountpoint -q "$root/dev/pts" || rm -rf --one-file-system "$root"
}
trap leave EXIT

# timed NAME COMMAND...: yields COMMAND's status.
timed() {
  local name=$1 began=$SECONDS status=0
  shift
  printf '\n### %s\n' "$name"
  "$@" || status=$?
  printf '### %s: %d s, exit code %d\n' "$name" $((SECONDS - began)) $status
  return $status
}

# make_debian SUITE: in $root.
make_debian() {
  root=$(mktemp -d "${TMPDIR:-/tmp}/bare-debian.XXXXXX")
  debootstrap --variant=minbase "$1" "$root" "$mirror" >"$root.log" || { tail -n 5 "$root.log"; return 1; }
  rm -f "$root.log"
  chmod 755 "$root"  # others than root are there, too, such as man's user
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t proc proc "$root/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"  # terminals, as every machine has them
  ln -sf pts/ptmx "$root/dev/ptmx"
}

# inside COMMAND: in root's home there.
inside() {
  chroot "$root" env -i HOME=/root TERM="${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" sh -c "cd /root && $*"
}
