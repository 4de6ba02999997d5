#compdef arena
# Completes the command arena in zsh; made by: arena completion zsh
_arena() {
    local line value help
    local -a words_only with_help open
    for line in "${(@f)$(_ARENA_COMPLETE=zsh_complete _ARENA_LINE="${(j: :)words[1,CURRENT]}" $words[1] 2>/dev/null)}"; do
        if [[ $line == file ]]; then _files; continue; fi
        [[ $line == plain$'\t'* ]] || continue
        line=${line#plain$'\t'}; value=${line%%$'\t'*}; help=${line#*$'\t'}
        if [[ $value == *[.=:] ]]; then open+=("$value")
        elif [[ -n $help ]]; then with_help+=("${value//:/\\:}:$help")
        else words_only+=("$value"); fi
    done
    (( $#with_help )) && _describe -V arena with_help
    (( $#words_only )) && compadd -V arena -a words_only
    (( $#open )) && compadd -S '' -V arena -a open
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _arena "$@"; else compdef _arena arena; fi
