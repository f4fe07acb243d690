#!/usr/bin/env bash
# The tests that use several threads, with the thread sanitizer: operators, C interface and streams.
#
#   scripts/tsan.sh [FLAGS]    FLAGS for the compiler in addition to those of the preset `tsan`
set -euo pipefail
cd "$(dirname "$0")/.."
programs=(ops_test capi_test stream_test)
mkdir -p build
log=build/tsan.log
if ! { cmake --preset tsan "-DCMAKE_CXX_FLAGS=-O1 -g1 ${1:-}" && cmake --build --preset tsan --target "${programs[@]}"; } >"$log" 2>&1; then
  grep -E -A 12 'error:|^FAILED' "$log" | head -n 100 || tail -n 50 "$log"
  echo "tsan.sh: building failed; all output is in $log" >&2
  exit 1
fi
failed=0
for program in "${programs[@]}"; do
  log=build/tsan/$program.log
  if TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp halt_on_error=1" "build/tsan/bin/$program" --gtest_brief=1 >"$log" 2>&1; then
    echo "$program: $(grep -F '[==========]' "$log" | tail -n 1), no race"
  else
    tail -n 60 "$log"
    echo "tsan.sh: $program failed; all output is in $log" >&2
    failed=1
  fi
done
exit "$failed"
