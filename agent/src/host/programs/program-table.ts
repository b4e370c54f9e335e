/**
 * All programs the agent starts, with their paths on Debian. Nothing else is started and never through a shell: arguments are arrays, and
 * values of tasks are included only after validation.
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
  // Debian appends the version to the program name.
  'php-fpm': '/usr/sbin/php-fpm',
} as const;

/** Name of one of these programs. */
export type ProgramName = keyof typeof PROGRAMS;

/** Formats a PHP version as in file names: `82` becomes `8.2`. */
export function dotted(version: string): string {
  return `${version.slice(0, 1)}.${version.slice(1)}`;
}
