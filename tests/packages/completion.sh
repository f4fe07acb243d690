#!/usr/bin/env bash
# Asks bash what it completes after some beginnings of a command line.
#
#   tests/packages/completion.sh COMMAND FOLDER    FOLDER is emptied
set -euo pipefail
script=$(cd "$(dirname "$0")/../.." && pwd)/tools/supremum/completions/supremum.bash
command=${1:?} folder=${2:?}
rm -rf "$folder"
mkdir -p "$folder/sub"
cd "$folder"
touch 'scores a.npy' scores_b.npy other.bin
failures=0

# The completions of the last of the words, one a line.
completions_of() {
  env -i "PATH=$(dirname "$command"):/usr/bin:/bin" bash --norc --noprofile -c '
    source "$0"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    $(complete -p supremum | sed "s/.*-F \([^ ]*\) .*/\1/")
    printf "%s\n" "${COMPREPLY[@]}"' "$script" "$@" | sort
}

# expect WORD... -- COMPLETION...
expect() {
  local words=() found
  while [ "$1" != -- ]; do words+=("$1"); shift; done
  shift
  found=$(completions_of "${words[@]}")
  if [ "$found" != "$(printf '%s\n' "$@" | sort)" ]; then
    echo "after '${words[*]}': expected '$*', found '${found//$'\n'/ }'"
    failures=$((failures + 1))
  fi
}

verbs=$("$command" --help | awk '/^Verbs:/ { inside = 1; next } !/^  / { inside = 0 } inside && /^  [^ ]/ { print $1 }')
[ "$(wc -w <<<"$verbs")" -ge 7 ]
# shellcheck disable=SC2086
expect supremum '' -- $verbs --version --help -h
expect supremum red -- reduce-max
expect supremum --v -- --version
expect supremum reduce-max --ke -- --keepdims
expect supremum reduce-max --noo -- --noop-with-empty-axes
expect supremum reduce-max --semantics '' -- supremum onnx onednn
expect supremum reduce-max --semantics on -- onnx onednn
expect supremum gen --op '' -- Max ReduceMax
expect supremum gen --op R -- ReduceMax
expect supremum max scores -- 'scores a.npy' scores_b.npy
expect supremum max a.npy -o o -- other.bin
expect supremum max s -- 'scores a.npy' scores_b.npy sub
expect supremum max --no-such-option -- ''
for verb in $verbs; do
  # Every long option that the help lists is offered.
  listed=$("$command" "$verb" --help | sed -n '/^Options:/,/^$/p' | grep -oE '^  (-., ?)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+')
  found=$(completions_of supremum "$verb" -- | tr '\n' ' ')
  for option in $listed; do
    [[ " $found" == *" $option "* ]] || { echo "supremum $verb: $option is not offered"; failures=$((failures + 1)); }
  done
  # So are all choices of an option.
  while read -r option choices; do
    # shellcheck disable=SC2086
    expect supremum "$verb" "$option" '' -- ${choices//|/ }
  done < <("$command" "$verb" --help | grep -oE -- '--[a-z0-9-]+ +[A-Za-z0-9_-]+(\|[A-Za-z0-9_-]+)+ ')
done
[ "$failures" = 0 ] && echo "all completions are as expected"
