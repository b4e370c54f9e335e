import { existsSync } from 'node:fs';

import { mustRun } from '../programs/run-program.js';
import { HostRefusal } from '../refusal.js';
import { isOpen, type SiteDatabase, type SiteRecord } from '../records/site-record.js';
import { DatabaseDisk, NOT_RUNNING } from './database-disk.js';
import { byPassword, grantedOn, name, nativeHash, user, value } from './statements.js';

/** Path of the MariaDB server on Debian. */
const SERVER = '/usr/sbin/mariadbd';
/** Maximum number of connections per user. */
const MAX_CONNECTIONS = 40;

/**
 * Databases of sites in the MariaDB of this server. Each database has a user of the same name with a password and full rights in that
 * database only. The system user of the site can access all of its databases over the socket without a password: imports, dumps and Adminer
 * run as it, so the agent stores no passwords.
 */
export class Databases {
  private readonly disk = new DatabaseDisk();

  /** @param socket MariaDB socket over which root can connect */
  constructor(readonly socket: string) {}

  /**
   * Runs work of other programs on a database.
   *
   * @throws what `work` throws; HostRefusal `DISK_FULL` if that is why it failed
   */
  async within<T>(database: string, work: () => Promise<T>): Promise<T> {
    await this.learnFolder();
    return work().catch(async (error: unknown) => {
      throw await this.disk.explain(error, database);
    });
  }

  /** Stores the data directory while the server can be asked. */
  learnFolder(): Promise<void> {
    return this.disk.learn(async (variable) => (await this.rows([`SELECT ${variable}`]))[0]?.[0]);
  }

  /** Applies the databases and access rules of a record. */
  async apply(site: SiteRecord): Promise<void> {
    for (const { name: database, isLeaving } of site.databases) if (isLeaving) await this.drop(database, site);
    const databases = site.databases.filter(({ isLeaving }) => !isLeaving);
    if (databases.length === 0) return;
    const own = user(site.user);
    const lock = isOpen(site) ? 'UNLOCK' : 'LOCK';
    await this.run([
      `CREATE USER IF NOT EXISTS ${own} ${byPassword()} OR unix_socket WITH MAX_USER_CONNECTIONS ${MAX_CONNECTIONS}`,
      ...databases.flatMap((database) => made(database, site.user)),
      `ALTER USER ${own} ACCOUNT ${lock}`,
    ]);
    for (const database of databases) await this.setHosts(database, lock);
    if (!isOpen(site)) await this.endSessions(site);
  }

  /** Whether the server has a database or user of that name, regardless of its owner. */
  async has(database: string): Promise<boolean> {
    const rows = await this.rows([
      `SELECT 1 FROM information_schema.schemata WHERE schema_name = ${value(database)}`,
      `SELECT 1 FROM mysql.global_priv WHERE User = ${value(database)}`,
    ]);
    return rows.length > 0;
  }

  /** Sets the password of a database's user and closes the sessions opened with the old one. */
  setPassword(database: SiteDatabase, password: string, site: Pick<SiteRecord, 'user'>): Promise<void> {
    return this.setHash(database, nativeHash(password), site);
  }

  /** Like {@link setPassword} with MariaDB's password hash. @throws Error for an invalid hash */
  async setHash({ name: database, hosts }: SiteDatabase, hash: string, site: Pick<SiteRecord, 'user'>): Promise<void> {
    const how = byPassword(hash);
    const local = database === site.user ? `${how} OR unix_socket` : how;
    await this.run([
      `ALTER USER IF EXISTS ${user(database)} ${local}`,
      ...hosts.map((host) => `ALTER USER IF EXISTS ${user(database, host)} ${how}`),
    ]);
    await this.run([`KILL HARD USER ${name(database)}`]);
  }

  /** Returns the sizes of databases in bytes, by name. */
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
    // The user named like the site also accesses the site's other databases, so it stays.
    const hosts = (await this.hostsOf(database)).filter((host) => database !== site.user || host !== 'localhost');
    await this.run([
      `KILL HARD USER ${name(database)}`,
      ...hosts.map((host) => `DROP USER IF EXISTS ${user(database, host)}`),
      `DROP DATABASE IF EXISTS ${name(database)}`,
    ]);
  }

  /** Empties a database; the privileges of its user stay. */
  async empty(database: string): Promise<void> {
    await this.run([`DROP DATABASE IF EXISTS ${name(database)}`, `CREATE DATABASE ${name(database)} CHARACTER SET utf8mb4`]);
  }

  /** Removes everything of a site. */
  async dropAll(site: SiteRecord): Promise<void> {
    if (site.databases.length === 0) return;
    for (const { name: database } of site.databases) await this.drop(database, site);
    await this.run([`DROP USER IF EXISTS ${user(site.user)}`]);
  }

  /** Returns the server's version; null if it does not respond. */
  async version(): Promise<string | null> {
    return this.rows(['SELECT VERSION()']).then(
      ([row]) => row?.[0] ?? null,
      () => null,
    );
  }

  private async setHosts({ name: database, hosts }: SiteDatabase, lock: string): Promise<void> {
    const allowed = new Set(['localhost', ...hosts]);
    const present = await this.hostsOf(database);
    const gone = present.filter((host) => !allowed.has(host)).map((host) => `DROP USER IF EXISTS ${user(database, host)}`);
    const hash = (await this.hashOf(database)) ?? undefined;
    const fresh = hosts
      .filter((host) => !present.includes(host))
      .flatMap((host) => [
        `CREATE USER IF NOT EXISTS ${user(database, host)} ${byPassword(hash)} WITH MAX_USER_CONNECTIONS ${MAX_CONNECTIONS}`,
        `GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(database, host)}`,
      ]);
    await this.run([...gone, ...fresh, ...[...allowed].map((host) => `ALTER USER ${user(database, host)} ACCOUNT ${lock}`)]);
  }

  /** Returns the password hash of a database's user; null if none is set or the user does not exist. */
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
      // While the server restarts, the socket is missing for a moment: fails, so that no site is created without its database.
      if (!existsSync(this.socket)) throw new HostRefusal(existsSync(SERVER) ? 'PROGRAM' : 'MISSING_PROGRAM', NOT_RUNNING);
      return await mustRun('mariadb', how, { input: `${statements.join(';\n')};\n`, timeoutMs: 60_000 });
    } catch (error) {
      throw await this.disk.explain(error);
    }
  }
}

function made({ name: database }: SiteDatabase, own: string): string[] {
  const grants = [`GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(own)}`];
  // For the database named like its site, one user has both ways to sign in.
  if (database === own) return [`CREATE DATABASE IF NOT EXISTS ${name(database)} CHARACTER SET utf8mb4`, ...grants];
  return [
    `CREATE DATABASE IF NOT EXISTS ${name(database)} CHARACTER SET utf8mb4`,
    `CREATE USER IF NOT EXISTS ${user(database)} ${byPassword()} WITH MAX_USER_CONNECTIONS ${MAX_CONNECTIONS}`,
    `GRANT ALL PRIVILEGES ON ${grantedOn(database)} TO ${user(database)}`,
    ...grants,
  ];
}

/** Returns the error for a name in use, without revealing whose it is. */
export function databaseTaken(database: string): HostRefusal {
  return new HostRefusal('DATABASE_TAKEN', `The name ${database} is already in use.`, { name: database });
}
