#!/usr/bin/env bash
# usage: compare.sh PLUGIN FUTHARK PROGRAM.fut...
# Compiles each program to a library with both, for OpenCL, and prints a line for each:
#   same PROGRAM      texts, messages and exit status are those of Futhark, byte for byte
#   tiled PROGRAM     heddle has changed something in it; messages and exit status are Futhark's
#   DIFFERS PROGRAM   anything else, and what
# HEDDLE names heddle. xargs -P runs several of these at once.
set -uo pipefail
plugin=$1 futhark=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() {
  local program=$1 stock ours
  rm -f "$work"/*
  timeout 300 "$futhark" opencl --library "$program" -o "$work/a" 2>"$work/a.said" >&2; stock=$?
  timeout 300 "$plugin" opencl --library "$program" -o "$work/b" 2>"$work/b.said" >&2; ours=$?
  if [ $stock != $ours ]; then
    echo "DIFFERS $program: exit status $ours instead of $stock: $(head -n 1 "$work/b.said")"
  elif ! cmp -s "$work/a.said" "$work/b.said"; then
    echo "DIFFERS $program: says $(diff "$work/a.said" "$work/b.said" | sed -n 2p)"
  elif [ $stock != 0 ] || { cmp -s "$work/a.c" "$work/b.c" && cmp -s "$work/a.h" "$work/b.h" && cmp -s "$work/a.json" "$work/b.json"; }; then
    echo "same $program"
  elif "$plugin" opencl -v --library "$program" -o "$work/b" 2>"$work/log" >&2 && grep -q 'heddle: tiled' "$work/log"; then
    echo "tiled $program"
  else
    echo "DIFFERS $program: its text"
  fi
}

for program; do compare "$program"; done
