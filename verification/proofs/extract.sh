#!/usr/bin/env bash
# Extracts the C of verification/proofs/extracted/ from the Why3 development.
#
#   verification/proofs/extract.sh             writes verification/proofs/extracted/*.c
#   verification/proofs/extract.sh --compare   writes nothing; exit status 1 if they differ from what is committed, 77 if Why3 is missing
set -euo pipefail
cd "$(dirname "$0")/why3"
command -v why3 >/dev/null || { echo "extract.sh: Why3 is not installed (scripts/setup.sh)" >&2; exit 77; }

case "${1:-}" in
  "") into=../extracted ;;
  --compare) into=$(mktemp -d); trap 'rm -rf "$into"' EXIT ;;
  *) echo "extract.sh: unknown option '$1' (known: --compare)" >&2; exit 2 ;;
esac
for module in BFloat16 Float16 Float Double Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64; do
  name=${module,,}
  {
    echo "/* Extracted from verification/proofs/why3/instances.mlw, module $module, by verification/proofs/extract.sh. Not edited by hand. */"
    why3 -C provers.conf extract -L . -D c -D ./supremum.drv kernel.Loops "instances.$module" | sed 's/[ ]*$//'
  } >"$into/$name.c"
done
if [ "${1:-}" = --compare ]; then
  status=0
  for file in "$into"/*.c ../extracted/*.c; do
    cmp -s "$into/$(basename "$file")" "../extracted/$(basename "$file")" || {
      echo "extract.sh: verification/proofs/extracted/$(basename "$file") is not what verification/proofs/extract.sh writes" >&2
      status=1
    }
  done
  exit "$status"
fi
