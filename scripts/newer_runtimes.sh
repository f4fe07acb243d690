#!/usr/bin/env bash
# Runtimes of newer Debian systems, for `supremum-audit`: NumPy, PyTorch, onnx and ONNX Runtime for Python, each in its own version.
#
#   scripts/newer_runtimes.sh make SYSTEM             SYSTEM is debian-13 or testing: makes the system in build/runtimes/SYSTEM, of
#                                                     packages, and a program for each runner: build/runtimes/numpy-SYSTEM, ...
#   scripts/newer_runtimes.sh run SYSTEM RUNNER DIR [ARGUMENT...]   what those programs do: the runner in that system, on the kit in DIR
#
#   supremum-audit --runner onnxruntime --runner build/runtimes/onnxruntime-python-debian-13 --runner build/runtimes/numpy-testing
#
# Nothing is installed outside build/runtimes. Commands run in a chroot with separate mount and process namespaces. Needs root, or user
# namespaces with subordinate ids; and mmdebstrap: scripts/setup.sh --platform.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/other_system.sh

fail() {
  echo "newer_runtimes.sh: $*" >&2
  exit 1
}
usage() {
  sed -n '4,6p' "${BASH_SOURCE[0]}" | cut -c3- >&2
  exit 2
}

runners=(numpy pytorch onnx onnxruntime-python)
folder=build/runtimes

# make SYSTEM SUITE: the packages, then the programs, so that an interrupted run leaves no program.
make() {
  local system=$1 suite=$2 runner root=$PWD/$folder/$1 options=()
  command -v mmdebstrap >/dev/null || fail "mmdebstrap is not installed; run: scripts/setup.sh --platform"
  mkdir -p $folder
  rm -f $folder/*-"$system"
  [ "$suite" != testing ] || options=(--aptopt='Acquire::Check-Valid-Until "false"')  # its date passes when a mirror is not updated
  echo "newer_runtimes.sh: $system in $folder/$system, by mmdebstrap (2 GB)"
  in_namespace sh -euc 'rm -rf --one-file-system "$1"' sh "$root"
  scripts/lib/debian_system.sh "$suite" "$root" "" --mode="$mode" --variant=minbase "${options[@]}" \
    --include=python3-numpy,python3-torch,python3-onnx,python3-onnxruntime >$folder/"$system".log 2>&1 || {
    tail -n 20 $folder/"$system".log >&2
    fail "mmdebstrap failed; all output is in $folder/$system.log"
  }
  for runner in "${runners[@]}"; do
    printf '#!/bin/sh\nexec "%s/scripts/newer_runtimes.sh" run %s %s "$@"\n' "$PWD" "$system" "$runner" >$folder/"$runner-$system"
    chmod +x $folder/"$runner-$system"
    echo "newer_runtimes.sh: $folder/$runner-$system"
  done
}

# The kit's folder is named from where the caller is.
run() {
  local system=$1 runner=$2 kit=$3 root=$PWD/$folder/$1 quoted
  shift 3
  [ -d "$root/usr" ] || fail "$folder/$system is missing: scripts/newer_runtimes.sh make $system"
  quoted=$(printf ' %q' "$@")
  mkdir -p $folder/runners
  cp -u "kit/runners/$runner" $folder/runners
  cp -u kit/supremum/kit/__init__.py $folder/runners/kit.py
  in_system "$root" / "exec python3 -B /srv/runners/$runner /srv/kit${quoted% \'\'}" "$PWD/$folder/runners:/srv/runners" "$kit:/srv/kit" \
    OMP_NUM_THREADS=1
}

caller=${OLDPWD:-$PWD}
case "${2:-}" in
  debian-13) suite=trixie ;;
  testing) suite=testing ;;
  *) usage ;;
esac
case "${1:-}" in
  make)
    [ $# = 2 ] || usage
    choose_namespaces
    make "$2" "$suite"
    ;;
  run)
    [ $# -ge 4 ] || usage
    [[ " ${runners[*]} " = *" $3 "* ]] || fail "there is no runner '$3' (known: ${runners[*]})"
    kit=$(cd "$caller" && realpath "$4")
    choose_namespaces
    run "$2" "$3" "$kit" "${@:5}"
    ;;
  *) usage ;;
esac
