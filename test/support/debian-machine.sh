# Mounts a copy of this machine's file system in memory and runs the program from standard input in it; see debian-machine.ts.
# Standard input: the size of the program in twelve digits, the program, and then its own input.
# Usage, inside new namespaces: sh debian-machine.sh FOLDER SIZE NODE
set -eu
folder=$1
mount --make-rprivate /
mount -t tmpfs -o "size=$2,mode=755" machine "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" machine "$folder/root"
root=$folder/root
mount -t proc -o nosuid,nodev,noexec,hidepid=2 proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
mount -t tmpfs -o mode=755 run "$root/run"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
mkdir -p "$root/run/php" "$root/run/sshd" "$root/run/mysqld" "$root/var/lib/svc-agent"
ip link set lo up
# Removes this machine's own nginx sites from the copy.
rm -rf "$root/etc/nginx/sites-enabled/default" "$root/etc/nginx/conf.d/svc-hosting.conf"
# PHP 8.2 under another name serves as the second version.
ln -sf php-fpm8.2 "$root/usr/sbin/php-fpm8.1"
ln -sf php8.2 "$root/usr/bin/php8.1"
# Mounts the given Node binary, because it may be in this machine's /tmp, which the copy does not have.
rm -f "$root/usr/local/bin/node"
: >"$root/usr/local/bin/node"
mount --bind "$3" "$root/usr/local/bin/node"
size=$(dd bs=1 count=12 2>/dev/null | sed 's/^0*//')
mkdir -p "$root/opt/svc-agent"
head -c "$size" >"$root/opt/svc-agent/svc-agent.mjs"
exec chroot "$root" /usr/local/bin/node /opt/svc-agent/svc-agent.mjs
