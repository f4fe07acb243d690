#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests; the sanitizers' run is part of it.
#
#   scripts/test.sh            everything but what needs gigabytes, minutes or valgrind
#   scripts/test.sh --large    that too: tensors of more than 2^31 elements (9 GiB of memory, 5 GiB of disk)
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  "") selection=(-LE "large|exhaustive|callgrind") ;;
  --large) selection=(-LE "exhaustive|callgrind") ;;
  *) echo "test.sh: unknown option '$1' (known: --large)" >&2; exit 2 ;;
esac

scripts/setup.sh

# Runs the tests of a preset; a failing run shows all of its output, a passing one its closing lines.
run_tests() {
  local preset=$1 log=build/$1-tests.log
  shift
  if ! ctest --preset "$preset" -j "$(nproc)" --output-junit "$PWD/build/$preset-tests.xml" "$@" >"$log" 2>&1; then
    cat "$log"
    echo "test.sh: tests of '$preset' failed" >&2
    exit 1
  fi
  sed -n '/tests passed/,$p' "$log"
}

begin=$SECONDS
echo "== address and undefined-behaviour sanitizers: build"
scripts/build.sh sanitize
echo "== address and undefined-behaviour sanitizers: all tests"
# Of the programs over ranks, those on two; and not what is built with flags of its own.
run_tests sanitize -LE "large|exhaustive|callgrind|proofs" -E "^mpi\..*_on_[147]_ranks|^consume\."
echo "== release: build"
scripts/build.sh release
echo "== release: all tests"
run_tests release "${selection[@]}"
echo "== Arm, under emulation: a part"
scripts/arm.sh --smoke
echo "test.sh: $((SECONDS - begin)) s"
