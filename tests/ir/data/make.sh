#!/bin/sh
# Makes the dumps of the programs in this folder, and for each line of a .cases file (entry point, then arguments, separated
# by a bar) what Futhark's own C backend computes.
# usage: make.sh FUTHARK
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for program in *.fut; do
  name=${program%.fut}
  "$1" dev -s "$program" > "$name.fut_soacs"
  "$1" dev -s --extract-kernels -e "$program" > "$name.fut_gpu"
  "$1" dev --gpu "$program" > "$name.tiled.fut_gpu"
  "$1" c "$program" -o "$work/$name" 2> "$work/log" || { cat "$work/log"; exit 1; }
  while IFS='|' read -r entry arguments; do
    echo "== $entry"
    echo "$arguments"
    echo "--"
    if ! echo "$arguments" | "$work/$name" -e "$entry" 2> "$work/error"; then
      sed -n 's/^.*Error: /error: /p' "$work/error"
    fi
  done < "$name.cases" > "$name.expected"
done
