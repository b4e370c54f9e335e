/**
 * Every program this agent ever starts, by the path Debian gives it. Nothing else is started, and none of them by way of a shell: arguments
 * are arrays, values of tasks are never among them unless the module that builds them has checked them.
 */
export const PROGRAMS = {
  nginx: '/usr/sbin/nginx',
  sshd: '/usr/sbin/sshd',
  useradd: '/usr/sbin/useradd',
  usermod: '/usr/sbin/usermod',
  userdel: '/usr/sbin/userdel',
  groupadd: '/usr/sbin/groupadd',
  chpasswd: '/usr/sbin/chpasswd',
  systemctl: '/usr/bin/systemctl',
  mariadb: '/usr/bin/mariadb',
  'mariadb-dump': '/usr/bin/mariadb-dump',
  // Debian keeps the name of a version in that of its program.
  'php-fpm': '/usr/sbin/php-fpm',
} as const;

/** One of them. */
export type ProgramName = keyof typeof PROGRAMS;

/** Version of PHP in a file name, such as `8.2` of `82`. */
export function dotted(version: string): string {
  return `${version.slice(0, 1)}.${version.slice(1)}`;
}
