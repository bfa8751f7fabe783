# bash completion of triton-spec.  What can be completed is asked of the program's
# own --help, so it cannot differ from it.

# The commands, one a line.
_triton_spec_commands() {
  "$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

# A command's options, one a line: --name, or --name VALUE.
_triton_spec_options() {
  "$1" "$2" --help 2>/dev/null | sed -nE '/^options:/,$s/^  (--[a-z-]+( [A-Z]+)?) .*/\1/p'
}

# Names of folders below third_party that look like a backend's.
_triton_spec_backends() {
  local dir
  for dir in third_party/*/; do
    [[ -d ${dir}spec_cpp || -d ${dir}spec || -f ${dir}spec.ini ]] && basename "$dir"
  done
}

_triton_spec() {
  local program=$1 current=$2 previous=$3 command=${COMP_WORDS[1]} value
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_triton_spec_commands "$program") --help --version" \
      -- "$current")
    return
  fi
  value=$(_triton_spec_options "$program" "$command" | sed -n "s/^$previous \([A-Z]*\)$/\1/p")
  case $value in
    DIR) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    NAME) mapfile -t COMPREPLY < <(compgen -W "$(_triton_spec_backends)" -- "$current") ;;
    FILE | PATH) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    *)
      if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W \
          "$(_triton_spec_options "$program" "$command" | cut -d ' ' -f 1)" -- "$current")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      fi
      ;;
  esac
}

complete -o filenames -F _triton_spec triton-spec
