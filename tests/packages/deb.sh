#!/usr/bin/env bash
# Makes the .deb of a build, installs it with dpkg in a root of its own, uses what is there, and removes it again.
#
#   tests/packages/deb.sh BUILD FOLDER    FOLDER is emptied
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:?} folder=${2:?}
rm -rf "$folder"
mkdir -p "$folder"
for tool in dpkg dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

"$CPACK" -G DEB --config "$build/CPackConfig.cmake" -B "$folder/made" >"$folder/cpack.log" 2>&1 || { cat "$folder/cpack.log"; exit 1; }
packages=("$folder"/made/*.deb)
[ "${#packages[@]}" = 1 ]
package=${packages[0]}
dpkg-deb --field "$package"
dpkg-deb --contents "$package" >"$folder/contents"
if grep -vE ' \./(usr/.*)?$| -> ' "$folder/contents"; then
  echo "these lie outside of usr"
  exit 1
fi
if awk '$2 != "root/root" || $1 ~ /^.(.....w|........w)/' "$folder/contents" | grep -v '^l'; then
  echo "these are not root's alone"
  exit 1
fi

# A root whose list of packages has those that this one depends on, as they are installed here: what dpkg finds missing there
# would be missing on this system.
root=$folder/root
mkdir -p "$root"/var/lib/dpkg/{info,updates} "$root"/{bin,etc}
architecture=$(dpkg --print-architecture)
dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/[|,]/\n/g' | tr -d ' ' | sort -u >"$folder/depends"
[ "$(wc -l <"$folder/depends")" -ge 5 ]
while read -r name; do
  dpkg-query --status "$name" 2>/dev/null | sed '/^Conffiles:/,/^[^ ]/{/^Conffiles:/d;/^ /d}'
  echo
  touch "$root/var/lib/dpkg/info/$name.list" "$root/var/lib/dpkg/info/$name:$architecture.list"
done <"$folder/depends" >"$root/var/lib/dpkg/status"

# Scripts of the package run outside of the root, where there is a shell; what they ask of ldconfig is done to the root.
mkdir "$folder/path"
cat >"$folder/path/ldconfig" <<'END'
#!/bin/sh
echo "ldconfig for $DPKG_ROOT"
[ "$(id -u)" != 0 ] || exec /sbin/ldconfig -X -r "${DPKG_ROOT:?}"
END
chmod +x "$folder/path/ldconfig"
in_root() {
  local log=$folder/$1.log
  shift
  PATH=$folder/path:$PATH:/usr/sbin:/sbin dpkg --root="$root" --force-not-root --force-script-chrootless --log=/dev/null "$@" \
    >"$log" 2>&1 || { cat "$log"; exit 1; }
}
files_in_root() { (cd "$root" && find . -path ./var -prune -o -path ./etc/ld.so.cache -prune -o -print | sort); }

files_in_root >"$folder/before"
in_root install --install "$package"
[ "$(dpkg-query --admindir="$root/var/lib/dpkg" --show --showformat='${db:Status-Status}' supremum)" = installed ]
grep -q "ldconfig for $root" "$folder/install.log"

"$root/usr/bin/supremum" --version
"$root/usr/bin/supremum" targets >/dev/null
libraries=$(dirname "$(find "$root/usr/lib" -name libsupremum.so)")
"$CC" -std=c99 examples/c/best_scores.c "-I$root/usr/include" "-L$libraries" -lsupremum -o "$folder/best_scores"
LD_LIBRARY_PATH=$libraries "$folder/best_scores"

in_root purge --purge supremum
files_in_root >"$folder/after"
diff "$folder/before" "$folder/after"
echo "installed $(grep -c '^-' "$folder/contents") files, ran, and left nothing behind"
