#!/bin/sh
# Plays an open seat of Arena until its matches are over, always the first legal action. Needs curl and nothing else.
#
#   sh seat.sh 'http://127.0.0.1:8765/seat#KEY'
set -eu
case "${1-}" in
http*/seat#?*) ;;
*)
    printf '%s\n' "expected a seat's link, http://ADDRESS/seat#KEY, got '${1-}'; ask its host" >&2
    exit 2
    ;;
esac
site=${1%%/seat#*} key=${1##*#} after=-1

gone() { # REASON
    printf '%s\n' "no seat at $site ($1); is arena view running there?" >&2
    exit 1
}

ask() { # PATH [BODY]: the answer, and in a last line its status
    curl -s -H "Authorization: Bearer $key" -w '\n%{http_code}' ${2:+-d "$2"} "$site/api/1/seat$1" || gone "curl ends with $?"
}

field() { # NAME: the text or number that stands behind a name in $told, for the first time
    rest=${told#*\"$1\":}
    case $rest in
    \"*) rest=${rest#\"} && printf '%s' "${rest%%\"*}" ;;
    *) printf '%s' "${rest%%[,\}]*}" ;;
    esac
}

refused() {
    printf '%s\n' "$(field what); $(field remedy)" >&2
    exit 1
}

no_options() {
    printf '%s\n' 'this turn has no options: an action has to fit its schema, which this client cannot' >&2
    exit 1
}

told=$(ask '')
case $told in \{\"error\"*) refused ;; \{*) match=$(field match) ;; *) gone 'another server answers' ;; esac
while [ "$match" != null ]; do
    told=$(ask "/turn?match=$match&after=$after&wait=30")
    case ${told##*[!0-9]} in
    200) # it is our turn
        case $told in *'"options":[{"action":'*) ;; *) no_options ;; esac
        match=$(field match) turn=$(field turn) try=$(field try) rest=${told#*\"options\":[\{\"action\":}
        answer=$(ask "/turn/$turn/try/$try?match=$match" "{\"action\": ${rest%%,\"label\":*}}")
        printf '%s\n' "$(field say)" "$answer"
        case ${answer##*[!0-9]} in 200) after=$turn ;; esac ;;
    410) # the match is over
        printf '%s\n' "$(field verdict_words)"
        match=$(field next_match) after=-1 ;;
    204) ;;
    503) sleep 3 ;; # nobody plays the run at present
    *) refused ;;
    esac
done
