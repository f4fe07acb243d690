#!/usr/bin/env bash
# Compares the models of Arm's instructions (verification/proofs/smt) with emulated Arm processors: NEON's, and SVE's with
# vectors of 128 and of 256 bits.
#
#   verification/cosimulation/cosimulate_arm.sh [ROUNDS]    the number of random inputs of each width, by default 1000
#
# Without g++-aarch64-linux-gnu or qemu-user-static (scripts/setup.sh --emulate) it prints a message and exits with 77.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  if ! command -v "$tool" >/dev/null; then
    echo "cosimulate_arm.sh: $tool is not installed (scripts/setup.sh --emulate): the models of Arm's instructions were not compared"
    exit 77
  fi
done
build=build/cosimulation-arm64
mkdir -p "$build"
compiled=build/cross-arm64  # scripts/emulate.sh makes it; else the options of the release
[ -f $compiled/compile_commands.json ] || compiled=build/release
python3 verification/proofs/smt/cpp.py "$build" $compiled --arm
aarch64-linux-gnu-g++ -std=c++20 -O2 -fno-tree-vectorize -static -I verification "$build/models.cc" "$build/instructions.s" \
  verification/cosimulation/cosimulate.cc verification/cosimulation/standalone.cc -o "$build/cosimulate"
compare() { QEMU_CPU=$2 qemu-aarch64-static "$build/cosimulate" "$rounds" "$1"; }
rounds=${1:-1000}
compare neon max
compare sve_128 max,sve-max-vq=1
compare sve_256 max,sve-max-vq=2
