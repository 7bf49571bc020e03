#!/bin/sh
# usage: futhark_test.sh FUTHARK SERVER
# Lets the real `futhark test` drive the hand-written server with the expectations of io.fut.
. "$(dirname "$0")/../need.sh"
futhark=$1
server=$2
if [ ! -x "$futhark" ]; then
  missing "there is no Futhark compiler"
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cp "$(dirname "$0")/io.fut" "$directory"
# Stands in for heddle: "compiling" io.fut yields the server, everything else is futhark's business.
cat > "$directory/compiler" <<END
#!/bin/sh
[ "\$1" = cpu ] || exec "$futhark" "\$@"
while [ "\$1" != -o ]; do shift; done
cp "$server" "\$2"
END
chmod +x "$directory/compiler"
cd "$directory" && "$futhark" test --no-terminal --backend=cpu --futhark="$directory/compiler" io.fut
