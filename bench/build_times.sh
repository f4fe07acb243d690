#!/usr/bin/env bash
# How long it takes to build and test the project on this machine: a Markdown table of seconds, without the compiler cache.
#
#   bench/build_times.sh [demo] [test] [loop]     all three if none is named
#
#   demo, test   scripts/demo.sh and scripts/test.sh in a new clone of HEAD, the packages being installed
#   loop         in the preset dev: one source file changed, the program of its tests built and run
#
# Nothing else should run meanwhile. The clones are in a temporary folder, which is removed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for name; do
  [[ " demo test loop " == *" $name "* ]] || { echo "build_times.sh: unknown part '$name' (known: demo, test, loop)" >&2; exit 2; }
done
asked=${*:-demo test loop}
export CCACHE_DISABLE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# timed WHAT COMMAND...: one line of the table; what the command printed is shown if it fails.
timed() {
  local what=$1 begin=$EPOCHREALTIME
  shift
  "$@" >"$folder/log" 2>&1 || { tail -n 40 "$folder/log" >&2; echo "build_times.sh: $what failed" >&2; exit 1; }
  awk -v what="$what" -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { printf "| %s | %.1f |\n", what, end - begin }'
}

printf '%s cores, %s, %s\n\n| what | seconds |\n| --- | ---: |\n' "$(nproc)" "$(c++ --version | head -n 1)" "$(git rev-parse --short HEAD)"
if [[ " $asked " == *" demo "* ]]; then
  git clone -q . "$folder/demo"
  timed "scripts/demo.sh" "$folder/demo/scripts/demo.sh"
  rm -rf "$folder/demo"
fi
if [[ " $asked " == *" test "* ]]; then
  git clone -q . "$folder/test"
  timed "scripts/test.sh" "$folder/test/scripts/test.sh"
  rm -rf "$folder/test"
fi
if [[ " $asked " == *" loop "* ]]; then
  git clone -q . "$folder/loop"
  cd "$folder/loop"
  timed "scripts/build.sh dev, from nothing" scripts/build.sh dev
  # changed FILE TEST: the file has one line more, and the program of its tests is built and run in its parts.
  changed() {
    echo "// changed" >>"$1"
    timed "$1 changed, $2 built and run" bash -euc 'cmake --build --preset dev --target "$1"; scripts/run_tests.sh dev -R "^$1"' bash "$2"
  }
  changed src/kernels/simd_join-inl.h kernels_test
  changed src/kernels/simd_lines-inl.h kernels_test
  changed src/kernels/simd_short_runs-inl.h kernels_test
  changed src/ops/max.cc ops_test
  changed src/ops/reduce_max.cc ops_test
fi
