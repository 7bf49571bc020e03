# Futhark, the one release that heddle stands beside: fetching it into a folder of the user's own. ./dev sources this;
# `heddle doctor --install-futhark` has the text within it. Nothing is needed but apt, and the mirror is the one this machine
# takes Debian from, so that none is written down here.
futhark_version=0.25.27
futhark_folder=${XDG_CACHE_HOME:-$HOME/.cache}/heddle/futhark-$futhark_version

# Debian 13 packages that release. On Debian 12 the C library is too old for the package, so we unpack it there, with the
# libraries it wants, into a folder of its own, and touch nothing outside that folder.
futhark_suite=trixie
futhark_packages=(futhark libc6 libgmp10 libtinfo6 libnuma1 libffi8 zlib1g libcmark-gfm0.29.0.gfm.13
                  libcmark-gfm-extensions0.29.0.gfm.13)

is_right_futhark() { [ "$("$1" --version 2>/dev/null | head -n 1)" = "Futhark $futhark_version." ]; }

# Whether apt can install it.
is_packaged() { LC_ALL=C apt-cache policy futhark 2>/dev/null | grep -q "Candidate: $futhark_version-"; }

debian_mirror() {
  # shellcheck disable=SC2016 # The dollar is apt's.
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | sort -u | sed -n 1p
}

# unpack_futhark MIRROR WORK: makes WORK/unpacked, which works once it is renamed to the final folder. apt runs with lists
# and a state of its own below WORK; it verifies all it fetches with the machine's Debian keys.
unpack_futhark() {
  local mirror=$1 work=$2 deb
  local tree=$work/unpacked
  local lib=usr/lib/x86_64-linux-gnu loader=usr/lib64/ld-linux-x86-64.so.2
  local apt=(apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=-
             -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$work/none" -o Dir::State="$work/state"
             -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)"
             -o APT::Update::Error-Mode=any -o Acquire::Languages=none)
  mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/none" "$tree/root" &&
    : >"$work/status" &&
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$mirror" $futhark_suite \
      >"$work/sources.list" &&
    "${apt[@]}" update &&
    (cd "$work/debs" && "${apt[@]}" download "${futhark_packages[@]}") || return 1
  # patchelf is this machine's: Debian 13's, 0.18, makes programs that crash.
  mkdir -p "$work/tools" && (cd "$work/tools" && apt-get -q download patchelf && dpkg-deb -x patchelf_*.deb .) || return 1
  for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$tree/root" || return 1; done
  # The loader and the libraries are found by the folder's final name. Before the renaming, try it through the loader.
  mv "$tree/root/usr/bin/futhark" "$tree/futhark" &&
    "$work/tools/usr/bin/patchelf" --set-interpreter "$futhark_folder/root/$loader" --set-rpath "$futhark_folder/root/$lib" "$tree/futhark" &&
    "$tree/root/$loader" --library-path "$tree/root/$lib" "$tree/futhark" --version
}

# Builds in a folder beside the final one and renames it, so that an interrupted run leaves nothing half-made. Of two runs at
# once the second waits, then finds the work done. Says on standard error what is wrong.
install_futhark() {
  local place=${futhark_folder%/*} mirror work status=0
  if [ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ]; then
    echo "Futhark $futhark_version must be on PATH: it can be fetched on Debian for amd64 only" >&2
    return 1
  fi
  if is_packaged; then
    echo "Debian packages Futhark $futhark_version here: run 'apt install futhark' as root" >&2
    return 1
  fi
  mirror=$(debian_mirror)
  if [ -z "$mirror" ]; then
    echo "this machine has no lists of Debian packages to fetch Futhark with; run 'apt-get update' as root first" >&2
    return 1
  fi
  mkdir -p "$place"
  (
    flock 9
    [ -x "$futhark_folder/futhark" ] && exit 0
    rm -rf "$futhark_folder" "$place"/unpacking.*
    work=$(mktemp -d "$place/unpacking.XXXXXX")
    unpack_futhark "$mirror" "$work" >"$work/log" 2>&1 && mv -T "$work/unpacked" "$futhark_folder" || status=$?
    [ $status = 0 ] || tail -n 20 "$work/log" >&2
    rm -rf "$work"
    exit $status
  ) 9>"$place/lock"
}
