/** MariaDB of a machine, as it is launched there under the name `mariadb`: where Debian has its socket, and with nothing synced. */
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
