#!/bin/bash
# Runs FRR as the container `frr` of frr-k8s does, in mounts and processes of its own: a folder with `etc`, `run` and
# `var-tmp` takes the places of those of this machine. FRR's user and groups are root's there, so that it also runs in a
# user namespace. First it says its process id, as the caller knows it. It must reap what FRR's daemons leave.
read -r pid _ < /proc/self/stat
printf 'root:x:0:0::/:/bin/sh\nfrr:x:0:0::/:/bin/sh\n' > "$1/etc/passwd"
printf 'root:x:0:\nfrr:x:0:\nfrrvty:x:0:\n' > "$1/etc/group"
mkdir -p "$1/etc/pam.d" "$1/etc/security"
printf '%s sufficient pam_permit.so\n' auth account session > "$1/etc/pam.d/frr"
for folder in etc run var/tmp; do
  mount --bind "$1/${folder/\//-}" "/$folder" || exit
done
echo "$pid"
. /usr/lib/frr/frrcommon.sh
while true; do
  # Its word splitting is meant: a list of daemons.
  /usr/lib/frr/watchfrr $(daemon_list) &
  wait $!
done
