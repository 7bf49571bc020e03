#!/bin/sh
# symbols.sh LIBRARY HEADER: what the library shows is what its header declares, and it has a name with a version.
set -eu
shown=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(sed -n 's/^HEDDLE_API.*[ *]\(heddle_[a-z_]*\)(.*/\1/p' "$2" | sort)
if [ "$shown" != "$declared" ]; then
  printf 'shown:\n%s\n\ndeclared:\n%s\n' "$shown" "$declared"
  exit 1
fi
readelf -d "$1" | grep -q 'SONAME.*\[libheddle\.so\.[0-9.]*\]'
