#!/usr/bin/env bash
# Runs mmdebstrap until a mirror's index and its packages agree. scripts/emulate.sh and scripts/platform.sh call it.
#
#   debian_system.sh CODENAME TARGET MIRROR [MMDEBSTRAP-OPTION...]      MIRROR may be empty: mmdebstrap's sources.
#
# For days after a point release, a mirror may have a new index of a release and old lists of packages for one architecture; apt then
# refuses the lists. The mirror has each release by a second name (trixie is also `stable`), and may have that index of another day. An
# index is used only if it is signed and names the release.
set -euo pipefail
codename=$1 target=$2 mirror=$3
shift 3
address=${mirror:-http://deb.debian.org/debian}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# alias_of_release: the second name, or nothing.
alias_of_release() {
  local name
  for name in stable oldstable oldoldstable; do
    rm -f "$folder/InRelease"
    /usr/lib/apt/apt-helper download-file "${address%/}/dists/$name/InRelease" "$folder/InRelease" >"$folder/log" 2>&1 || continue
    if grep -q "^Codename: $codename\$" "$folder/InRelease"; then echo "$name"; return; fi
  done
}

for attempt in 1 2 3; do
  for suite in "$codename" "$(alias_of_release)"; do
    [ -n "$suite" ] || continue
    rm -rf --one-file-system "$target"
    if mmdebstrap "$@" --aptopt='Acquire::Retries "3"' "$suite" "$target" ${mirror:+"$mirror"}; then
      [ "$suite" = "$codename" ] || echo "debian_system.sh: the mirror's index of $codename by the name '$suite' was used"
      exit 0
    fi
    echo "debian_system.sh: attempt $attempt with '$suite' failed" >&2
  done
  [ $attempt = 3 ] || sleep 20
done
echo "debian_system.sh: $address has no consistent packages of $codename; try again later, or name another mirror in apt's sources" >&2
exit 1
