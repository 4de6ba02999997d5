# Completes the command arena in bash; made by: arena completion bash
_arena_completion() {
    local line replies=()
    while IFS= read -r line; do
        case $line in
            file) compopt -o default ;;
            plain*) line=${line#plain$'\t'}; replies+=("${line%%$'\t'*}") ;;
        esac
    done < <(_ARENA_COMPLETE=bash_complete _ARENA_LINE="${COMP_LINE:0:COMP_POINT}" "$1" 2>/dev/null)
    COMPREPLY=("${replies[@]}")
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[.=:] ]]; then compopt -o nospace; fi
}
complete -o nosort -F _arena_completion arena 2>/dev/null || complete -F _arena_completion arena
