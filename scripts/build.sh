#!/usr/bin/env bash
# Configures and builds one of the presets of CMakePresets.json, with a progress line after every 5 % of the steps.
#
#   scripts/build.sh PRESET [-DOPTION=VALUE...] [TARGET...]    everything, or these targets.
#
# All output is in build/PRESET.log; if building fails, the errors are shown.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:?which preset: release, demo, dev, sanitize or clang}
shift
options=() targets=()
for argument; do
  if [[ $argument == -D* ]]; then options+=("$argument"); else targets+=(--target "$argument"); fi
done
log=build/$preset.log
mkdir -p build

# Writes the output of ninja to the log and shows the progress.
show_progress() {
  local line shown=-1 part
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    part=$((BASH_REMATCH[1] * 20 / BASH_REMATCH[2]))
    [ "$part" = "$shown" ] && continue
    shown=$part
    printf '   %3d %%  %s of %s steps, %d s\n' $((part * 5)) "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS"
  done
}

echo "   configuring '$preset'"
if ! cmake --preset "$preset" "${options[@]}" >"$log" 2>&1; then
  grep -A 12 'CMake Error' "$log" | head -n 60 || tail -n 30 "$log"
  echo "build.sh: configuring '$preset' failed; all output is in $log" >&2
  exit 1
fi
if ! NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" "${targets[@]}" 2>&1 | show_progress; then
  grep -E -A 12 'error:|^FAILED' "$log" | head -n 100 || tail -n 50 "$log"
  echo "build.sh: building '$preset' failed; all output is in $log" >&2
  exit 1
fi
