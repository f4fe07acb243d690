#!/usr/bin/env bash
# Configures and builds one of the presets of CMakePresets.json; quiet unless something is wrong.
#
#   scripts/build.sh release|sanitize|clang
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:?which preset: release, sanitize or clang}
log=build/$preset.log
mkdir -p build
if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
  grep -E -A 12 'error:|^FAILED' "$log" | head -n 100 || tail -n 50 "$log"
  echo "build.sh: building '$preset' failed; all output is in $log" >&2
  exit 1
fi
