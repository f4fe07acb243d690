#!/usr/bin/env bash
# Installs the .deb packages of a release in a minimal Debian system, and runs debian/tests there.
#
#   scripts/release/autopkgtest.sh FOLDER [DISTRIBUTION]    FOLDER has the packages, as scripts/release.sh writes them;
#                                                           DISTRIBUTION is that for which they were built (bookworm)
#
# Needs root, or user namespaces with subordinate ids, and a mirror for what the packages depend on: scripts/setup.sh --release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
fail() {
  echo "autopkgtest.sh: $*" >&2
  exit 1
}
packages=$(realpath "${1:?usage: scripts/release/autopkgtest.sh FOLDER [DISTRIBUTION]}") distribution=${2:-bookworm}
compgen -G "$packages/*.deb" >/dev/null || fail "there are no packages in $packages"
command -v autopkgtest >/dev/null || fail "autopkgtest is not installed; run: scripts/setup.sh --release"
source scripts/lib/other_system.sh
choose_namespaces

folder=$PWD/build/autopkgtest
in_namespace rm -rf --one-file-system "$folder"
mkdir -p "$folder/sources"
git archive HEAD | tar -x -C "$folder/sources"
scripts/lib/debian_system.sh "$distribution" "$folder/root.tar" "" --mode=$mode --variant=apt --include=apt-utils,ca-certificates,dpkg-dev \
  >"$folder/root.log" 2>&1 || { tail -n 20 "$folder/root.log" >&2; fail "no minimal system could be made"; }
status=0
# shellcheck disable=SC2016
in_namespace bash -euc '
  folder=$1
  mount --make-rprivate /
  mkdir -p "$folder/root"
  tar -x -C "$folder/root" --exclude="./dev/*" -f "$folder/root.tar"
  cp -L /etc/resolv.conf "$folder/root/etc/resolv.conf"
  mount -t proc proc "$folder/root/proc"
  mount --rbind /sys "$folder/root/sys"
  mount --rbind /dev "$folder/root/dev"
  # The lists of packages, so that autopkgtest finds what it needs.
  chroot "$folder/root" apt-get update -q
  autopkgtest --no-built-binaries --output-dir="$folder/results" "$2"/*.deb "$folder/sources/" -- chroot "$folder/root"
' bash "$folder" "$packages" >"$folder/log" 2>&1 || status=$?
cat "$folder/results/summary" || { tail -n 40 "$folder/log" >&2; fail "autopkgtest did not run; all output is in build/autopkgtest/log"; }
[ $status = 0 ] || fail "a test failed; all output is in build/autopkgtest/log"
