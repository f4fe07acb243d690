#!/usr/bin/env bash
# Builds and runs the project on a minimal Debian system, independent of this machine's system, as a new user would.
#
#   scripts/platform.sh PLATFORM demo     the README's first command: scripts/demo.sh
#   scripts/platform.sh PLATFORM test     the README's second command: scripts/test.sh
#   scripts/platform.sh PLATFORM smoke    in minutes: compiles every file with warnings as errors, with the distribution's
#                                         GCC and, for libraries and command, its newest clang; runs the tests of core,
#                                         kernels, operators and Python's functions, and the conformance cases on every target
#
# PLATFORM is debian-12, debian-13 or debian-testing.
#
# The initial system: build/platform/PLATFORM/base.tar is the minimal system that mmdebstrap makes, with ca-certificates. `demo` and
# `test` extract it again for each run: no package that the project needs is installed, and apt has no lists. `smoke` reuses the system
# of its last complete installation, if there is one. Sources are always those of this checkout, with uncommitted changes to tracked
# files, in a new folder without build/. Downloaded packages and, if ccache is installed, the compiler cache of this machine are reused.
#
# SUPREMUM_PLATFORM_CMAKE is additional options for CMake, for `smoke`. It compiles libraries with -O1 and programs without optimisation,
# so that warnings which need the optimiser are found only in libraries; `demo` and `test` use the released options.
#
# Commands run in a chroot with separate mount and process namespaces, which the kernel removes with the last process. Needs root, or
# user namespaces with subordinate ids; and mmdebstrap: scripts/setup.sh --platform.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

apt_options=()
fail() {
  echo "platform.sh: $*" >&2
  exit 1
}
usage() {
  echo "platform.sh: $1" >&2
  sed -n '4,8p' "${BASH_SOURCE[0]}" | cut -c3- >&2
  exit 2
}
[ $# = 2 ] || usage "a platform and an action are needed"
case "$1" in
  debian-12) suite=bookworm clang=clang-16 ;;
  debian-13) suite=trixie clang=clang-19 ;;
  debian-testing) suite=testing clang=clang apt_options=(--aptopt='Acquire::Check-Valid-Until "false"') ;;  # a mirror's index may have expired
  *) usage "unknown platform '$1' (known: debian-12, debian-13, debian-testing)" ;;
esac
platform=$1 action=$2
case "$action" in
  demo | test) root_name=fresh ;;
  smoke) root_name=root ;;
  *) usage "unknown action '$action' (known: demo, test, smoke)" ;;
esac

# Requirements, and the way to become root inside the namespaces.
command -v mmdebstrap >/dev/null || fail "mmdebstrap is not installed; run: scripts/setup.sh --platform"
source scripts/lib/disk.sh
source scripts/lib/other_system.sh
require_free 5 "a minimal Debian system with the build in it"
choose_namespaces

folder=$PWD/build/platform/$platform
logs=$folder/logs
mkdir -p "$logs" "$folder/apt/partial"
exec 9>"$folder/lock"
flock --nonblock 9 || fail "another run for $platform is in progress"
root=$folder/$root_name

cache=
if command -v ccache >/dev/null; then
  cache=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
  mkdir -p "$cache"
fi

# inside COMMAND: by bash in the folder of the sources, on the platform, in a clean environment.
inside() {
  local mounts=("$folder/apt:/var/cache/apt/archives")
  [ -z "$cache" ] || mounts+=("$cache:/srv/ccache" CCACHE_DIR=/srv/ccache)
  in_system "$root" /srv/supremum "$1" "${mounts[@]}"
}

# step NAME COMMAND...: runs it, with its output in a file, whose end is shown if it fails; records its time.
steps=()
step() {
  local name=$1 log begin=$SECONDS status=0
  shift
  log=${name,,}
  log=$logs/${log//[^a-z0-9]/-}.log
  echo "== $platform: $name (${log#"$PWD"/})"
  "$@" >"$log" 2>&1 &  # in the background `set -e` applies
  wait $! || status=$?
  if [ $status != 0 ]; then
    grep -E -A 12 'error:|^FAILED|^E: ' "$log" | head -n 200 || true
    tail -n 60 "$log"
    fail "$platform: $name failed with exit status $status"
  fi
  steps+=("$(printf '%5d s  %s' $((SECONDS - begin)) "$name")")
}

# The minimal system, made again if its parameters change.
seed="$suite minbase ca-certificates without-dev"
if [ "$(cat "$folder/base.seed" 2>/dev/null)" != "$seed" ] || [ ! -f "$folder/base.tar" ]; then
  rm -f "$folder/base.seed"
  rm -rf --one-file-system "$folder/tmp"
  mkdir "$folder/tmp"
  # mmdebstrap ignores a request to end: as root it gets a process namespace, which ends with this script.
  own=(setpriv --pdeathsig KILL)
  [ $mode = unshare ] || own+=("${namespaces[@]}" --mount-proc)
  step "a minimal system by mmdebstrap" "${own[@]}" env TMPDIR="$folder/tmp" \
    scripts/lib/debian_system.sh "$suite" "$folder/base.new.tar" "" --mode=$mode --format=tar --variant=minbase --include=ca-certificates "${apt_options[@]}"
  mv "$folder/base.new.tar" "$folder/base.tar"
  echo "$seed" >"$folder/base.seed"
fi

# installed.seed exists only after a complete installation: an interrupted one is not continued.
installed="$seed $clang $(sha256sum <scripts/setup.sh)"
if [ "$action" != smoke ] || [ "$(cat "$root.seed" 2>/dev/null)" != "$installed" ]; then
  rm -f "$root.seed"
  step "the minimal system extracted" in_namespace sh -euc 'rm -rf --one-file-system "$1"; mkdir "$1"; tar -x --numeric-owner -f "$2" -C "$1" --exclude="./dev/*"' \
    sh "$root" "$folder/base.tar"
fi

copy_sources() {
  local index tree
  index=$(mktemp)
  cp "$(git rev-parse --git-path index)" "$index"
  GIT_INDEX_FILE=$index git add --update
  tree=$(GIT_INDEX_FILE=$index git write-tree)
  rm -f "$index"
  git archive "$tree" | in_namespace sh -euc 'rm -rf --one-file-system "$1/srv/supremum"; mkdir -p "$1/srv/supremum"; tar -x -C "$1/srv/supremum"' sh "$root"
}
step "the sources copied" copy_sources

case $action in
  demo | test) step "scripts/$action.sh" inside "scripts/$action.sh" ;;
  smoke)
    step "scripts/setup.sh" inside scripts/setup.sh
    if [ ! -f "$root.seed" ]; then
      step "$clang installed" inside "DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Acquire::Retries=3 --no-install-recommends $clang"
      echo "$installed" >"$root.seed"
    fi
    options="-DSUPREMUM_WERROR=ON -DSUPREMUM_BUILD_BENCH=ON -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_PROJECT_INCLUDE=scripts/cmake/UnoptimisedPrograms.cmake ${SUPREMUM_PLATFORM_CMAKE:-}"
    step "configured" inside "cmake --preset release $options"
    step "everything compiled by GCC" inside "cmake --build --preset release"
    step "tests of core, kernels, operators, Python" inside "scripts/run_tests.sh release -R '^(core|kernels|ops)_test|^python\.(max|maximum|numpy|operands|reference_ops)\$' -LE 'large|exhaustive'"
    tail -n 1 "$logs/tests-of-core--kernels--operators--python.log"
    kit=build/release/tests/kit/cases
    step "the conformance cases written" inside "rm -rf $kit && PYTHONPATH=kit python3 -B -m supremum.kit cases $kit"
    step "the conformance cases on every target" inside "verification/determinism/platforms.py check $kit build/release"
    cat "$logs/the-conformance-cases-on-every-target.log"
    step "supremum targets" inside "build/release/bin/supremum targets"
    cat "$logs/supremum-targets.log"
    options+=" -DCMAKE_C_COMPILER=$clang -DCMAKE_CXX_COMPILER=${clang/clang/clang++} -DSUPREMUM_BUILD_TESTS=OFF -DSUPREMUM_BUILD_BENCH=OFF -DSUPREMUM_BUILD_PYTHON=OFF"
    options+=" -DSUPREMUM_TARGETS=native -DSUPREMUM_BUILD_RUNNERS=OFF"  # GCC has compiled all kernels; clang takes minutes for them
    options+=" -DCMAKE_CXX_FLAGS_RELEASE=-O0"  # clang's warnings do not need the optimiser, which takes most of the time
    step "configured for $clang" inside "cmake -S . -B build/clang -G Ninja $options"
    step "libraries and command compiled by $clang" inside "cmake --build build/clang"
    ;;
esac
[ "$action" = smoke ] || step "the system removed" in_namespace rm -rf --one-file-system "$root"
echo "== $platform: $action"
printf '%s\n' "${steps[@]}" "$(printf '%5d s  in all' $SECONDS)"
