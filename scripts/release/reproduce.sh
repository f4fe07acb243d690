#!/usr/bin/env bash
# Makes the release of the last commit twice, as two people would, and compares every file by diffoscope, which must print nothing.
#
#   scripts/release/reproduce.sh VERSION
#
# The two differ in folder (also in its length), locale, time zone, file mode mask, home and time. The second has no compiler cache, and its
# processes see other host and user names in the environment. Both use the compilers and packages of this machine, as
# rebuilding from the bill of materials does. Results are in build/reproduce.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=${1:?usage: scripts/release/reproduce.sh VERSION}
command -v diffoscope >/dev/null || { echo "reproduce.sh: diffoscope is not installed; run: scripts/setup.sh --release" >&2; exit 1; }
folder=$PWD/build/reproduce
rm -rf "$folder"
mkdir -p "$folder"

# make_release CLONE MASK SETTING...: in a clone, with settings of the environment.
make_release() {
  local clone=$folder/$1 mask=$2
  shift 2
  git clone --quiet . "$clone"
  if [ -d build/peers/onnxruntime ]; then
    mkdir -p "$clone/build/peers"
    cp -R build/peers/onnxruntime "$clone/build/peers"
  fi
  mkdir -p "$clone/build/home"
  (umask "$mask" && cd "$clone" && env "$@" scripts/release.sh "$version" --rehearse) >"$clone.log" 2>&1 ||
    { tail -n 40 "$clone.log" >&2; echo "reproduce.sh: making it failed; all output is in ${clone#"$PWD/"}.log" >&2; exit 1; }
}
cache=$(ccache --get-config cache_dir 2>/dev/null || true)
make_release first 022 LC_ALL=C.UTF-8 TZ=UTC ${cache:+"CCACHE_DIR=$cache"}
make_release the-second-with-a-longer-name 077 LC_ALL=C LANGUAGE=de TZ=Asia/Kolkata CCACHE_DISABLE=1 "HOME=$folder/the-second-with-a-longer-name/build/home" USER=other HOSTNAME=other

status=0
diffoscope --exclude-directory-metadata=yes "$folder/first/build/release-$version" "$folder/the-second-with-a-longer-name/build/release-$version" \
  >"$folder/diffoscope.txt" || status=$?
cat "$folder/diffoscope.txt"
[ $status = 0 ] || { echo "reproduce.sh: the two differ: build/reproduce/diffoscope.txt" >&2; exit 1; }
echo "reproduce.sh: $(find "$folder/first/build/release-$version" -type f | wc -l) files, the same bytes twice; diffoscope printed nothing"
