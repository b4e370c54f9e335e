/** Tells the MariaDB of the tests not to wait for the disk at each commit. */
import mysql from 'mysql2/promise';

const server = await mysql.createConnection(
  (process.env.TEST_DATABASE_SERVER ?? 'mysql://root@127.0.0.1:3306').replace(/^mariadb:/, 'mysql:'),
);
await server.query('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
await server.end();
