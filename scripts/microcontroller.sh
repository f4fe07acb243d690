#!/usr/bin/env bash
# Builds the two-file library (src/c99/) for microcontrollers and runs the conformance cases and those of tests/c99 on emulated boards, from
# a Cortex-M0 with 16 KiB of memory upwards; every byte of the results must be the expected one.
#
#   scripts/microcontroller.sh                 all boards, with a line of counts for each
#   scripts/microcontroller.sh --board NAME    that board
#   scripts/microcontroller.sh --faults        puts faults into the library, each of which the cases must notice
#   scripts/microcontroller.sh --write         and writes the figures: build/evidence/microcontrollers.md.
#
# Without gcc-arm-none-eabi or qemu-system-arm (scripts/setup.sh --microcontroller) it prints a message and ends with status 77.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in arm-none-eabi-gcc qemu-system-arm; do
  if ! command -v "$tool" >/dev/null; then
    echo "microcontroller.sh: $tool is not installed (scripts/setup.sh --microcontroller): nothing was built or run" >&2
    exit 77
  fi
done
exec python3 verification/proofs/microcontroller/run.py "$@"
