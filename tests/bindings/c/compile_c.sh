#!/usr/bin/env bash
# Compiles c_api.h and the example of it with every compiler at hand, every warning an error: as C99 and C17, the header also as
# C++11.
#
#   tests/bindings/c/compile_c.sh FOLDER    FOLDER holds dlpack/dlpack.h
set -euo pipefail
cd "$(dirname "$0")/../../.."
flags=(-Wall -Wextra -Wpedantic -Wstrict-prototypes -Wshadow -Wconversion -Werror -fsyntax-only -Iinclude "-I${1:?}")
compiled=0
for compiler in gcc clang-16 clang; do
  command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; continue; }
  for standard in c99 c17; do
    "$compiler" "-std=$standard" "${flags[@]}" examples/c/best_scores.c
    "$compiler" "-std=$standard" "${flags[@]}" -x c include/supremum/c_api.h
    echo "$compiler -std=$standard: header and example"
    compiled=$((compiled + 1))
  done
  "$compiler" -std=c++11 "${flags[@]/-Wstrict-prototypes/-Wold-style-cast}" -x c++ include/supremum/c_api.h
  echo "$compiler -std=c++11: header"
done
[ "$compiled" -gt 0 ]
