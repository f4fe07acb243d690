#!/usr/bin/env bash
# Fuzzes under the address and undefined-behaviour sanitizers (clang 16, libFuzzer) and prints the number of executions.
#
#   scripts/fuzz.sh [SECONDS] [TARGET...]    the time for each target, by default 600; all targets, or those named.
#
# Inputs that reach new code are kept in build/fuzz/corpus/TARGET; the next run starts with them. An input that makes a target fail
# is written to build/fuzz/crash-TARGET-*; put it into verification/fuzz/regressions/TARGET, where the tests replay it, and write a test for it.
# FUZZ_FLAGS are additional flags for the compiler, FUZZ_JOBS is the number of targets that are built at once.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=600
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
command -v clang++-16 >/dev/null || scripts/setup.sh --dev
folder=build/fuzz
mkdir -p "$folder"
log=$folder/build.log
if ! { cmake --preset fuzz "-DCMAKE_CXX_FLAGS=-O1 -g1 ${FUZZ_FLAGS:-}" &&
       cmake --build --preset fuzz -j "${FUZZ_JOBS:-$(nproc)}"; } >"$log" 2>&1; then
  grep -E -A 12 'error|FAILED' "$log" | head -n 100
  echo "fuzz.sh: building failed; all output is in $log" >&2
  exit 1
fi
/usr/bin/python3 verification/fuzz/fuzz_corpus.py "$folder/seeds"

failed=0
printf '%-14s %8s %12s %8s  %s\n' target seconds executions corpus result
while read -r target dictionary; do
  if [ "$#" -gt 0 ] && [[ " $* " != *" $target "* ]]; then continue; fi
  corpus=$folder/corpus/$target
  mkdir -p "$corpus"
  inputs=("$corpus" "$folder/seeds/$target")
  [ ! -d "verification/fuzz/regressions/$target" ] || inputs+=("verification/fuzz/regressions/$target")
  options=(-max_total_time="$seconds" -max_len=16384 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1
           -artifact_prefix="$folder/crash-$target-")
  [ -z "$dictionary" ] || options+=(-dict="verification/fuzz/$dictionary.dict")
  log=$folder/$target.log
  begin=$SECONDS
  result=clean
  if ! ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
       "$folder/bin/fuzz_$target" "${options[@]}" "${inputs[@]}" >"$log" 2>&1; then
    result="FAILED, see $log"
    failed=1
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  printf '%-14s %8s %12s %8s  %s\n' "$target" "$((SECONDS - begin))" "${executions:-?}" "$(find "$corpus" -type f | wc -l)" "$result"
done <"$folder/fuzz/targets.txt"
exit "$failed"
