#!/bin/sh
# host.sh HOST GPU_LIBRARIES: the small host's kernel computes what it says, here by a processor that is taken for a GPU.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CPU_AS_GPU_FOLDER="$work" LD_LIBRARY_PATH="$2${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
expect() {
  got=$("$1" "$2" | tail -n 1)
  [ "$got" = "$3" ] || { printf 'of %s: %s\ninstead of: %s\n' "$2" "$got" "$3"; exit 1; }
}
expect "$1" 1 0
expect "$1" 2 "0.333333 0.666667"
expect "$1" 7 "0.333333 1.66667 4.66667 9.66667 16.6667 25.6667 32.3333"
"$1" 1000 | tail -n 1 | grep -q ' 994010 996005 997335$'
