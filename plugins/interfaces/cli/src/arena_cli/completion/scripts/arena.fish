# Completes the command arena in fish; made by: arena completion fish
function _arena_completion
    for line in (_ARENA_COMPLETE=fish_complete _ARENA_LINE=(commandline -cp | string collect) arena 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case file
                __fish_complete_path (commandline -ct)
            case plain
                printf '%s\t%s\n' $parts[2] "$parts[3]"
        end
    end
end
complete --no-files --command arena --arguments '(_arena_completion)'
