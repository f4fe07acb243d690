#!/usr/bin/env bash
# Compiles the headers of C and their examples with every compiler at hand, every warning an error: as C99 and C17, the headers also as
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
    for source in examples/c/*.c include/supremum/c_*.h; do "$compiler" "-std=$standard" "${flags[@]}" -x c "$source"; done
    echo "$compiler -std=$standard: headers and examples"
    compiled=$((compiled + 1))
  done
  for header in include/supremum/c_*.h; do "$compiler" -std=c++11 "${flags[@]/-Wstrict-prototypes/-Wold-style-cast}" -x c++ "$header"; done
  echo "$compiler -std=c++11: headers"
done
[ "$compiled" -gt 0 ]
