import { existsSync } from 'node:fs';

import { mustRun } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';
import { isOpen, type SiteDatabase, type SiteRecord } from '../records/site-record.js';
import { DatabaseRoom, NOT_RUNNING } from './database-room.js';
import { byPassword, grantedOn, name, nativeHash, user, value } from './statements.js';

/** Where Debian has the server itself. */
const SERVER = '/usr/sbin/mariadbd';
/** Connections one user may have at a time. */
const MOST_CONNECTIONS = 40;

/**
 * Databases of sites in the MariaDB of this server. Each has a user of its own name, who gets in by a password and may do everything in it
 * and nothing beside it. The system user of the site gets into all of its databases by the socket, without a password: imports, dumps and
 * Adminer run as it, so no password is kept here.
 */
export class Databases {
  private readonly room = new DatabaseRoom();

  /** @param socket of MariaDB, where root gets in */
  constructor(readonly socket: string) {}

  /**
   * Does what others do in a database of this server.
   *
   * @throws what `work` throws; HostRefusal `DISK_FULL` where that is why it failed
   */
  async within<T>(database: string, work: () => Promise<T>): Promise<T> {
    await this.learnFolder();
    return work().catch(async (error: unknown) => {
      throw await this.room.explained(error, database);
    });
  }

  /** Notes where databases lie, while there is a server that says so. */
  learnFolder(): Promise<void> {
    return this.room.learn(async (variable) => (await this.rows([`SELECT ${variable}`]))[0]?.[0]);
  }

  /** Makes what a record says, lets nobody in who may not. */
  async follow(site: SiteRecord): Promise<void> {
    for (const { name: database, isLeaving } of site.databases) if (isLeaving) await this.drop(database, site);
    const databases = site.databases.filter(({ isLeaving }) => !isLeaving);
    if (databases.length === 0) return;
    const own = user(site.user);
    const lock = isOpen(site) ? 'UNLOCK' : 'LOCK';
    await this.run([
      `CREATE USER IF NOT EXISTS ${own} ${byPassword()} OR unix_socket WITH MAX_USER_CONNECTIONS ${MOST_CONNECTIONS}`,
      ...databases.flatMap((database) => made(database, site.user)),
      `ALTER USER ${own} ACCOUNT ${lock}`,
    ]);
    for (const database of databases) await this.setHosts(database, lock);
    if (!isOpen(site)) await this.endSessions(site);
  }

  /** Whether the server has a database or a user of that name, whosever it is. */
  async has(database: string): Promise<boolean> {
    const rows = await this.rows([
      `SELECT 1 FROM information_schema.schemata WHERE schema_name = ${value(database)}`,
      `SELECT 1 FROM mysql.global_priv WHERE User = ${value(database)}`,
    ]);
    return rows.length > 0;
  }

  /** Sets the password of a database's user, and ends the sessions that began with another one. */
  setPassword(database: SiteDatabase, password: string, site: Pick<SiteRecord, 'user'>): Promise<void> {
    return this.setHash(database, nativeHash(password), site);
  }

  /** The same by the hash MariaDB knows the password by. @throws Error for what is none */
  async setHash({ name: database, hosts }: SiteDatabase, hash: string, site: Pick<SiteRecord, 'user'>): Promise<void> {
    const how = byPassword(hash);
    const local = database === site.user ? `${how} OR unix_socket` : how;
    await this.run([
      `ALTER USER IF EXISTS ${user(database)} ${local}`,
      ...hosts.map((host) => `ALTER USER IF EXISTS ${user(database, host)} ${how}`),
    ]);
    await this.run([`KILL HARD USER ${name(database)}`]);
  }

  /** Bytes of databases, by name. */
  async sizes(databases: readonly SiteDatabase[]): Promise<Map<string, number>> {
    const sizes = new Map(databases.map(({ name: database }) => [database, 0]));
    if (databases.length === 0) return sizes;
    const named = databases.map(({ name: database }) => value(database)).join(', ');
    const rows = await this.rows([
      `SELECT table_schema, CAST(COALESCE(SUM(data_length + index_length), 0) AS UNSIGNED) FROM information_schema.tables
        WHERE table_schema IN (${named}) GROUP BY table_schema`,
    ]);
    for (const [database = '', bytes] of rows) sizes.set(database, Number(bytes));
    return sizes;
  }

  /** Removes a database and its users. */
  async drop(database: string, site: Pick<SiteRecord, 'user'>): Promise<void> {
    // The user of the site's own name gets into its other databases, too.
    const hosts = (await this.hostsOf(database)).filter((host) => database !== site.user || host !== 'localhost');
    await this.run([
      `KILL HARD USER ${name(database)}`,
      ...hosts.map((host) => `DROP USER IF EXISTS ${user(database, host)}`),
      `DROP DATABASE IF EXISTS ${name(database)}`,
    ]);
  }

  /** Empties a database; its user keeps what he may do. */
  async empty(database: string): Promise<void> {
    await this.run([`DROP DATABASE IF EXISTS ${name(database)}`, `CREATE DATABASE ${name(database)} CHARACTER SET utf8mb4`]);
  }

  /** Removes everything of a site. */
  async dropAll(site: SiteRecord): Promise<void> {
    if (site.databases.length === 0) return;
    for (const { name: database } of site.databases) await this.drop(database, site);
    await this.run([`DROP USER IF EXISTS ${user(site.user)}`]);
  }

  /** Version of the server; null where none answers. */
  async version(): Promise<string | null> {
    return this.rows(['SELECT VERSION()']).then(
      ([row]) => row?.[0] ?? null,
      () => null,
    );
  }

  private async setHosts({ name: database, hosts }: SiteDatabase, lock: string): Promise<void> {
    const wanted = new Set(['localhost', ...hosts]);
    const present = await this.hostsOf(database);
    const gone = present.filter((host) => !wanted.has(host)).map((host) => `DROP USER IF EXISTS ${user(database, host)}`);
    const hash = (await this.hashOf(database)) ?? undefined;
    const fresh = hosts
      .filter((host) => !present.includes(host))
      .flatMap((host) => [
        `CREATE USER IF NOT EXISTS ${user(database, host)} ${byPassword(hash)} WITH MAX_USER_CONNECTIONS ${MOST_CONNECTIONS}`,
        `GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(database, host)}`,
      ]);
    await this.run([...gone, ...fresh, ...[...wanted].map((host) => `ALTER USER ${user(database, host)} ACCOUNT ${lock}`)]);
  }

  /** Hash of the password of a database's user; null where none was set, or there is none. */
  async hashOf(database: string): Promise<string | null> {
    const [row] = await this.rows([
      `SELECT COALESCE(JSON_VALUE(Priv, '$.authentication_string'), JSON_VALUE(Priv, '$.auth_or[0].authentication_string'), 'invalid')
        FROM mysql.global_priv WHERE User = ${value(database)} AND Host = 'localhost'`,
    ]);
    return row?.[0] === undefined || row[0] === 'invalid' ? null : row[0];
  }

  private async hostsOf(database: string): Promise<string[]> {
    return (await this.rows([`SELECT Host FROM mysql.global_priv WHERE User = ${value(database)}`])).map(([host]) => host!);
  }

  private async endSessions(site: SiteRecord): Promise<void> {
    await this.run([site.user, ...site.databases.map(({ name: database }) => database)].map((one) => `KILL HARD USER ${name(one)}`));
  }

  private async rows(statements: readonly string[]): Promise<string[][]> {
    const text = await this.run(statements);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  }

  private async run(statements: readonly string[]): Promise<string> {
    if (statements.length === 0) return '';
    const how = [
      '--no-defaults',
      '--protocol=socket',
      `--socket=${this.socket}`,
      '--user=root',
      '--batch',
      '--skip-column-names',
      '--local-infile=0',
    ];
    try {
      // One that is started anew is missed for a moment: a site that is made meanwhile is not made without a database.
      if (!existsSync(this.socket)) throw new HostRefusal(existsSync(SERVER) ? 'PROGRAM' : 'MISSING_PROGRAM', NOT_RUNNING);
      return await mustRun('mariadb', how, { input: `${statements.join(';\n')};\n`, timeoutMs: 60_000 });
    } catch (error) {
      throw await this.room.explained(error);
    }
  }
}

function made({ name: database }: SiteDatabase, own: string): string[] {
  const grants = [`GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(own)}`];
  // A database of the name of its site: one user has both ways in.
  if (database === own) return [`CREATE DATABASE IF NOT EXISTS ${name(database)} CHARACTER SET utf8mb4`, ...grants];
  return [
    `CREATE DATABASE IF NOT EXISTS ${name(database)} CHARACTER SET utf8mb4`,
    `CREATE USER IF NOT EXISTS ${user(database)} ${byPassword()} WITH MAX_USER_CONNECTIONS ${MOST_CONNECTIONS}`,
    `GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(database)}`,
    ...grants,
  ];
}

/** Refuses a name that is somebody else's. Whose it is is never told. */
export function databaseTaken(database: string): HostRefusal {
  return new HostRefusal('DATABASE_TAKEN', `The name ${database} is taken.`, { name: database });
}
