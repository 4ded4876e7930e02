# Runs a command in the root of an image, as in a pod of `bootstrap serve`: read-only, as the user 1000, with /srv and /tmp in
# memory, and without a network but loopback. /srv has a copy of the folder LEASES. As root:
#   unshare --mount --net --pid --fork sh image-root.sh ROOT LEASES COMMAND…
set -eu
root=$1 leases=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
ip link set lo up
for folder in srv tmp; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done
cp -R "$leases/." "$root/srv/"
chown -R 1000:1000 "$root/srv"
mount -o remount,bind,ro "$root"
chroot=$(command -v chroot)
exec env -i PATH=/usr/local/bin:/usr/bin HOME=/tmp "$chroot" --userspec=1000:1000 "$root" "$@"
