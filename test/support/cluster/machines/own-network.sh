#!/bin/sh
# Runs node with the arguments in a network of its own: loopback and nothing else. MetalLB's webhooks have a fixed port,
# so two files of the cluster suite cannot run side by side in one network. Without root it takes a user namespace too.
PATH="$PATH:/usr/sbin:/sbin"
if test "$(id -u)" -eq 0; then user=; else user=-r; fi
exec unshare -n $user sh -c 'ip link set lo up && exec "$0" "$@"' "${NODE:-node}" "$@"
