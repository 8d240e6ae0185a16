#!/bin/sh
# Runs a command with what deploy/systemd/underway.service leaves the server, as near as it comes without
# systemd: sandbox.sh USER WRITABLE... -- COMMAND. Root only. All file systems are read-only but for the
# folders named, /dev and /proc are bare, and the user has no capability and gets none.
# It stays one process, so that it gets the signals. (What the unit filters of system calls is not in it.)
set -e
if [ "$SANDBOX_INSIDE" != yes ]; then
    SANDBOX_INSIDE=yes exec unshare --mount --ipc "$0" "$@"
fi
unset SANDBOX_INSIDE
user=$1
shift
mount -n --make-rprivate /
# ProtectSystem=strict, StateDirectory=
writable=
while [ "$1" != -- ]; do
    mount -n --bind "$1" "$1"
    writable="$writable
$1"
    shift
done
shift
awk '{ print $5 }' /proc/self/mountinfo | sort -u | while read -r place; do
    if ! printf '%s\n' "$writable" | grep -qxF "$place"; then mount -n -o remount,bind,ro "$place"; fi
done
# PrivateDevices=
mount -n -t tmpfs -o mode=755 tmpfs /dev/shm
for name in null zero full random urandom tty; do
    touch "/dev/shm/$name"
    mount -n --bind "/dev/$name" "/dev/shm/$name"
done
mount -n --move /dev/shm /dev
mount -n -o remount,bind,ro /dev
# ProtectProc=, ProcSubset=
mount -n -t proc -o hidepid=invisible,subset=pid proc /proc
# UMask=, LimitNOFILE=, User=, NoNewPrivileges=, CapabilityBoundingSet=
umask 077
ulimit -n 16384
exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all \
    --inh-caps=-all --ambient-caps=-all "$@"
