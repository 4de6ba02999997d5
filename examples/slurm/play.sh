#!/usr/bin/env bash
# Play a benchmark inside a job, or go on with it where an earlier start of the job was ended.
#   play.sh [--ray] BENCHMARK RUN [options of arena run]
# What ends the job (pre-emption, the time limit, a lost node) costs at most the calls that were in flight. A run that
# was ended by a signal is put into the queue again; exit codes are those of arena.
set -euo pipefail

ray=
if [ "$1" = --ray ]; then
    ray=yes
    shift
fi
benchmark=$1 run=$2
shift 2

cluster='' driver='' signalled='' caught=
# Before the run has begun there is nothing to stop; afterwards the first signal stops arena cleanly.
# shellcheck disable=SC2329  # called by the traps
on_signal() {
    signalled=$1 caught=yes
    [ -z "$driver" ] || kill -TERM "$driver" 2>/dev/null || true
}
trap 'on_signal USR1' USR1
trap 'on_signal TERM' TERM

# shellcheck disable=SC2329  # called by a trap
leave() {
    [ -z "$cluster" ] || { kill -TERM "$cluster" 2>/dev/null && wait "$cluster"; } || true
}
trap leave EXIT

if [ -n "$ray" ]; then
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    hosts=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
    # The batch script runs on the first node, which is the cluster's head. A short path: Ray puts sockets below it.
    export ARENA_HEAD=${hosts%%$'\n'*} ARENA_TEMP=${ARENA_LOCAL:-/tmp}/arena-$SLURM_JOB_ID
    export ARENA_PORT=${ARENA_PORT:-$((20000 + SLURM_JOB_ID % 10000 * 2))}
    # What is written into a benchmark stays true when the job starts again elsewhere: address: auto.
    export RAY_ADDRESS=$ARENA_HEAD:$ARENA_PORT
    # Nodes are shared and ports are open to everybody on them: only who knows the token may use the cluster.
    export RAY_AUTH_MODE=token
    RAY_AUTH_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
    export RAY_AUTH_TOKEN
    srun --ntasks-per-node=1 --kill-on-bad-exit=0 "$here/node.sh" &
    cluster=$!
    for ((waited = 0; waited < ${ARENA_START_S:-180}; waited++)); do
        if (exec 3<>"/dev/tcp/$ARENA_HEAD/$ARENA_PORT") 2>/dev/null; then break; fi
        if [ -n "$signalled" ] || ! kill -0 "$cluster" 2>/dev/null; then break; fi
        sleep 1
    done
fi

status=3
if [ -z "$signalled" ]; then
    if [ -e "$run/journal.sqlite" ]; then
        arena resume "$run" &
    else
        arena run "$benchmark" --output "$run" "$@" &
    fi
    driver=$!
    # A signal ends the wait, not arena: wait again for what it makes of it.
    while :; do
        caught='' code=0
        wait "$driver" || code=$?
        [ "$code" = 127 ] || status=$code
        [ -n "$caught" ] || break
    done
fi

if [ -n "$signalled" ] && [ "$status" != 0 ]; then
    echo "play.sh: ended by SIG$signalled; job $SLURM_JOB_ID goes on with $run when it is started again" >&2
    # Slurm puts pre-empted jobs into the queue itself, and refuses this then.
    scontrol requeue "$SLURM_JOB_ID" || true
fi
exit "$status"
