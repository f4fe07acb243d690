#!/usr/bin/env bash
# Compares the models of Arm's instructions (verification/proofs/smt) with an emulated Arm processor, and with the kernels' lane functions compiled
# for it.
#
#   verification/cosimulation/cosimulate_arm.sh [PAIRS]    the number of random pairs of each type, by default 1000000
#
# Without g++-aarch64-linux-gnu or qemu-user-static (scripts/setup.sh --emulate) it prints a message and does nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  if ! command -v "$tool" >/dev/null; then
    echo "cosimulate_arm.sh: $tool is not installed (scripts/setup.sh --emulate): the models of Arm's instructions were not compared"
    exit 0
  fi
done
build=build/cross-arm64
mkdir -p "$build/include/cosimulation"
ln -sfn /usr/include/hwy "$build/include/hwy" # only Highway's headers, which are the same for all processors
python3 verification/proofs/smt/cpp.py "$build/include/cosimulation"
aarch64-linux-gnu-g++ -std=c++20 -O2 -fno-tree-vectorize -static -march=armv8-a+crypto -DHWY_COMPILE_ONLY_STATIC \
  -I "$build/include" -I include -I src -I verification/cosimulation/cosimulate.cc verification/cosimulation/standalone.cc -o "$build/cosimulate"
qemu-aarch64-static "$build/cosimulate" "${1:-1000000}"
