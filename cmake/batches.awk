# awk -f batches.awk SOURCE...: a line for each batch of sources that can be compiled as one, which saves half the time, since most of
# it goes to the headers and templates that sources share: up to sixteen, with tabs between them, of which no two have helpers of one
# name in one namespace.

# What a source declares for itself alone, and the names that it uses unqualified, which the style has begin a line.
function read_own(source, line, space, inside, name, of) {
  split("", own)
  while ((getline line < source) > 0) {
    if (line ~ /^namespace \{/) inside = 1
    else if (line ~ /^namespace/) space = line
    else if (line ~ /^\}  \/\/ namespace$/) inside = 0
    else if (line ~ /^using [A-Za-z_0-9:]+;/) {
      name = of = line
      sub(/.*[: ]/, "", name)
      own[space name] = of
    } else if (inside && line ~ /^constexpr/) {
      while (match(line, /[A-Za-z_0-9]+ = /)) {
        own[space substr(line, RSTART, RLENGTH - 3) ";"] = source
        line = substr(line, RSTART + RLENGTH)
      }
    } else if (inside && line ~ /^[A-Za-z]/) {
      sub(/( final)?( : .*|[({=;\[].*)/, "", line)
      sub(/ *$/, "", line)
      if (match(line, /[A-Za-z_0-9]+$/)) own[space substr(line, RSTART) ";"] = source
    }
  }
  close(source)
}
function clashes(batch, name) {
  for (name in own) if ((batch, name) in taken && taken[batch, name] != own[name]) return 1
  return 0
}
BEGIN {
  for (i = 1; i < ARGC; i++) {
    read_own(ARGV[i])
    for (batch = 1; batch <= count && (size[batch] == 16 || clashes(batch)); batch++) {}
    if (batch > count) count = batch
    for (name in own) taken[batch, name] = own[name]
    size[batch]++
    sources[batch] = sources[batch] (size[batch] == 1 ? "" : "\t") ARGV[i]
  }
  for (batch = 1; batch <= count; batch++) print sources[batch]
}
