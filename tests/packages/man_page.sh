#!/usr/bin/env bash
# Sets the manual page with groff, which must have nothing to complain about, and looks for every verb and every option of the
# command's help.
#
#   tests/packages/man_page.sh COMMAND PAGE
set -euo pipefail
command=${1:?} page=${2:?}
command -v groff >/dev/null || { echo "skipped: groff is not installed"; exit 77; }
set_page() { groff -man -Tutf8 -ww -P-c -P-b -P-u -rLL=200n "$page"; }
complaints=$(set_page 2>&1 >/dev/null)
[ -z "$complaints" ] || { echo "$complaints"; exit 1; }
text=$(set_page)
grep -q '^NAME$' <<<"$text"
failures=0
count=0
verbs=$("$command" --help | awk '/^Verbs:/ { inside = 1; next } !/^  / { inside = 0 } inside && /^  [^ ]/ { print $1 }')
for verb in '' $verbs; do
  part=$text
  [ -z "$verb" ] || part=$(awk -v verb="   $verb" '$0 == verb { inside = 1; next } /^   [^ ]/ || /^[^ ]/ { inside = 0 } inside' <<<"$text")
  # shellcheck disable=SC2086
  for option in $("$command" $verb --help | grep -oE '^  (-.,)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
    count=$((count + 1))
    grep -qE -- "^ +(-.,)?$option( |$)" <<<"$part" || { echo "supremum $verb: $option is not in the page"; failures=$((failures + 1)); }
  done
  # shellcheck disable=SC2086
  while read -r example; do
    grep -qF -- "$example" <<<"$part" || { echo "the page lacks: $example"; failures=$((failures + 1)); }
  done < <("$command" $verb --help | sed -n '/^Examples:/,$s/^  supremum/supremum/p')
done
[ "$count" -gt 20 ] && [ "$failures" = 0 ] && echo "$count options, and all examples, are in the page"
