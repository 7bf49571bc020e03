#!/usr/bin/env bash
# Does what a newcomer does on a new machine: makes a bare Debian in a folder of its own, clones the committed state of this
# repository into it, and types the README's two commands there. Needs root and debootstrap; prints how long each part takes.
#
# usage: tests/setup/bare_debian.sh [SUITE [COMMAND...]]
#   SUITE    bookworm (Debian 12, the default) or trixie (Debian 13)
#   COMMAND  what to run in the clone instead of ./dev demo and ./dev test
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. tests/setup/chroot.sh

suite=${1:-bookworm}
shift || true
timed "bare Debian ($suite)" make_debian "$suite"
timed "clone" git clone -q --no-hardlinks . "$root/root/heddle"
if [ $# -gt 0 ]; then
  timed "$*" inside "cd heddle && $*"
else
  timed "./dev demo" inside "cd heddle && ./dev demo"
  timed "./dev test" inside "cd heddle && ./dev test"
fi
