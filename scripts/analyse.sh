#!/usr/bin/env bash
# Static analysis: clang-tidy (bugprone, cert, concurrency, cppcoreguidelines; see .clang-tidy) and cppcheck. Exit status 1 for any
# finding.
#
#   scripts/analyse.sh [FILE...]    all of src, kit, tools, python and the fuzzers, or these files.
#
# ANALYSE_BUILD is a configured build folder, by default build/analyse; nothing needs to be built in it.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${ANALYSE_BUILD:-build/analyse}
tidy=clang-tidy-16
if ! command -v $tidy >/dev/null || ! command -v cppcheck >/dev/null; then
  scripts/setup.sh --dev
fi
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja >/dev/null
# clang-tidy would take ccache for the compiler, and does not know GCC's option for the call graph.
ninja -C "$build" -t compdb | sed -E 's#("command": ").*/ccache #\1#; s# -fcallgraph-info=su##' >"$build/compile_commands.json"
if [ "$#" -gt 0 ]; then
  files=("$@")
else
  # Only files that this machine compiles, not those for other processors.
  mapfile -t files < <(git ls-files 'src/*.cc' 'kit/generate/*.cc' 'tools/*.cc' 'python/*.cc' 'verification/fuzz/*.cc' | while read -r file; do
    ! grep -qF "\"file\": \"$PWD/$file\"" "$build/compile_commands.json" || echo "$file"
  done)
fi

failed=0
echo "== clang-tidy: ${#files[@]} files"
# Flags of GCC that clang does not know are not findings.
printf '%s\n' "${files[@]}" |
  xargs -P "$(nproc)" -n 1 $tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-ignored-optimization-argument 2>"$build/clang-tidy.err" || failed=1
echo "== cppcheck"
# Suppressed: cppcheck takes Highway's per-target names for unknown macros (the kernels' headers are included by simd*.cc), misses
# system headers, and reports that it tries only twelve configurations of nlohmann's JSON.
cppcheck --quiet --error-exitcode=1 --std=c++20 --language=c++ --inline-suppr --enable=warning,performance,portability \
  --suppress=unknownMacro --suppress=missingIncludeSystem --suppress=internalAstError --suppress=toomanyconfigs -I include -I src -I kit -I tools/supremum -I verification/fuzz \
  "${files[@]}" || failed=1
[ "$failed" = 0 ] && echo "analyse.sh: clean"
exit "$failed"
