/**
 * Command that starts the MariaDB of a machine, launched under the name `mariadb`: with Debian's socket path, and without syncing to disk.
 */
export const MACHINE_DATABASE: readonly string[] = [
  'mariadbd',
  '--no-defaults',
  '--user=mysql',
  '--datadir=/run/database',
  '--socket=/run/mysqld/mysqld.sock',
  '--skip-networking',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--skip-log-bin',
];
