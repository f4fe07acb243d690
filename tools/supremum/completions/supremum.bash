# Completion of `supremum` for bash: verbs, each verb's options and their choices, and names of files. The lists are read from
# the command's own --help, so that nothing is written twice.

# The first words of a list of a help text: _supremum_list HEADING [VERB]
_supremum_list() {
  "${COMP_WORDS[0]/#\~/$HOME}" ${2:+"$2"} --help 2>/dev/null |
    awk -v heading="$1:" '$0 == heading { inside = 1; next } !/^  / { inside = 0 } inside && /^  [^ ]/ { print $1 }'
}

# Choices written as a|b|c after an option of a verb: _supremum_choices VERB OPTION
_supremum_choices() {
  "${COMP_WORDS[0]/#\~/$HOME}" "$1" --help 2>/dev/null |
    awk -v option="$2" '{ count = split($1, names, ","); for (i = 1; i <= count; ++i)
      if (names[i] == option && $2 ~ /^[A-Za-z0-9_-]+([|][A-Za-z0-9_-]+)+$/) { gsub(/[|]/, "\n", $2); print $2 } }'
}

_supremum() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words=$(_supremum_list Verbs; _supremum_list Options | tr ',' '\n')
  elif [[ $word == -* ]]; then
    words=$(_supremum_list Options "$verb" | tr ',' '\n')
  elif [[ $before == -* ]]; then
    words=$(_supremum_choices "$verb" "$before")
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}

complete -F _supremum supremum
