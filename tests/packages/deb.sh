#!/usr/bin/env bash
# Makes the .deb packages of a build, installs them with dpkg in a root of its own, uses what is there, and removes them again.
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
wanted=(supremum)
[ ! -f "$build/lib/libsupremum_mpi.a" ] || wanted+=(supremum-mpi)
[ ! -f "$build/lib/libsupremum_ort.so" ] || wanted+=(supremum-onnxruntime)
for package in "${packages[@]}"; do dpkg-deb --field "$package" Package; done | sort >"$folder/names"
printf '%s\n' "${wanted[@]}" | sort | diff - "$folder/names"
for package in "${packages[@]}"; do
  dpkg-deb --field "$package"
  dpkg-deb --contents "$package"
done >"$folder/packages"
grep -E '^[^ ]' "$folder/packages" | grep -vE '^[-dl][-rwxst]{9} '
grep -E '^[-dl][-rwxst]{9} ' "$folder/packages" >"$folder/contents"
if grep -vE ' \./(usr/.*)?$| -> ' "$folder/contents"; then
  echo "these lie outside of usr"
  exit 1
fi
if awk '$2 != "root/root" || $1 ~ /^.(.....w|........w)/' "$folder/contents" | grep -v '^l'; then
  echo "these are not root's alone"
  exit 1
fi
if awk '/^[-l]/ { print $6 }' "$folder/contents" | sort | uniq -d | grep .; then
  echo "these are in two packages"
  exit 1
fi

# A root whose list of packages has those that these depend on, as they are installed here: what dpkg finds missing there
# would be missing on this system.
root=$folder/root
mkdir -p "$root"/var/lib/dpkg/{info,updates} "$root"/{bin,etc}
architecture=$(dpkg --print-architecture)
for package in "${packages[@]}"; do dpkg-deb --field "$package" Depends; done |
  sed 's/([^)]*)//g; s/[|,]/\n/g' | tr -d ' ' | sort -u | grep -vxFf "$folder/names" >"$folder/depends"
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
in_root install --install "${packages[@]}"
for name in "${wanted[@]}"; do
  [ "$(dpkg-query --admindir="$root/var/lib/dpkg" --show --showformat='${db:Status-Status}' "$name")" = installed ]
done
grep -q "ldconfig for $root" "$folder/install.log"

"$root/usr/bin/supremum" --version
"$root/usr/bin/supremum" targets >/dev/null
libraries=$(dirname "$(find "$root/usr/lib" -name libsupremum.so)")
"$CC" -std=c99 examples/c/best_scores.c "-I$root/usr/include" "-L$libraries" -lsupremum -o "$folder/best_scores"
LD_LIBRARY_PATH=$libraries "$folder/best_scores"
if [ -f "$libraries/libsupremum_ort.so" ]; then
  # All that it needs is there, and what ONNX Runtime looks for.
  python3 -c 'import ctypes, os, sys
provider = ctypes.CDLL(sys.argv[1], os.RTLD_NOW)
provider.CreateEpFactories, provider.ReleaseEpFactory' "$libraries/libsupremum_ort.so"
  grep -q "ONNX Runtime" "$root/usr/include/supremum/onnxruntime.h"
fi
if [ -f "$root/usr/bin/supremum-mpi" ]; then "$root/usr/bin/supremum-mpi" --version; fi

in_root purge --purge "${wanted[@]}"
files_in_root >"$folder/after"
diff "$folder/before" "$folder/after"
echo "installed $(grep -c '^-' "$folder/contents") files, ran, and left nothing behind"
