#!/usr/bin/env bash
# Makes the .deb packages with debian/rules from this working tree, including uncommitted changes. Checks the packages with lintian,
# installs them with dpkg in a separate root, uses the installed files, and removes the packages. The exported symbols are compared with
# debian/*.symbols by debian/rules.
#
#   tests/packages/deb.sh BUILD FOLDER    FOLDER is emptied; BUILD says whether ONNX Runtime's headers are there
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:?} folder=${2:?}
rm -rf "$folder"
mkdir -p "$folder"
for tool in dpkg-buildpackage dh dh_python3 lintian; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed (scripts/setup.sh --ci)"; exit 77; }
done

wanted=(libsupremum-dev libsupremum-mpi-dev libsupremum0 libsupremum-onnx0 python3-supremum supremum)
tree=$folder/supremum profiles=
mkdir "$tree"
tar -c --exclude=./build --exclude=./.git --exclude=__pycache__ --exclude="$folder" . | tar -x -C "$tree"
if [ -f "$build/lib/libsupremum_ort.so" ]; then
  wanted+=(supremum-onnxruntime) profiles=pkg.supremum.onnxruntime
  mkdir -p "$tree/build/peers"
  [ ! -d build/peers/onnxruntime ] || cp -R build/peers/onnxruntime "$tree/build/peers"
fi
# In the copy each file has the path that it has here, so that ccache knows what was compiled here. debhelper's HOME is another.
if command -v ccache >/dev/null; then CCACHE_DIR=$(ccache --get-config cache_dir) && export CCACHE_DIR; fi
(cd "$tree" && env -u MAKEFLAGS CCACHE_BASEDIR="$tree" CCACHE_NOHASHDIR=1 DEB_BUILD_PROFILES=$profiles \
  dpkg-buildpackage --build=binary --no-sign) >"$folder/packages.log" 2>&1 || { tail -n 60 "$folder/packages.log"; exit 1; }
lintian --fail-on error --profile debian "$folder"/*.deb >"$folder/lintian.log" 2>&1 || { cat "$folder/lintian.log"; exit 1; }

packages=("$folder"/*.deb)
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
  sed 's/([^)]*)//g; s/:any//g; s/[|,]/\n/g' | tr -d ' ' | sort -u | grep -vxFf "$folder/names" >"$folder/depends"
[ "$(wc -l <"$folder/depends")" -ge 5 ]
while read -r name; do
  dpkg-query --status "$name" 2>/dev/null | sed '/^Conffiles:/,/^[^ ]/{/^Conffiles:/d;/^ /d}'
  echo
  touch "$root/var/lib/dpkg/info/$name.list" "$root/var/lib/dpkg/info/$name:$architecture.list"
done <"$folder/depends" >"$root/var/lib/dpkg/status"

# Scripts of the packages run outside of the root, where there is a shell; what they would do to this system's Python is left out.
mkdir "$folder/path"
for program in py3compile py3clean; do printf '#!/bin/sh\n' >"$folder/path/$program"; done
chmod +x "$folder/path/"*
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

"$root/usr/bin/supremum" --version
"$root/usr/bin/supremum" targets >/dev/null
libraries=$(dirname "$(find "$root/usr/lib" -name libsupremum.so)")
"$CC" -std=c99 examples/c/best_scores.c "-I$root/usr/include" "-L$libraries" -lsupremum -o "$folder/best_scores"
LD_LIBRARY_PATH=$libraries "$folder/best_scores"
"$CC" -std=c99 examples/c/run_model.c "-I$root/usr/include" "-L$libraries" -lsupremum_onnx -lsupremum -o "$folder/run_model"
"$root/usr/bin/supremum" gen --op Max --shape 3 --shape 3 --output "$folder/fuse"
LD_LIBRARY_PATH=$libraries "$folder/run_model" "$folder/fuse/model.onnx"
if [ -f "$libraries/libsupremum_ort.so" ]; then
  # All that it needs is there, and what ONNX Runtime looks for.
  python3 -c 'import ctypes, os, sys
provider = ctypes.CDLL(sys.argv[1], os.RTLD_NOW)
provider.CreateEpFactories, provider.ReleaseEpFactory' "$libraries/libsupremum_ort.so"
  grep -q "ONNX Runtime" "$root/usr/include/supremum/onnxruntime.h"
fi
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import numpy, supremum, sys
assert supremum.__file__.startswith(sys.argv[1]) and supremum.max(numpy.float32([1, 3, 2])) == 3, supremum.__file__' "$root"

in_root purge --purge "${wanted[@]}"
files_in_root >"$folder/after"
diff "$folder/before" "$folder/after"
echo "installed $(grep -c '^-' "$folder/contents") files, ran, and left nothing behind"
