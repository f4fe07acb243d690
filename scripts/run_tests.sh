#!/usr/bin/env bash
# Runs tests of a build by CTest, with a line for each test that ends, all output of those that fail, and a last line with counts:
# `N passed, N failed, N skipped`. Exit status 1 if one fails or none ran.
#
#   scripts/run_tests.sh PRESET[:NAME] [CTEST-ARGUMENT...]
#
# The results by name are in build/NAME-tests.xml (JUnit), all output in build/NAME-tests.log; NAME is PRESET by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:?which preset}
shift
name=${preset#*:} preset=${preset%%:*}
log=build/$name-tests.log
rm -rf "build/$preset/junit"
status=0
# Two more than there are processors: some tests wait, for time limits or for mpirun.
ctest --preset "$preset" -j "$(($(nproc) + 2))" --output-junit "$PWD/build/$name-ctest.xml" "$@" 2>&1 | tee "$log" |
  grep --line-buffered -vE '^ +Start +[0-9]+:|^Test project' || status=$?
/usr/bin/python3 tests/project/test_report.py "build/$name-ctest.xml" "build/$preset/junit" "build/$name-tests.xml" || status=$?
exit "$status"
