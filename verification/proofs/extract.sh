#!/usr/bin/env bash
# Extracts the C of verification/proofs/extracted/ from the Why3 development. A function has the name of its program in Why3 with that of
# its type, so that all types can be in one program: join_of is join_of_float, max is supremum_proved_max_float. What has no element type
# keeps its name, and is in loops.h, which the file of each type includes. Where Why3 writes (), which says nothing of the parameters in C99, it is (void). <stdint.h> comes first; Why3 has it where
# its module comes.
#
#   verification/proofs/extract.sh             writes verification/proofs/extracted/*.c and loops.h
#   verification/proofs/extract.sh --compare   writes nothing; exit status 1 if they differ from what is committed, 77 if Why3 is missing
set -euo pipefail
cd "$(dirname "$0")/why3"
command -v why3 >/dev/null || { echo "extract.sh: Why3 is not installed (scripts/setup.sh)" >&2; exit 77; }

case "${1:-}" in
  "") into=../extracted ;;
  --compare) into=$(mktemp -d); trap 'rm -rf "$into"' EXIT ;;
  *) echo "extract.sh: unknown option '$1' (known: --compare)" >&2; exit 2 ;;
esac
# with_names TYPE: the text of standard input with these names.
with_names() {
  local text names
  text=$(printf '#include <stdint.h>\n\n'; grep -vxF '#include <stdint.h>')
  text=$(cat -s <<<"$text" | sed 's/[ ]*$//; s/^\(static inline .*\)() {$/\1(void) {/')
  names=$(grep -oE '^(static inline )?[a-z0-9_]+ [a-z_]+\(' <<<"$text" | sed 's/($//; s/.* //' | grep -vxE 'number_of_elements|address_of|max|reduce_max' | paste -sd '|')
  sed -E "s/\\b(max|reduce_max)\\(/supremum_proved_\\1_$1(/; s/\\b($names)\\(/\\1_$1(/g" <<<"$text"
}

# blocks OPERATOR: those blocks of standard input that are functions of loops.h (==), or are not (!=).
blocks() {
  local shared
  shared=$(awk -v RS= -v ORS='\n\n' "(\$0 ~ /^static inline int64_t (number_of_elements|address_of)\\(/) $1 1")
  printf '%s\n' "$shared"
}

for module in BFloat16 Float16 Float Double Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Bool; do
  name=${module,,}
  # Tensors are functions in the proofs; Why3 says on standard error that no program has them.
  text=$(why3 -C provers.conf extract -L . -D c -D ./supremum.drv kernel.Loops "instances.$module" \
    2> >(grep -v "^Could not translate declaration of tensor\." >&2) | with_names "$name")
  by="by verification/proofs/extract.sh. Not edited by hand. */"
  {
    echo "/* Extracted from verification/proofs/why3/instances.mlw, module $module, $by"
    blocks != <<<"$text" | sed '1s/.*/#include "loops.h"/'
  } >"$into/$name.c"
  loops=$(printf '%s\n#include <stdint.h>\n\n' "/* Extracted from verification/proofs/why3/kernel.mlw, module Loops, $by"; blocks == <<<"$text")
  [ "$module" = BFloat16 ] || cmp -s - "$into/loops.h" <<<"$loops" || { echo "extract.sh: loops.h differs for $module" >&2; exit 1; }
  echo "$loops" >"$into/loops.h"
done
if [ "${1:-}" = --compare ]; then
  status=0
  for file in "$into"/* ../extracted/*.c; do
    cmp -s "$into/$(basename "$file")" "../extracted/$(basename "$file")" || {
      echo "extract.sh: verification/proofs/extracted/$(basename "$file") is not what verification/proofs/extract.sh writes" >&2
      status=1
    }
  done
  exit "$status"
fi
