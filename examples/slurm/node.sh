#!/usr/bin/env bash
# One node of the job's Ray cluster; play.sh starts it everywhere with srun. The first node is the head.
set -euo pipefail

umask 077
mkdir -p "$ARENA_TEMP"
ray=
# Ray ends its processes when it is told to; then nothing of it stays on the node.
leave() {
    trap '' TERM INT
    [ -z "$ray" ] || { kill -TERM "$ray" 2>/dev/null && wait "$ray"; } || true
    rm -rf "$ARENA_TEMP"
}
trap leave EXIT
trap 'exit 143' TERM INT

# Nodes that are busy, or read Python from a shared disk, start slowly.
export RAY_raylet_start_wait_time_s="${RAY_raylet_start_wait_time_s:-180}"
# Ports of workers are chosen by the system, since jobs of others may share the node.
options=(--block --disable-usage-stats --num-cpus="${SLURM_CPUS_PER_TASK:-1}" --min-worker-port=0 --max-worker-port=0)
if [ "${SLURM_NODEID:-0}" = 0 ]; then
    ray start --head --node-ip-address="$ARENA_HEAD" --port="$ARENA_PORT" --ray-client-server-port="$((ARENA_PORT + 1))" \
        --include-dashboard=false --temp-dir="$ARENA_TEMP" "${options[@]}" &
else
    until (exec 3<>"/dev/tcp/$ARENA_HEAD/$ARENA_PORT") 2>/dev/null; do sleep 1; done
    ray start --address="$RAY_ADDRESS" "${options[@]}" &
fi
ray=$!
wait "$ray"
